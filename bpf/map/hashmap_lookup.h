/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_BPF_MAP_HASHMAP_LOOKUP_H
#define BPFPERF_BPF_MAP_HASHMAP_LOOKUP_H

/*
 * bench_io.count[], beside BENCH_OPS. COUNT_VALUES is the sum of the values that were found: no
 * rate of anything, but it tells the check that they were the right ones.
 */
enum { COUNT_HITS = 1, COUNT_MISSES, COUNT_VALUES };

/* Lookups per turn of loop=unrolled. */
#define UNROLLED_LOOKUPS 8

#endif
