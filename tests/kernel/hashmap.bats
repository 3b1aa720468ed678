#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# The parameters of the hash map benchmarks, and what their counts must be.

# Variables of jq; variables of bats and of the library; tests are subshells.
# shellcheck disable=SC2016,SC2154,SC2030,SC2031

load ../lib.bash

setup() {
	need_bpf
	mark_dmesg
}

teardown() {
	no_new_warning
}

# all_ok BENCH WORDS...: every point of the sweep ran, and its check held. Batches of 0.1 ms, so
# that some end in the measured time on a busy machine too.
all_ok() {
	call "$BPFPERF" stat -j -q "${QUICK[@]}" -d 0.1 "$@" batch=1000
	exits 0
	json '[.benchmarks[].runs[]] | length > 0 and all(.status == "ok" and .values.ops_rate > 0)'
}

# Counts of a run, summed over its threads.
SUMS='def sum(f): .threads | map(f) | add; .benchmarks[].runs[] | '

@test "hashmap-full: keys x map x prealloc x hash_seed" {
	all_ok hashmap-full keys=absent,one,random map=hash,percpu_hash prealloc=1,0 \
		hash_seed=zero,random
	json '.benchmarks | length == 24'
	json '.benchmarks | all(.params.hash_seed as $seed |
		.runs | all(.resolved.hash_seed == $seed))'
	json "[$SUMS sum(.ops) == sum(.failed) + sum(.hits) and sum(.inserted) == 0 and
		sum(.deleted) == 0 and sum(.other) == 0] | all"
	json '[.benchmarks[] | select(.params.keys != "random").runs[].threads[]] |
		length > 0 and all(.hits == 0)'
}

@test "hashmap-full: churn x keys x map x prealloc" {
	all_ok hashmap-full churn=1,100,1000 keys=absent,random map=hash,percpu_hash prealloc=1,0
	json '.benchmarks | length == 24'
	json "[$SUMS sum(.ops) == sum(.failed) + sum(.hits) + sum(.inserted) + sum(.deleted) and
		sum(.other) == 0] | all"
	json '[.benchmarks[] | select(.params.churn == 100).runs[]] |
		length > 0 and all(.values.deleted_rate > 0 and .values.inserted_rate > 0)'
}

@test "hashmap-full: sizes from one element on" {
	all_ok hashmap-full max_entries=1,2,1000,65536
}

@test "hashmap-full: churn that would empty the map is refused" {
	call "$BPFPERF" stat hashmap-full keys=one churn=10
	exits 129
	stdout_empty
	stderr_has "churn"
	call "$BPFPERF" stat hashmap-full churn=10 max_entries=1M
	exits 129
	stderr_has "churn"
}

@test "hashmap-full: a fixed batch is kept" {
	call "$BPFPERF" stat -j -q "${QUICK[@]}" hashmap-full batch=500
	exits 0
	json '.benchmarks[0].runs[0].threads | all(.batch == 500 and .ops == .batches * 500)'
}

@test "hashmap-update: keys x map x prealloc x hash_seed" {
	all_ok hashmap-update keys=own,shared map=hash,percpu_hash prealloc=1,0 \
		hash_seed=zero,random
	json '.benchmarks | length == 16'
	json '[.benchmarks[] | select(.params.keys == "own").runs[].threads[]] |
		length > 0 and all(.ops % 3 == 0)'
	json '[.benchmarks[].runs[].threads[]] | all(.errors == 0)'
}

@test "hash_seed=auto is zero for root" {
	call "$BPFPERF" stat -j -q "${QUICK[@]}" hashmap-full
	exits 0
	json '.benchmarks[0].runs[0].resolved.hash_seed == "zero"'
}

@test "the kernel bench's name selects its setting, and words after it win" {
	local name

	for name in bpf-hashmap-full-update bpf-hashmap-ful-update; do
		call "$BPFPERF" stat -j -q "${QUICK[@]}" "$name"
		exits 0
		json '.benchmarks[0] | .name == "hashmap-full" and .params.keys == "one"'
	done
	call "$BPFPERF" stat -j -q "${QUICK[@]}" bpf-hashmap-full-update keys=absent
	exits 0
	json '.benchmarks[0].params.keys == "absent"'
}

# with_meminfo TOTAL AVAILABLE COMMAND...: on a machine that has so many MB.
with_meminfo() {
	printf 'MemTotal: %d kB\nMemAvailable: %d kB\n' "$(($1 * 1024))" "$(($2 * 1024))" \
		>"$BATS_TEST_TMPDIR/meminfo"
	call unshare -m bash -euc 'mount --bind "$1" /proc/meminfo; shift; "$@"' - \
		"$BATS_TEST_TMPDIR/meminfo" "${@:3}"
}

@test "what does not fit in memory is refused before anything is loaded" {
	local words

	unshare -m true 2>/dev/null || skip "no private mount namespace here"
	for words in "hashmap-full max_entries=1M" "hashmap-update max_entries=1M" \
		"hashmap-full max_entries=1M map=percpu_hash prealloc=0" \
		"hashmap-full max_entries=128k churn=100 keys=random -p 64"; do
		# shellcheck disable=SC2086 # words
		with_meminfo 8000 64 "$BPFPERF" stat -j -q "${QUICK[@]}" $words
		exits 2
		json '.benchmarks[0].runs[0] | .status == "failed" and
			(.reason | test("would take [0-9]+ MB, more than half of the 67 MB that"))'
		# shellcheck disable=SC2086 # words
		with_meminfo 64 64 "$BPFPERF" stat -j -q "${QUICK[@]}" $words
		exits 77
		json '.benchmarks[0].runs[0] | .status == "skipped" and
			(.reason | test("more than half of the 67 MB of this machine"))'
	done
	# It stays empty, and nothing is allocated beforehand.
	with_meminfo 64 64 "$BPFPERF" stat -j -q "${QUICK[@]}" hashmap-update max_entries=128k \
		prealloc=0
	exits 0
}

@test "by default every CPU has a producer" {
	call "$BPFPERF" stat -j -q "${QUICK[@]}" hashmap-full
	exits 0
	json --argjson cpus "$(nproc)" '.benchmarks[0] | .params.producers == $cpus and
		(.runs[0].threads | map(.cpu) | unique | length == $cpus)'
}

@test "the first screen has its shape" {
	local number='[0-9]+(\.[0-9]+)?' rate head cost

	rate="$number( [kMG])? ops/s"
	head='hashmap-full   keys=absent max_entries=1000   [0-9]+ producers? on CPUs? [0-9,.]+'
	cost="$number ns/op, ($number net of the harness|within the harness|net not known: .*)"
	call "$BPFPERF" stat -q -d 0.05 -w 0.01 --no-evidence hashmap-full
	exits 0
	stdout_line "$head   trigger prog-run:[a-z_]+   5 runs x 0\\.05 s.*"
	stdout_line "    $rate   95 % CI $number - $number     $cost     .*: check ok"
	stdout_line "    CPU [0-9]+  $number.*ops/s     run CV $number %"
	stdout_has "failed"
	stdout_line '    per op    total of all runs   event'
	stdout_line " +$number +[0-9,]+   task-clock \\(ns\\).*"
	stdout_line " +$number +[0-9,]+   context-switches.*"
	stdout_line '  next: .*churn=100.*'
}
