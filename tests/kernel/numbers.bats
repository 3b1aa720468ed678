#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Numbers of one document that must agree with each other.

# Variables of jq; variables of bats and of the library; tests are subshells.
# shellcheck disable=SC2016,SC2154,SC2030,SC2031

load ../lib.bash

setup() {
	need_bpf
	mark_dmesg
}

teardown() {
	no_new_warning
}

@test "intervals: as many as were asked for, with a column per counter" {
	call "$BPFPERF" stat -j -q -r 1 -d 0.2 -w 0.05 --interval 0.05 -e task-clock,page-faults \
		--no-evidence hashmap-full
	exits 0
	json '.benchmarks[0].runs[0].intervals |
		.columns[:4] == ["t_ns", "dur_ns", "warmup", "ops"] and
		(.columns | index("task-clock") and index("page-faults"))'
	json '.benchmarks[0].runs[0].intervals | (.columns | length) as $n |
		(.rows | length == 5 and all(length == $n))'
	json '.benchmarks[0].runs[0].intervals.rows | map(.[2]) == [1, 0, 0, 0, 0]'
}

@test "intervals: their operations and counts add up to those of the run" {
	call "$BPFPERF" stat -j -q -r 1 -d 0.2 -w 0.05 --interval 0.05 -e task-clock --no-evidence \
		hashmap-full
	exits 0
	json '.benchmarks[0].runs[0] | (.intervals.rows | map(select(.[2] == 0)[3]) | add) ==
		(.threads | map(.ops) | add)'
	json '.benchmarks[0].runs[0] | (.intervals.columns | index("task-clock")) as $i |
		(.intervals.rows | map(select(.[2] == 0)[$i]) | add) ==
		(.counters | map(.scaled) | add)'
}

# The time of a thread leaves out what its calls into the kernel take past a slice, beside others;
# task-clock has it. They agree where the producer had its CPU to itself.
@test "two clocks agree: task-clock, and the time of the thread" {
	local gaps='[.benchmarks[].runs[] | .threads as $threads | .counters[] |
		select(.metric == "task-clock") | .scaled as $ns | .tid as $tid |
		$threads[] | select(.tid == $tid) | select(.cpu_ns > 0.97 * .dur_ns) |
		$ns / .cpu_ns - 1]'

	call "$BPFPERF" stat -j -q -r 5 -d "$(stretch 0.2)" -w 0.02 -e task-clock --no-evidence noop,count-local
	exits 0
	json '[.benchmarks[].runs[].counters[]] | length == 10 and all(.value > 0)'
	[ "$(jq "$gaps | length" <<<"$output")" -gt 0 ] ||
		skip "no run had a CPU to itself: this machine is busy"
	json "$gaps | all(. > -0.05 and . < 0.05)"
}

@test "the CPU time of a thread is no longer than its wall time" {
	call "$BPFPERF" stat -j -q "${QUICK[@]}" -r 3 hashmap-full,noop,count-local
	exits 0
	json '[.benchmarks[].runs[].threads[]] | length > 0 and
		all(.cpu_ns <= .dur_ns * 1.05 and .bpf_ns <= .dur_ns * 1.05)'
}

# Two on one CPU: what one has of it the other waits for, whatever the kernel charges at a switch.
@test "CPU time and wait of a producer add up to wall time" {
	local cpu

	cpu=$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')
	call "$BPFPERF" stat -j -q -r 1 -d "$(stretch 0.3)" -w 0.02 -e none --no-evidence -p 2 \
		--prod-affinity "$cpu" hashmap-full batch=2000
	exits 0
	[ "$(jq '[.benchmarks[].runs[].threads[].wait_ns | select(. == null)] | length' \
		<<<"$output")" -eq 0 ] || skip "this kernel does not tell how long a thread waited"
	json '[.benchmarks[].runs[].threads[]] | length == 2 and all(.wait_ns > 0.1 * .dur_ns)'
	json '[.benchmarks[].runs[].threads[] | (.dur_ns - .cpu_ns - .wait_ns) / .dur_ns] |
		all(. > -0.1 and . < 0.1)'
}

@test "rates of the counts add up to the rate of the operations" {
	call "$BPFPERF" stat -j -q "${QUICK[@]}" hashmap-full churn=100
	exits 0
	json '.benchmarks[0].runs[0].values | (.failed_rate + .inserted_rate + .hits_rate +
		.deleted_rate) / .ops_rate - 1 | . > -0.001 and . < 0.001'
}

@test "gross is not less than net, and the control is stored" {
	call "$BPFPERF" stat -j -q "${QUICK[@]}" hashmap-full
	exits 0
	json '.benchmarks[0].runs[0] | .control.empty_ns > 0 and .control.keygen_ns > 0 and
		.control.trigger_ns > 0'
	json '.benchmarks[0].runs[0] | .values.ns_op_net == null and .values_absent.ns_op_net or
		.values.ns_op_net < .values.ns_op'
}

