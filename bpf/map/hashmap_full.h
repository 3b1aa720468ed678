/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_BPF_MAP_HASHMAP_FULL_H
#define BPFPERF_BPF_MAP_HASHMAP_FULL_H

#include <linux/types.h>

enum { KEYS_ABSENT, KEYS_ONE, KEYS_RANDOM };

/* bench_io.count[], beside BENCH_OPS */
enum { COUNT_FAILED = 1, COUNT_INSERTED, COUNT_HITS, COUNT_DELETED, COUNT_OTHER };

#define KEYS_PER_PRODUCER 4096

/* The keys of a producer that are in the map, oldest first: positions in its part of `queues`. */
struct hashmap_full_queue {
	__u64 head, tail;
	__u64 credit; /* thousandths of a delete */
} __attribute__((aligned(128)));

#endif
