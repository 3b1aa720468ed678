/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_COMPARE_H
#define BPFPERF_LIB_COMPARE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct why;

#define COMPARE_FORMAT "bpfperf-compare"
#define COMPARE_MAJOR  1
#define COMPARE_MINOR  0

/* tool.plan.analysis of a document whose plan chose ranks. */
#define COMPARE_ROBUST_PLAN "ranks"

/* More sides than this make no matrix that anybody reads. */
#define COMPARE_MAX_SIDES 16

/* What stands on one side: a document, or a part of one. */
struct compare_side {
	const json_t *document; /* checked; trimmed by compare__trim() */
	const char *name;	/* "before.json", "prealloc=1" */
	const char *param;	/* tells the sides apart, so it is no part of a key; NULL: none */
	const char *value;	/* of it; only benchmarks that have it. NULL: all */
	int arm;		/* only runs of this arm; -1: all */
};

/* Of a noisy metric, where nobody asked for another. */
#define COMPARE_MIN_EFFECT 0.01

struct compare_options {
	double min_effect;   /* a ratio, COMPARE_MIN_EFFECT */
	bool robust;	     /* ranks instead of t */
	bool force;	     /* although the machines differ; stamped on the output */
	const char *primary; /* "METRIC[,METRIC]"; NULL: what each benchmark says */
};

/*
 * Sides within one document: the values of a parameter ("trigger" is one), or, with `param` NULL,
 * the arms of `stat --vs`. Names and values are `owner`'s, which the caller releases. -EINVAL and
 * `why` if there are not two of them at least.
 */
int compare__split(const json_t *document, const char *param, struct compare_side *ret, size_t max,
		   size_t *ret_nr, json_t **ret_owner, struct why *why);

/*
 * The comparison as a JSON document of the format "bpfperf-compare", which is all that a renderer
 * reads. Two sides give a verdict; three and more a matrix of all pairs, judged as one family.
 * NULL, `why` and errno: EINVAL, a metric of `primary` that no side knows; ENOMEM.
 */
json_t *compare__documents(const struct compare_side *sides, size_t nr,
			   const struct compare_options *options, struct why *why);

#endif
