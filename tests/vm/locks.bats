#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Waits for the spinlocks of maps, which guests with a hypervisor bit and machines of two CPUs
# cannot show.

# Variables of jq; variables of bats and of the library; tests are subshells.
# shellcheck disable=SC2016,SC2154,SC2030,SC2031

load lib.bash

setup_file() {
	fetch_kernels
}

# The batch is fixed, and small: an emulated CPU that loses its turn with the lock held makes all
# others wait for some 30 ms, more where other work shares the machine. A run in which one producer
# comes to the end of no batch is a failed one.
SHARED=(hashmap-update keys=shared -p 4 -e none -j -q)

BUCKET='[.benchmarks[].runs[] | select(.role == "evidence" and .status == "ok").locks[]? |
	select(.class == "hash bucket" and .type == "spinlock")]'

sees_the_bucket_lock() {
	guest "$1" --smp 4 -- stat -L -r 2 -d 3 "${SHARED[@]}" batch=1
	exits 0
	no_warning
	json "$BUCKET | map(.contended) | add > 100"
	json "$BUCKET | all(.caller | test(\"htab\"))"
}

@test "6.1: four producers on one key wait for the bucket lock" {
	sees_the_bucket_lock "$KERNEL_6_1"
}

@test "6.12: four producers on one key wait for the bucket lock" {
	sees_the_bucket_lock "$KERNEL_6_12"
}

@test "the tracer sees the waits with every trigger" {
	guest "$KERNEL_6_12" --smp 4 -- stat -L -r 1 -d 1 --trigger "$TRIGGERS" "${SHARED[@]}" batch=1
	exits 0
	json '[.benchmarks[].trigger] | length == 9'
	json '.benchmarks | all([.runs[] | select(.role == "evidence" and .status == "ok").locks[]? |
		select(.class == "hash bucket").contended] | add > 0)'
}

@test "with the hypervisor bit nothing is seen, and it says so" {
	guest "$KERNEL_6_12" --smp 4 --cpu max -- stat -r 1 -d 0.5 "${SHARED[@]}" batch=1
	exits 0
	json '[.. | objects | select(has("updates") and has("detail")).detail] | length > 0 and
		all(test("virtual spinlock"))'
	json "$BUCKET | length == 0"
}

@test "the tracer takes at most 5 % of the producers' time" {
	guest "$KERNEL_6_12" --smp 4 --program /bin/busybox --add "$O/dist/bpfperf:/bpfperf" -- \
		sh -c 'echo 1 >/proc/sys/kernel/bpf_stats_enabled; exec "$@"' - \
		/bpfperf stat -L -r 4 -d 2 --timing=emulated "${SHARED[@]}" batch=10
	exits 0
	# All runs together: an emulated CPU may lose its turn in the tracer too.
	json '[.benchmarks[0].runs[] | select(.role == "evidence" and .status == "ok")] |
		(map(.locks_tracer.run_ns) | add) / ([.[].threads[].dur_ns] | add) |
		. > 0 and . <= 0.05'
}
