#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Every BPF benchmark with every trigger. The benchmarks are asked for, since a new one is no more
# than its own files; bats wants its tests written out, so that there is one per trigger, and one
# that compares these with what the program has.

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

bpf_benchmarks() {
	"$BPFPERF" list -j | jq -r '.benchmarks[] | select(.user_space | not).name'
}

user_benchmarks() {
	"$BPFPERF" list -j | jq -r '.benchmarks[] | select(.user_space).name'
}

# The program, with a tracefs of its own: nothing is mounted for others.
with_tracefs() {
	call unshare -m bash -c 'mount -t tracefs none /sys/kernel/tracing 2>/dev/null
		exec "$@"' - \
		"$BPFPERF" "$@"
}

# In tracefs a kprobe of perf's legacy form would remain.
kprobe_events() {
	unshare -m bash -c 'mount -t tracefs none /sys/kernel/tracing 2>/dev/null
		cat /sys/kernel/tracing/kprobe_events 2>/dev/null' | grep bpf_ || true
}

# Fails if one benchmark fails. Skips if one cannot run here: a skip must not hide in a pass.
every_benchmark_with() {
	local name ran="" skipped="" reason
	local -A because=()

	for name in $(bpf_benchmarks); do
		with_tracefs stat -j -q "${QUICK[@]}" --trigger "$1" "$name"
		if [ "$status" -eq 77 ]; then
			reason=$(jq -r '.benchmarks[0].runs[0] |
				select(.status == "skipped").reason' <<<"$output")
			[ -n "$reason" ]
			because[$reason]+=" $name"
			continue
		fi
		exits 0
		json --arg trigger "$1" '.benchmarks[0].trigger == $trigger'
		json '.benchmarks[0].runs | length == 1 and all(.status == "ok" and
			.reason == null and .values.ops_rate > 0 and
			(.threads | map(.batches) | add > 0))'
		ran+=" $name"
	done
	for reason in "${!because[@]}"; do
		skipped+="${skipped:+; }${because[$reason]# }: $reason"
	done
	[ -z "$skipped" ] || skip "$skipped${ran:+ (passed:$ran)}"
	[ -n "$ran" ]
}

@test "every benchmark with prog-run:syscall" {
	every_benchmark_with prog-run:syscall
}

@test "every benchmark with prog-run:raw_tp" {
	every_benchmark_with prog-run:raw_tp
}

@test "every benchmark with prog-run:tc" {
	every_benchmark_with prog-run:tc
}

@test "every benchmark with prog-run:xdp" {
	every_benchmark_with prog-run:xdp
}

@test "every benchmark with fentry" {
	every_benchmark_with fentry
}

@test "every benchmark with kprobe" {
	every_benchmark_with kprobe
	[ -z "$(kprobe_events)" ]
}

@test "every benchmark with tp-btf" {
	every_benchmark_with tp-btf
}

@test "every benchmark with raw-tp" {
	every_benchmark_with raw-tp
}

@test "every benchmark with tp" {
	every_benchmark_with tp
}

@test "no trigger is left out above" {
	diff <("$BPFPERF" list -j | jq -r '.triggers[].name' | sort) \
		<(sed -n 's/^	every_benchmark_with //p' "$BATS_TEST_FILENAME" | sort)
}

@test "user-space benchmarks need no trigger, and run as well" {
	local name

	for name in $(user_benchmarks); do
		call "$BPFPERF" stat -j -q "${QUICK[@]}" "$name"
		exits 0
		json '.benchmarks[0].trigger == null and .benchmarks[0].runs[0].status == "ok"'
	done
}

@test "libbpf/libbpf-bootstrap#56: without --trigger the first of the list that works is taken, and stored" {
	local name listed

	for name in $(bpf_benchmarks); do
		listed=$("$BPFPERF" list -j "$name" | jq -r '.benchmarks[0].trigger')
		call "$BPFPERF" stat -j -q "${QUICK[@]}" "$name"
		exits 0
		json --arg trigger "$listed" '.benchmarks[0].trigger == $trigger'
	done
}
