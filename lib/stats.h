/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_STATS_H
#define BPFPERF_LIB_STATS_H

#include <stddef.h>
#include <stdint.h>

/*
 * Statistics in double precision. Pure functions: nothing is kept, arguments are not changed. The
 * unit of replication is the run: an interval over the samples of one run says nothing about the
 * next run, so callers pass one value per run.
 *
 * What is not defined (the variance of one value) is NAN, never 0. Closed forms are good to 1e-9,
 * tail probabilities to 1e-7, both relative; tests/data/golden_stats.json holds the right values.
 */

/* Confidence level of every interval on the first screen. */
#define STATS_LEVEL 0.95

double stats__mean(const double *x, size_t n);
/* Of a sample (n - 1), in two passes: a sum of squares would cancel. */
double stats__variance(const double *x, size_t n);
double stats__stddev(const double *x, size_t n);
/* Standard deviation over |mean|; NAN when the mean is 0. */
double stats__cv(const double *x, size_t n);

void stats__sort(double *x, size_t n);
/* -EINVAL without a value, -ENOMEM. */
int stats__median(const double *x, size_t n, double *ret);
/* By logarithms. -EINVAL without a value, -ERANGE if one is not positive and finite. */
int stats__geomean(const double *x, size_t n, double *ret);

double stats__normal_cdf(double z);
/* 0 < p < 1; NAN outside. */
double stats__normal_quantile(double p);

/*
 * Student's t with df > 0 degrees of freedom, which need not be whole. P(T <= t) and P(|T| >= |t|)
 * are I_x(df / 2, 1 / 2), x = df / (df + t^2), by the continued fraction of the incomplete beta
 * function (Abramowitz and Stegun 26.5.8, 26.7.1); both tails keep their digits.
 */
double stats__t_cdf(double t, double df);
double stats__t_two_sided_p(double t, double df);
/* 0 < p < 1; NAN outside. */
double stats__t_quantile(double p, double df);

/*
 * mean +- t(n - 1) * sd / sqrt(n). -EINVAL without a value or with a level outside 0..1. One value
 * has no interval: both ends are NAN.
 */
int stats__mean_interval(const double *x, size_t n, double level, double *ret_lo, double *ret_hi);

/* The headline of a series of runs, in the unit of its values. */
struct estimate {
	size_t n;
	double value;  /* geometric mean */
	double lo, hi; /* t interval on natural logs, STATS_LEVEL; NAN: one run, error not known */
	double cv;     /* of the values themselves, a ratio; NAN when n is 1 */
};

/*
 * On logs, because a rate and its time per operation then give the same verdict. Equal values give
 * an interval of width zero. -EINVAL without a value, -ERANGE if one is not positive and finite.
 */
int stats__estimate(const double *x, size_t n, struct estimate *ret);

/* The difference of two means. */
struct difference {
	double value;
	double lo, hi;
	double se, t, df;
	double p; /* two-sided, against "no difference" */
};

/*
 * mean(y) - mean(x) by Welch, with the degrees of freedom of Satterthwaite. Needs two values on
 * either side; with fewer only `value` is set and the rest is NAN. Without any spread the interval
 * has width zero and p is 0 or 1. -EINVAL if a side is empty or the level is outside 0..1.
 */
int stats__welch(const double *x, size_t nx, const double *y, size_t ny, double level,
		 struct difference *ret);

/* How many times the value before is the value after. */
struct ratio {
	size_t nr_before, nr_after;
	double value;  /* geometric mean after / geometric mean before */
	double lo, hi; /* t interval on natural logs, at the level asked for */
	double t, df;
	double p; /* two-sided, against a ratio of 1 */
};

/*
 * Of two independent series: stats__welch() on natural logs. NAN as there; -EINVAL if a side is
 * empty or the level is outside 0..1, -ERANGE if a value is not positive and finite, -ENOMEM.
 */
int stats__ratio(const double *before, size_t nr_before, const double *after, size_t nr_after,
		 double level, struct ratio *ret);
/*
 * Of n interleaved pairs (before[i], after[i]), which takes out a drift common to both: paired t on
 * the logs of after[i] / before[i]. Errors as above; with one pair all but `value` is NAN.
 */
int stats__ratio_paired(const double *before, const double *after, size_t n, double level,
			struct ratio *ret);

/*
 * value * enabled / running, to the nearest: what a multiplexed counter would have counted. Exact
 * in 128 bits; stops at UINT64_MAX. -ENODATA if the counter never ran: that is "not counted", and
 * no zero.
 */
int stats__scale_count(uint64_t value, uint64_t enabled, uint64_t running, uint64_t *ret);

#endif
