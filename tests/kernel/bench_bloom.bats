#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# bloom: no false negative ever, and as many false positives as the theory and user space say.

# shellcheck disable=SC2016,SC2154 # variables of jq, of bats and of the library

load ../lib.bash

setup() {
	need_bpf
	mark_dmesg
}

teardown() {
	no_new_warning
	[ -z "${pid:-}" ] || is_gone "$pid" || kill -KILL "$pid"
}

# all_ok WORDS...: every point of the sweep ran, and its check held. Long enough for a busy machine.
all_ok() {
	call "$BPFPERF" stat -j -q "${QUICK[@]}" -d 0.15 --no-evidence bloom "$@"
	exits 0
	json '[.benchmarks[].runs[]] | length > 0 and all(.status == "ok" and .values.ops_rate > 0)'
}

@test "bloom: op x value_size, multiples of four and others" {
	all_ok op=lookup,update,false-positive value_size=2,3,4,7,8,256
	json '.benchmarks | length == 18'
}

@test "bloom: op x nr_hash x producers" {
	all_ok op=lookup,update,false-positive nr_hash=1,15 -p 1,2
	json '[.benchmarks[].runs[].threads[]] | all(.errors == 0)'
	json '[.benchmarks[] | select(.params.op == "lookup").runs[].threads[]] |
		length > 0 and all(.found == .ops)'
}

@test "bloom: from one entry to more than the caches hold" {
	all_ok op=lookup,update entries=1,3,200000
}

@test "bloom: the rate of false positives is the theory's, and comes again" {
	# 10000 x 3 x 7/5 is rounded up to 65536 bits: (1 - e^(-30000/65536))^3 = 4.95 %.
	all_ok op=false-positive entries=10000 nr_hash=3 hash_seed=zero -r 3
	json '[.benchmarks[0].runs[].values.false_positive] | length == 3 and
		all(. > 0.046 and . < 0.053) and (max - min) < 0.05 * max'
	all_ok op=false-positive entries=10000 nr_hash=3 hash_seed=random
	json '.benchmarks[0].runs[0].values.false_positive | . > 0.046 and . < 0.053'
}

@test "bloom: hits of values that are in are no false positives" {
	all_ok op=lookup,update
	json '[.benchmarks[].runs[].values.false_positive] | all(. == null)'
	json '.metrics.false_positive.class == "repeatable"'
}

@test "bloom: a value that was never added fails a lookup run" {
	local kind id map=""

	# With one value there is one row.
	start "$BPFPERF" stat -j -q -e none -r 1 -d 3 -w 0.01 --no-evidence bloom entries=1
	wait_for_run
	while read -r kind id; do
		if [ "$kind" = map ] && [ "$(bpftool -j map show id "$id" | jq -r .name)" = inputs ]; then
			map=$id
		fi
	done <<<"$(bpf_objects_of "$child")"
	# Another value passes for it with a chance of (3/64)^3.
	bpftool map update id "$map" key 0 0 0 0 value 9 9 9 9 9 9 9 9
	finish
	exits 2
	json '.benchmarks[0].runs[0] | .status == "failed" and .values == null and
		(.reason | test("false negatives"))'
}

@test "bloom: a sleepable program cannot use it, so another one is taken" {
	all_ok
	json '.benchmarks[0].trigger | startswith("prog-run:") and . != "prog-run:syscall"'
}

@test "bloom: the kernel bench's names select the operation" {
	local op

	for op in lookup update false-positive; do
		call "$BPFPERF" stat -j -q "${QUICK[@]}" --no-evidence "bloom-$op"
		exits 0
		json --arg op "$op" '.benchmarks[0] | .name == "bloom" and .params.op == $op'
	done
}

@test "bloom: more values than their size has are refused" {
	call "$BPFPERF" stat bloom value_size=2 entries=65537
	exits 129
	stdout_empty
	stderr_has "different values of 2 bytes"
}

# large_with_memory TOTAL AVAILABLE: in kB, for maps of 269 MB.
large_with_memory() {
	printf 'MemTotal: %s kB\nMemAvailable: %s kB\n' "$1" "$2" >"$BATS_TEST_TMPDIR/meminfo"
	call unshare -m sh -c 'mount --bind "$1" /proc/meminfo && shift && exec "$@"' sh \
		"$BATS_TEST_TMPDIR/meminfo" "$BPFPERF" stat -j -q "${QUICK[@]}" --no-evidence \
		bloom entries=1M value_size=256
}

@test "bloom: maps that do not fit in the memory are refused" {
	need_command unshare
	large_with_memory 100000 20000
	exits 77
	json '.benchmarks[0].runs[0] | .values == null and (.reason | test("MB of this machine"))'
	# What others hold today they may not tomorrow.
	large_with_memory 1000000 20000
	exits 2
	json '.benchmarks[0].runs[0] | .status == "failed" and .values == null and
		(.reason | test("MB that are available"))'
}
