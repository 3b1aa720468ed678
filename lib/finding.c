// SPDX-License-Identifier: GPL-2.0-only
#include "lib/finding.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "lib/equivalence.h"
#include "lib/rank.h"
#include "lib/units.h"

double finding__ratio(double before, double after)
{
	return before == after ? 1 : after / before;
}

static double half_width(const struct difference *d, double level)
{
	return stats__t_quantile((1 + level) / 2, d->df) * d->se;
}

/* `value`, `se` and `df` are known. */
static void finish_t(struct finding *f)
{
	struct difference *d = &f->d;

	d->t = d->value == 0 && d->se == 0 ? 0 : d->value / d->se;
	d->p = stats__t_two_sided_p(d->t, d->df);
	d->lo = d->value - half_width(d, STATS_LEVEL);
	d->hi = d->value + half_width(d, STATS_LEVEL);
	f->lo90 = d->value - half_width(d, EQUIVALENCE_LEVEL);
	f->hi90 = d->value + half_width(d, EQUIVALENCE_LEVEL);
}

static double *pair_differences(const struct units *u)
{
	double *d = calloc(u->nr_before, sizeof(*d));

	for (size_t i = 0; d && i < u->nr_before; i++)
		d[i] = u->after[i] - u->before[i];
	return d;
}

static int find_paired_t(const struct units *u, struct finding *f)
{
	double *d = pair_differences(u);

	if (!d)
		return -ENOMEM;
	f->method = "paired t on logs";
	f->d.value = stats__mean(d, u->nr_before);
	f->d.se = stats__stddev(d, u->nr_before) / sqrt(u->nr_before);
	f->d.df = u->nr_before - 1;
	free(d);
	finish_t(f);
	return 0;
}

static int find_t(const struct units *u, struct finding *f)
{
	int err;

	if (u->paired)
		return find_paired_t(u, f);
	f->method = "Welch t on logs";
	err = stats__welch(u->before, u->nr_before, u->after, u->nr_after, STATS_LEVEL, &f->d);
	if (!err)
		finish_t(f);
	return err;
}

static void set_shift(struct finding *f, const struct rank_shift *at95,
		      const struct rank_shift *at90)
{
	f->d.value = at95->value;
	f->d.lo = at95->lo;
	f->d.hi = at95->hi;
	f->lo90 = at90->lo;
	f->hi90 = at90->hi;
	/* What a normal estimate with this interval would have: for plans, not for the test. */
	f->d.se = (at95->hi - at95->lo) / 2 / stats__normal_quantile((1 + STATS_LEVEL) / 2);
	f->d.df = NAN;
}

static int test_signed_rank(const struct units *u, struct finding *f)
{
	double *d = pair_differences(u);
	struct rank_test test;
	int err;

	if (!d)
		return -ENOMEM;
	err = rank__signed_rank(d, u->nr_before, &test);
	free(d);
	if (err)
		return err;
	f->method = test.exact ? "signed rank, exact" : "signed rank, normal";
	f->d.p = test.p;
	return 0;
}

static int find_signed_rank(const struct units *u, struct finding *f)
{
	double *d = pair_differences(u);
	struct rank_shift at95, at90;
	int err;

	if (!d)
		return -ENOMEM;
	err = test_signed_rank(u, f);
	err = err ?: rank__center(d, u->nr_before, STATS_LEVEL, &at95);
	err = err ?: rank__center(d, u->nr_before, EQUIVALENCE_LEVEL, &at90);
	free(d);
	if (!err)
		set_shift(f, &at95, &at90);
	return err;
}

static int test_rank(const struct units *u, struct finding *f)
{
	struct rank_test test;
	int err = rank__mann_whitney(u->before, u->nr_before, u->after, u->nr_after, &test);

	if (err)
		return err;
	f->method = test.exact ? "Mann-Whitney, exact" : "Mann-Whitney, normal";
	f->d.p = test.p;
	return 0;
}

static int find_rank(const struct units *u, struct finding *f)
{
	struct rank_shift at95, at90;
	int err;

	if (u->paired)
		return find_signed_rank(u, f);
	err = test_rank(u, f);
	err = err
		      ?: rank__shift(u->before, u->nr_before, u->after, u->nr_after, STATS_LEVEL,
				     &at95);
	err = err
		      ?: rank__shift(u->before, u->nr_before, u->after, u->nr_after,
				     EQUIVALENCE_LEVEL, &at90);
	if (!err)
		set_shift(f, &at95, &at90);
	return err;
}

/*
 * Ranks need no logs, so they still tell whether a figure that can be 0 has moved. Their shift is
 * a difference in the figure's unit and no ratio: that is the one of the means.
 */
static int find_with_zeros(const struct units *u, struct finding *f)
{
	double before = stats__mean(u->before, u->nr_before);
	double after = stats__mean(u->after, u->nr_after);

	*f = (struct finding){.d = {.lo = NAN, .hi = NAN, .se = NAN, .t = NAN, .df = NAN},
			      .lo90 = NAN,
			      .hi90 = NAN};
	f->d.value = log(finding__ratio(before, after));
	if (before == 0 && after == 0) {
		/* All ranks are shared, and there is nothing to count. */
		f->method = u->paired ? "signed rank, exact" : "Mann-Whitney, exact";
		f->d.lo = f->d.hi = f->lo90 = f->hi90 = f->d.se = 0;
		f->d.p = 1;
		return 0;
	}
	return u->paired ? test_signed_rank(u, f) : test_rank(u, f);
}

/* Satterthwaite's, when a part of the error is assumed: that one has no end of degrees. */
static void widen_t(struct finding *f, double se)
{
	double measured = f->d.se, all = hypot(measured, se);

	f->d.df = measured > 0 ? f->d.df * pow(all / measured, 4) : INFINITY;
	f->d.se = all;
	finish_t(f);
}

/* Half widths add like the errors that they stand for; p is then that of a normal estimate. */
static void widen_rank(struct finding *f, double se)
{
	const double q95 = stats__normal_quantile((1 + STATS_LEVEL) / 2) * se;
	const double q90 = stats__normal_quantile((1 + EQUIVALENCE_LEVEL) / 2) * se;
	struct difference *d = &f->d;

	d->lo = d->value - hypot(d->value - d->lo, q95);
	d->hi = d->value + hypot(d->hi - d->value, q95);
	f->lo90 = d->value - hypot(d->value - f->lo90, q90);
	f->hi90 = d->value + hypot(f->hi90 - d->value, q90);
	/* With a 0 among the values there is no error of runs, and that of boots alone counts. */
	d->se = isnan(d->se) ? se : hypot(d->se, se);
	d->p = fmax(d->p, 2 * stats__normal_cdf(-fabs(d->value) / d->se));
}

int finding__make(const struct units *u, bool robust, bool logs, struct finding *f)
{
	if (!logs)
		return find_with_zeros(u, f);
	return robust ? find_rank(u, f) : find_t(u, f);
}

void finding__widen(struct finding *f, double se)
{
	if (se > 0 && isnan(f->d.df))
		widen_rank(f, se);
	else if (se > 0)
		widen_t(f, se);
}
