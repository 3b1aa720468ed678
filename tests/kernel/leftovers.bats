#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# No program, map or link outlives the process that measures, however it ends.

# Variables of jq; variables of bats and of the library; tests are subshells.
# shellcheck disable=SC2016,SC2154,SC2030,SC2031

load ../lib.bash

setup() {
	need_bpf
	mark_dmesg
}

teardown() {
	is_root || return 0
	[ -z "${pid:-}" ] || is_gone "$pid" || kill -KILL "$pid"
	no_new_warning
}

# A run in progress, and $objects: what it holds in the kernel.
begin() {
	start "$BPFPERF" stat -j -q -e task-clock -r 1 -w 0.01 --no-evidence "$@"
	wait_for_run
	objects=$(bpf_objects_of "$child")
	grep -q '^prog ' <<<"$objects"
	grep -q '^map ' <<<"$objects"
}

hooked() {
	"$BPFPERF" stat -j -q "${QUICK[@]}" --trigger raw-tp noop >/dev/null ||
		skip "raw-tp cannot run"
}

@test "the kernel's log can be read: every other test looks for warnings there" {
	dmesg >/dev/null 2>&1 || skip "dmesg is not allowed here, so that warnings go unseen"
	[ -w /dev/kmsg ] || skip "/dev/kmsg cannot be written: warnings of before count as new"
	dmesg | grep -qF "$DMESG_MARK"
}

@test "nothing is left after a run" {
	begin -d "$(stretch 4)" hashmap-full
	finish
	exits 0
	is_gone "$child"
	are_unloaded "$objects"
}

@test "nothing is left after a run of a hooked program, its link included" {
	hooked
	begin -d "$(stretch 4)" --trigger raw-tp hashmap-full
	grep -q '^link ' <<<"$objects"
	finish
	exits 0
	are_unloaded "$objects"
}

@test "nothing is left after SIGINT" {
	begin -d 30 hashmap-full
	kill -INT "$pid"
	finish
	exits 130
	json '.complete == false'
	json '.benchmarks[0].runs[0] | .status == "ok" and .values.ops_rate > 0'
	are_unloaded "$objects"
}

@test "nothing is left after SIGKILL of the program" {
	hooked
	begin -d 30 --trigger raw-tp hashmap-full
	kill -KILL "$pid"
	until_true 10 is_gone "$child"
	are_unloaded "$objects"
}

@test "nothing is left after SIGKILL of the run" {
	begin -d 30 hashmap-full churn=100 prealloc=0
	kill -KILL "$child"
	finish
	exits 2
	json '.benchmarks[0].runs[0] | .status == "failed" and .values == null'
	are_unloaded "$objects"
}
