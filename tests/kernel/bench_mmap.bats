#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# mmap: every page is new, and its producers wait for each other on every kernel.

# shellcheck disable=SC2016 # variables of jq

load ../lib.bash

# all_ok WORDS...: every point of the sweep ran, and its check held. Long enough for a busy machine.
all_ok() {
	call "$BPFPERF" stat -j -q "${QUICK[@]}" -d 0.15 --no-evidence mmap "$@"
	exits 0
	json '[.benchmarks[].runs[]] | length > 0 and all(.status == "ok" and .values.ops_rate > 0)'
}

@test "mmap: a page fault for every page, with one producer to four" {
	all_ok -p 1,2,4
	json '.benchmarks | length == 3'
	json '[.benchmarks[].runs[].threads[]] | all(.failed == 0 and .faults >= .ops)'
}

@test "mmap: every CPU has a producer" {
	all_ok
	json --argjson cpus "$(nproc)" '.benchmarks[0].runs[0].threads |
		length == $cpus and (map(.cpu) | unique | length == $cpus)'
}

@test "mmap: waits for mmap_lock are seen, whatever spinlocks do here" {
	need_bpf
	[ "$(nproc)" -gt 1 ] || skip "one CPU: nobody waits"
	mark_dmesg
	call "$BPFPERF" stat -j -q -r 1 -d 0.5 -w 0.01 -e none -L mmap -p 2
	exits 0
	json '[.benchmarks[0].runs[] | select(.role == "evidence").locks[] |
		select(.class == "mmap" and (.type | startswith("rwsem"))).contended] | add > 0'
	no_new_warning
}