@test "iovisor/bcc#2219: the cost of measuring is printed, and what drowns in it is no figure" {
	local disturbed="net not known: the control runs were disturbed"

	call "$BPFPERF" stat -q -L -r 2 -d "$(stretch 0.1)" -w 0.01 -e none noop
	exits 0
	stdout_line " +[0-9.]+ [kMG] ops/s .* ns/op, (([0-9.]+ net of|within) the harness|$disturbed).*"
	stdout_line '    locks   .*\(2 evidence runs at [0-9.]+ % of the clean rate.*'
	# What is left of an operation after the harness is a figure from 5 ns on, and a lower bound.
	call "$BPFPERF" stat -j -q -r 3 -d "$(stretch 0.1)" -w 0.01 -e none --no-evidence noop extra=0,2000
	json '[.benchmarks[] | select(.params.extra == 2000).runs[].values.ns_op_net] | all(. > 100)'
	json '[.benchmarks[].runs[] | .values.ns_op_net as $net |
		if $net == null then
			(.values_absent.ns_op_net | test("within the harness|control runs were disturbed"))
		else $net >= 5 end] | all'
}

# The share of the producers' time that they waited, of each evidence run.
WAITED='[.benchmarks[].runs[] | select(.role == "evidence" and .locks_reason == null) |
	([.locks[].wait_ns_total] | add // 0) / (.threads | map(.dur_ns) | add)]'

# An interrupt takes locks too, and who holds one may lose its CPU: not in each of five runs.
@test "torvalds/linux@287bd5cf: a workload that takes no lock waits for none" {
	call "$BPFPERF" stat -j -q -L -r 5 -d "$(stretch 0.1)" -w 0.02 -e none noop
	exits 0
	json "$WAITED | length == 5 and all(. <= 1) and min < 0.02"
	call "$BPFPERF" stat -j -q -L -r 2 -d "$(stretch 0.2)" -w 0.02 -e none hashmap-update,mmap \
		hashmap-update:keys=shared -p 2
	exits 0
	json "$WAITED | length == 4 and all(. <= 1.05)"
}

@test "kernel-patches/bpf#10752: producers stay on their CPU, and every hit is counted" {
	call "$BPFPERF" stat -j -q -r 2 -d "$(stretch 0.1)" -w 0.01 -e cpu-migrations --no-evidence \
		hashmap-lookup map=percpu_hash,hash hit_pct=50,100 -p "$(nproc)"
	exits 0
	json '[.benchmarks[].runs[]] | length == 8 and all(.status == "ok")'
	json '[.benchmarks[].runs[].counters[]] | length > 0 and all(.value == 0)'
	json --argjson nr "$(nproc)" '[.benchmarks[].runs[].threads | map(.cpu) | unique | length] |
		all(. == $nr)'
}

@test "andrewrk/poop#17: a machine without a PMU is told from one that forbids it" {
	call "$BPFPERF" doctor -j
	exits 0
	[ "$(jq -r '.checks[] | select(.name == "pmu").status' <<<"$output")" = gap ] ||
		skip "this machine has a PMU"
	[ "$(cat /proc/sys/kernel/perf_event_paranoid)" -le 2 ] ||
		skip "nobody may open any event here"
	open_to_all
	call "${AS_NOBODY[@]}" stat -j -q "${QUICK[@]}" -e cycles,instructions:u,LLC-loads count-local
	close_to_all
	exits 0
	json '.benchmarks[0].runs[0].counters | length == 3 and
		all(.value == null and .reason == "not supported: no PMU in this machine")'
}

@test "noop: a longer chain takes longer, and is checked" {
	call "$BPFPERF" stat -j -q -r 3 -d "$(stretch 0.1)" -w 0.02 -e none --no-evidence noop extra=100,1000
	exits 0
	json '[.benchmarks[].runs[]] | length == 6 and all(.status == "ok")'
	json 'def gross(n): [.benchmarks[] | select(.params.extra == n).runs[].values.ns_op] | min;
		gross(1000) > 2 * gross(100)'
}

@test "noop: every length of the chain is the one that was asked for" {
	call "$BPFPERF" stat -j -q "${QUICK[@]}" noop batch=1000 extra=0,1,2,3,64,1023,1024,2047
	exits 0
	json '[.benchmarks[].runs[]] | length == 8 and all(.status == "ok")'
}

@test "more producers than CPUs: a warning in the document" {
	call "$BPFPERF" stat -j "${QUICK[@]}" -d "$(stretch 0.3)" -p $(($(nproc) + 1)) hashmap-full
	exits 0
	json '.warnings | map(.code) | index("MORE_PRODUCERS_THAN_CPUS") != null'
	stderr_has "producers share"
	call "$BPFPERF" stat -j -q "${QUICK[@]}" -p 1 hashmap-full
	json '.warnings | map(.code) | index("MORE_PRODUCERS_THAN_CPUS") == null'
}

@test "counters that this machine lacks are null with a reason, never zero" {
	call "$BPFPERF" stat -j -q -r 1 -d "$(stretch 0.1)" -w 0.01 --no-evidence noop
	exits 0
	json '.benchmarks[0].runs[0].counters | length >= 12 and
		all((.scaled == null) == (.reason != null))'
	json '.benchmarks[0].runs[0].counters | map(select(.metric == "cycles")) |
		all(.value == null or .value > 0)'
}

@test "the document names the programs that ran" {
	call "$BPFPERF" stat -j -q "${QUICK[@]}" noop
	exits 0
	json '.benchmarks[0].progs | length > 0 and all(.name and (.tag | length == 16))'
}
