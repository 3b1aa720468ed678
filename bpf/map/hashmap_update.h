/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_BPF_MAP_HASHMAP_UPDATE_H
#define BPFPERF_BPF_MAP_HASHMAP_UPDATE_H

enum { UPDATE_OWN, UPDATE_SHARED };

/* bench_io.count[], beside BENCH_OPS */
enum { COUNT_ERRORS = 1 };

#endif
