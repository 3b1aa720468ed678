# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# What the tests in guests share. `make check-vm` builds what they run, and runs two at a time.
# shellcheck disable=SC2154,SC2034 # bats sets status, output and stderr

load ../lib.bash

TRIGGERS=prog-run:syscall,prog-run:raw_tp,prog-run:tc,prog-run:xdp,fentry,kprobe,tp-btf,raw-tp,tp

# Short, without what these tests do not look at. One producer: an emulated CPU that loses its turn
# with a lock held makes the others wait for longer than these runs last.
ONCE=(-j -q -r 1 -d 0.1 -w 0.02 -p 1 -e none --no-evidence)

# Sets KERNEL_6_1, KERNEL_6_12 and KERNEL_ARM64; for setup_file, since fetching takes a while.
fetch_kernels() {
	KERNEL_6_1=$(scripts/kernel-fetch 6.1 --arch x86_64)
	KERNEL_6_12=$(scripts/kernel-fetch 6.12 --arch x86_64)
	KERNEL_ARM64=$(scripts/kernel-fetch 6.12 --arch arm64)
	export KERNEL_6_1 KERNEL_6_12 KERNEL_ARM64 O
}

# guest KERNEL WORDS...: options of vm-run, --, and what bpfperf gets. Always emulated, as on the
# machines of CI: $status, $output, $stderr. What takes a minute alone may take five beside others.
# How often emulation failed and the guest was booted again, which is no test's matter: $again.
guest() {
	local kernel=$1 note="vm-run: the guest failed before its command: booting it again"

	shift
	run --separate-stderr scripts/vm-run --accel tcg --timeout 600 --kernel "$kernel" "$@"
	again=$(grep -cxF "$note" <<<"$stderr") || true
	stderr=$(grep -vxF "$note" <<<"$stderr") || true
}

arm64() {
	guest "$KERNEL_ARM64" --arch arm64 "$@"
}

no_warning() {
	[[ $stderr != *"warnings of the guest's kernel"* ]] || {
		show
		return 1
	}
}

# One line, which says what is wrong.
fails_with() {
	exits 2
	stdout_empty
	stderr_has "$1"
	[ "$(wc -l <<<"$stderr")" -eq 1 ] || {
		show
		return 1
	}
}

# close_to VALUE EXPECTED SHARE
close_to() {
	awk -v value="$1" -v expected="$2" -v share="$3" 'BEGIN {
		difference = value - expected
		if (difference < 0)
			difference = -difference
		if (difference <= share * expected)
			exit 0
		printf "%g is not %g within %g %%\n", value, expected, 100 * share
		exit 1
	}'
}
