/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_BPF_BENCH_IO_H
#define BPFPERF_BPF_BENCH_IO_H

#include <linux/types.h>

/*
 * What user space and a BPF program tell each other about one batch. It is the context of a
 * SEC("syscall") program (the kernel copies it in and back), and one element of the `bench_slots`
 * map for every other program type; either way one producer owns it, so nothing is shared.
 */
#define BENCH_NR_COUNTS 8

/* count[BENCH_OPS] starts at the iterations of the loop; an operation may add to it. */
#define BENCH_OPS 0

/* Where a packet carries its slot: behind the Ethernet header, 4-aligned. */
#define BENCH_PACKET_SLOT 16
#define BENCH_PACKET_SIZE 64

enum bench_mode {
	BENCH_MODE_OP,	   /* the operation */
	BENCH_MODE_EMPTY,  /* control: the same loop with an empty body */
	BENCH_MODE_KEYGEN, /* control: the same loop making keys, and no more */
	BENCH_NR_MODES,
};

struct bench_io {
	__u64 iters; /* in: loop turns of this batch */
	__u32 mode;  /* in: enum bench_mode */
	__u32 slot;  /* in: number of the producer, from 0 */
	__u64 seq;   /* in, out: turns of BENCH_MODE_OP so far */
	__u64 ns;    /* out: time inside the program, added up */
	__u64 runs;  /* out: batches executed; one that the kernel skipped is not counted */
	__u64 sink;  /* out: what the operations added to bench_op.sink, added up */
	__u64 count[BENCH_NR_COUNTS]; /* out: added up, in BENCH_MODE_OP only */
} __attribute__((aligned(128)));      /* two lines: the neighbour prefetcher pulls pairs */

#endif
