/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_RENDER_COUNTER_H
#define BPFPERF_LIB_RENDER_COUNTER_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * One counter, summed over those of the runs that count which have it, of all boots; per_op is of
 * these sums.
 */
struct counter_total {
	const char *metric; /* the document's, as are the texts below */
	int tid;	    /* the producer; -1: all of them */
	double total, per_op;
	double running;	    /* share of the time that it was counted, 0..1 */
	size_t runs;	    /* that have it */
	const char *reason; /* why there is no total; NULL: there is one */
	const char *note;
};

struct counters {
	struct counter_total *of; /* in the order of the document */
	size_t nr;
};

/*
 * Every counter of one element of `benchmarks`, in one pass: a stranger may claim many. For the
 * caller to free(ret->of). -ENOMEM.
 */
int counters__sum(const json_t *benchmark, bool per_producer, struct counters *ret);

#endif
