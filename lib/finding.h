/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_FINDING_H
#define BPFPERF_LIB_FINDING_H

#include <stdbool.h>

#include "lib/stats.h"

struct units;

/* What a method says about after / before, in logs. What is not known is NAN. */
struct finding {
	struct difference d; /* at STATS_LEVEL; df is NAN for ranks */
	double lo90, hi90;
	const char *method;
};

/*
 * By t or, if `robust`, by ranks; needs two units on either side. Without `logs` the units are
 * plain values of which some are 0: a test by ranks, the ratio of the means, and no interval.
 * -ENOMEM; -E2BIG if `robust` and there are too many units for the interval.
 */
int finding__make(const struct units *u, bool robust, bool logs, struct finding *ret);

/* Adds an error that was assumed, not measured; 0 changes nothing. */
void finding__widen(struct finding *f, double se);

/* after / before, where 0 / 0 is 1: no change. */
double finding__ratio(double before, double after);

#endif
