/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_HEADLINE_H
#define BPFPERF_LIB_HEADLINE_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/stats.h"
#include "lib/verdict.h"

/*
 * One figure of one document: what `stat` and `report` print, and what `compare` says of a side that
 * it could not judge. Of one that it did, it prints the units of the verdict, which needs more of
 * them, and the same ones on both sides: struct judgement. Here the unit is the highest level of which there are two: with several hosts the host, else with
 * several boots the boot, else the run. The value is the mean of the units, each of them the mean
 * of its own boots or runs; pooled, the runs of a boot would count as if they knew nothing of each
 * other, and the interval would be too narrow.
 */
struct headline {
	/*
	 * Of `unit`s: n of them, their geometric mean, a t interval on n - 1 degrees of freedom,
	 * and their CV. With a value that is not above 0 there is no log: the arithmetic mean, and
	 * no interval.
	 */
	struct estimate of_units;
	const char *unit; /* "run", "boot", "host" */
	size_t hosts, boots, runs;
	bool geometric; /* every value is above 0 */
	double factor;	/* from the smallest to the largest unit; NAN: not geometric */
	bool balanced;	/* every host has as many boots, and every boot as many runs */
	double run_cv;	/* of the runs of one boot, pooled over the boots; NAN: no boot has two */
};

/* -EINVAL without a value or with one that is not finite, -ENOMEM. */
int headline__make(const struct arm *arm, struct headline *ret);
/* The arithmetic mean of the units, of counts that may be 0 and add up. NAN: there is none. */
double headline__mean(const struct arm *arm);

#endif
