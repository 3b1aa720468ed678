#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What the build says of tools that do not fit.

# Variables of shells that the tests write; of bats and of the library; tests are subshells.
# shellcheck disable=SC2016,SC2154,SC2030,SC2031

load ../lib.bash

# A bpftool that ends its skeletons with a line of C.
make_bpftool() {
	local real

	real=$(PATH=$PATH:/usr/sbin command -v bpftool) || skip "bpftool is not installed"
	printf '#!/bin/sh\n"%s" "$@"\n[ "$1" != gen ] || echo "%s"\n' "$real" "$1" \
		>"$BATS_TEST_TMPDIR/bpftool"
	chmod +x "$BATS_TEST_TMPDIR/bpftool"
}

skeleton() {
	call env -u MAKEFLAGS -u MAKELEVEL make O="$BATS_TEST_TMPDIR/build" BPFTOOL="$BATS_TEST_TMPDIR/bpftool" \
		"$BATS_TEST_TMPDIR/build/lib/doctor_probe.skel.h"
}

@test "sched-ext/scx#1151: a bpftool that is newer than its libbpf is told in one line" {
	local line

	need_command clang
	make_bpftool ""
	skeleton
	exits 0
	for line in 'static inline void f(struct bpf_map_skeleton *m) { m->of_tomorrow = 0; }' \
		'static inline void f(void) { bpf_object__of_tomorrow(); }'; do
		make_bpftool "$line"
		rm -f "$BATS_TEST_TMPDIR/build/lib/doctor_probe.skel.h"
		skeleton
		exits 2
		stderr_has "bpftool and libbpf are not of one release"
		stderr_has "of_tomorrow"
		stderr_has "libbpf $(pkg-config --modversion libbpf)"
		[ "$(grep -c of_tomorrow <<<"$stderr")" -eq 1 ]
		[ ! -e "$BATS_TEST_TMPDIR/build/lib/doctor_probe.skel.h" ]
	done
}
