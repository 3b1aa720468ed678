#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What works with fewer rights than root's, and what is said about the rest.

# Variables of jq; variables of bats and of the library; tests are subshells.
# shellcheck disable=SC2016,SC2154,SC2030,SC2031

load ../lib.bash

setup() {
	need_bpf
	mark_dmesg
	open_to_all
}

teardown() {
	[ -z "${OPEN:-}" ] || close_to_all
	no_new_warning
}

# with_caps LIST WORDS...: as nobody, with these capabilities and no way to get others.
with_caps() {
	local caps=$1

	shift
	call setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps="-all,$caps" \
		--ambient-caps="-all,$caps" --bounding-set="-all,$caps" "$OPEN/bpfperf" "$@"
}

@test "CAP_BPF and CAP_PERFMON are enough, with a random hash seed" {
	with_caps +bpf,+perfmon stat -j -q "${QUICK[@]}" hashmap-full,hashmap-update,noop
	exits 0
	json '[.benchmarks[].runs[]] | length == 3 and all(.status == "ok")'
	json '.benchmarks[] | select(.name == "hashmap-full").runs[0].resolved.hash_seed ==
		"random"'
}

@test "CAP_BPF and CAP_PERFMON: the software counters count" {
	with_caps +bpf,+perfmon stat -j -q "${QUICK[@]}" \
		-e task-clock,context-switches,page-faults noop
	exits 0
	json '.benchmarks[0].runs[0].counters | length == 3 and all(.value != null)'
}

@test "what the kernel lacks is exit 77, also for who lacks other capabilities" {
	printf 'MemTotal: 100000 kB\nMemAvailable: 90000 kB\n' >"$OPEN/meminfo"
	call unshare -m sh -c 'mount --bind "$1" /proc/meminfo && shift && exec "$@"' sh "$OPEN/meminfo" \
		setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all,+bpf,+perfmon \
		--ambient-caps=-all,+bpf,+perfmon --bounding-set=-all,+bpf,+perfmon "$OPEN/bpfperf" \
		stat -q "${QUICK[@]}" --no-evidence hashmap-full max_entries=4M
	exits 77
	[[ $stderr != *CAP_* ]]
}

@test "CAP_BPF and CAP_PERFMON: hash_seed=zero names CAP_SYS_ADMIN" {
	with_caps +bpf,+perfmon stat -j -q "${QUICK[@]}" hashmap-full hash_seed=zero
	exits 2
	stderr_has "nothing could run without CAP_SYS_ADMIN"
	json '.benchmarks[0].runs[0] | .status == "skipped" and .values == null and
		(.reason | test("CAP_SYS_ADMIN"))'
}

@test "a point that is refused does not take the others of its sweep along" {
	with_caps +bpf,+perfmon stat -j -q "${QUICK[@]}" hashmap-update hash_seed=zero,random
	exits 0
	json '[.benchmarks[] | {(.params.hash_seed): .runs[0].status}] | add ==
		{"zero": "skipped", "random": "ok"}'
}

@test "CAP_BPF and CAP_PERFMON: tc names CAP_NET_ADMIN" {
	with_caps +bpf,+perfmon stat -j -q "${QUICK[@]}" --trigger prog-run:tc noop
	[ "$status" -ne 0 ]
	json '.benchmarks[0].runs[0] | .status == "skipped" and (.reason | test("CAP_NET_ADMIN"))'
}

@test "no capability: exit 2, CAP_BPF is named, and how to get it" {
	call "${AS_NOBODY[@]}" stat "${QUICK[@]}" hashmap-full
	exits 2
	stdout_has "CAP_BPF"
	stderr_has "nothing could run without CAP_BPF, CAP_PERFMON: run it as root, or"
	stderr_has "setcap cap_bpf,cap_perfmon+ep $OPEN/bpfperf"
	stderr_has "'bpfperf doctor' shows what is missing"
}

@test "no capability: what needs none runs all the same, and it is exit 0" {
	call "${AS_NOBODY[@]}" stat -q "${QUICK[@]}" noop,count-local
	exits 0
	[ -z "$stderr" ]
}

