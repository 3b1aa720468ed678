/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_RENDER_SUMMARY_H
#define BPFPERF_LIB_RENDER_SUMMARY_H

#include <jansson.h>
#include <stdbool.h>

#include "lib/stats.h"

/* Figures of one element of `benchmarks`, over those of its runs that count. */

/* Clean and ok; only these are in any mean. */
bool summary__counts(const json_t *run);

struct run_tally {
	int total, ok, failed, skipped;
	const char *reason; /* of the first run that is not ok; NULL: none */
};
struct run_tally summary__tally(const json_t *benchmark);

/* Geometric mean and interval of values[metric]; false when no run has it. */
bool summary__estimate(const json_t *benchmark, const char *metric, struct estimate *ret);
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
