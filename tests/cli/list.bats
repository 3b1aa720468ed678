#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only

# Variables of jq; variables of bats and of the library; tests are subshells.
# shellcheck disable=SC2016,SC2154,SC2030,SC2031

load ../lib.bash

# A benchmark is one .bpf.c with its .c, or one .c alone that registers itself.
count_files() {
	local file nr=0

	for file in bpf/*/*.bpf.c; do
		[ ! -e "$file" ] || nr=$((nr + 1))
	done
	for file in bpf/*/*.c; do
		case $file in
		*.bpf.c) continue ;;
		esac
		[ ! -e "${file%.c}.bpf.c" ] || continue
		! grep -q '^BENCH(' "$file" || nr=$((nr + 1))
	done
	echo "$nr"
}

@test "adding a benchmark is adding its files: as many are listed" {
	call "$BPFPERF" list -j
	exits 0
	json --argjson files "$(count_files)" '.benchmarks | length == $files'
}

@test "every benchmark says whether it can run here, and why not" {
	call "$BPFPERF" list -j
	exits 0
	json '.format == "bpfperf-list"'
	json '.benchmarks | all(.can_run == true and .because == null or
		.can_run == false and (.because | length > 0))'
	json '.benchmarks | all(.name and .summary and .op and .needs and .checked and .loop and
		(.metrics[.primary] | .unit and .better and .kind and .class))'
	json '[.benchmarks[].params[], .common_params[]] | all(.help and .values)'
	json '.triggers | length > 0 and all(.name and .needs)'
}

@test "without privileges BPF benchmarks name the capability that is missing" {
	open_to_all
	call "${AS_NOBODY[@]}" list -j
	close_to_all
	exits 0
	json '.benchmarks | map(select(.needs == "nothing")) | length > 0 and all(.can_run)'
	json '.benchmarks | map(select(.needs != "nothing")) |
		length > 0 and all(.can_run == false and (.because | test("CAP_BPF")))'
}

@test "the text has every benchmark of the document" {
	local name

	call "$BPFPERF" list
	exits 0
	for name in $("$BPFPERF" list -j | jq -r '.benchmarks[].name'); do
		stdout_line "$name"
	done
	[ "$(grep -c 'can run here: \(yes\|no, because\)' <<<"$output")" -eq "$(count_files)" ]
}

@test "a name selects one, with its parameters" {
	call "$BPFPERF" list noop
	exits 0
	stdout_has "extra"
	[[ $output != *count-local* ]]
	call "$BPFPERF" list -j noop
	json '.benchmarks | map(.name) == ["noop"]'
}

@test "a full disk behind stdout is an error" {
	run bash -c '"$1" list -j >/dev/full' - "$BPFPERF"
	[ "$status" -eq 2 ]
	run bash -c '"$1" list >/dev/full' - "$BPFPERF"
	[ "$status" -eq 2 ]
}
