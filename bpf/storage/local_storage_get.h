/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_BPF_STORAGE_LOCAL_STORAGE_GET_H
#define BPFPERF_BPF_STORAGE_LOCAL_STORAGE_GET_H

enum { ORDER_SEQUENTIAL, ORDER_INTERLEAVED };

/*
 * bench_io.count[], beside BENCH_OPS. COUNT_VALUES is the sum of all values after they were
 * raised: no rate of anything, but it tells the check which storage each get returned.
 */
enum { COUNT_IMPORTANT = 1, COUNT_ERRORS, COUNT_VALUES };

/* ORDER_INTERLEAVED gets the important map once more after every map that is a multiple of this. */
#define INTERLEAVE 3

#endif
