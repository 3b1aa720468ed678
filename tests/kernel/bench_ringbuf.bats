#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# ringbuf: every record is accounted for, and a ring that nobody reads is never a fast one.

# shellcheck disable=SC2016 # variables of jq

load ../lib.bash

setup() {
	need_bpf
	mark_dmesg
}

teardown() {
	no_new_warning
}

# all_ok WORDS...: every point of the sweep ran, and its check held. Long enough for the reader to
# get onto a CPU of a busy machine: without it every record is dropped.
all_ok() {
	call "$BPFPERF" stat -j -q "${QUICK[@]}" -d "$(stretch 0.15)" --no-evidence ringbuf "$@"
	exits 0
	json '[.benchmarks[].runs[]] | length > 0 and all(.status == "ok" and .values.ops_rate > 0)'
}

# refused TEXT WORDS...: a usage error that says so.
refused() {
	local text=$1

	shift
	call "$BPFPERF" stat ringbuf "$@"
	exits 129
	stdout_empty
	stderr_has "$text"
}

@test "ringbuf: consumer x op x sample_rate, and who consumes" {
	all_ok consumer=libbpf,none op=reserve,output sample_rate=0,1,7,1000
	json '.benchmarks | length == 16'
	json '.benchmarks | all(.params.consumers == if .params.consumer == "libbpf" then 1 else 0 end)'
}

@test "iovisor/bcc#3941: ringbuf: records and drops add up to what was tried" {
	all_ok consumer=libbpf,none ring_size=65536
	json '[.benchmarks[].runs[].threads[]] |
		length > 0 and all(.ops + .dropped == .batches * .batch)'
	json '[.benchmarks[].runs[].values.dropped_share] | all(. >= 0 and . < 1)'
}

@test "ringbuf: without a reader nothing is dropped, in rings of all sizes" {
	all_ok consumer=none ring_size=4096,64k,1M op=reserve,output
	json '[.benchmarks[].runs[].threads[]] | length > 0 and all(.dropped == 0)'
	json '.benchmarks | all(.params.ring_size as $size | .runs[].threads |
		map(.batch) | add * 16 < $size)'
	json '[.benchmarks[].runs[].values.wakeups_per_op] | all(. == null)'
}

@test "ringbuf: two producers share a ring, with and without a reader" {
	all_ok -p 2 consumer=libbpf,none
	json '[.benchmarks[].runs[].threads | length] | all(. == 2)'
}

@test "ringbuf: sample_rate is how often the consumer is woken at most" {
	all_ok sample_rate=10,1000
	# Half as much again: a wake-up and its records can fall into different intervals.
	json '.benchmarks | length == 2 and all(.params.sample_rate as $rate |
		.runs[].values.wakeups_per_op | . >= 0 and . <= 1.5 / $rate)'
}

@test "ringbuf: producer and consumer on one CPU" {
	local cpu

	cpu=$(last_cpu)
	all_ok --prod-affinity "$cpu" --cons-affinity "$cpu" sample_rate=0,100
	json --argjson cpu "$cpu" '[.benchmarks[].runs[].threads[].cpu] | all(. == $cpu)'
}

@test "ringbuf: the kernel bench's name has its batch" {
	call "$BPFPERF" stat -j -q "${QUICK[@]}" --no-evidence rb-libbpf
	exits 0
	json '.benchmarks[0] | .name == "ringbuf" and .params.batch == 500 and
		.params.consumer == "libbpf" and (.runs[0].threads | all(.batch == 500))'
}

@test "ringbuf: settings that contradict each other are refused" {
	refused "'ringbuf' has 1" -c 2
	refused "'ringbuf' has 1" -c 0
	refused "'ringbuf' has 0" -c 1 consumer=none
	refused "power of two" ring_size=5000
	refused "before the consumer is woken" ring_size=4096 sample_rate=256
}

@test "ringbuf: a batch that overflows a ring without a reader is no result" {
	call "$BPFPERF" stat -j -q "${QUICK[@]}" --no-evidence ringbuf consumer=none ring_size=4096 batch=256
	exits 2
	json '.benchmarks[0].runs[0] | .status == "failed" and .values == null and (.reason | test("room for 255 records"))'
}
