#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Virtual time of an x86 guest is a number that comes out again.

# Variables of jq; variables of bats and of the library; tests are subshells.
# shellcheck disable=SC2016,SC2154,SC2030,SC2031

load lib.bash

setup_file() {
	fetch_kernels
}

virtual_ns() {
	guest "$KERNEL_6_12" --icount --smp 1,maxcpus=16 -- stat -j -q -r 3 -d 0.1 -w 0.02 -e none \
		--no-evidence hashmap-full hash_seed=zero batch=1000
	exits 0
	json '.boots[0].timing == "icount" and (.benchmarks[0].runs | all(.status == "ok"))'
	ns=$(jq '[.benchmarks[0].runs[].values.bpf_ns_op] | add / length' <<<"$output")
}

@test "hashmap-full: virtual ns per operation repeat to 0.1 % over three boots" {
	local first

	virtual_ns
	first=$ns
	for _ in 2 3; do
		virtual_ns
		echo "$first, then $ns"
		close_to "$ns" "$first" 0.001
	done
}
