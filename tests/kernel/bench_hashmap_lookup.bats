#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# hashmap-lookup: its keys say how many lookups must hit, and the check holds them to it.

load ../lib.bash

setup() {
	need_bpf
	mark_dmesg
}

teardown() {
	no_new_warning
}

# all_ok WORDS...: every point of the sweep ran, and its check held.
all_ok() {
	call "$BPFPERF" stat -j -q "${QUICK[@]}" -d 0.1 --no-evidence hashmap-lookup "$@"
	exits 0
	json '[.benchmarks[].runs[]] | length > 0 and all(.status == "ok" and .values.ops_rate > 0)'
}

@test "hashmap-lookup: loop x map x prealloc x hash_seed" {
	all_ok hit_pct=37 loop=callback,unrolled map=hash,percpu_hash prealloc=1,0 \
		hash_seed=zero,random
	json '.benchmarks | length == 16'
	json '[.benchmarks[].runs[].threads[]] | all(.ops == .hits + .misses)'
}

@test "hashmap-lookup: sizes of key and map, odd ones too" {
	all_ok -p 1 key_size=4,5,64,1024 entries=1,500,1000
	all_ok -p 1 loop=unrolled entries=65536 max_entries=100000
}

@test "hashmap-lookup: hit_pct is the share of hits, in both forms of the loop" {
	all_ok -p 1 hit_pct=0,1,37,50,100 loop=callback,unrolled
	# shellcheck disable=SC2016 # jq's variable. A batch need not be whole passes through the keys.
	json '.benchmarks | length == 10 and all(.params.hit_pct as $pct | .runs[].threads[] |
		.hits / .ops * 100 - $pct | . > -0.5 and . < 0.5)'
	json '[.benchmarks[] | select(.params.hit_pct == 0).runs[].threads[].hits] | add == 0'
	json '[.benchmarks[] | select(.params.hit_pct == 100).runs[].threads[].misses] | add == 0'
}

@test "hashmap-lookup: the form of the loop is in the document, and unrolled is eight a turn" {
	all_ok -p 1 loop=callback,unrolled batch=1000
	json '.benchmarks | all(.loop == .params.loop)'
	json '[.benchmarks[] | select(.loop == "unrolled").runs[].threads[]] |
		length > 0 and all(.ops == .batches * 8000)'
}

@test "hashmap-lookup: producers have keys of their own, each checked" {
	all_ok -d 0.3 -p 3 hit_pct=50 batch=100
	json '.benchmarks[0].runs[0].threads | length == 3 and all(.hits > 0 and .misses > 0)'
}

@test "hashmap-lookup: entries that do not fit in the map are refused" {
	call "$BPFPERF" stat hashmap-lookup entries=1001
	exits 129
	stdout_empty
	stderr_has "entries=1001 do not fit in max_entries=1000"
}

@test "hashmap-lookup: what does not fit in memory is refused before anything is loaded" {
	local room need=$((24 * 1024 * 1024))

	room=$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo)
	[ "$room" -lt "$need" ] || skip "this machine has room for it"
	call "$BPFPERF" stat -j -q "${QUICK[@]}" -p 1 hashmap-lookup entries=16M max_entries=16M \
		key_size=1024
	exits 77
	json '.benchmarks[0].runs[0] | .status == "skipped" and
		(.reason | test("would take [0-9]+ MB"))'
}

@test "hashmap-lookup: the kernel bench's name" {
	call "$BPFPERF" stat -j -q "${QUICK[@]}" --no-evidence bpf-hashmap-lookup
	exits 0
	json '.benchmarks[0] | .name == "hashmap-lookup" and .params.entries == 500 and
		.params.max_entries == 1000 and .params.key_size == 4 and .params.hit_pct == 100'
}
