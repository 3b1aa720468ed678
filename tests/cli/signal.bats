#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What is left when a measurement is ended early.

# Variables of jq; variables of bats and of the library; tests are subshells.
# shellcheck disable=SC2016,SC2154,SC2030,SC2031

load ../lib.bash

teardown() {
	[ -z "${pid:-}" ] || is_gone "$pid" || kill -KILL "$pid"
}

begin() {
	start "$BPFPERF" stat -q -e none -r 3 -d 30 -w 0.01 --no-evidence "$@" count-local
	wait_for_run
}

# ended_by SIGNAL EXIT: soon, with what was measured until then.
ended_by() {
	local before

	before=$(now_ms)
	kill "-$1" "$pid"
	finish
	exits "$2"
	[ $(($(now_ms) - before)) -lt 10000 ]
	is_gone "$child"
}

@test "traviscross/mtr#4: SIGINT: what was measured is printed and saved, exit 130" {
	begin -j -o "$BATS_TEST_TMPDIR/x.json"
	ended_by INT 130
	json '.complete == false and (.incomplete_reason | test("signal 2"))'
	json '.benchmarks[0].runs | length == 1'
	json '.benchmarks[0].runs[0] | .status == "ok" and .interrupted and .values.ops_rate > 0'
	diff "$BATS_TEST_TMPDIR/x.json" "$BATS_TEST_TMPDIR/out"
}

@test "traviscross/mtr#4: SIGTERM: the same, exit 143" {
	begin -j
	ended_by TERM 143
	json '.complete == false and (.incomplete_reason | test("signal 15"))'
	json '.benchmarks[0].runs[0].values.ops_rate > 0'
}

# 128 + 1 is what a wrong command line has.
@test "SIGHUP: the same, exit 143" {
	begin -j -o "$BATS_TEST_TMPDIR/x.json"
	ended_by HUP 143
	json '.complete == false and (.incomplete_reason | test("signal 1 "))'
	json '.benchmarks[0].runs[0].values.ops_rate > 0'
	diff "$BATS_TEST_TMPDIR/x.json" "$BATS_TEST_TMPDIR/out"
}

@test "SIGINT: the text has the rate" {
	begin
	ended_by INT 130
	stdout_has "ops/s"
}

# timeout(1) signals its child, and then the group that the child is in. All are pending at once here,
# so that no stall of this shell comes between them.
@test "signals at once are one request" {
	begin -j
	kill -STOP "$pid"
	kill -INT "$pid"
	kill -TERM "$pid"
	kill -CONT "$pid"
	finish
	[ "$status" -eq 130 ] || exits 143
	json '.complete == false and .benchmarks[0].runs[0].values.ops_rate > 0'
}

interrupt_again() {
	kill -INT "$pid" 2>/dev/null
	sleep 0.1
	is_gone "$pid"
}

@test "traviscross/mtr#4: a second signal ends it at once, though the run hangs" {
	begin -j
	kill -STOP "$child"
	kill -INT "$pid"
	sleep 0.1
	run ! is_gone "$pid"
	until_true 10 interrupt_again
	finish
	exits 130
	until_true 5 is_gone "$child"
}

@test "SIGKILL of the program leaves no run behind" {
	begin -o "$BATS_TEST_TMPDIR/x.json"
	kill -KILL "$pid"
	until_true 5 is_gone "$child"
	[ ! -e "$BATS_TEST_TMPDIR/x.json" ]
	[ -z "$(find "$BATS_TEST_TMPDIR" -name '.x.json*')" ]
}

@test "SIGKILL of a run is a failed run, and the others go on" {
	start "$BPFPERF" stat -j -q -e none -r 2 -d "$(stretch 3)" -w 0.01 --no-evidence count-local
	wait_for_run
	kill -KILL "$child"
	finish
	exits 2
	json '.complete and (.benchmarks[0].runs | map(.status) == ["failed", "ok"])'
	json '.benchmarks[0].runs[0] | .values == null and (.reason | test("signal 9"))'
}
