#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# local-storage-get and its control: order, the number of maps, and the cliff.

load ../lib.bash

setup() {
	need_bpf
	mark_dmesg
}

teardown() {
	no_new_warning
}

# all_ok BENCH WORDS...: every point of the sweep ran, and its check held.
all_ok() {
	call "$BPFPERF" stat -j -q "${QUICK[@]}" -d 0.1 --no-evidence "$@"
	exits 0
	json '[.benchmarks[].runs[]] | length > 0 and all(.status == "ok" and .values.ops_rate > 0)'
}

@test "local-storage-get: order x nr_maps, up to a thousand maps" {
	all_ok local-storage-get order=sequential,interleaved nr_maps=1,2,3,10,16,17,1000
	json '.benchmarks | length == 14'
	json '[.benchmarks[].runs[].threads[]] | all(.errors == 0)'
}

@test "local-storage-get: interleaved order makes 14 gets of 10 turns, 5 of them important" {
	# 10 turns visit maps 0..9; those of 0, 3, 6 and 9 are followed by another get of map 0.
	all_ok local-storage-get order=interleaved nr_maps=10 batch=1000
	json '[.benchmarks[0].runs[0].threads[]] |
		all(.ops == .batches * 1400 and .important == .batches * 500)'
	json '.benchmarks[0].runs[0].values | .important_rate / .ops_rate * 14 - 5 |
		. > -0.01 and . < 0.01'
	json '.metrics.important_rate.unit == "op/s"'
}

@test "local-storage-get: every producer has storage of its own" {
	all_ok -d 0.3 local-storage-get -p 3 nr_maps=5 batch=7
	json '.benchmarks[0].runs[0].threads | length == 3 and all(.ops > 0)'
}

@test "local-storage-get: a thousand maps need no thousand open files" {
	(
		ulimit -n 128
		all_ok local-storage-get nr_maps=1000 batch=100
	)
}

@test "local-storage-get: more maps than the cache has places cost more" {
	call "$BPFPERF" stat -j -q -r 3 -d 0.1 -w 0.02 -e none --no-evidence local-storage-get \
		nr_maps=10,100
	exits 0
	json '[.benchmarks | sort_by(.params.nr_maps)[].runs | map(.values.bpf_ns_op) | min] |
		.[1] > 2 * .[0]'
}

@test "local-storage-hashmap-control: keys x nr_maps x hash_seed" {
	all_ok local-storage-hashmap-control keys=1,10,5000 nr_maps=1,10 hash_seed=zero,random
	json '.benchmarks | length == 12'
	json '[.benchmarks[].runs[].threads[]] | all(.errors == 0)'
	json '[.benchmarks[] | select(.params.nr_maps == 1).runs[].threads[]] |
		all(.important == .ops)'
}

@test "local-storage-hashmap-control: max_entries is the size, and keys fit in it" {
	all_ok local-storage-hashmap-control keys=10,5000 max_entries=5000 -p 2
	call "$BPFPERF" stat local-storage-hashmap-control keys=5001 max_entries=5000
	exits 129
	stdout_empty
	stderr_has "keys=5001 are more than max_entries=5000"
}

@test "local-storage-hashmap-control: what does not fit in memory is refused" {
	local room need=$((300 * 1024 * 1024))

	room=$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo)
	[ "$room" -lt "$need" ] || skip "this machine has room for it"
	call "$BPFPERF" stat -j -q "${QUICK[@]}" local-storage-hashmap-control nr_maps=1000 \
		keys=4194304
	exits 77
	json '.benchmarks[0].runs[0] | .status == "skipped" and
		(.reason | test("1000 maps with 4194304 entries would take [0-9]+ MB"))'
	call "$BPFPERF" stat local-storage-hashmap-control keys=4194305
	exits 129
	stderr_has "4194304"
}

@test "the kernel bench's names select their settings" {
	call "$BPFPERF" stat -n local-storage-cache-seq-get
	exits 0
	stdout_has "local-storage-get/nr_maps=1000/order=sequential/"
	call "$BPFPERF" stat -j -q "${QUICK[@]}" --no-evidence local-storage-cache-int-get nr_maps=10
	exits 0
	json '.benchmarks[0] | .name == "local-storage-get" and
		.params.order == "interleaved" and .params.nr_maps == 10'
	call "$BPFPERF" stat -j -q "${QUICK[@]}" --no-evidence local-storage-cache-hashmap-control \
		max_entries=1000 keys=10
	exits 0
	json '.benchmarks[0] | .name == "local-storage-hashmap-control" and .params.keys == 10'
}
