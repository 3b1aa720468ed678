// SPDX-License-Identifier: GPL-2.0-only
#include "lib/group.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

static int compare_groups(const void *a, const void *b)
{
	const struct group *x = a, *y = b;

	return (x->key > y->key) - (x->key < y->key);
}

int64_t group__boot(const struct observation *run)
{
	return ((int64_t)run->host << 32) + run->boot;
}

int64_t group__block(const struct observation *run)
{
	return run->block < 0 ? GROUP_NO_BLOCK : ((int64_t)run->boot << 32) + run->block;
}

double group__scaled(double value, double unit)
{
	return unit > 0 ? log(value) - log(unit) : value;
}

bool group__estimate(const double *values, size_t nr, bool logs, struct estimate *ret)
{
	if (logs && !stats__estimate(values, nr, ret))
		return true;
	*ret = (struct estimate){.n = nr,
				 .value = stats__mean(values, nr),
				 .lo = NAN,
				 .hi = NAN,
				 .cv = stats__cv(values, nr)};
	return false;
}

/* Equal keys become one element, with the mean of what is there. */
static void join(struct groups *groups)
{
	struct group *g = groups->of;
	size_t nr = 0;

	qsort(g, groups->nr, sizeof(*g), compare_groups);
	for (size_t i = 0; i < groups->nr; i++) {
		if (nr && g[nr - 1].key == g[i].key) {
			g[nr - 1].value += g[i].value;
			g[nr - 1].nr++;
		} else {
			g[nr++] = g[i];
		}
	}
	for (size_t i = 0; i < nr; i++)
		g[i].value /= g[i].nr;
	groups->nr = nr;
}

static int allocate(size_t nr, struct groups *ret)
{
	*ret = (struct groups){.of = calloc(nr ? nr : 1, sizeof(*ret->of)), .nr = nr};
	return ret->of ? 0 : -ENOMEM;
}

int groups__of_runs(const struct arm *arm, int64_t (*key)(const struct observation *), double unit,
		    struct groups *ret)
{
	int err = allocate(arm->nr, ret);

	if (err)
		return err;
	for (size_t i = 0; i < arm->nr; i++)
		ret->of[i] = (struct group){.key = key(&arm->runs[i]),
					    .value = group__scaled(arm->runs[i].value, unit),
					    .nr = 1};
	join(ret);
	return 0;
}

static int join_hosts(const struct groups *boots, struct groups *ret)
{
	int err = allocate(boots->nr, ret);

	if (err)
		return err;
	for (size_t i = 0; i < boots->nr; i++)
		ret->of[i] = (struct group){
			.key = boots->of[i].key >> 32, .value = boots->of[i].value, .nr = 1};
	join(ret);
	return 0;
}

void groups__free(struct groups *groups)
{
	free(groups->of);
	*groups = (struct groups){0};
}

double *groups__values(const struct groups *groups)
{
	double *values = calloc(groups->nr ? groups->nr : 1, sizeof(*values));

	for (size_t i = 0; values && i < groups->nr; i++)
		values[i] = groups->of[i].value;
	return values;
}

int levels__find(const struct arm *arm, double unit, struct levels *ret)
{
	int err;

	*ret = (struct levels){0};
	err = groups__of_runs(arm, group__boot, unit, &ret->boots);
	return err ?: join_hosts(&ret->boots, &ret->hosts);
}

void levels__free(struct levels *levels)
{
	groups__free(&levels->boots);
	groups__free(&levels->hosts);
}
