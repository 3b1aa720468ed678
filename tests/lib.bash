# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# What the bats files share. They run from the top of the tree: O=build bats tests/cli/usage.bats
# shellcheck disable=SC2154,SC2034 # bats sets status, output and stderr; the tests use the rest

bats_require_minimum_version 1.5.0

O=${O:-build}
BPFPERF=$(realpath "$O/bpfperf" 2>/dev/null) || BPFPERF=$O/bpfperf

# stretch SECONDS: what takes so long on a machine that does nothing else, takes longer here.
stretch() {
	awk -v seconds="$1" -v cpus="$(nproc)" '{ printf "%.3f", seconds * (1 + $1 / cpus) }' \
		/proc/loadavg
}

# Short enough for a test, long enough for several batches of 2 ms; a run lasts until it has one.
QUICK=(-r 1 -d 0.05 -w 0.01 -e none --no-evidence)

is_root() {
	[ "$(id -u)" -eq 0 ]
}

need_root() {
	is_root || skip "needs root"
}

need_command() {
	command -v "$1" >/dev/null || skip "$1 is not installed"
}

# Skips unless this kernel and this user run the simplest BPF benchmark.
need_bpf() {
	local because

	need_root
	because=$("$BPFPERF" list -j noop | jq -r '.benchmarks[0].because // empty')
	[ -z "$because" ] || skip "noop cannot run: $because"
}

# call COMMAND...: $status, $output (stdout) and $stderr, and never a hung test.
call() {
	run --separate-stderr timeout --kill-after=5 120 "$@"
}

# What a failed assertion needs to be understood; bats shows it only then. Of a document, the part
# that says how it went.
show() {
	echo "exit $status"
	echo "stderr: $stderr"
	jq -c '{complete, warnings}, (.benchmarks[] | .key as $key | .runs[] |
		select(.status == "failed") | {$key, status, reason, role}), {plan: .tool.plan},
		(.benchmarks[] | .key, (.runs[] | {status, reason, role, values, threads}))' \
		<<<"$output" 2>/dev/null |
		head -c 8000 || head -n 30 <<<"$output"
}

exits() {
	[ "$status" -eq "$1" ] || {
		echo "expected exit $1"
		show
		return 1
	}
}

# stdout_has TEXT, stderr_has TEXT: a substring.
stdout_has() {
	[[ $output == *"$1"* ]] || {
		echo "not on stdout: $1"
		show
		return 1
	}
}

stderr_has() {
	[[ $stderr == *"$1"* ]] || {
		echo "not on stderr: $1"
		show
		return 1
	}
}

stdout_empty() {
	[ -z "$output" ] || {
		echo "stdout is not empty"
		show
		return 1
	}
}

# stdout_line REGEX: one line of stdout matches it from end to end.
stdout_line() {
	grep -qxE -- "$1" <<<"$output" || {
		echo "no such line on stdout: $1"
		show
		return 1
	}
}

# json FILTER: holds for the document on stdout. jq -e: false and null are failures.
json() {
	jq -e "$@" >/dev/null <<<"$output" || {
		echo "does not hold: $*"
		show
		return 1
	}
}

# $OPEN: a folder that everybody can write to, with a copy of the program that everybody can run,
# since the build may lie below a home that nobody else enters. "${AS_NOBODY[@]}" WORDS...: that
# program without any privilege; root becomes nobody for it.
open_to_all() {
	OPEN=$(mktemp -d)
	chmod 1777 "$OPEN"
	cp "$BPFPERF" "$OPEN/bpfperf"
	chmod 755 "$OPEN/bpfperf"
	AS_NOBODY=("$OPEN/bpfperf")
	if is_root; then
		AS_NOBODY=(setpriv --reuid=65534 --regid=65534 --clear-groups "$OPEN/bpfperf")
	fi
}

close_to_all() {
	rm -rf "$OPEN"
}

