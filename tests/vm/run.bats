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
	stderr_has "kernel panicked: sysrq triggered crash"
	stderr_has "RIP:"
	no_qemu
}

@test "a hang is an error after the timeout" {
	options+=(--timeout 20)
	in_shell 'sleep 1000'
	exits 2
	stderr_has "no end after 20 s"
	no_qemu
}

@test "a guest that runs out of memory says so" {
	options+=(--mem 256M)
	in_shell 'exec tail -c "$(awk "/MemTotal/ { print \$2 - 4096 }" /proc/meminfo)k" /dev/zero'
	exits 2
	stderr_has "out of memory"
}

@test "SIGINT ends the guest" {
	start scripts/vm-run --accel tcg --kernel "$image" --smp 1 -- stat noop -d 60
	until_true 20 has_qemu
	kill -INT "$pid"
	finish
	exits 130
	no_qemu
}

@test "an image that is none, or of another architecture, is refused" {
	head -c 4M /dev/urandom >"$BATS_TEST_TMPDIR/junk"
	guest "$BATS_TEST_TMPDIR/junk" -- list
	fails_with "no kernel image of x86_64"
	guest "$KERNEL_6_12" --arch arm64 -- list
	fails_with "no kernel image of arm64"
	guest /nonexistent -- list
	fails_with "cannot read the kernel image '/nonexistent'"
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

@test "a kernel in the cache that changed is fetched again" {
	local image

	image=$(scripts/kernel-fetch 6.12 --arch arm64)
	printf x | dd of="$image" bs=1 seek=4096 conv=notrunc status=none
	run --separate-stderr scripts/kernel-fetch 6.12 --arch arm64
	exits 0
	[ "$output" = "$image" ]
	stderr_has "is not what was fetched"
	(cd "$(dirname "$image")" && sha256sum --quiet --check "${image##*/}.sha256")
}

@test "wrong usage is 129" {
	local words

	for words in "" "--kernel x" "--kernel x --" "-- list" "--kernel x --smp 0.5 -- list" \
		"--kernel x --icount --smp 2 -- list" "--kernel x --nonsense y -- list"; do
		# shellcheck disable=SC2086 # words
		run --separate-stderr scripts/vm-run $words
		exits 129
		stdout_empty
	done
	run --separate-stderr scripts/kernel-fetch 5.4
	exits 129
}
