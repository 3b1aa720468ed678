// SPDX-License-Identifier: GPL-2.0-only
#include "lib/equivalence.h"

#include <errno.h>
#include <math.h>

#define ALPHA 0.05
/* Beyond these the normal distribution is used, and no number given. */
#define EXACT_RUNS 200
#define MAX_RUNS   1e6

/* P(T >= distance / se), which is 0 or 1 without an error. */
static double upper_tail(double distance, double se, double df)
{
	if (se == 0)
		return distance > 0 ? 0 : 1;
	return stats__t_cdf(-distance / se, df);
}

int equivalence__test(const struct difference *d, double lower, double upper,
		      struct equivalence *ret)
{
	double half;

	if (!(lower > 0 && lower < upper && isfinite(upper)))
		return -EINVAL;
	half = stats__t_quantile((1 + EQUIVALENCE_LEVEL) / 2, d->df) * d->se;
	*ret = (struct equivalence){
		.p_lower = upper_tail(d->value - log(lower), d->se, d->df),
		.p_upper = upper_tail(log(upper) - d->value, d->se, d->df),
		.lo = exp(d->value - half),
		.hi = exp(d->value + half),
	};
	/* fmax() would take the one that is known. */
	ret->p = isnan(half) ? NAN : fmax(ret->p_lower, ret->p_upper);
	ret->equivalent = ret->p < ALPHA;
	return 0;
}

/* A claim needs the estimate to lie beyond +-margin, or within it, by t standard errors. */
struct claim {
	double truth, margin; /* in standard errors */
	double t;	      /* quantile that the test uses */
	bool within;
};

/* The power of a claim if the standard error is s times the true one. */
static double power_given(const struct claim *c, double s)
{
	if (c->within)
		return fmax(0, stats__normal_cdf(c->margin - c->truth - c->t * s) -
				       stats__normal_cdf(-c->margin - c->truth + c->t * s));
	return stats__normal_cdf(c->truth - c->t * s) + stats__normal_cdf(-c->truth - c->t * s);
}

/* Density of sqrt(chi^2(df) / df), which is how the measured error spreads around the true one. */
static double error_density(double s, double df)
{
	int sign;

	if (s <= 0)
		return df > 1 ? 0 : sqrt(2 / M_PI);
	return exp(log(2) + df / 2 * log(df / 2) - lgamma_r(df / 2, &sign) + (df - 1) * log(s) -
		   df * s * s / 2);
}

/* The mean of power_given() over the measured error: the noncentral t, by Simpson's rule. */
static double power_of(const struct claim *c, double df)
{
	const int steps = 200;
	const double reach = 8 / sqrt(2 * df), from = fmax(0, 1 - reach), to = 1 + reach;
	const double step = (to - from) / steps;
	double sum = 0;

	for (int i = 0; i <= steps; i++) {
		int weight = i == 0 || i == steps ? 1 : i % 2 ? 4 : 2;
		double s = from + i * step;

		sum += weight * error_density(s, df) * power_given(c, s);
	}
	return sum * step / 3;
}

static double standard_error(const struct design *design, double n)
{
	return design->sd * sqrt((design->paired ? 1 : 2) / n);
}

static double degrees(const struct design *design, size_t n)
{
	return design->paired ? n - 1.0 : 2.0 * n - 2;
}

static bool is_design(const struct design *design, double range)
{
	return design->sd > 0 && isfinite(design->sd) && range > 0 && isfinite(range);
}

double equivalence__power_of_change(const struct design *design, double effect, size_t n)
{
	struct claim claim = {.truth = fabs(log1p(effect)) / standard_error(design, n)};

	if (n < 2 || !is_design(design, claim.truth))
		return NAN;
	claim.t = stats__t_quantile(1 - ALPHA / 2, degrees(design, n));
	return power_of(&claim, degrees(design, n));
}

double equivalence__power_of_no_change(const struct design *design, double truth, double margin,
				       size_t n)
{
	struct claim claim = {
		.truth = log1p(truth) / standard_error(design, n),
		.margin = log1p(margin) / standard_error(design, n),
		.within = true,
	};

	if (n < 2 || !is_design(design, claim.margin) || isnan(claim.truth))
		return NAN;
	claim.t = stats__t_quantile(1 - ALPHA, degrees(design, n));
	return power_of(&claim, degrees(design, n));
}

/* Of the normal distribution, to start from: a little less than the answer. */
static double first_guess(const struct design *design, double quantiles, double range)
{
	return (design->paired ? 1 : 2) * pow(quantiles * design->sd / range, 2);
}

static double clamp_runs(double n)
{
	return n > MAX_RUNS ? NAN : fmax(2, ceil(n));
}

double equivalence__runs_for_change(const struct design *design, double effect, double power)
{
	const double quantiles =
		stats__normal_quantile(1 - ALPHA / 2) + stats__normal_quantile(power);
	const double range = fabs(log1p(effect));
	double n;

	if (!is_design(design, range) || isnan(quantiles))
		return NAN;
	n = clamp_runs(first_guess(design, quantiles, range));
	while (n <= EXACT_RUNS && equivalence__power_of_change(design, effect, n) < power)
		n++;
	return n;
}

double equivalence__runs_for_no_change(const struct design *design, double truth, double margin,
				       double power)
{
	const double range = log1p(margin) - fabs(log1p(truth));
	/* At a ratio of 1 either bound may be missed; elsewhere the nearer one counts. */
	const double quantiles = stats__normal_quantile(1 - ALPHA) +
				 stats__normal_quantile(truth == 0 ? (1 + power) / 2 : power);
	double n;

	if (!is_design(design, range) || isnan(quantiles))
		return NAN;
	n = clamp_runs(first_guess(design, quantiles, range));
	while (n <= EXACT_RUNS && equivalence__power_of_no_change(design, truth, margin, n) < power)
		n++;
	return n;
}

double equivalence__runs_for_width(double sd, size_t nr_pilot, double width, double level)
{
	double t;

	if (nr_pilot < 2 || !(sd >= 0) || !(width > 0) || !(level > 0 && level < 1))
		return NAN;
	t = stats__t_quantile((1 + level) / 2, nr_pilot - 1);
	return clamp_runs(pow(t * sd / width, 2));
}
