/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_BPF_MAP_BLOOM_H
#define BPFPERF_BPF_MAP_BLOOM_H

enum { BLOOM_LOOKUP, BLOOM_UPDATE, BLOOM_FALSE_POSITIVE };

/* bench_io.count[], beside BENCH_OPS */
enum { COUNT_FOUND = 1, COUNT_ERRORS };

#endif
