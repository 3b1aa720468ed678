// SPDX-License-Identifier: GPL-2.0-only
#include "lib/rank.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "lib/stats.h"

/* Ranks are kept twofold: the mean of several is then whole, and all sums are exact. */
struct ranked {
	double value;
	size_t index;
	size_t twice;
};

static int compare_ranked(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	return (x->value > y->value) - (x->value < y->value);
}

static void rank_values(struct ranked *r, size_t n)
{
	qsort(r, n, sizeof(*r), compare_ranked);
	for (size_t first = 0, end; first < n; first = end) {
		for (end = first + 1; end < n && r[end].value == r[first].value; end++)
			;
		for (size_t i = first; i < end; i++)
			r[i].twice = first + end + 1;
	}
}

static double continuity(double distance)
{
	return distance > 0.5 ? distance - 0.5 : 0;
}

static double normal_p(double distance, double variance)
{
	if (variance <= 0)
		return 1;
	return 2 * stats__normal_cdf(-continuity(distance) / sqrt(variance));
}

/* Two samples as one: indexes below nx are x. */
static int rank_pooled(const double *x, size_t nx, const double *y, size_t ny, struct ranked **ret)
{
	struct ranked *r;

	if (!nx || !ny)
		return -EINVAL;
	r = calloc(nx + ny, sizeof(*r));
	if (!r)
		return -ENOMEM;
	for (size_t i = 0; i < nx + ny; i++)
		r[i] = (struct ranked){.value = i < nx ? x[i] : y[i - nx], .index = i};
	rank_values(r, nx + ny);
	*ret = r;
	return 0;
}

static size_t twice_sum_of(const struct ranked *r, size_t n, size_t nx)
{
	size_t sum = 0;

	for (size_t i = 0; i < n; i++)
		if (r[i].index < nx)
			sum += r[i].twice;
	return sum;
}

/*
 * ret[s]: in how many ways `take` of the n ranks sum up to s, for s <= max. One rank after the
 * other, each either taken or not. Up to 2^53 the counts are exact, beyond that good to 1e-14: all
 * terms are positive.
 */
static double *count_sums(const size_t *ranks, size_t n, size_t take, size_t max)
{
	const size_t width = max + 1;
	double *ways = calloc((take + 1) * width, sizeof(*ways));
	double *last;

	if (!ways)
		return NULL;
	ways[0] = 1;
	for (size_t i = 0; i < n; i++)
		for (size_t k = i + 1 < take ? i + 1 : take; k > 0; k--)
			for (size_t s = ranks[i]; s <= max; s++)
				ways[k * width + s] += ways[(k - 1) * width + s - ranks[i]];
	last = calloc(width, sizeof(*last));
	for (size_t s = 0; last && s < width; s++)
		last[s] = ways[take * width + s];
	free(ways);
	return last;
}

static double share_at_least(const double *ways, size_t max, double center, double distance)
{
	double all = 0, far = 0;

	for (size_t s = 0; s <= max; s++) {
		all += ways[s];
		if (fabs(s - center) >= distance)
			far += ways[s];
	}
	return far / all;
}

static int mann_whitney_exact_p(const struct ranked *r, size_t nx, size_t ny, double *ret)
{
	const size_t n = nx + ny, take = nx < ny ? nx : ny;
	const size_t max = 2 * n * take;
	/* Twice the expected sum is whole, and so is every distance from it. */
	const double distance = fabs((double)twice_sum_of(r, n, nx) - (double)(nx * (n + 1)));
	size_t *ranks = calloc(n, sizeof(*ranks));
	double *ways = NULL;

	if (!ranks)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		ranks[i] = r[i].twice;
	/* The sum of one side tells that of the other, and their distances are the same. */
	ways = count_sums(ranks, n, take, max);
	free(ranks);
	if (!ways)
		return -ENOMEM;
	*ret = share_at_least(ways, max, take * (n + 1), distance);
	free(ways);
	return 0;
}

static double mann_whitney_normal_p(const struct ranked *r, size_t nx, size_t ny, double u)
{
	const double n = nx + ny;
	double squares = 0;

	for (size_t i = 0; i < nx + ny; i++)
		squares += pow(r[i].twice / 2.0 - (n + 1) / 2, 2);
	return normal_p(fabs(u - (double)nx * ny / 2), nx * ny / (n * (n - 1)) * squares);
}

static int mann_whitney(const double *x, size_t nx, const double *y, size_t ny, bool exact,
			struct rank_test *ret)
{
	struct ranked *r;
	int err;

	err = rank_pooled(x, nx, y, ny, &r);
	if (err)
		return err;
	*ret = (struct rank_test){
		.statistic = twice_sum_of(r, nx + ny, nx) / 2.0 - nx * (nx + 1) / 2.0,
		.exact = exact,
	};
	if (exact)
		err = mann_whitney_exact_p(r, nx, ny, &ret->p);
	else
		ret->p = mann_whitney_normal_p(r, nx, ny, ret->statistic);
	free(r);
	return err;
}

int rank__mann_whitney(const double *x, size_t nx, const double *y, size_t ny,
		       struct rank_test *ret)
{
	return mann_whitney(x, nx, y, ny, nx <= RANK_EXACT && ny <= RANK_EXACT, ret);
}

