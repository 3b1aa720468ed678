#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# vm-run behaves as if the command had run here, and says in one line what went wrong.

# Variables of shells in guests; variables of bats and of the library; tests are subshells.
# shellcheck disable=SC2016,SC2154,SC2030,SC2031

load lib.bash

setup_file() {
	fetch_kernels
}

# A shell of the guest instead of bpfperf, with a script of its own.
in_shell() {
	guest "$image" "${options[@]}" --program /bin/busybox -- sh -c "$@"
}

# The image has a name of its own, by which its QEMU is known: others may be at work as well.
setup() {
	options=(--smp 1)
	image=$BATS_TEST_TMPDIR/image
	ln -s "$KERNEL_6_12" "$image"
}

has_qemu() {
	pgrep -f "qemu-system.* -kernel $image " >/dev/null
}

no_qemu() {
	! has_qemu
}

@test "arguments, exit code, stdout and stderr are the guest's" {
	in_shell 'for word; do printf "[%s]" "$word"; done; echo wrong >&2; exit 7' - \
		'a  b' '' '-x' '--' '"'"'"'$HOME `id` \' $'new\nline\n' '*'
	exits 7
	[ "$output" = "[a  b][][-x][--][\"'\$HOME \`id\` \\][new"$'\n'"line"$'\n'"][*]" ]
	[ "$stderr" = wrong ]
}

@test "-o FILE arrives here, in this folder and in others" {
	local here=$PWD

	cd "$BATS_TEST_TMPDIR"
	mkdir other
	O=$(cd "$here" && realpath "$O") run --separate-stderr "$here/scripts/vm-run" --accel tcg --smp 1 \
		--kernel "$KERNEL_6_12" -- stat "${ONCE[@]}" noop -o 'a file.json'
	exits 0
	jq -e '.boots[0].timing == "emulated"' 'a file.json'
	options+=(--add "$PWD/a file.json")
	cd "$here"
	in_shell 'cat "$1" >"$2"; : >"$3"' - "$BATS_TEST_TMPDIR/a file.json" \
		"$BATS_TEST_TMPDIR/other/copy" "$BATS_TEST_TMPDIR/empty"
	exits 0
	cmp "$BATS_TEST_TMPDIR/a file.json" "$BATS_TEST_TMPDIR/other/copy"
	[ -e "$BATS_TEST_TMPDIR/empty" ]
}

@test "a warning of the guest's kernel is passed on" {
	in_shell 'echo "<4>WARNING: a test of vm-run" >/dev/kmsg'
	exits 0
	stderr_has "warnings of the guest's kernel"
	stderr_has "a test of vm-run"
}

@test "a panic is an error, with the end of the console" {
	in_shell 'echo c >/proc/sysrq-trigger'
	exits 2
	[ "$again" -lt 2 ]
	stderr_has "kernel panicked: sysrq triggered crash"
	stderr_has "RIP:"
	no_qemu
}

@test "a hang is an error after the timeout" {
	options+=(--timeout 10)
	in_shell 'sleep 1000'
	exits 2
	stderr_has "no end after 10 s"
	no_qemu
}

# fails_once CONSOLE: emulation fails too seldom to wait for it, so that the first QEMU does no more
# than to write what a kernel says then. It goes on for as long as it is let.
fails_once() {
	local qemu bin=$BATS_TEST_TMPDIR/bin

	qemu=$(command -v qemu-system-x86_64)
	mkdir "$bin"
	cat >"$bin/qemu-system-x86_64" <<-END
		#!/bin/bash
		[ -e "$bin/failed" ] && exec "$qemu" "\$@"
		: >"$bin/failed"
		console=\$(printf '%s\n' "\$@" | grep -oP 'id=console,path=\K.*')
		echo "$1" >>"\$console"
		exec sleep 1000
	END
	chmod +x "$bin/qemu-system-x86_64"
	PATH=$bin:$PATH in_shell 'echo once; exit 7'
	rm -r "$bin"
	exits 7
	[ "$output" = once ]
	[ -z "$stderr" ]
	[ "$again" -ge 1 ]
	no_qemu
}

@test "a guest that fails before its command is booted again" {
	fails_once "[   40.1] watchdog: BUG: soft lockup - CPU#3 stuck for 26s! [kworker/3:0:32]"
	fails_once "[    2.1] Kernel panic - not syncing: Fatal exception in interrupt"
}

