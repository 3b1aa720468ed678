#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What doctor says to somebody without any privilege.

# Variables of jq; variables of bats and of the library; tests are subshells.
# shellcheck disable=SC2016,SC2154,SC2030,SC2031

load ../lib.bash

setup() {
	open_to_all
}

teardown() {
	close_to_all
}

@test "every check decides, or says why not: exit 0 also with gaps" {
	call "${AS_NOBODY[@]}" doctor -j
	exits 0
	[ -z "$stderr" ]
	json '.format == "bpfperf-doctor" and (.checks | length >= 22)'
	json '.checks | all(.name and .purpose and (.status | IN("ok", "gap", "unknown", "info")))'
	json '.checks | map(select(.status == "gap")) | all(.detail and .remedy)'
	json '.checks | map(select(.status == "unknown")) | all(.detail)'
	json '.checks | map(.name) | (unique | length) == length'
}

@test "without privilege nothing that needs it is called missing" {
	call "${AS_NOBODY[@]}" doctor -j
	exits 0
	json '.checks[] | select(.name == "capabilities") | .status == "gap" and .value == "none" and
		(.remedy | test("root"))'
	json '[.checks[] | select(.name | IN("fentry", "kprobe", "tp-btf", "uprobe"))] |
		length == 4 and all(.status == "unknown" and (.detail | test("CAP_BPF")) and
		(.remedy | test("as root")))'
}

@test "the text has every check, in lines that fit" {
	local name

	call "${AS_NOBODY[@]}" doctor -j
	exits 0
	mapfile -t names < <(jq -r '.checks[].name' <<<"$output")
	call "${AS_NOBODY[@]}" doctor
	exits 0
	for name in "${names[@]}"; do
		stdout_line "  $name +(ok|gap|unknown|info) .*"
	done
	stdout_line "[0-9]+ ok, [0-9]+ gaps?, [0-9]+ unknown, [0-9]+ for information"
	[ "$(awk '{ print length }' <<<"$output" | sort -n | tail -n 1)" -le 100 ]
}

@test "words are refused, and a full disk is noticed" {
	call "${AS_NOBODY[@]}" doctor hashmap-full
	exits 129
	stdout_empty
	stderr_has "'hashmap-full'"
	call bash -c '"$@" doctor >/dev/full' - "${AS_NOBODY[@]}"
	exits 2
}

@test "few open files are a gap with the limit that is wanted" {
	call bash -c 'ulimit -n 100; "$@" doctor -j' - "${AS_NOBODY[@]}"
	exits 0
	json '.checks[] | select(.name == "open-files") | .status == "gap" and .value == "100" and
		(.remedy | test("ulimit -n [0-9]+"))'
}

@test "no check hangs" {
	call "${AS_NOBODY[@]}" doctor -j
	exits 0
	json '[.checks[] | select(.detail // "" | test("took longer"))] == []'
}
