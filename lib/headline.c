// SPDX-License-Identifier: GPL-2.0-only
#include "lib/headline.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "lib/group.h"

static bool is_even(const struct groups *groups)
{
	for (size_t i = 1; i < groups->nr; i++)
		if (groups->of[i].nr != groups->of[0].nr)
			return false;
	return true;
}

static double *values_of(const struct arm *arm)
{
	double *values = calloc(arm->nr, sizeof(*values));

	for (size_t i = 0; values && i < arm->nr; i++)
		values[i] = arm->runs[i].value;
	return values;
}

/* The units' own values: of groups of logs, what the logs were taken of. */
static double *unit_values(const struct arm *arm, const struct levels *levels, double unit,
			   struct headline *ret)
{
	const struct groups *groups = levels->hosts.nr > 1 ? &levels->hosts : &levels->boots;
	double *values;

	ret->unit = levels->hosts.nr > 1 ? "host" : levels->boots.nr > 1 ? "boot" : "run";
	if (levels->boots.nr < 2) {
		ret->of_units.n = arm->nr;
		return values_of(arm);
	}
	ret->of_units.n = groups->nr;
	values = groups__values(groups);
	for (size_t i = 0; values && unit > 0 && i < groups->nr; i++)
		values[i] = exp(values[i] + log(unit));
	return values;
}

static double mean_of_boot(const struct groups *boots, int64_t key)
{
	size_t low = 0, high = boots->nr;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		*(boots->of[middle].key <= key ? &low : &high) = middle;
	}
	return boots->of[low].value;
}

/* Within boots: what sets the boots apart is no noise of the runs. `plain` are arithmetic means. */
static double cv_within(const struct arm *arm, const struct groups *plain)
{
	double squares = 0;

	if (arm->nr <= plain->nr)
		return NAN;
	for (size_t i = 0; i < arm->nr; i++) {
		double mean = mean_of_boot(plain, group__boot(&arm->runs[i]));

		squares += pow(arm->runs[i].value / mean - 1, 2);
	}
	return sqrt(squares / (arm->nr - plain->nr));
}

static double factor_of(const double *values, size_t nr)
{
	double least = INFINITY, most = 0;

	for (size_t i = 0; i < nr; i++) {
		least = fmin(least, values[i]);
		most = fmax(most, values[i]);
	}
	return most / least;
}

static int describe(const struct arm *arm, const struct levels *levels, double unit,
		    struct headline *ret)
{
	double *values = unit_values(arm, levels, unit, ret);

	if (!values)
		return -ENOMEM;
	ret->hosts = levels->hosts.nr;
	ret->boots = levels->boots.nr;
	ret->runs = arm->nr;
	ret->balanced = is_even(&levels->boots) && is_even(&levels->hosts);
	ret->geometric = group__estimate(values, ret->of_units.n, unit > 0, &ret->of_units);
	ret->factor = ret->geometric ? factor_of(values, ret->of_units.n) : NAN;
	free(values);
	return 0;
}

static int check(const struct arm *arm, double *ret_unit)
{
	*ret_unit = arm->nr ? arm->runs[0].value : 0;
	for (size_t i = 0; i < arm->nr; i++) {
		if (!isfinite(arm->runs[i].value))
			return -EINVAL;
		if (!(arm->runs[i].value > 0))
			*ret_unit = 0;
	}
	return arm->nr ? 0 : -EINVAL;
}

static int make(const struct arm *arm, double unit, struct headline *ret)
{
	struct levels levels;
	int err = levels__find(arm, unit, &levels);

	err = err ?: describe(arm, &levels, unit, ret);
	levels__free(&levels);
	return err;
}

int headline__make(const struct arm *arm, struct headline *ret)
{
	struct groups plain = {0};
	double unit;
	int err = check(arm, &unit);

	*ret = (struct headline){.unit = "run", .factor = NAN, .run_cv = NAN};
	ret->of_units = (struct estimate){.value = NAN, .lo = NAN, .hi = NAN, .cv = NAN};
	if (err)
		return err;
	err = make(arm, unit, ret);
	err = err ?: groups__of_runs(arm, group__boot, 0, &plain);
	if (!err)
		ret->run_cv = ret->boots > 1 ? cv_within(arm, &plain) : ret->of_units.cv;
	groups__free(&plain);
	return err;
}

double headline__mean(const struct arm *arm)
{
	struct headline headline;
	double unit;

	if (check(arm, &unit) || make(arm, 0, &headline))
		return NAN;
	return headline.of_units.value;
}
