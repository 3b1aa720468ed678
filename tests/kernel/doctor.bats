#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Faults put into a machine that nobody else sees: private mount namespaces with other files over
# those of /sys and /proc, capabilities taken away, cpusets.

# shellcheck disable=SC2016 # scripts for another shell, and filters of jq

# Variables of jq; variables of bats and of the library; tests are subshells.
# shellcheck disable=SC2016,SC2154,SC2030,SC2031

load ../lib.bash

setup() {
	need_root
	mark_dmesg
	export BPFPERF
	FAKE=$BATS_TEST_TMPDIR
	export FAKE
	SHORT=$(stretch 0.2)
	export SHORT
}

teardown() {
	if [ -n "${CPUSET:-}" ]; then
		rmdir "$CPUSET"
	fi
	no_new_warning
}

# with_mounts SCRIPT [any]: in a mount namespace of its own; exit 0, or any. over FILE TEXT is for
# that script.
with_mounts() {
	unshare -m true 2>/dev/null || skip "no private mount namespace here"
	call unshare -m bash -euc '
		over() {
			echo "$2" >"$FAKE/${1//\//_}"
			mount --bind "$FAKE/${1//\//_}" "$1"
		}
		'"$1"
	[ -n "${2:-}" ] || exits 0
}

# check NAME STATUS [FILTER]: of the document on stdout.
check() {
	json --arg name "$1" --arg status "$2" \
		'.checks[] | select(.name == $name) | .status == $status'
	if [ $# -gt 2 ]; then
		json --arg name "$1" '.checks[] | select(.name == $name) | '"$3"
	fi
}

without() {
	local cap drop=""

	for cap in "$@"; do
		drop+=",-$cap"
	done
	call setpriv --bounding-set "${drop#,}" --inh-caps "${drop#,}" "$BPFPERF" doctor -j
	exits 0
}

@test "root: every trial decides, and leaves nothing loaded" {
	local names='hook_|run_(syscall|raw_tp|tc|xdp)$|read_kernel|doctor'

	need_bpf
	call "$BPFPERF" doctor -j
	exits 0
	json '[.checks[] | select(.detail // "" | test("took longer"))] == []'
	[ -z "$stderr" ]
	json '[.checks[] | select(.name | IN("fentry", "kprobe", "tp-btf", "uprobe", "prog-run", "jit"))] |
		length == 6 and all(.status | IN("ok", "gap"))'
	need_command bpftool
	bpftool -j prog list | jq -e --arg names "$names" 'map(.name // "" | select(test($names))) | . == []'
}

@test "hooks that work here are those that the triggers of stat use" {
	local name

	need_bpf
	call "$BPFPERF" doctor -j
	exits 0
	for name in fentry kprobe tp-btf prog-run; do
		if jq -e --arg name "$name" '.checks[] | select(.name == $name) | .status == "ok"' \
			<<<"$output"; then
			"$BPFPERF" stat -q "${QUICK[@]}" --trigger "$name" noop
		else
			run ! "$BPFPERF" stat -q "${QUICK[@]}" --trigger "$name" noop
			[[ $output == *"trigger '$name'"* ]]
		fi
		call "$BPFPERF" doctor -j
	done
}

# without_btf SCRIPT [any]: libbpf looks into /boot as well, where a copy would do.
without_btf() {
	[ -e /sys/kernel/btf/vmlinux ] || skip "this kernel has no BTF"
	with_mounts 'mount --bind /dev/null /sys/kernel/btf/vmlinux
		mount -t tmpfs none /boot
		'"$1" "${2:-}"
}

@test "iovisor/bcc#2872: without BTF the gap is named in one line, with the kernel" {
	need_bpf
	without_btf '"$BPFPERF" doctor -j'
	check btf gap '.detail | test("holds no BTF")'
	check fentry gap '.detail | test("BTF cannot be read")'
	check tp-btf gap '.detail | test("BTF cannot be read")'
	check prog-run ok

	without_btf '"$BPFPERF" stat -q -r 1 -d "$SHORT" -w 0.01 -e none --trigger fentry noop' any
	exits 77
	[ "$(grep -c BTF <<<"$output")" -eq 1 ]
	stdout_has "BTF cannot be read (/sys/kernel/btf/vmlinux, Linux $(uname -r), CONFIG_DEBUG_INFO_BTF)"
	[ -z "$stderr" ]
}

# The counters need no BPF, the default trigger no BTF, and the tracer finds another way.
@test "iovisor/bcc#2872: without BTF it measures and counts all the same" {
	need_bpf
	without_btf '"$BPFPERF" stat -q -r 1 -d "$SHORT" -w 0.01 -e task-clock -j count-local noop 2>&1'
	json '[.benchmarks[].runs[]] | length >= 2 and all(.status == "ok")'
	json '[.benchmarks[].runs[] | select(.role == "clean").counters[]] |
		length == 2 and all(.value > 0)'
	without_btf '"$BPFPERF" stat -q -r 1 -d "$SHORT" -w 0.01 -e none -L -j noop'
	json '[.benchmarks[].runs[] | select(.role == "evidence").locks_tracer.path] | . == ["raw_tp"]'
}

@test "an online list of one CPU: producers stay on it, and locks cannot be fought for" {
	with_mounts 'over /sys/devices/system/cpu/online 0
		"$BPFPERF" stat -q -j -r 1 -d "$SHORT" -w 0.01 -e none -p 2 count-local'
	json '.benchmarks[0].runs[0].threads | map(.cpu) | unique == [0]'
	need_bpf
	with_mounts 'over /sys/devices/system/cpu/online 0; "$BPFPERF" doctor -j'
	check spinlocks gap '(.detail | test("one CPU")) and (.remedy | test("second CPU"))'
}

@test "bpftrace/bpftrace#3125: where CPU 0 is offline the first one that is online serves" {
	local cpu

	cpu=$(last_cpu)
	[ "$cpu" -gt 0 ] || skip "there is no CPU but the first"
	need_bpf
	with_mounts "over /sys/devices/system/cpu/online $cpu
		"'"$BPFPERF" stat -q -j -r 1 -d "$SHORT" -w 0.01 -L -p 2 hashmap-full ringbuf noop'
	json '[.benchmarks[].runs[]] | length == 6 and all(.status == "ok")'
	json --argjson cpu "$cpu" '[.benchmarks[].runs[].threads[].cpu] | unique == [$cpu]'
	json '[.benchmarks[].runs[].counters[] | select(.metric == "task-clock")] |
		length > 0 and all(.value > 0)'
	with_mounts "over /sys/devices/system/cpu/online $cpu
		"'"$BPFPERF" doctor -j'
	check prog-run ok
}

@test "libbpf/libbpf#103: 128 possible CPUs, of which few are online" {
	need_bpf
	with_mounts 'over /sys/devices/system/cpu/possible 0-127
		over /sys/devices/system/cpu/present 0-127
		"$BPFPERF" stat -q -j -r 1 -d "$SHORT" -w 0.01 -L hashmap-full ringbuf local-storage-get'
	json '[.benchmarks[].runs[]] | length == 6 and all(.status == "ok")'
	json --arg cpus "$(allowed_cpus)" '.tool.plan.cpus == $cpus'
	json '[.benchmarks[].runs[].counters[] | select(.metric == "task-clock")] |
		length > 0 and all(.value > 0)'
	with_mounts 'over /sys/devices/system/cpu/possible 0-127
		"$BPFPERF" stat --prod-affinity 0-127 noop' any
	exits 129
	stderr_has "allowed are $(allowed_cpus)"
}

@test "an online list that makes no sense is an error with its text" {
	with_mounts 'over /sys/devices/system/cpu/online 0-
		"$BPFPERF" stat -q -r 1 -d "$SHORT" count-local' any
	[ "$status" -ne 0 ]
	stderr_has "bad CPU list '0-'"
	with_mounts 'over /sys/devices/system/cpu/online 0-; "$BPFPERF" doctor -j'
	json '.checks | length >= 22'
}

@test "kptr_restrict=2 hides names from root too" {
	with_mounts 'over /proc/sys/kernel/kptr_restrict 2
		over /proc/kallsyms "0000000000000000 T _stext"
		"$BPFPERF" doctor -j'
	check kptr_restrict gap '.value == "2" and .remedy == "sysctl kernel.kptr_restrict=1"'
}

@test "perf_event_paranoid=3 is shown, and what it means is tried" {
	with_mounts 'over /proc/sys/kernel/perf_event_paranoid 3; "$BPFPERF" doctor -j'
	check perf_event_paranoid ok '.value == "3"'
	[ "$(cat /proc/sys/kernel/perf_event_paranoid)" -gt 1 ] || skip "everybody may count here"
	with_mounts 'over /proc/sys/kernel/perf_event_paranoid 3
		setpriv --bounding-set=-perfmon,-sys_admin "$BPFPERF" doctor -j'
	check perf_event_paranoid gap '.value == "3" and
		(.remedy | test("sysctl kernel.perf_event_paranoid=1"))'
}

locked_down_says() {
	[ -d /sys/kernel/security ] || skip "this kernel has no securityfs"
	with_mounts 'mount -t tmpfs none /sys/kernel/security
		echo "none integrity [confidentiality]" >/sys/kernel/security/lockdown
		'"$1"
}

@test "iovisor/bcc#2565: lockdown is read, but what it means is tried" {
	need_bpf
	with_mounts 'mount -t tmpfs none /sys/kernel/security; "$BPFPERF" doctor -j'
	jq -e '.checks[] | select(.name == "lockdown") | .value // "" | test("none or integrity")' \
		<<<"$output" || skip "this kernel is locked down"
	locked_down_says '"$BPFPERF" doctor -j'
	check lockdown ok '.value == "confidentiality" and (.detail | test("may read kernel memory"))'
	# And nothing is left out because of a file.
	locked_down_says '"$BPFPERF" stat -q -j -r 1 -d "$SHORT" -w 0.01 -L noop'
	json '[.benchmarks[].runs[]] | length == 2 and all(.status == "ok")'
	json '.benchmarks[0].runs[] | select(.role == "evidence").locks_reason == null'
	# Who may not try has the file to go by.
	locked_down_says 'setpriv --bounding-set=-bpf,-sys_admin --inh-caps=-bpf,-sys_admin \
		"$BPFPERF" doctor -j'
	check lockdown gap '.value == "confidentiality" and (.remedy | test("lockdown=integrity"))'
}

@test "the command for tracefs mends it" {
	grep -qw tracefs /proc/filesystems || skip "this kernel has no tracefs"
	with_mounts '
		umount -l /sys/kernel/debug/tracing /sys/kernel/debug /sys/kernel/tracing 2>/dev/null || :
		remedy=$("$BPFPERF" doctor -j | jq -r ".checks[] | select(.name == \"tracefs\").remedy")
		$remedy
		"$BPFPERF" doctor -j'
	json '.checks[] | select(.name == "tracefs") |
		.status == "ok" or (.detail | test("CONFIG_FTRACE_SYSCALLS"))'
}

@test "without CAP_BPF and CAP_SYS_ADMIN: the capability is named, the kernel is not blamed" {
	without bpf sys_admin
	check capabilities gap '(.detail | test("without CAP_BPF no program loads")) and
		(.value | test("CAP_PERFMON"))'
	check prog-run unknown '.detail | test("without CAP_BPF")'
	check spinlocks unknown '.detail | test("CAP_BPF")'
}

@test "with CAP_BPF and CAP_PERFMON alone what they allow is tried" {
	need_bpf
	without sys_admin net_admin syslog
	check capabilities gap '.value == "CAP_BPF, CAP_PERFMON"'
	check prog-run ok '.value == "syscall, raw_tp" and (.detail | test("CAP_NET_ADMIN"))'
	json '.checks[] | select(.name == "tp-btf") | .status | IN("ok", "gap")'
}

@test "root of a user namespace is not root for bpf" {
	unshare -Ur true 2>/dev/null || skip "no user namespace here"
	call unshare -Ur "$BPFPERF" doctor -j
	exits 0
	check capabilities gap '.value == "none"'
	check prog-run unknown
	check tp-btf unknown
}

# A cpuset of CPU 0, of either version of cgroups, in $CPUSET; or a skip.
make_cpuset() {
	local root

	root=$(awk '$3 == "cgroup" && $4 ~ /(^|,)cpuset(,|$)/ { print $2; exit }' /proc/mounts)
	if [ -n "$root" ]; then
		mkdir "$root/bpfperf-test-$$" || skip "no cpuset can be made"
		CPUSET=$root/bpfperf-test-$$
		cat "$root/cpuset.mems" >"$CPUSET/cpuset.mems"
	else
		root=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
		grep -qw cpuset "$root/cgroup.subtree_control" 2>/dev/null ||
			skip "no cpuset controller here"
		mkdir "$root/bpfperf-test-$$" || skip "no cpuset can be made"
		CPUSET=$root/bpfperf-test-$$
	fi
	echo 0 >"$CPUSET/cpuset.cpus"
}

@test "a cpuset of one CPU is respected" {
	make_cpuset
	call bash -c 'echo $$ >"$1/cgroup.procs"; shift; exec "$@"' - "$CPUSET" \
		"$BPFPERF" stat -q -j "${QUICK[@]}" -p 2 count-local
	exits 0
	json '.benchmarks[0].runs[0].threads | map(.cpu) | unique == [0]'
	need_bpf
	call bash -c 'echo $$ >"$1/cgroup.procs"; shift; exec "$@"' - "$CPUSET" "$BPFPERF" doctor -j
	exits 0
	check spinlocks gap '.detail | test("one CPU")'
}
