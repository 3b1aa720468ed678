#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Runs that need no privilege: plan, document, first screen.

# Variables of jq; variables of bats and of the library; tests are subshells.
# shellcheck disable=SC2016,SC2154,SC2030,SC2031

load ../lib.bash

setup() {
	open_to_all
}

teardown() {
	close_to_all
}

# The rate of a run is the sum of its threads' operations over their own times.
RATE_IS_RIGHT='[.benchmarks[].runs[]] | length > 0 and all(
	.values.ops_rate / (.threads | map(.ops * 1e9 / .dur_ns) | add) - 1 |
	. > -0.01 and . < 0.01)'

@test "count-local runs for everybody, and its document adds up" {
	call "${AS_NOBODY[@]}" stat -j -q -d 0.3 -w 0.01 --no-evidence count-local
	exits 0
	json '.format == "bpfperf-result" and .complete and (.tool.seed | type == "number")'
	json '.benchmarks[0].runs | length == 5 and all(.status == "ok" and .role == "clean")'
	json '.benchmarks[0].runs | map(.n) | sort == [0, 1, 2, 3, 4]'
	json "$RATE_IS_RIGHT"
	# One producer on one CPU: the time that was asked for is the time that was taken.
	json '.benchmarks[0].runs | all(.threads[0].dur_ns > 15e7 and .threads[0].dur_ns < 3e9)'
}

@test "count-global runs for everybody, with the words that the kernel's bench took" {
	call "${AS_NOBODY[@]}" stat -j -q -a -w0.01 -d0.5 -p4 -r1 --no-evidence count-global
	exits 0
	json '.benchmarks[0] | .name == "count-global" and .params.producers == 4'
	json '.benchmarks[0].runs[0] | .status == "ok" and (.threads | length == 4)'
	json '.tool.plan | .affinity and .duration_ms == 500 and .warmup_ms == 10'
	json "$RATE_IS_RIGHT"
}

@test "the order of the runs follows from the stored seed" {
	local words=(-j -q "${QUICK[@]}" -r 3 -d 0.01 -w 0 count-local "pad=128,8") first

	call "${AS_NOBODY[@]}" stat "${words[@]}"
	exits 0
	json '.tool.seed | type == "number"'
	call "${AS_NOBODY[@]}" stat --seed 12345 "${words[@]}"
	exits 0
	json '.tool.seed == 12345'
	first=$(jq -c '[.benchmarks[].runs | map(.order)]' <<<"$output")
	[ "$(jq -c 'add | sort' <<<"$first")" = "[0,1,2,3,4,5]" ]
	call "${AS_NOBODY[@]}" stat --seed 12345 "${words[@]}"
	[ "$(jq -c '[.benchmarks[].runs | map(.order)]' <<<"$output")" = "$first" ]
}

@test "-n prints the plan, and neither measures nor writes" {
	local before

	before=$(now_ms)
	call "${AS_NOBODY[@]}" stat -n -d 60 -r 3 --seed 7 -o "$OPEN/plan.json" \
		count-local pad=128,8
	exits 0
	[ $(($(now_ms) - before)) -lt 30000 ]
	stdout_line 'count-local/pad=128/.*producers=1'
	stdout_line 'count-local/pad=8/.*producers=1'
	stdout_has "3 runs x 60 s"
	stdout_has "seed 7"
	[[ $output != *ops/s* ]]
	[ ! -e "$OPEN/plan.json" ]
}

@test "the first screen has its shape" {
	local number='[0-9]+(\.[0-9]+)?' rate checked

	rate="$number( [kMG])? ops/s"
	checked='every addition is in the counter: check ok'

	call "${AS_NOBODY[@]}" stat -q -d 0.3 -w 0.01 count-local
	exits 0
	stdout_line 'count-local   pad=128   1 producer on CPU [0-9]+   5 runs x 0\.3 s.*'
	stdout_line "    $rate   95 % CI $number - $number     $number ns/op     $checked"
	stdout_line "    CPU [0-9]+  $rate     run CV $number %"
	stdout_line '    per op    total of all runs   event'
	stdout_line " +$number +[0-9,]+   task-clock \\(ns\\).*"
	stdout_line '  next: .*pad=128,8.*'
	[ -z "$stderr" ]
}