# Of all that is asked for below: a container may bound them, and a file system not know them.
need_file_capabilities() {
	local all=cap_bpf,cap_perfmon,cap_net_admin,cap_sys_admin,cap_syslog,cap_dac_read_search

	need_command setcap
	cp "$OPEN/bpfperf" "$OPEN/with-all"
	setcap "$all+ep" "$OPEN/with-all" 2>/dev/null &&
		setpriv --reuid=65534 --clear-groups "$OPEN/with-all" doctor -j 2>/dev/null |
		jq -e '.checks[] | select(.name == "capabilities").status == "ok"' >/dev/null ||
		skip "capabilities of files do not work in $OPEN"
}

# The command that `doctor` or `stat` gave, without sudo.
obey() {
	local command

	command=$(grep -oE 'setcap [^ ]+ [^ ]+bpfperf' <<<"$1")
	[ -n "$command" ]
	need_command setcap
	$command
}

checks_of() {
	call "${AS_NOBODY[@]}" doctor -j
	exits 0
}

remedy_of() {
	jq -r --arg name "$1" '.checks[] | select(.name == $name).remedy // ""' <<<"$output"
}

@test "doctor: the commands for capabilities work, one after the other, and none comes twice" {
	local first second

	need_file_capabilities
	checks_of
	first=$(remedy_of capabilities)
	obey "$first"
	checks_of
	json '.checks[] | select(.name == "capabilities") | .value == "CAP_BPF, CAP_PERFMON"'
	json '.checks[] | select(.name == "uprobe") | .status == "unknown" and
		(.detail | test("without CAP_SYS_ADMIN$")) and (.remedy | test("cap_sys_admin"))'
	second=$(remedy_of capabilities)
	[ "$second" != "$first" ]
	obey "$(remedy_of uprobe)"
	checks_of
	json '.checks[] | select(.name == "uprobe") | .status != "unknown"'
	# What there was is kept.
	json '.checks[] | select(.name == "capabilities").value |
		test("CAP_BPF, CAP_PERFMON.*CAP_SYS_ADMIN")'
	obey "$(remedy_of capabilities)"
	checks_of
	json '.checks[] | select(.name == "capabilities") | .status == "ok"'
}

@test "root without capabilities: the same" {
	call setpriv --inh-caps=-all --bounding-set=-all "$OPEN/bpfperf" stat \
		"${QUICK[@]}" hashmap-full
	exits 2
	stdout_has "CAP_BPF"
}

@test "foniod/redbpf#146: a locked-memory limit of nothing is no error" {
	call prlimit --memlock=0:0 "$BPFPERF" stat -j -q "${QUICK[@]}" -e task-clock hashmap-full
	exits 0
	json '.benchmarks[0].runs[0].status == "ok"'
	call prlimit --memlock=0:0 setpriv --reuid=65534 --regid=65534 --clear-groups \
		--inh-caps=-all,+bpf,+perfmon --ambient-caps=-all,+bpf,+perfmon \
		--bounding-set=-all,+bpf,+perfmon "$OPEN/bpfperf" stat -j -q "${QUICK[@]}" \
		-e task-clock hashmap-full
	exits 0
	json '.benchmarks[0].runs[0].status == "ok"'
}

# Others have asked for more, been refused and given up; or have set less than there was.
@test "foniod/redbpf#146: the limit of locked memory stays as it was, and nobody asks" {
	local limits

	call prlimit --memlock=12345:23456 "$O/tests/deny" prlimit64=EPERM -- \
		"$BPFPERF" stat -j -q "${QUICK[@]}" -e none hashmap-full
	exits 0
	json '.benchmarks[0].runs[0].status == "ok"'
	[[ $stderr != *MEMLOCK* ]]
	start prlimit --memlock=12345:23456 "$BPFPERF" stat -j -q -e none -r 1 -d "$(stretch 3)" -w 0.01 \
		--no-evidence hashmap-full
	wait_for_run
	limits=$(awk '/^Max locked memory/ { print $4, $5 }' "/proc/$pid/limits" \
		"/proc/$child/limits")
	finish
	exits 0
	[ "$limits" = $'12345 23456\n12345 23456' ]
}

@test "a low soft limit of open files is raised to the hard one" {
	local cpus

	cpus=$(nproc)
	call prlimit --nofile=24:4096 "$BPFPERF" stat -j -q "${QUICK[@]}" -d "$(stretch 1)" -p $((16 * cpus)) \
		-e task-clock,context-switches,page-faults hashmap-full
	exits 0
	json '.benchmarks[0].runs[0].counters | all(.value != null)'
}
