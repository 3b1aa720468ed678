#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Counters with a known answer: QEMU's icount executes one instruction per 2^shift ns, and counts.

# Variables of jq; variables of bats and of the library; tests are subshells.
# shellcheck disable=SC2016,SC2154,SC2030,SC2031

load lib.bash

setup_file() {
	fetch_kernels
}

# count OPTION EVENTS TURNS
count() {
	arm64 "$1" --program "$O/arm64/tests/vm/count_loop" -- "$2" "$3"
	exits 0
}

# "instructions per op" of each run of the point with extra=$1.
PER_OP='.counters as $c | (.threads | map(.ops) | add) as $ops |
	$c[] | select(.metric == "instructions").value / $ops'

per_op() {
	jq --argjson extra "$1" "[.benchmarks[] | select(.params.extra == \$extra).runs[] |
		$PER_OP] | add / length" <<<"$output"
}

@test "a loop of 20,000,000 instructions is counted as that" {
	count --icount instructions:u 10000000
	jq -c '.counters[]' <<<"$output"
	json '.counters[0].value | . >= 20000000 and . < 20000100'
}

# The readings of the others are in the window of each, and in that of none more than of another.
@test "every further event costs less than 50 instructions, the same for all" {
	count --icount instructions:u,cycles:u,r08:u,r11:u 10000000
	jq -c '.counters[]' <<<"$output"
	json '[.counters[].value] | length == 4 and max == min and min >= 20000000 and
		max < 20000100 + 3 * 50'
}

# Between the readings of a whole run there are its batches, each with a trigger and a check of the
# clock, and its ticks.
@test "a whole run adds less than 0.01 % to the instructions of its operations" {
	arm64 --icount -- stat -j -q -r 1 -d 0.2 -w 0.02 -p 1 --no-evidence -e instructions:u \
		count-local batch=1000000
	exits 0
	jq -c '.benchmarks[0].runs[] | .threads, .counters' <<<"$output"
	json '.benchmarks[0].runs[0] | (.counters[0].value / .threads[0].ops) as $per_op |
		$per_op >= 3 and $per_op / ($per_op | floor) < 1.0001'
}

@test "two cycles for each instruction with shift=1: IPC is 0.500" {
	count --icount=1 instructions:u,cycles:u 10000000
	json '.counters | (map(select(.metric == "cycles:u").value)[0]) ==
		2 * (map(select(.metric == "instructions:u").value)[0])'
}

@test "12 events on 7 counters: each scaled to within 1 %" {
	local names=cycles,instructions,r08,r11 name
	local events=$names

	for name in ${names//,/ }; do
		events+=,$name:u,$name:k
	done
	count --icount "$events" 100000000
	json '.counters | length == 12 and all(.running_ns < .enabled_ns)'
	json '.counters[] | select(.metric | endswith(":k") | not) |
		.scaled >= 198000000 and .scaled <= 202000000'
}

@test "without a PMU the reason stands there, and no number" {
	arm64 --icount --cpu cortex-a72,pmu=off -- stat -j -q -r 1 -d 0.05 -w 0.01 --no-evidence \
		-e cycles,instructions noop
	exits 0
	json '[.benchmarks[].runs[].counters[]] | length == 2 and
		all(.value == null and .reason == "not supported: no PMU in this machine")'
}

@test "noop: a chain of 100 costs the instructions that the JIT made of it" {
	local bytes with without

	arm64 --icount --program "$O/arm64/tests/vm/jit_length" -- 0 100
	exits 0
	bytes=$((lines[1] - lines[0]))
	[ "$bytes" -gt 400 ]
	arm64 --icount -- stat -j -q -r 3 -d 0.2 -w 0.02 --no-evidence -e cycles,instructions noop \
		extra=0,100 batch=100000
	exits 0
	no_warning
	with=$(per_op 100) without=$(per_op 0)
	echo "JIT $((bytes / 4)) instructions, measured $with - $without"
	close_to "$(jq -n "$with - $without")" $((bytes / 4)) 0.005
	json "[.benchmarks[] | [.runs[] | $PER_OP] | max / min] | all(. < 1.001)"
	json '.boots[0].timing == "icount"'
}

@test "counters cost at most 0.1 % of the instructions" {
	local none all

	arm64 --icount -- stat -j -q -r 3 -d 0.2 -w 0.02 --no-evidence -e none hashmap-full batch=10000
	exits 0
	none=$(jq '[.benchmarks[0].runs[].values.ns_op] | min' <<<"$output")
	arm64 --icount -- stat -j -q -r 3 -d 0.2 -w 0.02 --no-evidence hashmap-full batch=10000
	exits 0
	all=$(jq '[.benchmarks[0].runs[].values.ns_op] | min' <<<"$output")
	echo "virtual ns per operation: $none without, $all with counters"
	close_to "$all" "$none" 0.001
}

@test "every benchmark runs" {
	local names

	arm64 -- list -j
	exits 0
	names=$(jq -r '[.benchmarks[].name] | join(",")' <<<"$output")
	arm64 --smp 2 -- stat "${ONCE[@]}" -d 1 "$names"
	exits 0
	no_warning
	json '[.benchmarks[].runs[]] | length > 0 and all(.status == "ok")'
}
