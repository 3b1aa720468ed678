/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_RANK_H
#define BPFPERF_LIB_RANK_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Statistics that ask only for an order. Pure functions; values are finite. Equal values share the
 * mean of their ranks, and the exact distribution is then that of the shared ranks, not the one
 * of the tables, which knows no ties. Exact up to RANK_EXACT values a side, normal beyond.
 */
#define RANK_EXACT 49

/* So few per side, or pairs, can differ at 5 %: 2 / C(8, 4) is below it, and 2 / 2^6. */
#define RANK_MIN_RUNS  4
#define RANK_MIN_PAIRS 6

struct rank_test {
	/* Mann-Whitney: the pairs with y < x, equal ones by half. Signed rank: ranks of d > 0. */
	double statistic;
	double p; /* two-sided: outcomes at least as far from the expected statistic */
	bool exact;
};

/* -EINVAL if a side is empty, -ENOMEM. */
int rank__mann_whitney(const double *x, size_t nx, const double *y, size_t ny,
		       struct rank_test *ret);
/* The same by the normal approximation, with the corrections for ties and for continuity. */
int rank__mann_whitney_normal(const double *x, size_t nx, const double *y, size_t ny,
			      struct rank_test *ret);

/*
 * Wilcoxon's test of differences within pairs. A difference of 0 has its rank but no sign (Pratt
 * 1959): to leave it out would make a change look surer than it is.
 */
int rank__signed_rank(const double *d, size_t n, struct rank_test *ret);
int rank__signed_rank_normal(const double *d, size_t n, struct rank_test *ret);

/*
 * How many of the sorted differences (averages) lie outside of the interval at either end, plus
 * one: it runs from the k-th smallest to the k-th largest. 0: too few values for the level.
 * -EINVAL if a side is empty or the level is outside 0..1, -ENOMEM.
 */
int rank__mann_whitney_critical(size_t nx, size_t ny, double level, size_t *ret);
int rank__signed_rank_critical(size_t n, double level, size_t *ret);

/* Hodges and Lehmann's estimate, with the interval of shifts that the test does not reject. */
struct rank_shift {
	double value;
	double lo, hi; /* NAN: too few values for the level */
};

/* The median of all y[j] - x[i]. Errors as above; -E2BIG: more than 2^24 of these. */
int rank__shift(const double *x, size_t nx, const double *y, size_t ny, double level,
		struct rank_shift *ret);
/* The median of all (d[i] + d[j]) / 2, i <= j. */
int rank__center(const double *d, size_t n, double level, struct rank_shift *ret);

/* Between which of the sorted values, counted from 1, a quantile of the population lies. */
struct rank_order {
	size_t lo, hi;
	double coverage; /* at least the level asked for, whatever the distribution */
};

/*
 * Either end is missed with at most half of what the level leaves. -EINVAL if `quantile` or
 * `level` is outside 0..1, -ENODATA if n values are too few: rank__order_needs() are not.
 */
int rank__order(size_t n, double quantile, double level, struct rank_order *ret);
size_t rank__order_needs(double quantile, double level);

/* The values at these ranks. Errors as above, and -ENOMEM. */
int rank__quantile_interval(const double *x, size_t n, double quantile, double level,
			    double *ret_lo, double *ret_hi);

#endif