int rank__mann_whitney_normal(const double *x, size_t nx, const double *y, size_t ny,
			      struct rank_test *ret)
{
	return mann_whitney(x, nx, y, ny, false, ret);
}

/* ret[s]: how likely the ranks with a plus sum up to s, each sign being one throw of a coin. */
static double *sign_sums(const size_t *ranks, size_t n, size_t max)
{
	double *p = calloc(max + 1, sizeof(*p));

	if (!p)
		return NULL;
	p[0] = 1;
	for (size_t i = 0; i < n; i++)
		for (size_t s = max + 1; s-- > 0;)
			p[s] = (p[s] + (s >= ranks[i] ? p[s - ranks[i]] : 0)) / 2;
	return p;
}

/* Moves the ranks that have a sign to the front of `ranks`; their number. */
static size_t signed_ranks(const struct ranked *r, size_t n, size_t *ranks)
{
	size_t nr = 0;

	for (size_t i = 0; i < n; i++)
		if (r[i].value > 0)
			ranks[nr++] = r[i].twice;
	return nr;
}

static int signed_rank_p(const size_t *ranks, size_t nr, size_t twice_plus, bool exact, double *ret)
{
	double squares = 0, distance;
	size_t max = 0;
	double *p;

	for (size_t i = 0; i < nr; i++) {
		squares += pow(ranks[i] / 2.0, 2);
		max += ranks[i];
	}
	distance = fabs(twice_plus - max / 2.0);
	if (!exact) {
		*ret = normal_p(distance / 2, squares / 4);
		return 0;
	}
	p = sign_sums(ranks, nr, max);
	if (!p)
		return -ENOMEM;
	*ret = share_at_least(p, max, max / 2.0, distance);
	free(p);
	return 0;
}

static int signed_rank(const double *d, size_t n, bool exact, struct rank_test *ret)
{
	struct ranked *r = calloc(n, sizeof(*r));
	size_t *ranks = calloc(n, sizeof(*ranks));
	size_t twice_plus = 0;
	int err = -ENOMEM;

	if (!r || !ranks)
		goto out;
	for (size_t i = 0; i < n; i++)
		r[i] = (struct ranked){.value = fabs(d[i]), .index = i};
	rank_values(r, n);
	for (size_t i = 0; i < n; i++)
		if (d[r[i].index] > 0)
			twice_plus += r[i].twice;
	*ret = (struct rank_test){.statistic = twice_plus / 2.0, .exact = exact};
	err = signed_rank_p(ranks, signed_ranks(r, n, ranks), twice_plus, exact, &ret->p);
out:
	free(ranks);
	free(r);
	return err;
}

int rank__signed_rank(const double *d, size_t n, struct rank_test *ret)
{
	return n ? signed_rank(d, n, n <= RANK_EXACT, ret) : -EINVAL;
}

int rank__signed_rank_normal(const double *d, size_t n, struct rank_test *ret)
{
	return n ? signed_rank(d, n, false, ret) : -EINVAL;
}

/* The largest k with P(sum - least < k) within one tail. */
static size_t critical_of(const double *ways, size_t least, size_t max, double tail)
{
	double all = 0, below = 0;

	for (size_t s = least; s <= max; s++)
		all += ways[s];
	for (size_t s = least; s <= max; s++) {
		below += ways[s];
		if (below > tail * all)
			return s - least;
	}
	return 0;
}

static size_t normal_critical(double mean, double variance, double tail)
{
	double k = floor(mean + stats__normal_quantile(tail) * sqrt(variance) + 0.5);

	return k > 0 ? (size_t)k : 0;
}

/* Without ties: n ranks from 1 on, of which `take` are summed; SIZE_MAX: any number of them. */
static int exact_critical(size_t n, size_t take, double tail, size_t *ret)
{
	const bool any = take == SIZE_MAX;
	const size_t least = any ? 0 : take * (take + 1) / 2,
		     max = any ? n * (n + 1) / 2 : n * take;
	size_t *ranks = calloc(n, sizeof(*ranks));
	double *ways;

	if (!ranks)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		ranks[i] = i + 1;
	ways = any ? sign_sums(ranks, n, max) : count_sums(ranks, n, take, max);
	free(ranks);
	if (!ways)
		return -ENOMEM;
	*ret = critical_of(ways, least, max, tail);
	free(ways);
	return 0;
}

int rank__mann_whitney_critical(size_t nx, size_t ny, double level, size_t *ret)
{
	const double tail = (1 - level) / 2, pairs = (double)nx * ny;

	if (!nx || !ny || !(level > 0 && level < 1))
		return -EINVAL;
	if (nx <= RANK_EXACT && ny <= RANK_EXACT)
		return exact_critical(nx + ny, nx < ny ? nx : ny, tail, ret);
	*ret = normal_critical(pairs / 2, pairs * (nx + ny + 1) / 12, tail);
	return 0;
}

int rank__signed_rank_critical(size_t n, double level, size_t *ret)
{
	const double tail = (1 - level) / 2, m = n;

	if (!n || !(level > 0 && level < 1))
		return -EINVAL;
	if (n <= RANK_EXACT)
		return exact_critical(n, SIZE_MAX, tail, ret);
	*ret = normal_critical(m * (m + 1) / 4, m * (m + 1) * (2 * m + 1) / 24, tail);
	return 0;
}
