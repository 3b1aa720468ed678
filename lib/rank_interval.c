// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/rank.h"
#include "lib/stats.h"

/* 128 MiB; 4096 runs a side. A document from a stranger may list more. */
#define MAX_PAIRS ((size_t)1 << 24)

/* Sorts what it is given. */
static void shift_from(double *sorted, size_t n, size_t critical, struct rank_shift *ret)
{
	stats__sort(sorted, n);
	*ret = (struct rank_shift){
		.value = n % 2 ? sorted[n / 2] : sorted[n / 2 - 1] / 2 + sorted[n / 2] / 2,
		.lo = critical ? sorted[critical - 1] : NAN,
		.hi = critical ? sorted[n - critical] : NAN,
	};
}

int rank__shift(const double *x, size_t nx, const double *y, size_t ny, double level,
		struct rank_shift *ret)
{
	size_t critical, nr = 0, pairs;
	double *differences;
	int err;

	err = rank__mann_whitney_critical(nx, ny, level, &critical);
	if (err)
		return err;
	if (__builtin_mul_overflow(nx, ny, &pairs) || pairs > MAX_PAIRS)
		return -E2BIG;
	differences = calloc(pairs, sizeof(*differences));
	if (!differences)
		return -ENOMEM;
	for (size_t i = 0; i < nx; i++)
		for (size_t j = 0; j < ny; j++)
			differences[nr++] = y[j] - x[i];
	shift_from(differences, nr, critical, ret);
	free(differences);
	return 0;
}

int rank__center(const double *d, size_t n, double level, struct rank_shift *ret)
{
	size_t critical, nr = 0, pairs;
	double *averages;
	int err;

	err = rank__signed_rank_critical(n, level, &critical);
	if (err)
		return err;
	if (__builtin_mul_overflow(n, n, &pairs) || pairs > MAX_PAIRS)
		return -E2BIG;
	averages = calloc(pairs / 2 + n, sizeof(*averages));
	if (!averages)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		for (size_t j = i; j < n; j++)
			averages[nr++] = d[i] / 2 + d[j] / 2;
	shift_from(averages, nr, critical, ret);
	free(averages);
	return 0;
}

/* P(k of n values are below the quantile). */
static double binomial(size_t n, size_t k, double q)
{
	int sign;

	return exp(lgamma_r(n + 1.0, &sign) - lgamma_r(k + 1.0, &sign) -
		   lgamma_r(n - k + 1.0, &sign) + k * log(q) + (n - k) * log1p(-q));
}

static bool is_share(double p)
{
	return p > 0 && p < 1;
}

/* How many values, taken from one end (0 or n), are together no more likely than `tail`. */
static size_t fit_in_tail(size_t n, double quantile, bool from_top, double tail, double *ret)
{
	size_t nr = 0;
	double sum = 0;

	for (; nr < n; nr++) {
		double p = binomial(n, from_top ? n - nr : nr, quantile);

		if (sum + p > tail)
			break;
		sum += p;
	}
	*ret = sum;
	return nr;
}

int rank__order(size_t n, double quantile, double level, struct rank_order *ret)
{
	const double tail = (1 - level) / 2;
	double below, above;
	size_t lo, hi;

	if (!is_share(quantile) || !is_share(level))
		return -EINVAL;
	lo = fit_in_tail(n, quantile, false, tail, &below);
	hi = n + 1 - fit_in_tail(n, quantile, true, tail, &above);
	if (lo < 1 || hi > n)
		return -ENODATA;
	*ret = (struct rank_order){.lo = lo, .hi = hi, .coverage = 1 - below - above};
	return 0;
}

size_t rank__order_needs(double quantile, double level)
{
	if (!is_share(quantile) || !is_share(level))
		return SIZE_MAX;
	/* All values on one side of the quantile must be rarer than one tail. */
	return (size_t)ceil(log((1 - level) / 2) / log(fmax(quantile, 1 - quantile)));
}

int rank__quantile_interval(const double *x, size_t n, double quantile, double level,
			    double *ret_lo, double *ret_hi)
{
	struct rank_order order;
	double *sorted;
	int err;

	err = rank__order(n, quantile, level, &order);
	if (err)
		return err;
	sorted = calloc(n, sizeof(*sorted));
	if (!sorted)
		return -ENOMEM;
	memcpy(sorted, x, n * sizeof(*sorted));
	stats__sort(sorted, n);
	*ret_lo = sorted[order.lo - 1];
	*ret_hi = sorted[order.hi - 1];
	free(sorted);
	return 0;
}
