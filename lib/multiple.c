// SPDX-License-Identifier: GPL-2.0-only
#include "lib/multiple.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

struct tested {
	double p;
	size_t index;
};

static int compare_tested(const void *a, const void *b)
{
	const struct tested *x = a, *y = b;

	return (x->p > y->p) - (x->p < y->p);
}

/* Those with a p, smallest first. */
static int sort_tested(const double *p, size_t n, struct tested **ret, size_t *ret_nr)
{
	struct tested *tested;
	size_t nr = 0;

	for (size_t i = 0; i < n; i++)
		if (p[i] < 0 || p[i] > 1)
			return -EINVAL;
	tested = calloc(n ? n : 1, sizeof(*tested));
	if (!tested)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		if (!isnan(p[i]))
			tested[nr++] = (struct tested){.p = p[i], .index = i};
	qsort(tested, nr, sizeof(*tested), compare_tested);
	*ret = tested;
	*ret_nr = nr;
	return 0;
}

static void copy_untested(const double *p, size_t n, double *ret)
{
	for (size_t i = 0; i < n; i++)
		if (isnan(p[i]))
			ret[i] = NAN;
}

int multiple__holm(const double *p, size_t n, double *ret)
{
	struct tested *tested;
	double largest = 0;
	size_t nr;
	int err;

	err = sort_tested(p, n, &tested, &nr);
	if (err)
		return err;
	copy_untested(p, n, ret);
	for (size_t i = 0; i < nr; i++) {
		largest = fmax(largest, fmin(1, (nr - i) * tested[i].p));
		ret[tested[i].index] = largest;
	}
	free(tested);
	return 0;
}

int multiple__benjamini_hochberg(const double *p, size_t n, double *ret)
{
	struct tested *tested;
	double least = 1;
	size_t nr;
	int err;

	err = sort_tested(p, n, &tested, &nr);
	if (err)
		return err;
	copy_untested(p, n, ret);
	for (size_t i = nr; i-- > 0;) {
		least = fmin(least, nr * tested[i].p / (i + 1));
		ret[tested[i].index] = least;
	}
	free(tested);
	return 0;
}
