/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_RENDER_SUMMARY_H
#define BPFPERF_LIB_RENDER_SUMMARY_H

#include <jansson.h>
#include <stdbool.h>

#include "lib/headline.h"
#include "lib/name_index.h"
#include "lib/stats.h"

/*
 * Figures of one element of `benchmarks` of `result`, over those of its runs that count. Without
 * `boots` in the result all runs are of one host.
 */

/* Ok, and of this role; those that are clean and ok are the only ones in any mean. */
bool summary__has_role(const json_t *run, const char *role);
bool summary__counts(const json_t *run);

/* The first run that counts, which has what all have in common; NULL: none does. */
const json_t *summary__first(const json_t *benchmark);

/* Of the runs of one role. */
struct run_tally {
	int total, ok, failed, skipped;
	int boots;	    /* of which these runs are */
	const char *reason; /* of the first run that is not ok; NULL: none */
};
struct run_tally summary__tally(const json_t *benchmark, const char *role);

/*
 * Why `metric` is no number in runs of a role that are ok: the reason of the first of them, and in
 * how many. NULL: it is one in all of them.
 */
const char *summary__absent(const json_t *benchmark, const char *role, const char *metric,
			    int *ret_runs);

/* A name in `values`. Both are the document's. */
struct value_name {
	const char *metric;
	const char *reason; /* of the first run that says why it has no value; NULL: none does */
};

/*
 * Of all runs that count: what the first one lacks, another may have. struct value_name, for the
 * caller to free. -ENOMEM.
 */
int summary__names(const json_t *benchmark, struct name_index *ret);

/*
 * values[metric] of the runs that count: geometric mean and interval, of boots or hosts where the
 * document has several (lib/headline.h). False when no run has it, or one is not above 0.
 */
bool summary__headline(const json_t *result, const json_t *benchmark, const char *metric,
		       struct headline *ret);
/* Two texts of `next` that advise one thing: up to the explanation, whose figures may differ. */
bool summary__same_advice(const char *a, const char *b);

/* Half widths of an interval above this many times the value say no more than that. */
#define SUMMARY_WIDEST 10
bool summary__is_known(const struct estimate *estimate);
/* The net cost; false unless every run that counts has one: those that have are the dearer ones. */
bool summary__net(const json_t *result, const json_t *benchmark, struct headline *ret);
/*
 * Ratio of the runs of a role to the clean ones of the same blocks, paired: what evidence costs.
 * False without a pair; one pair has no interval.
 */
bool summary__paired(const json_t *benchmark, const char *role, const char *metric,
		     struct ratio *ret);
/* Arithmetic mean, for values that may be 0; NaN when no run has it. */
double summary__mean(const json_t *result, const json_t *benchmark, const char *metric);

/* Mean of one producer's own rate, in op/s. */
double summary__thread_rate(const json_t *result, const json_t *benchmark, int tid);

#endif
