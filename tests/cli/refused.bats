#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# System calls that fail: a container's seccomp filter, or a kernel that was built without them.

# Variables of jq; variables of bats and of the library; tests are subshells.
# shellcheck disable=SC2016,SC2154,SC2030,SC2031

load ../lib.bash

setup() {
	open_to_all
	cp "$O/tests/deny" "$OPEN/deny"
	"$OPEN/deny" bpf=EPERM -- true || skip "seccomp filters cannot be installed here"
}

teardown() {
	close_to_all
}

# denied CALL=ERRNO WORDS...: as root where the tests run as root, with all that it may otherwise.
denied() {
	local what=$1

	shift
	call "$OPEN/deny" "$what" -- "$OPEN/bpfperf" "$@"
}

CAPS='CapEff [0-9a-f]{16}'
SECCOMP='the seccomp filter of this process'

# Every counter has a reason that matches.
reasons() {
	json --arg reason "$1" '[.benchmarks[].runs[].counters[]] | length > 0 and
		all(.value == null and (.reason | test($reason)))'
}

@test "moby/moby#43163: a filter that answers EPERM is told from the sysctl" {
	local level

	level=$(cat /proc/sys/kernel/perf_event_paranoid) || skip "this kernel has no perf events"
	denied perf_event_open=EPERM stat -j -q -r 1 -d "$(stretch 0.3)" -w 0.01 --no-evidence count-local
	exits 0
	reasons "^no permission: perf_event_open gives EPERM where kernel.perf_event_paranoid is $level, $CAPS: $SECCOMP"
	denied perf_event_open=EPERM doctor -j
	exits 0
	json '.checks[] | select(.name == "perf_event_paranoid") | .status == "gap" and
		(.detail | test("seccomp")) and (.remedy | test("seccomp profile")) and
		(.remedy | test("sysctl") | not)'
	json '.checks[] | select(.name == "pmu") | .remedy | test("seccomp profile")'
}

@test "moby/moby#43163: a filter that answers ENOSYS is no kernel without perf events" {
	local level

	level=$(cat /proc/sys/kernel/perf_event_paranoid) || skip "this kernel has no perf events"
	denied perf_event_open=ENOSYS stat -j -q -r 1 -d "$(stretch 0.3)" -w 0.01 --no-evidence count-local
	exits 0
	reasons "^no permission: perf_event_open gives ENOSYS, and yet .*paranoid is $level, $CAPS\\): $SECCOMP"
	denied perf_event_open=ENOSYS doctor -j
	exits 0
	json '.checks[] | select(.name == "perf_event_paranoid") | .status == "gap" and
		(.remedy | test("seccomp profile"))'
}

@test "moby/moby#43163: with the sysctl in the way the sysctl is named" {
	local level

	level=$(cat /proc/sys/kernel/perf_event_paranoid) || skip "this kernel has no perf events"
	[ "$level" -gt 1 ] || skip "everybody may count here"
	! grep -q '^Seccomp:[[:space:]]*2' /proc/self/status || skip "a seccomp filter is on here"
	call "${AS_NOBODY[@]}" stat -j -q "${QUICK[@]}" -e context-switches count-local
	exits 0
	reasons "^no permission: kernel.perf_event_paranoid is $level, CapEff 0{16} \\(sysctl kernel.perf_event_paranoid=1, or CAP_PERFMON\\)$"
}

# no_bpf ERRNO TEXT: one line says why, everything that is no BPF works, and nothing hangs.
no_bpf() {
	denied "bpf=$1" stat -q -r 1 -d "$(stretch 0.3)" -w 0.01 noop
	exits 77
	stdout_line ".*1 of 1 run skipped: cannot load for trigger 'prog-run:syscall': $2.*"
	[ "$(grep -c 'cannot load' <<<"$output")" -eq 1 ]
	[[ $output$stderr != *MEMLOCK* ]]
	denied "bpf=$1" list -j
	exits 0
	json --arg text "$2" '.benchmarks | map(select(.needs != "nothing")) | length > 0 and
		all(.can_run == false and (.because | test($text)))'
	denied "bpf=$1" stat -j -q -r 1 -d "$(stretch 0.3)" -w 0.01 -e task-clock:u count-local
	exits 0
	json --arg text "$2" '(.evidence_absent | test($text)) and
		([.benchmarks[].runs[]] | length == 1 and all(.status == "ok"))'
	denied "bpf=$1" doctor -j
	exits 0
	json --arg text "$2" '.checks[] | select(.name == "prog-run") |
		.status == "gap" and (.detail | test($text)) and (.remedy | test("seccomp profile"))'
}

@test "moby/moby#43163: bpf(2) that a filter refuses" {
	need_bpf
	no_bpf EPERM "refused by this kernel, or by the seccomp filter of this process"
}

# The kernel's sysctl of BPF is there: without it, this is how a kernel without BPF looks.
@test "moby/moby#43163: bpf(2) that a filter hides" {
	need_bpf
	no_bpf ENOSYS "bpf\\(2\\) gives ENOSYS, and yet this kernel has it: a seccomp filter"
}

# short OPTIONS...: failed, not skipped, and for this reason.
short() {
	local reason=$1

	shift
	call "$@"
	exits 2
	[[ $output$stderr == *"$reason"* ]] || {
		echo "no such reason: $reason"
		show
		return 1
	}
	[[ $output != *skipped* ]]
}

@test "what is short at the moment is a failure that names the limit, and no skip" {
	local error only limit
	local -A reasons=([EMFILE]="this process may have $(ulimit -Hn): ulimit -n"
		[ENFILE]="sysctl fs.file-max" [ENOMEM]="memory.max of the cgroup"
		[EINTR]="a signal came in between" [EAGAIN]="a signal came in between")

	need_bpf
	for error in "${!reasons[@]}"; do
		# The tracer that comes by itself, and the benchmark.
		for only in "" --no-evidence; do
			# shellcheck disable=SC2086 # nothing, or an option
			short "${reasons[$error]}" "$OPEN/deny" "bpf=$error" -- \
				"$OPEN/bpfperf" stat -q -r 1 -d 0.05 -w 0.01 -e none $only noop
		done
	done
	short "too many threads or processes: ulimit -u, pids.max" "$OPEN/deny" clone3=EAGAIN -- \
		"$OPEN/bpfperf" stat -q "${QUICK[@]}" count-local,noop
	# One file after the other is missing: the maps, libbpf's trials, the verifier's.
	for limit in 6 8 10 12 14; do
		short "this process may have $limit: ulimit -n" bash -c 'ulimit -n "$1"; shift; "$@"' - \
			"$limit" "$BPFPERF" stat -q "${QUICK[@]}" hashmap-full
	done
	call bash -c 'ulimit -n 12; "$1" list -j noop' - "$BPFPERF"
	exits 0
	json '.benchmarks[0] | .can_run == false and (.because | test("may have 12: ulimit -n"))'
}

@test "a kernel without BPF is told in one line" {
	is_root && unshare -m true 2>/dev/null || skip "no private mount namespace here"
	mkdir "$OPEN/empty"
	call unshare -m bash -euc 'mount --bind "$1/empty" /proc/sys/kernel
		"$1/deny" bpf=ENOSYS -- "$1/bpfperf" stat -q -r 1 -d 0.05 -w 0.01 -e none \
			--no-evidence noop' - "$OPEN"
	exits 77
	stdout_has "this kernel was built without BPF (CONFIG_BPF_SYSCALL)"
	[ "$(grep -c CONFIG_BPF_SYSCALL <<<"$output")" -eq 1 ]
}