# The CPUs that this shell may run on, as "0-3,8"; the last of them.
allowed_cpus() {
	awk '/^Cpus_allowed_list:/ { print $2 }' /proc/self/status
}

last_cpu() {
	allowed_cpus | sed 's/.*[-,]//'
}

# start COMMAND...: in the background, $pid. Shells let background jobs ignore SIGINT, nohup SIGHUP.
start() {
	env --default-signal=INT,TERM,HUP "$@" >"$BATS_TEST_TMPDIR/out" 2>"$BATS_TEST_TMPDIR/err" \
		3>&- 4>&- &
	pid=$!
}

# Waits for $pid: $status, $output, $stderr.
finish() {
	status=0
	wait "$pid" || status=$?
	output=$(<"$BATS_TEST_TMPDIR/out")
	stderr=$(<"$BATS_TEST_TMPDIR/err")
}

# until_true SECONDS COMMAND...
until_true() {
	local end=$((SECONDS + $1))

	shift
	until "$@"; do
		[ "$SECONDS" -lt "$end" ] || return 1
		sleep 0.05
	done
}

# CPU time of the threads of a process, its first one apart, in ticks of 10 ms.
thread_ticks() {
	local task sum=0 stat

	for task in /proc/"$1"/task/*; do
		[ "${task##*/}" != "$1" ] || continue
		read -ra stat 2>/dev/null <"$task/stat" || continue
		sum=$((sum + stat[13] + stat[14]))
	done
	echo "$sum"
}

# Waits until a child of $pid measures, and sets $child: probes take next to no CPU time, and the
# control loops of a run 80 ms per producer.
wait_for_run() {
	local tries=600 enough=$((10 * $(nproc) + 5))

	while [ "$((tries--))" -gt 0 ]; do
		child=$(pgrep -P "$pid") || child=""
		[ -z "$child" ] || [ "$(thread_ticks "$child")" -le "$enough" ] || return 0
		! is_gone "$pid" || break
		sleep 0.05
	done
	echo "no run began"
	return 1
}

# A zombie is gone: who reaps it depends on the init of this machine.
is_gone() {
	local state

	state=$(awk '/^State:/ { print $2 }' "/proc/$1/status" 2>/dev/null) || return 0
	[ -z "$state" ] || [ "$state" = Z ]
}

# Milliseconds since boot.
now_ms() {
	awk '{ print int($1 * 1000) }' /proc/uptime
}

# "prog 12", "map 34", "link 5": what a process holds. Other programs on this machine come and
# go, so that a list of all that is loaded would prove nothing.
bpf_objects_of() {
	sed -nE 's/^(prog|map|link)_id:[[:space:]]*([0-9]+)$/\1 \2/p' /proc/"$1"/fdinfo/* \
		2>/dev/null | sort -u
}

is_unloaded() {
	! bpftool "$1" show id "$2" >/dev/null 2>&1
}

# are_unloaded OBJECTS: maps are freed a while after the last user has gone.
are_unloaded() {
	local kind id

	while read -r kind id; do
		until_true 10 is_unloaded "$kind" "$id" || {
			echo "still loaded: $kind $id"
			return 1
		}
	done <<<"$1"
}

# Kernel messages between these two; a marker, since the buffer wraps.
mark_dmesg() {
	DMESG_MARK="bpfperf-test-$$-$RANDOM"
	if is_root && [ -w /dev/kmsg ]; then
		echo "$DMESG_MARK" >/dev/kmsg
	fi
}

no_new_warning() {
	local log bad='WARNING:|BUG:|Oops|Call Trace|general protection|soft lockup'

	is_root && [ -n "${DMESG_MARK:-}" ] || return 0
	log=$(dmesg 2>/dev/null) || return 0
	! grep -E "$bad" <<<"${log##*"$DMESG_MARK"}" || {
		echo "that is new in the kernel's log"
		return 1
	}
}