@test "one run has no error, and says so" {
	call "${AS_NOBODY[@]}" stat -q "${QUICK[@]}" count-local
	exits 0
	stdout_has "one run, error not known"
}

@test "a taskset mask is kept" {
	local cpu

	cpu=$(last_cpu)
	call taskset -c "$cpu" "${AS_NOBODY[@]}" stat -j -q "${QUICK[@]}" -p 2 \
		count-local
	exits 0
	json --arg cpu "$cpu" '.tool.plan.cpus == $cpu'
	json --argjson cpu "$cpu" '.benchmarks[0].runs[0].threads | map(.cpu) == [$cpu, $cpu]'
	json '.warnings | map(.code) | index("MORE_PRODUCERS_THAN_CPUS") != null'
}

@test "--no-affinity floats the producers, --prod-affinity places them" {
	local cpu

	cpu=$(last_cpu)
	call "${AS_NOBODY[@]}" stat -j -q "${QUICK[@]}" --no-affinity count-local
	exits 0
	json '.benchmarks[0].runs[0].threads[0].cpu == null'
	call "${AS_NOBODY[@]}" stat -j -q "${QUICK[@]}" --prod-affinity "$cpu" count-local
	exits 0
	json --argjson cpu "$cpu" '.benchmarks[0].runs[0].threads[0].cpu == $cpu'
}

@test "google/benchmark#325: a warning comes once, and -q silences it" {
	local words=("${QUICK[@]}" -r 3 -p $(($(nproc) + 1)) count-local)

	call "${AS_NOBODY[@]}" stat -j "${words[@]}"
	exits 0
	[ "$(grep -c 'producers share' <<<"$stderr")" -eq 1 ]
	json '[.warnings[] | select(.code == "MORE_PRODUCERS_THAN_CPUS")] | length == 1'
	call "${AS_NOBODY[@]}" stat -j -q "${words[@]}"
	exits 0
	[ -z "$stderr" ]
	json '[.warnings[] | select(.code == "MORE_PRODUCERS_THAN_CPUS")] | length == 1'
}

@test "google/benchmark#325: the document has what makes numbers unsteady" {
	call "${AS_NOBODY[@]}" stat -j -q "${QUICK[@]}" count-local
	exits 0
	# Each is a value, or null with the reason why this machine does not say it.
	json '.boots[0] as $boot | ["power.governor", "power.turbo", "cpu.smt", "kernel.cmdline",
		"kernel.release", "mitigations"] | all(. as $key |
		($boot | getpath($key / ".")) != null or ($boot.absent[$key] | length > 0))'
	json '.benchmarks[0].runs[0].state | has("load1") and has("steal_pct")'
}

@test "a BPF benchmark without privileges: what is missing, and exit 2" {
	call "${AS_NOBODY[@]}" stat "${QUICK[@]}" hashmap-full
	exits 2
	stdout_has "CAP_BPF"
	call "${AS_NOBODY[@]}" stat -j -q "${QUICK[@]}" hashmap-full
	exits 2
	json '.benchmarks[0].runs[0] | .status == "skipped" and .values == null and
		(.reason | test("CAP_BPF"))'
}

# A batch of half a second in a millisecond, as on a machine whose CPUs are taken for longer than -d.
@test "a run lasts until every producer has ended a batch" {
	call "$BPFPERF" stat -j -q -r 1 -d 0.001 -w 0.02 -e none --no-evidence mmap batch=20000
	exits 0
	json '.benchmarks[0].runs[0] | .status == "ok" and .values.ops_rate > 0 and
		(.threads | length > 0 and all(.ops >= 20000))'
}
