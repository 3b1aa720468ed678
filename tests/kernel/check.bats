#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# A number is only one if its check held; and foreign tasks do not take part.

# Variables of jq; variables of bats and of the library; tests are subshells.
# shellcheck disable=SC2016,SC2154,SC2030,SC2031

load ../lib.bash

setup() {
	need_bpf
	mark_dmesg
}

teardown() {
	is_root || return 0
	[ -z "${loop:-}" ] || is_gone "$loop" || kill -KILL "$loop"
	[ -z "${pid:-}" ] || is_gone "$pid" || kill -KILL "$pid"
	no_new_warning
}

# Of what $child holds, the id of the program or map whose name begins so: the kernel itself keeps
# 15 characters of it.
id_of() {
	local kind id

	while read -r kind id; do
		[ "$kind" = "$1" ] || continue
		case $(bpftool -j "$kind" show id "$id" | jq -r .name) in
		"$2"*)
			echo "$id"
			return 0
			;;
		esac
	done <<<"$(bpf_objects_of "$child")"
	echo "process $child holds no $1 '$2'" >&2
	return 1
}

# A task of somebody else that makes the hooked system call without pause. It has BPF statistics on
# as long as it lives (BPF_ENABLE_STATS), so that there is no setting to restore.
foreign_calls() {
	local nr_bpf=280

	[ "$(uname -m)" != x86_64 ] || nr_bpf=321
	perl -e 'my $attr = pack("L", 0);
		syscall($ARGV[0], 32, $attr, 4) >= 0 or die "BPF_ENABLE_STATS: $!\n";
		getpgrp(0) while 1' "$nr_bpf" 3>&- 4>&- &
	loop=$!
}

@test "newtools/ebpf#57: an element deleted behind its back fails the run: no number, exit 2" {
	local map

	start "$BPFPERF" stat -j -q -e none -r 1 -d "$(stretch 3)" -w 0.01 --no-evidence hashmap-full
	wait_for_run
	map=$(id_of map full)
	# Key 0 of the filled map: the next update finds room, which it never may.
	bpftool map delete id "$map" key 0 0 0 0
	finish
	exits 2
	json '.complete and (.benchmarks[0].runs | length == 1)'
	json '.benchmarks[0].runs[0] | .status == "failed" and .values == null and
		(.reason | length > 0)'
}

# The kernel hands what a run leaves in its context to the next one: the second batch was another.
@test "newtools/ebpf#57: every batch does the work of the first, whichever way it is run" {
	call "$BPFPERF" stat -j -q "${QUICK[@]}" -d "$(stretch 0.1)" batch=1000 extra=50 noop \
		--trigger prog-run:syscall,prog-run:raw_tp,prog-run:tc,prog-run:xdp
	exits 0
	json '.benchmarks | length == 4 and all(.runs[0] | .status == "ok" and
		(.threads[0] | .batches > 1 and .ops == .batches * 1000))'
}

@test "falcosecurity/libs#3081: this kernel takes every program that clang made" {
	call "$BPFPERF" list -j
	exits 0
	json '.benchmarks | length > 5 and all(.can_run)'
	call "$BPFPERF" stat -j -q -r 1 -d "$(stretch 0.1)" -w 0.01 -e none -L noop
	exits 0
	json '[.benchmarks[0].runs[] | select(.role == "evidence")] | length == 1 and
		all(.status == "ok" and .locks_reason == null)'
	call "$BPFPERF" doctor -j
	json '.checks[] | select(.name == "prog-run") | .status == "ok" and .detail == null'
}

@test "a failed run is told in the text, and is in no mean" {
	local map

	start "$BPFPERF" stat -q -e none -r 1 -d "$(stretch 3)" -w 0.01 --no-evidence hashmap-full
	wait_for_run
	map=$(id_of map full)
	bpftool map delete id "$map" key 0 0 0 0
	finish
	exits 2
	stdout_has "failed"
	[[ $output != *"ops/s   "* ]]
	[[ $output != *"check ok"* ]]
}

@test "an element too many in hashmap-update fails the run" {
	local map

	start "$BPFPERF" stat -j -q -e none -r 1 -d "$(stretch 3)" -w 0.01 --no-evidence hashmap-update
	wait_for_run
	map=$(id_of map map)
	bpftool map update id "$map" key 255 255 255 255 value 0 0 0 0 0 0 0 0
	finish
	exits 2
	json '.benchmarks[0].runs[0] | .status == "failed" and .values == null'
}

# The program is called by the foreign task much more often than by its producers, and yet turns
# and operations agree, which is what the check looks at.
foreign_tasks_with() {
	local prog calls

	foreign_calls
	start "$BPFPERF" stat -j -q -e none -r 1 -d "$(stretch 3)" -w 0.01 --no-evidence --trigger "$1" \
		noop extra=50
	wait_for_run || {
		finish
		[ "$status" -ne 77 ] || skip "$(jq -r '.benchmarks[0].runs[0].reason' <<<"$output")"
		return 1
	}
	is_gone "$loop" && return 1
	prog=$(id_of prog "$2")
	sleep 0.5
	calls=$(bpftool -j prog show id "$prog" | jq .run_cnt)
	finish
	exits 0
	json '.benchmarks[0].runs[0] | .status == "ok" and .threads[0].batches > 0'
	# All the batches of the run, and some hundreds of control measurements.
	json --argjson calls "$calls" \
		'$calls > 10 * (.benchmarks[0].runs[0].threads[0].batches + 400)'
	json '.benchmarks[0].runs[0].threads[0] | .ops == .batches * .batch'
}

@test "a hooked program runs its body for no foreign task: tp-btf" {
	foreign_tasks_with tp-btf bench_tp_btf
}

@test "a hooked program runs its body for no foreign task: raw-tp" {
	foreign_tasks_with raw-tp bench_raw_tp_ho
}

@test "producers are known in a PID namespace too, and foreign tasks are not" {
	local trigger

	foreign_calls
	for trigger in tp-btf raw-tp; do
		call unshare -p -f --mount-proc "$BPFPERF" stat -j -q "${QUICK[@]}" -d "$(stretch 0.2)" \
			--trigger "$trigger" noop extra=50
		[ "$status" -ne 77 ] || skip "$(jq -r '.benchmarks[0].runs[0].reason' <<<"$output")"
		exits 0
		json '.benchmarks[0].runs[0] | .status == "ok" and .threads[0].batches > 0 and
			(.threads[0] | .ops == .batches * .batch)'
	done
}
