#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# The program that is carried to other machines.

# Variables of inner shells; variables of bats and of the library; tests are subshells.
# shellcheck disable=SC2016,SC2154,SC2030,SC2031

load lib.bash

@test "it needs the C library and nothing else" {
	diff <(readelf -d "$O/dist/bpfperf" | sed -n 's/.*(NEEDED).*\[\(.*\)]/\1/p' | sort) \
		<(printf '%s\n' libc.so.6 libm.so.6)
}

@test "glibc 2.36 is new enough" {
	local newest

	newest=$(objdump -T "$O/dist/bpfperf" "$O/arm64/dist/bpfperf" |
		grep -oE 'GLIBC_[0-9.]+' | sort -uV | tail -n 1)
	[ "$(printf '%s\n' "$newest" GLIBC_2.36 | sort -V | tail -n 1)" = GLIBC_2.36 ]
}

@test "it runs in a root with the C library alone" {
	local root=$BATS_TEST_TMPDIR/root file

	need_root
	mkdir -p "$root"/{proc,sys}
	for file in $(ldd "$O/dist/bpfperf" | grep -oE '/[^ ]+'); do
		mkdir -p "$root$(dirname "$file")"
		cp -L "$file" "$root$file"
	done
	cp "$O/dist/bpfperf" "$root/bpfperf"
	call unshare -m bash -c 'mount -t proc none "$1/proc"; mount --rbind /sys "$1/sys"
		exec chroot "$1" /bpfperf stat -r 1 -d 0.05 -w 0.01 --no-evidence hashmap-full,count-global' \
		- "$root"
	exits 0
	stdout_has "hashmap-full"
}

@test "an initramfs without additions is 15 MiB at most" {
	local size

	size=$(stat -c %s "$O/dist/bpfperf" /bin/busybox /lib/x86_64-linux-gnu/{libc,libm}.so.6 \
		/lib64/ld-linux-x86-64.so.2 | awk '{ sum += $1 } END { print sum }')
	echo "$size bytes"
	[ "$size" -le $((15 << 20)) ]
}
