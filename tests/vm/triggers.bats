#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Every benchmark with every trigger on kernels that have fentry and kprobes, which not every
# machine that runs these tests has.

# Variables of jq; variables of bats and of the library; tests are subshells.
# shellcheck disable=SC2016,SC2154,SC2030,SC2031

load lib.bash

setup_file() {
	fetch_kernels
}

# What a benchmark may not do is the kernel's word, and comes from its verifier or a missing type.
REASONS='Sleepable programs can only use|is not supported|unknown func|not found in kernel
cannot use helper|failed to create|tracing progs cannot use|is not allowed|unknown opcode'

# every_benchmark KERNEL RELEASE: in virtual time, of which 0.1 s always are enough for some batches.
every_benchmark() {
	local names

	guest "$1" -- list -j
	exits 0
	names=$(jq -r '[.benchmarks[] | select(.needs != "nothing").name] | join(",")' \
		<<<"$output")
	[ "$(jq -r '[.triggers[].name] | join(",")' <<<"$output")" = "$TRIGGERS" ]

	guest "$1" --icount=3 -- stat "${ONCE[@]}" --trigger "$TRIGGERS" "$names"
	exits 0
	no_warning
	json --arg release "$2" '.boots[0].kernel.release | startswith($release)'
	json --arg reasons "${REASONS//$'\n'/|}" '[.benchmarks[] | . as $b | .runs[] |
		if .status == "ok" then .values.ops_rate > 0
		elif .status == "skipped" then (.reason | test($reasons))
		else false end] | all'
	# Two out of three at least: a matrix of refusals would hold as well.
	json '[.benchmarks[].runs[].status] | (map(select(. == "ok")) | length) * 3 >= length * 2'
	json '[.benchmarks[] | select(.trigger == "fentry" or .trigger == "kprobe").runs[].status] |
		length > 0 and all(. == "ok")'
	json '.benchmarks | group_by(.name) | all(map(.runs[].status) | any(. == "ok"))'
}

@test "aquasecurity/tracee#1171: 6.1: every benchmark with every trigger" {
	every_benchmark "$KERNEL_6_1" 6.1.
}

@test "aquasecurity/tracee#1171: 6.12: every benchmark with every trigger" {
	every_benchmark "$KERNEL_6_12" 6.12.
}

@test "parca-dev/parca-agent#1696: per-CPU maps are read right where more CPUs are possible than online" {
	local kernel

	for kernel in "$KERNEL_6_1" "$KERNEL_6_12"; do
		guest "$kernel" --smp 2,maxcpus=16 -- stat "${ONCE[@]}" -d 1 map=percpu_hash \
			prealloc=1,0 hashmap-full,hashmap-update,hashmap-lookup
		exits 0
		no_warning
		json '[.benchmarks[].runs[]] | length == 6 and all(.status == "ok")'
	done
}