@test "a guest that runs out of memory says so" {
	options+=(--mem 256M)
	in_shell 'exec tail -c "$(awk "/MemTotal/ { print \$2 - 4096 }" /proc/meminfo)k" /dev/zero'
	fails_with "the guest ran out of memory (--mem 256M)"
	no_qemu
}

# Nobody who could be killed holds it.
@test "memory that no process holds is out as well" {
	options+=(--mem 256M)
	in_shell 'mkdir /tmp/all && mount -t tmpfs -o size=1g none /tmp/all &&
		dd if=/dev/zero of=/tmp/all/file bs=1M; exit 9'
	fails_with "the guest ran out of memory (--mem 256M)"
}

@test "a guest whose memory cannot hold its files says so" {
	truncate -s 140M "$BATS_TEST_TMPDIR/large"
	options+=(--mem 256M --add "$BATS_TEST_TMPDIR/large")
	in_shell 'exit 0'
	fails_with "the guest's memory cannot hold its files of "
	guest "$image" --smp 1 --mem 1M -- list
	fails_with "the guest's memory cannot hold its files of "
	no_qemu
}

@test "a guest without room for another file gives its exit code" {
	options+=(--mem 200M)
	in_shell 'dd if=/dev/zero of=/tmp/large bs=1M; exit 9'
	exits 9
	stderr_has "No space left on device"
}

# ends_by SIGNAL EXIT: in a folder for temporary files of its own, of which nothing is left. Twice,
# as an impatient user does.
ends_by() {
	local tmp=$BATS_TEST_TMPDIR/tmp-$1

	mkdir "$tmp"
	start env TMPDIR="$tmp" scripts/vm-run --accel tcg --kernel "$image" --smp 1 -- stat noop -d 60
	until_true 120 has_qemu
	kill "-$1" "$pid"
	kill "-$1" "$pid" 2>/dev/null || true
	finish
	exits "$2"
	stdout_empty
	[ -z "$stderr" ]
	no_qemu
	[ -z "$(ls -A "$tmp")" ]
}

@test "SIGINT, SIGTERM and SIGHUP end the guest and leave nothing" {
	ends_by INT 130
	ends_by TERM 143
	ends_by HUP 143
}

@test "an image that is none, or of another architecture, is refused" {
	head -c 4M /dev/urandom >"$BATS_TEST_TMPDIR/junk"
	guest "$BATS_TEST_TMPDIR/junk" -- list
	fails_with "no kernel image of x86_64"
	guest "$KERNEL_6_12" --arch arm64 -- list
	fails_with "no kernel image of arm64"
	guest /nonexistent -- list
	fails_with "cannot read the kernel image '/nonexistent'"
	guest "$BATS_TEST_TMPDIR" -- list
	fails_with "cannot read the kernel image '$BATS_TEST_TMPDIR'"
	: >"$BATS_TEST_TMPDIR/-empty"
	cd "$BATS_TEST_TMPDIR"
	run --separate-stderr "$OLDPWD/scripts/vm-run" --kernel -empty --program /bin/busybox -- true
	fails_with "'-empty' is no kernel image of x86_64"
}

@test "files with names of all kinds arrive, and none outside of the guest" {
	cd "$BATS_TEST_TMPDIR"
	echo one >' a  b'
	echo two >$'new\nline\n'
	echo three >-dash
	run --separate-stderr "$OLDPWD/scripts/vm-run" --accel tcg --smp 1 --kernel "$KERNEL_6_12" \
		--program /bin/busybox --add ' a  b' --add $'new\nline\n' --add -dash \
		--add '-dash:/x/-y z' --add ' a  b:../../../../../../../../../vm-run-escaped' -- \
		sh -c 'cat " a  b" "$1" ./-dash "/x/-y z" /vm-run-escaped' - $'new\nline\n'
	exits 0
	[ "$output" = $'one\ntwo\nthree\nthree\none' ]
	[ ! -e /vm-run-escaped ]
}

@test "a file that cannot be put into the guest is an error" {
	cd "$BATS_TEST_TMPDIR"
	: >file
	for add in missing . /proc/self/mem/ file:/vm file:/vm/command file:/init file:/bin/busybox; do
		run --separate-stderr "$OLDPWD/scripts/vm-run" --kernel "$KERNEL_6_12" --program \
			/bin/busybox --add "$add" -- true
		fails_with "${add%:*}"
	done
	run --separate-stderr "$OLDPWD/scripts/vm-run" --kernel "$KERNEL_6_12" --program . -- true
	fails_with "cannot read '.' (--program)"
	TMPDIR=/nonexistent run --separate-stderr "$OLDPWD/scripts/vm-run" --kernel "$KERNEL_6_12" \
		--program /bin/busybox -- true
	fails_with "cannot make a folder in '/nonexistent'"
}

