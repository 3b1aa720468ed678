/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_GROUP_H
#define BPFPERF_LIB_GROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/stats.h"
#include "lib/verdict.h"

/*
 * Runs by what they have in common. Runs of one boot are more alike than those of two, and boots
 * of one host more than those of two: a mean is taken at each level before the next one, so that
 * a boot counts as one however many runs it has.
 */
struct group {
	int64_t key;
	double value; /* mean */
	size_t nr;    /* of what it is the mean of */
};

struct groups {
	struct group *of; /* sorted by key, one for each */
	size_t nr;
};

/* The key of a run that is in no block. */
#define GROUP_NO_BLOCK INT64_MIN

int64_t group__boot(const struct observation *run);
/*
 * A block is one of its boot. merge counts blocks on from boot to boot, and then the number alone
 * would do; that of a document from elsewhere need not.
 */
int64_t group__block(const struct observation *run);

/* Of logs relative to `unit`, so that equal values have no spread; of plain values if it is 0. */
double group__scaled(double value, double unit);

/* Freed by groups__free(). -ENOMEM. */
int groups__of_runs(const struct arm *arm, int64_t (*key)(const struct observation *), double unit,
		    struct groups *ret);
void groups__free(struct groups *groups);

/*
 * Of plain values, each of them a unit: geometric with an interval, or, without `logs` and where a
 * value is not above 0, the arithmetic mean and no interval. Returns whether it is geometric.
 */
bool group__estimate(const double *values, size_t nr, bool logs, struct estimate *ret);

/* For the caller to free(); NULL: no memory. */
double *groups__values(const struct groups *groups);

/* The levels above the run: each boot is the mean of its runs, each host that of its boots. */
struct levels {
	struct groups boots, hosts;
};

/* Freed by levels__free(), after an error as well. -ENOMEM. */
int levels__find(const struct arm *arm, double unit, struct levels *ret);
void levels__free(struct levels *levels);

#endif
