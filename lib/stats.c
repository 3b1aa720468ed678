// SPDX-License-Identifier: GPL-2.0-only
#include "lib/stats.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

double stats__mean(const double *x, size_t n)
{
	double sum = 0, rest = 0;
	double mean;

	if (!n)
		return NAN;
	for (size_t i = 0; i < n; i++)
		sum += x[i];
	mean = sum / n;
	if (!isfinite(mean))
		return mean;
	/* The second pass gives back what the first rounded away. */
	for (size_t i = 0; i < n; i++)
		rest += x[i] - mean;
	return mean + rest / n;
}

double stats__variance(const double *x, size_t n)
{
	double mean = stats__mean(x, n);
	double sum = 0;

	if (n < 2)
		return NAN;
	for (size_t i = 0; i < n; i++)
		sum += (x[i] - mean) * (x[i] - mean);
	return sum / (n - 1);
}

double stats__stddev(const double *x, size_t n)
{
	return sqrt(stats__variance(x, n));
}

double stats__cv(const double *x, size_t n)
{
	double mean = stats__mean(x, n);

	return mean == 0 ? NAN : stats__stddev(x, n) / fabs(mean);
}

static int compare_doubles(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void stats__sort(double *x, size_t n)
{
	qsort(x, n, sizeof(*x), compare_doubles);
}

int stats__median(const double *x, size_t n, double *ret)
{
	double *sorted;

	if (!n)
		return -EINVAL;
	sorted = calloc(n, sizeof(*sorted));
	if (!sorted)
		return -ENOMEM;
	memcpy(sorted, x, n * sizeof(*sorted));
	stats__sort(sorted, n);
	*ret = n % 2 ? sorted[n / 2] : sorted[n / 2 - 1] / 2 + sorted[n / 2] / 2;
	free(sorted);
	return 0;
}

static bool has_log(double x)
{
	return x > 0 && isfinite(x);
}

/*
 * log(x[i]) - log(unit). With a unit taken from the series, equal values become exactly 0, and
 * their spread exactly none.
 */
static int logs_of(const double *x, size_t n, double unit, double **ret)
{
	double *logs;

	if (!n)
		return -EINVAL;
	for (size_t i = 0; i < n; i++)
		if (!has_log(x[i]))
			return -ERANGE;
	logs = calloc(n, sizeof(*logs));
	if (!logs)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		logs[i] = log(x[i]) - log(unit);
	*ret = logs;
	return 0;
}

int stats__geomean(const double *x, size_t n, double *ret)
{
	double sum = 0;

	if (!n)
		return -EINVAL;
	for (size_t i = 0; i < n; i++) {
		if (!has_log(x[i]))
			return -ERANGE;
		sum += log(x[i]) - log(x[0]);
	}
	*ret = x[0] * exp(sum / n);
	return isfinite(*ret) ? 0 : -ERANGE;
}

static double normal_density(double z)
{
	return exp(-z * z / 2) / sqrt(2 * M_PI);
}

double stats__normal_cdf(double z)
{
	return erfc(-z / M_SQRT2) / 2;
}

/* This near to 1/2 the tail has no digits left to tell, and the tangent of the CDF no error. */
#define NEAR_HALF 1e-6
/* Newton doubles the digits with every step; some 8 steps are usual. */
#define NEWTON_STEPS 60

/*
 * z with a probability of q <= 1/2 above it. log of the tail is concave, so that Newton's method
 * descends to the root from any point above; the tail is below exp(-z^2 / 2) / 2, which is one.
 */
static double normal_tail_quantile(double q)
{
	double z = sqrt(-2 * log(2 * q));

	if (0.5 - q < NEAR_HALF)
		return (0.5 - q) / normal_density(0);
	for (int i = 0; i < NEWTON_STEPS; i++) {
		double tail = stats__normal_cdf(-z);
		double step = log(tail / q) * tail / normal_density(z);

		z += step;
		if (fabs(step) <= 4 * DBL_EPSILON * z)
			break;
	}
	return z;
}

double stats__normal_quantile(double p)
{
	if (!(p > 0 && p < 1))
		return NAN;
	return p < 0.5 ? -normal_tail_quantile(p) : normal_tail_quantile(1 - p);
}

/*
 * log of gamma(a + 1/2) / gamma(a). The difference of two lgamma() loses one digit for each digit
 * of `a`; Stirling's series is exact to 1e-15 from where it is used.
 */
static double log_gamma_half_step(double a)
{
	int sign;

	if (a > 200)
		return log(a) / 2 - 1 / (8 * a) + 1 / (192 * a * a * a);
	return lgamma_r(a + 0.5, &sign) - lgamma_r(a, &sign);
}

/* Keeps Lentz's method from dividing by zero. */
static double away_from_zero(double x)
{
	return fabs(x) < DBL_MIN ? DBL_MIN : x;
}

/* The continued fraction of the incomplete beta function; fast where x < (a + 1) / (a + b + 2). */
static double beta_fraction(double x, double a, double b)
{
	/* It takes some sqrt(max(a, b)) turns. */
	const int max_turns = 10000;
	double c = 1, d = 1 / away_from_zero(1 - (a + b) * x / (a + 1));
	double fraction = d;

	for (int m = 1; m < max_turns; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		double factor;

		c = away_from_zero(1 + even / c);
		d = 1 / away_from_zero(1 + even * d);
		fraction *= c * d;
		c = away_from_zero(1 + odd / c);
		d = 1 / away_from_zero(1 + odd * d);
		factor = c * d;
		fraction *= factor;
		if (fabs(factor - 1) <= DBL_EPSILON)
			break;
	}
	return fraction;
}

/* log(1 + t^2 / df), also where the square is beyond a double. */
static double log_t_base(double t, double df)
{
	double ratio = t * (t / df);

	return ratio < 1e17 ? log1p(ratio) : 2 * log(fabs(t)) - log(df);
}

/*
 * Wallace's transform of t to a normal deviate (1959): off by O(df^-2), and thus exact where the
 * continued fraction starts to lose digits, its first term being a difference of about 1 / df.
 */
static double normal_deviate(double t, double df)
{
	if (isinf(df))
		return fabs(t);
	return (1 - 2 / (8 * df + 3)) * sqrt(df * log_t_base(t, df));
}

double stats__t_two_sided_p(double t, double df)
{
	/* x + y = 1; neither is computed from the other, so that none loses its digits. */
	double ratio = t * (t / df);
	double x = 1 / (1 + ratio), y = isinf(ratio) ? 1 : ratio / (1 + ratio);
	double a = df / 2, b = 0.5;
	double front;

	if (!(df > 0) || isnan(t))
		return NAN;
	if (df > 1e6)
		return 2 * stats__normal_cdf(-normal_deviate(t, df));
	if (y == 0)
		return 1;
	front = exp(log_gamma_half_step(a) - a * log_t_base(t, df) + b * log(y)) / sqrt(M_PI);
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(x, a, b) / a;
	return 1 - front * beta_fraction(y, b, a) / b;
}

double stats__t_cdf(double t, double df)
{
	double tail = stats__t_two_sided_p(t, df) / 2;

	return t < 0 ? tail : 1 - tail;
}

static double log_t_density(double t, double df)
{
	return log_gamma_half_step(df / 2) - (df + 1) / 2 * log_t_base(t, df) - log(M_PI * df) / 2;
}

/* The inverse of normal_deviate(), where exp() has room for it; else z, which is below the root. */
static double t_start(double z, double df)
{
	double c = (8 * df + 3) / (8 * df + 1);

	return df < 20 ? z : sqrt(df * expm1(c * z * (c * z / df)));
}

/*
 * Newton on log(tail) over log(t), which is concave and, far out, a straight line: heavy tails
 * (df of 1, t of 1e9) take no more steps than light ones. From below the root one step leads above
 * it, the others descend.
 */
static double t_tail_quantile(double q, double df)
{
	double t;

	if (isinf(df))
		return normal_tail_quantile(q);
	if (0.5 - q < NEAR_HALF)
		return (0.5 - q) / exp(log_t_density(0, df));
	t = t_start(normal_tail_quantile(q), df);
	for (int i = 0; i < NEWTON_STEPS; i++) {
		double tail = stats__t_two_sided_p(t, df) / 2;
		/* In logs, since the density is gone long before the tail is. */
		double slope = exp(log(t) + log_t_density(t, df) - log(tail));
		double step = log(tail / q) / slope;

		t *= exp(step);
		if (fabs(step) <= 4 * DBL_EPSILON)
			break;
	}
	return t;
}

double stats__t_quantile(double p, double df)
{
	if (!(p > 0 && p < 1) || !(df > 0))
		return NAN;
	return p < 0.5 ? -t_tail_quantile(p, df) : t_tail_quantile(1 - p, df);
}

static bool is_level(double level)
{
	return level > 0 && level < 1;
}

static double half_width(double se, double df, double level)
{
	return -stats__t_quantile((1 - level) / 2, df) * se;
}

int stats__mean_interval(const double *x, size_t n, double level, double *ret_lo, double *ret_hi)
{
	double half;

	if (!n || !is_level(level))
		return -EINVAL;
	half = n < 2 ? NAN : half_width(stats__stddev(x, n) / sqrt(n), n - 1, level);
	*ret_lo = stats__mean(x, n) - half;
	*ret_hi = stats__mean(x, n) + half;
	return 0;
}

int stats__estimate(const double *x, size_t n, struct estimate *ret)
{
	struct estimate estimate = {.n = n, .cv = stats__cv(x, n)};
	double lo, hi;
	double *logs;
	int err;

	err = stats__geomean(x, n, &estimate.value);
	if (err)
		return err;
	err = logs_of(x, n, x[0], &logs);
	if (err)
		return err;
	stats__mean_interval(logs, n, STATS_LEVEL, &lo, &hi);
	estimate.lo = x[0] * exp(lo);
	estimate.hi = x[0] * exp(hi);
	free(logs);
	*ret = estimate;
	return 0;
}

/* `value`, `se` and `df` are known. */
static void difference__finish(struct difference *d, double level)
{
	double half = half_width(d->se, d->df, level);

	d->lo = d->value - half;
	d->hi = d->value + half;
	/* Without spread 0 / 0 would hide that there is nothing to tell apart. */
	d->t = d->value == 0 && d->se == 0 ? 0 : d->value / d->se;
	d->p = stats__t_two_sided_p(d->t, d->df);
}

static double welch_df(double vx, size_t nx, double vy, size_t ny)
{
	double largest = fmax(vx, vy);

	/* Any will do for an interval of width zero. */
	if (largest == 0)
		return nx + ny - 2;
	/* In shares of the larger one, since the square of a variance underflows early. */
	vx /= largest;
	vy /= largest;
	return (vx + vy) * (vx + vy) / (vx * vx / (nx - 1) + vy * vy / (ny - 1));
}

int stats__welch(const double *x, size_t nx, const double *y, size_t ny, double level,
		 struct difference *ret)
{
	double vx = stats__variance(x, nx) / nx, vy = stats__variance(y, ny) / ny;

	if (!nx || !ny || !is_level(level))
		return -EINVAL;
	*ret = (struct difference){
		.value = stats__mean(y, ny) - stats__mean(x, nx),
		.se = sqrt(vx + vy),
		.df = nx < 2 || ny < 2 ? NAN : welch_df(vx, nx, vy, ny),
	};
	difference__finish(ret, level);
	return 0;
}

static struct ratio ratio_of_logs(const struct difference *d)
{
	return (struct ratio){
		.value = exp(d->value),
		.lo = exp(d->lo),
		.hi = exp(d->hi),
		.t = d->t,
		.df = d->df,
		.p = d->p,
	};
}

int stats__ratio(const double *before, size_t nr_before, const double *after, size_t nr_after,
		 double level, struct ratio *ret)
{
	struct difference d;
	double *x, *y;
	int err;

	err = logs_of(before, nr_before, nr_before ? before[0] : 1, &x);
	if (err)
		return err;
	err = logs_of(after, nr_after, before[0], &y);
	if (err)
		goto free_x;
	err = stats__welch(x, nr_before, y, nr_after, level, &d);
	if (!err) {
		*ret = ratio_of_logs(&d);
		ret->nr_before = nr_before;
		ret->nr_after = nr_after;
	}
	free(y);
free_x:
	free(x);
	return err;
}

int stats__ratio_paired(const double *before, const double *after, size_t n, double level,
			struct ratio *ret)
{
	struct difference d;
	double *x, *y;
	int err;

	if (!is_level(level))
		return -EINVAL;
	err = logs_of(before, n, 1, &x);
	if (err)
		return err;
	err = logs_of(after, n, 1, &y);
	if (err)
		goto free_x;
	for (size_t i = 0; i < n; i++)
		y[i] -= x[i];
	d.value = stats__mean(y, n);
	d.se = stats__stddev(y, n) / sqrt(n);
	d.df = n < 2 ? NAN : n - 1;
	difference__finish(&d, level);
	*ret = ratio_of_logs(&d);
	ret->nr_before = ret->nr_after = n;
	free(y);
free_x:
	free(x);
	return err;
}

int stats__scale_count(uint64_t value, uint64_t enabled, uint64_t running, uint64_t *ret)
{
	unsigned __int128 scaled;

	if (!running)
		return -ENODATA;
	scaled = ((unsigned __int128)value * enabled + running / 2) / running;
	*ret = scaled > UINT64_MAX ? UINT64_MAX : (uint64_t)scaled;
	return 0;
}
