// SPDX-License-Identifier: GPL-2.0-only
#include "lib/units.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/stats.h"

#define NO_BLOCK INT64_MIN

/* The runs of one arm by the level that they are to be averaged over. */
struct group {
	int64_t key;
	double value;
	size_t nr;
};

struct groups {
	struct group *of;
	size_t nr;
};

static int compare_groups(const void *a, const void *b)
{
	const struct group *x = a, *y = b;

	return (x->key > y->key) - (x->key < y->key);
}

static int64_t key_boot(const struct observation *o)
{
	return o->boot;
}

/* A document that was merged counts blocks anew in every boot. */
static int64_t key_block(const struct observation *o)
{
	return o->block < 0 ? NO_BLOCK : ((int64_t)o->boot << 32) + o->block;
}

/* Sorted by key, one for each: of logs relative to `unit`, or of plain values if it is 0. */
static int group_runs(const struct arm *arm, int64_t (*key)(const struct observation *),
		      double unit, struct groups *ret)
{
	struct group *g = calloc(arm->nr ? arm->nr : 1, sizeof(*g));
	size_t nr = 0;

	if (!g)
		return -ENOMEM;
	for (size_t i = 0; i < arm->nr; i++) {
		double value = arm->runs[i].value;

		/* Less a common log, equal values become 0, and their spread none at all. */
		g[i].value = unit > 0 ? log(value) - log(unit) : value;
		g[i].key = key(&arm->runs[i]);
		g[i].nr = 1;
	}
	qsort(g, arm->nr, sizeof(*g), compare_groups);
	for (size_t i = 0; i < arm->nr; i++) {
		if (nr && g[nr - 1].key == g[i].key) {
			g[nr - 1].value += g[i].value;
			g[nr - 1].nr++;
		} else {
			g[nr++] = g[i];
		}
	}
	for (size_t i = 0; i < nr; i++)
		g[i].value /= g[i].nr;
	*ret = (struct groups){.of = g, .nr = nr};
	return 0;
}

static double *values_of(const struct groups *g)
{
	double *values = calloc(g->nr ? g->nr : 1, sizeof(*values));

	for (size_t i = 0; values && i < g->nr; i++)
		values[i] = g->of[i].value;
	return values;
}

static int take_groups(const struct groups *before, const struct groups *after, struct units *ret)
{
	ret->before = values_of(before);
	ret->after = values_of(after);
	ret->nr_before = before->nr;
	ret->nr_after = after->nr;
	return ret->before && ret->after ? 0 : -ENOMEM;
}

/* Leaves in both only the blocks that both have; the runs that this leaves out. */
static size_t match_blocks(struct groups *a, struct groups *b)
{
	size_t i = 0, j = 0, nr = 0, alone = 0;

	while (i < a->nr || j < b->nr) {
		int64_t key_a = i < a->nr ? a->of[i].key : INT64_MAX;
		int64_t key_b = j < b->nr ? b->of[j].key : INT64_MAX;

		if (i < a->nr && j < b->nr && key_a == key_b && key_a != NO_BLOCK) {
			a->of[nr] = a->of[i++];
			b->of[nr++] = b->of[j++];
		} else if (i < a->nr && key_a <= key_b) {
			alone += a->of[i++].nr;
		} else {
			alone += b->of[j++].nr;
		}
	}
	a->nr = b->nr = nr;
	return alone;
}

static int build_pairs(const struct arm *before, const struct arm *after, double unit,
		       struct units *ret)
{
	struct groups a = {}, b = {};
	int err;

	err = group_runs(before, key_block, unit, &a);
	if (!err)
		err = group_runs(after, key_block, unit, &b);
	if (!err) {
		ret->nr_alone = match_blocks(&a, &b);
		ret->name = "pair";
		ret->paired = true;
		err = take_groups(&a, &b, ret);
	}
	free(a.of);
	free(b.of);
	return err;
}

/* Every run a group of its own. */
static int build_runs(const struct arm *arm, double unit, double **ret, size_t *ret_nr)
{
	*ret = calloc(arm->nr ? arm->nr : 1, sizeof(**ret));
	if (!*ret)
		return -ENOMEM;
	for (size_t i = 0; i < arm->nr; i++)
		(*ret)[i] = unit > 0 ? log(arm->runs[i].value) - log(unit) : arm->runs[i].value;
	*ret_nr = arm->nr;
	return 0;
}

static int build_unpaired(const struct arm *before, const struct arm *after, double unit,
			  struct units *ret)
{
	struct groups a = {}, b = {};
	int err;

	err = group_runs(before, key_boot, unit, &a);
	if (!err)
		err = group_runs(after, key_boot, unit, &b);
	if (err)
		goto out;
	ret->boots_before = a.nr;
	ret->boots_after = b.nr;
	if (a.nr >= VERDICT_MIN_BOOTS && b.nr >= VERDICT_MIN_BOOTS) {
		ret->name = "boot";
		err = take_groups(&a, &b, ret);
		goto out;
	}
	ret->name = "run";
	err = build_runs(before, unit, &ret->before, &ret->nr_before);
	if (!err)
		err = build_runs(after, unit, &ret->after, &ret->nr_after);
out:
	free(a.of);
	free(b.of);
	return err;
}

int units__build(const struct arm *before, const struct arm *after, const struct judge_options *o,
		 bool logs, struct units *ret)
{
	const double unit = logs && before->nr ? before->runs[0].value : 0;
	int err = 0;

	memset(ret, 0, sizeof(*ret));
	if (o->paired && !o->kernels_differ) {
		err = build_pairs(before, after, unit, ret);
		/* One pair has no error; without any, what there is are plain runs. */
		if (err || ret->nr_before > 1)
			goto out;
		units__free(ret);
	}
	err = build_unpaired(before, after, unit, ret);
out:
	if (err)
		units__free(ret);
	return err;
}

void units__free(struct units *units)
{
	free(units->before);
	free(units->after);
	memset(units, 0, sizeof(*units));
}
