#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# RCU Tasks Trace: the tracer, the probe, and the benchmarks that need them.

# Variables of jq; variables of bats and of the library; tests are subshells.
# shellcheck disable=SC2016,SC2154,SC2030,SC2031

load ../lib.bash

RCU=(-j -q -r 1 -w 0.1 -e none)

setup() {
	need_bpf
	mark_dmesg
}

teardown() {
	is_root || return 0
	[ -z "${pid:-}" ] || is_gone "$pid" || kill -KILL "$pid"
	[ -z "${bpf_stats:-}" ] || sysctl -q -w kernel.bpf_stats_enabled="$bpf_stats"
	no_new_warning
}

# One object of each tracer in the evidence run.
GRACE='[.benchmarks[0].runs[] | select(.role == "evidence") | .grace_periods[]]'

traced() {
	call "$BPFPERF" stat "${RCU[@]}" "$@"
}

need_sched() {
	"$BPFPERF" list -j | jq -e '.tracers[] | select(.name == "rcu-tasks-trace").can_run' \
		>/dev/null || skip "the tracer cannot run here"
	grep -q '^rcu_tasks_trace' /proc/*/comm 2>/dev/null || skip "no rcu_tasks_trace_kthread"
}

@test "churn creates and deletes, with sleepers and without" {
	call "$BPFPERF" stat -j -q "${QUICK[@]}" local-storage-churn procs=0,50
	exits 0
	json '.benchmarks | length == 2 and all(.runs[0].status == "ok" and
		.runs[0].values.deletes_rate > 0)'
}

@test "the name of the kernel's benchmark is an alias" {
	call "$BPFPERF" stat -j -q "${QUICK[@]}" local-storage-tasks-trace procs=10
	exits 0
	json '.benchmarks[0].name == "local-storage-churn"'
}

@test "churn refuses what the machine cannot bear" {
	call "$BPFPERF" stat -q "${QUICK[@]}" local-storage-churn procs=200000
	exits 129
	call "$BPFPERF" stat -q "${QUICK[@]}" local-storage-churn observe=3
	exits 129
	stderr_has "power of two"
}

@test "a thousand sleepers are started and ended within 2 s" {
	local before

	before=$(now_ms)
	call "$BPFPERF" stat -j -q -r 1 -d 0.5 -w 0 -e none --no-evidence local-storage-churn
	exits 0
	[ "$(($(now_ms) - before))" -lt 2500 ] || {
		echo "took $(($(now_ms) - before)) ms"
		return 1
	}
}

# $child is the run, $sleepers its children.
begin() {
	start "$BPFPERF" stat -j -q -r 1 -d 30 -w 0.01 -e none --no-evidence local-storage-churn \
		procs=200
	wait_for_run
	sleepers=$(pgrep -P "$child")
	[ "$(wc -l <<<"$sleepers")" -eq 200 ]
}

all_gone() {
	local one

	for one in $sleepers; do
		is_gone "$one" || return 1
	done
}

@test "no sleeper outlives SIGINT" {
	begin
	kill -INT "$pid"
	finish
	exits 130
	all_gone
}

@test "no sleeper outlives SIGKILL of the program" {
	begin
	kill -KILL "$pid"
	until_true 10 all_gone
}

@test "no sleeper outlives SIGKILL of the run" {
	begin
	kill -KILL "$child"
	finish
	exits 2
	until_true 10 all_gone
}

@test "grace periods are counted as the kernel counts, without fentry too" {
	need_sched
	traced -d 2 -T rcu-tasks-trace:path=sched local-storage-churn procs=100
	exits 0
	json "$GRACE"' | length == 1 and .[0].path == "sched" and .[0].reason == null'
	json "$GRACE"' | .[0] | .count == .kernel_count and .count > 0 and .n <= .count'
	json "$GRACE"' | .[0] | .min_ns > 0 and .min_ns <= .median_ns and .median_ns <= .p99_ns and
		.p99_ns <= .max_ns and .min_ns <= .mean_ns and .mean_ns <= .max_ns'
	json "$GRACE"' | .[0] | ([.hist.bins[][1]] | add) == .n'
	json "$GRACE"' | .[0] | (.parts_ns | add) as $parts | $parts > .mean_ns * 0.95 and
		$parts < .mean_ns * 1.05'
	json "$GRACE"' | .[0].lost | .order == 0 and .clock == 0 and .ring == 0 and .skipped == 0'
}

@test "an interval without a grace period is null, and not zero" {
	need_sched
	traced -d 1 --interval 0.01 -T rcu-tasks-trace:path=sched local-storage-churn procs=10
	exits 0
	json "$GRACE"' | .[0].intervals_ns | any(. == null) and all(. == null or . > 0)'
}

@test "the tracer is in evidence runs only, and twice when it is asked for twice" {
	need_sched
	traced -d 0.5 -T rcu-tasks-trace -T rcu-tasks-trace:path=sched local-storage-churn procs=10
	exits 0
	json "$GRACE"' | length == 2 and .[1].path == "sched"'
	json '[.benchmarks[0].runs[] | select(.role == "clean" and .grace_periods)] == []'
}

@test "a kernel that refuses fentry says so, and the tracer finds another way" {
	need_sched
	call "$BPFPERF" stat -j -q "${QUICK[@]}" --trigger fentry noop
	[ "$status" -eq 77 ] || skip "this kernel has fentry"
	traced -d 0.1 -T rcu-tasks-trace:path=fentry noop
	exits 2
	stderr_has "path 'fentry'"
	stdout_empty
	traced -d 0.1 -T rcu-tasks-trace noop
	exits 0
	json "$GRACE"' | .[0].path | IN("kprobe", "sched")'
}

@test "options that the tracer does not know are usage errors" {
	traced -T rcu-tasks-trace:path=ftrace noop
	exits 129
	stderr_has "sched"
	traced -T rcu-tasks-trace:speed=9 noop
	exits 129
	traced -T rcu-tasks-trace:probe=0 noop
	exits 129
}

@test "the tracer takes at most 0.5 % of one CPU" {
	need_sched
	[ -w /proc/sys/kernel/bpf_stats_enabled ] || skip "no BPF run-time statistics"
	bpf_stats=$(sysctl -n kernel.bpf_stats_enabled)
	sysctl -q -w kernel.bpf_stats_enabled=1
	traced -d 2 -T rcu-tasks-trace:path=sched local-storage-churn procs=1000
	exits 0
	json "$GRACE"' | .[0] | .tracer.runs > 0 and .tracer.run_ns / .window_ns < 0.005'
}

# One run with both of them: what is counted of their programs has the same keys.
@test "every tracer says what it cost, and how often it was passed over" {
	need_sched
	[ -w /proc/sys/kernel/bpf_stats_enabled ] || skip "no BPF run-time statistics"
	bpf_stats=$(sysctl -n kernel.bpf_stats_enabled)
	sysctl -q -w kernel.bpf_stats_enabled=1
	traced -L -T rcu-tasks-trace:path=sched local-storage-churn procs=100
	exits 0
	json '[.benchmarks[0].runs[] | select(.role == "evidence") |
		.locks_tracer, .grace_periods[0].tracer] | length >= 2 and
		all(.runs > 0 and .run_ns >= 0 and .recursion_misses >= 0)'
	sysctl -q -w kernel.bpf_stats_enabled=0
	traced -L noop
	exits 0
	json '.benchmarks[0].runs[] | select(.role == "evidence").locks_tracer |
		.runs == null and .run_ns == null and .recursion_misses >= 0'
}

@test "the CPU time of the kthread is in ns and in ticks" {
	need_sched
	traced -d 2 -T rcu-tasks-trace:path=sched local-storage-churn procs=10
	exits 0
	json "$GRACE"' | .[0].cpu | .kthread_ns > 0 and .ticks >= 0 and .ns_per_gp > 0 and
		(.kthread_ns / 1e7 - .ticks | fabs) < 3'
}

# A loaded machine spreads single runs: three together have to agree.
@test "the derived delay is that of observed frees" {
	need_sched
	traced -d 4 -w 0.01 --evidence-runs 3 -T rcu-tasks-trace:path=sched local-storage-churn \
		procs=100 observe=64
	exits 0
	json '[.benchmarks[0].runs[] | select(.role == "evidence")] | all(.values.free_delay_ns)' ||
		skip "this kernel frees in another way"
	json '[.benchmarks[0].runs[] | select(.role == "evidence" and .grace_periods[0].delay) |
		{derived: .grace_periods[0].delay.mean_ns, observed: .values.free_delay_ns}] |
		length >= 2 and ((map(.derived) | add) / (map(.observed) | add) |
		. > 0.9 and . < 1.1)'
	json "$GRACE"' | all(.delay | .lo_mean_ns <= .mean_ns and .mean_ns <= .hi_mean_ns)'
}

@test "the probe is opt-in, and its waits are a figure of their own" {
	need_sched
	traced -d 0.2 -T rcu-tasks-trace noop
	json "$GRACE"' | .[0] | has("sync_wait") | not'
	call unshare -m bash -c 'mount -t tracefs none /sys/kernel/tracing 2>/dev/null
		exec "$@"' - "$BPFPERF" stat "${RCU[@]}" -d 2 -T rcu-tasks-trace:probe=50 noop
	exits 0
	json "$GRACE"' | .[0].sync_wait | .mean_ns > 1000000 and .n > 0 or .reason != null'
}

@test "in a PID namespace grace periods are found, and the kthread's time is not" {
	need_sched
	unshare --pid --fork --mount-proc true || skip "no PID namespaces"
	call unshare --pid --fork --mount-proc "$BPFPERF" stat "${RCU[@]}" -d 2 \
		-T rcu-tasks-trace:path=sched local-storage-churn procs=100
	exits 0
	json "$GRACE"' | .[0] | .n > 0 and (.kernel_count == null or .kernel_count == .count)'
	json "$GRACE"' | .[0].cpu | .kthread_ns == null and (.reason | test("namespace"))'
}

# A run with links: those of the tracer, since the benchmark is run directly.
tracer_runs() {
	child=$(pgrep -P "$pid") || return 1
	objects=$(bpf_objects_of "$child")
	grep -q '^link ' <<<"$objects"
}

@test "nothing is left attached after SIGKILL of a run with the tracer" {
	need_sched
	start "$BPFPERF" stat -j -q -r 1 -d 3 -w 0.01 -e none -T rcu-tasks-trace:path=sched noop
	until_true 20 tracer_runs
	kill -KILL "$pid"
	until_true 10 is_gone "$child"
	are_unloaded "$objects"
}

@test "every task and socket that is made gets one storage" {
	call "$BPFPERF" stat -j -q "${QUICK[@]}" local-storage-create storage=task,socket -p 1,2
	exits 0
	json '.benchmarks | length == 4 and all(.runs[0] | .status == "ok" and
		.values.created_rate > 0 and .values.allocs_create >= 0)'
	# selem and storage; from the BPF allocator neither shows
	json '.benchmarks[] | select(.params.storage == "socket").runs[0].values.allocs_create < 4'
}

@test "allocations are not counted when they are not wanted" {
	call "$BPFPERF" stat -j -q "${QUICK[@]}" local-storage-create count_allocs=0
	exits 0
	json '.benchmarks[0].runs[0].values.allocs_create == null'
}

@test "tracers and triggers that the kernel skips for each other are refused" {
	local trigger

	for trigger in tp kprobe; do
		call "$BPFPERF" stat -n --trigger "$trigger" -T rcu-tasks-trace:probe noop
		exits 129
		stderr_has "exclude each other"
		stderr_has "raw-tp"
	done
	call "$BPFPERF" stat -n --trigger raw-tp -T rcu-tasks-trace:probe noop
	exits 0
	call "$BPFPERF" stat -n --trigger tp -T rcu-tasks-trace noop
	exits 0
}

@test "a filter with an address that is none is not cut to one" {
	local address

	need_bpf
	for address in 0x12zz 0x 0x99999999999999999999; do
		call "$BPFPERF" stat -n -T "rcu-tasks-trace:path=srcu,filter=$address" noop
		exits 2
		stderr_has "does not show '$address'"
	done
}
