/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_RENDER_SUMMARY_H
#define BPFPERF_LIB_RENDER_SUMMARY_H

#include <jansson.h>
#include <stdbool.h>

#include "lib/stats.h"

/* Figures of one element of `benchmarks`, over those of its runs that count. */

/* Ok, and of this role; those that are clean and ok are the only ones in any mean. */
bool summary__has_role(const json_t *run, const char *role);
bool summary__counts(const json_t *run);

/* The first run that counts, which has what all have in common; NULL: none does. */
const json_t *summary__first(const json_t *benchmark);

/* Of the clean runs. */
struct run_tally {
	int total, ok, failed, skipped;
	const char *reason; /* of the first run that is not ok; NULL: none */
};
struct run_tally summary__tally(const json_t *benchmark);

/* Geometric mean and interval of values[metric]; false when no run has it. */
bool summary__estimate(const json_t *benchmark, const char *metric, struct estimate *ret);
bool summary__estimate_role(const json_t *benchmark, const char *role, const char *metric,
			    struct estimate *ret);
/* The net cost; false unless every run that counts has one: those that have are the dearer ones. */
bool summary__net(const json_t *benchmark, struct estimate *ret);
/*
 * Ratio of the runs of a role to the clean ones of the same blocks, paired: what evidence costs.
 * False without a pair; one pair has no interval.
 */
bool summary__paired(const json_t *benchmark, const char *role, const char *metric,
		     struct ratio *ret);
/* Arithmetic mean, for values that may be 0; NaN when no run has it. */
double summary__mean(const json_t *benchmark, const char *metric);

/* Mean over the runs of one producer's own rate, in op/s. */
double summary__thread_rate(const json_t *benchmark, int tid);

/* One counter, summed over producers and runs. */
struct counter_total {
	double total, per_op;
	double running;	    /* share of the time that it was counted, 0..1 */
	const char *reason; /* why there is no total; NULL: there is one */
	const char *note;
};
struct counter_total summary__counter(const json_t *benchmark, const char *metric);

#endif
