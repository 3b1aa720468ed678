/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_METRIC_H
#define BPFPERF_LIB_METRIC_H

#include <jansson.h>
#include <stdbool.h>

/* How a difference of two values is judged; see Documentation/methodology.rst. */
enum metric_class { METRIC_NOISY, METRIC_REPEATABLE, METRIC_EXACT };
enum metric_better { BETTER_NONE, BETTER_HIGHER, BETTER_LOWER };

/* One row says all that any part of the program knows about a figure. */
struct metric {
	const char *name; /* key in the document's `metrics` and in a run's `values` */
	const char *unit;
	enum metric_better better;
	const char *kind; /* "rate", "time", "count", "scalar", "counter" */
	enum metric_class class;
	const char *help; /* one line: what it means */
	bool bpf_only;	  /* user-space benchmarks have none */
	/*
	 * Why a run may have none: the reason in its `values_absent`. What begins with
	 * METRIC_UNASKED is not printed. NULL: there was nothing to make it of.
	 */
	const char *absent;
};

#define METRIC_UNASKED "not asked for"

/* The metrics that the engine makes for every benchmark; ends with a row without a name. */
extern const struct metric engine_metrics[];

/* The object that goes into the document's `metrics`. */
json_t *metric__json(const struct metric *metric);

#endif