@test "what QEMU refuses is an error in its words" {
	guest "$image" --cpu nonsense -- list
	fails_with "QEMU failed: unable to find CPU model 'nonsense'"
	guest "$image" --smp 4,maxcpus=2 -- list
	fails_with "QEMU failed: Invalid CPU topology"
}

@test "an image that does not boot is an error" {
	head -c 4M "$KERNEL_6_12" >"$BATS_TEST_TMPDIR/half"
	guest "$BATS_TEST_TMPDIR/half" --timeout 20 --smp 1 -- list
	fails_with "does not boot"
}

@test "a kernel without BTF is refused" {
	# The header of BTF: magic, version 1, no flags, 24 bytes.
	perl -0777 -pe 's/\x9f\xeb\x01\x00\x18\x00\x00\x00/\0\0\0\0\0\0\0\0/g' "$KERNEL_ARM64" \
		>"$BATS_TEST_TMPDIR/without"
	KERNEL_ARM64=$BATS_TEST_TMPDIR/without arm64 --smp 1 -- list
	fails_with "this kernel has no BTF (CONFIG_DEBUG_INFO_BTF)"
}

@test "without QEMU it says which package has it" {
	local tool

	mkdir "$BATS_TEST_TMPDIR/bin"
	for tool in bash dirname realpath nproc; do
		ln -s "$(command -v "$tool")" "$BATS_TEST_TMPDIR/bin"
	done
	run --separate-stderr env PATH="$BATS_TEST_TMPDIR/bin" scripts/vm-run \
		--kernel "$KERNEL_6_12" -- list
	fails_with "qemu-system-x86_64 is not installed (package qemu-system-x86"
}

@test "a cache that cannot be written is an error" {
	: >"$BATS_TEST_TMPDIR/file"
	XDG_CACHE_HOME=$BATS_TEST_TMPDIR/file run --separate-stderr scripts/kernel-fetch 6.12
	fails_with "cannot write the cache"
	XDG_CACHE_HOME=$BATS_TEST_TMPDIR/file run --separate-stderr scripts/sysroot-arm64
	fails_with "cannot write the cache"
}

# In a cache of its own: other guests boot from the real one.
@test "a kernel in the cache that changed is fetched again" {
	local cache=${XDG_CACHE_HOME:-$HOME/.cache}/bpfperf copy

	export XDG_CACHE_HOME=$BATS_TEST_TMPDIR
	mkdir -p "$BATS_TEST_TMPDIR/bpfperf/kernels"
	cp -a "$cache/apt-arm64" "$BATS_TEST_TMPDIR/bpfperf"
	cp -a "$cache/kernels/arm64" "$BATS_TEST_TMPDIR/bpfperf/kernels"
	copy=$(scripts/kernel-fetch 6.12 --arch arm64)
	printf x | dd of="$copy" bs=1 seek=4096 conv=notrunc status=none
	run --separate-stderr scripts/kernel-fetch 6.12 --arch arm64
	exits 0
	[ "$output" = "$copy" ]
	stderr_has "is not what was fetched"
	cmp "$copy" "$KERNEL_ARM64"
}

@test "wrong usage is 129" {
	local words

	for words in "" "--kernel x" "--kernel x --" "-- list" "--kernel= -- list" \
		"--kernel x --smp 0.5 -- list" "--kernel x --smp 0 -- list" \
		"--kernel x --smp 2,maxcpus=0 -- list" "--kernel x --mem 0 -- list" \
		"--kernel x --mem much -- list" "--kernel x --timeout 0 -- list" \
		"--kernel x --timeout abc -- list" "--kernel x --arch mips -- list" \
		"--kernel x --icount --smp 2 -- list" "--kernel x --nonsense y -- list"; do
		# shellcheck disable=SC2086 # words
		run --separate-stderr scripts/vm-run $words
		exits 129
		stdout_empty
		[ "$(wc -l <<<"$stderr")" -eq 1 ]
	done
	run --separate-stderr scripts/kernel-fetch 5.4
	exits 129
}
