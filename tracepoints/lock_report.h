/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_TRACEPOINTS_LOCK_REPORT_H
#define BPFPERF_TRACEPOINTS_LOCK_REPORT_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/why.h"
#include "tracepoints/lock_contention.h"

/*
 * The waits of one class, kind and caller. Stacks are a sample when waits are many: `waits` and
 * `total_ns` are then the kind's exact figures, shared out as the sample is. The longest wait of a
 * kind is among those whose stack was taken; `max_ns` of its other rows is of their own ones, and
 * at least the mean.
 */
struct lock_row {
	const char *class, *type, *caller; /* caller: NULL if unresolved */
	uint32_t flags;
	uint64_t sampled; /* waits whose stack was taken; max_ns and the bins are of these */
	uint64_t records, records_ns; /* those of them that were taken whatever else was */
	uint64_t waits, failed, total_ns, max_ns;
	uint64_t bins[LOCK_BINS];
};

/* From what the BPF side recorded to rows that a person can read. Zeroed before use. */
struct lock_report {
	uint64_t wall_ns; /* producers x time: what shares are of */
	struct lock_site *sites;
	size_t nr_sites;
	struct lock_kind kinds[LOCK_KINDS];
	uint64_t failed;
	uint64_t lost[NR_LOST];
	uint64_t unfinished;   /* waits that had not ended with the measurement */
	struct lock_row *rows; /* the longest total first */
	size_t nr_rows;
	struct ksyms *ksyms;
	struct why why; /* names are missing, or a figure contradicts another; empty: all is well */
};

/* Merges one producer's records; -ENOMEM. */
int lock_report__add(struct lock_report *report, const struct lock_task *task);

/*
 * Names the sites by `kallsyms` and makes the rows. Without names every row is "unresolved", and
 * report->why says why.
 */
void lock_report__resolve(struct lock_report *report, const char *kallsyms);

json_t *lock_report__json(const struct lock_report *report);
/* The exact figures by kind: type, contended, wait_ns_total, wait_ns_max. */
json_t *lock_report__kinds(const struct lock_report *report);
json_t *lock_report__lost(const struct lock_report *report);
void lock_report__free(struct lock_report *report);

/* "spinlock", "rwsem:W", "mutex", ... as perf names them. */
const char *lock_type(uint32_t flags);

#endif
