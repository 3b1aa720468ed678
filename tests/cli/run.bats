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

@test "-n counts the runs of every kind, names the tracers, and adds up the time" {
	call "$BPFPERF" stat -n -d 2 -w 0 -r 3 --no-evidence --overhead count-local
	exits 0
	stdout_line '    3 runs x 2 s .*'
	stdout_line '    as many without counters'
	stdout_line '6 runs \(3 clean, 3 bare\) in .*, 12\.0 s of measuring, about 13 s in all'
	call "$BPFPERF" stat -n -r 1 -d 1 -w 0 --no-evidence count-local
	stdout_line '1 run in random blocks, .*, 1\.0 s of measuring, about 1 s in all'
	call "$BPFPERF" stat -n -r 50 -d 600 -w 0 --no-evidence count-local
	stdout_line '50 runs in .*, 8 h 20 min of measuring, about 8 h 20 min in all'
	call "$BPFPERF" stat -n -r 6 -d 600 -w 0 --no-evidence count-local
	stdout_line '6 runs in .*, 3600\.0 s of measuring, about 1 h 0 min in all'
	open_to_all
	call "${AS_NOBODY[@]}" stat -n count-local
	stdout_line 'no evidence runs: .*CAP_BPF.*'
	call "${AS_NOBODY[@]}" stat -n -w 0 hashmap-full,count-local
	stdout_line '    cannot run: .*CAP_BPF.*'
	stdout_line '5 runs in .*, 5\.0 s of measuring, about 6 s in all'
	call "${AS_NOBODY[@]}" stat -n hashmap-full
	exits 0
	[ "${lines[-1]}" = "nothing can run here" ]
	need_bpf
	call "$BPFPERF" stat -n -d 1 -w 0 -r 3 -T rcu-tasks-trace --vs pad=8 count-local
	stdout_line '    3 runs of each arm x 1 s .*'
	stdout_line '    3 evidence runs of the same length, with tracer rcu-tasks-trace'
	stdout_line '12 runs \(6 clean, 6 evidence\) in .*'
	call "$BPFPERF" stat -n -r 3 -L -T locks: -T rcu-tasks-trace -T rcu-tasks-trace: count-local
	stdout_line '    3 evidence runs of the same length, with tracers locks, rcu-tasks-trace'
	call "$BPFPERF" stat -n count-local
	stdout_line '    1 evidence run of the same length, with tracer locks'
	stdout_line '6 runs \(5 clean, 1 evidence\) in .*'
}

@test "a sweep ends with what is worth trying next" {
	call "${AS_NOBODY[@]}" stat -q -r 1 -d 0.05 -w 0.01 --no-evidence count-local pad=128,8
	exits 0
	stdout_line '  next: .*-o FILE\.json \(keep it\).*'
	stdout_line '    net -   no control measurement in user space \(2 points\)'
}

@test "--per-thread prints what a producer could not count, with the reason" {
	call "${AS_NOBODY[@]}" stat -q -r 1 -d 0.05 -w 0.01 --no-evidence --per-thread \
		-e task-clock,r1a8 count-local
	exits 0
	stdout_line ' +0 +[0-9,]+ +[0-9.]+   task-clock.*'
	stdout_line ' +0 +(-|[0-9,]+) +(-|[0-9.]+)   r1a8.*'
	[ "$(grep -c ' -          -   r1a8$' <<<"$output")" -eq 0 ]
}

@test "-n -j prints the plan as JSON, with the order of the runs" {
	call "${AS_NOBODY[@]}" stat -n -j -r 3 --seed 18446744073709551615 -p 1,2 count-local
	exits 0
	json '.format == "bpfperf-plan" and .plan.runs == 3 and .seed == "18446744073709551615"'
	json '.benchmarks | map(.params.producers) == [1, 2] and all(has("runs") | not)'
	json '[.benchmarks[].key] as $keys | [.order[] | select(.role == "clean")] |
		length == 6 and all(.key as $key | $keys | index($key))'
	json '[.order[] | select(.role == "clean") | .block] | unique | length == 3'
	first=$(jq -c .order <<<"$output")
	call "${AS_NOBODY[@]}" stat -n -j -r 3 --seed 18446744073709551615 -p 1,2 count-local
	[ "$(jq -c .order <<<"$output")" = "$first" ]
	call "${AS_NOBODY[@]}" stat -n -x , count-local
	exits 129
	stderr_has "no -x"
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

@test "a tracer without privileges: which one, what is missing, and what grants it" {
	local tracer

	open_to_all
	for tracer in locks rcu-tasks-trace; do
		call "${AS_NOBODY[@]}" stat -q -T "$tracer" count-local
		exits 2
		stderr_has "tracer '$tracer' cannot run without CAP_BPF, CAP_PERFMON: "
		stderr_has "sudo setcap cap_bpf,cap_perfmon+ep "
	done
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

@test "a fixed batch that would take longer than the run is refused, with one that fits" {
	local fits

	call "$BPFPERF" stat -j -q -p 1 "${QUICK[@]}" mmap batch=4M
	exits 2
	json '.benchmarks[0].runs[0] | .status == "failed" and .values == null and
		(.reason | test("^batch=4194304 would take some [0-9.]+ s with 1 producer"))'
	fits=$(jq -r '.benchmarks[0].runs[0].reason' <<<"$output" | grep -o 'at most batch=[0-9]*')
	[ "${fits##*=}" -ge 1000 ]
}

# A batch of half a second in a millisecond, as on a machine whose CPUs are taken for longer than -d.
@test "a run lasts until every producer has ended a batch" {
	call "$BPFPERF" stat -j -q -r 1 -d 0.001 -w 0.02 -e none --no-evidence mmap batch=20000
	exits 0
	json '.benchmarks[0].runs[0] | .status == "ok" and .values.ops_rate > 0 and
		(.threads | length > 0 and all(.ops >= 20000))'
}
