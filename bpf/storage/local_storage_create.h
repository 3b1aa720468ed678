/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_BPF_STORAGE_LOCAL_STORAGE_CREATE_H
#define BPFPERF_BPF_STORAGE_LOCAL_STORAGE_CREATE_H

#include <linux/types.h>

/* bench_io.count[], beside BENCH_OPS. */
enum { COUNT_CREATED = 1, COUNT_FAILED, COUNT_ALLOCS };

/* One producer's, written by its own programs only. */
struct create_slot {
	__u64 created, failed, allocs;
	__u64 creating; /* within the create: what is allocated meanwhile belongs to it */
} __attribute__((aligned(128)));

#endif
