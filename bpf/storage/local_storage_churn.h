/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_BPF_STORAGE_LOCAL_STORAGE_CHURN_H
#define BPFPERF_BPF_STORAGE_LOCAL_STORAGE_CHURN_H

#include <linux/types.h>

/* bench_io.count[], beside BENCH_OPS. */
enum { COUNT_DELETES = 1, COUNT_BUSY, COUNT_STALE };

/* What the sleepers did, added up by all of them. */
struct churn_sleepers {
	__u64 turns, deletes, busy;
};

/* Frees that were waited for, with observe=N. */
struct churn_observed {
	__u64 sampled, freed, delay_ns;
	__u64 dropped; /* samples for which there was no room */
};

/* Sampled elements whose free has not come yet: some seconds' worth. */
#define CHURN_WATCHED 65536

#endif
