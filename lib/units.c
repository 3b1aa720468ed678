// SPDX-License-Identifier: GPL-2.0-only
#include "lib/units.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/group.h"

static int take_groups(const char *name, const struct groups *before, const struct groups *after,
		       struct units *ret)
{
	ret->name = name;
	ret->before = groups__values(before);
	ret->after = groups__values(after);
	ret->nr_before = before->nr;
	ret->nr_after = after->nr;
	return ret->before && ret->after ? 0 : -ENOMEM;
}

/* Leaves in both only the keys that both have; what the groups without a partner are made of. */
static size_t match_groups(struct groups *a, struct groups *b)
{
	size_t i = 0, j = 0, nr = 0, alone = 0;

	while (i < a->nr || j < b->nr) {
		int64_t key_a = i < a->nr ? a->of[i].key : INT64_MAX;
		int64_t key_b = j < b->nr ? b->of[j].key : INT64_MAX;

		if (i < a->nr && j < b->nr && key_a == key_b && key_a != GROUP_NO_BLOCK) {
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
	struct groups a = {0}, b = {0};
	int err = groups__of_runs(before, group__block, unit, &a);

	err = err ?: groups__of_runs(after, group__block, unit, &b);
	if (!err) {
		ret->nr_alone = match_groups(&a, &b);
		ret->paired = true;
		err = take_groups("pair", &a, &b, ret);
	}
	groups__free(&a);
	groups__free(&b);
	return err;
}

/* Every run a group of its own. */
static int build_runs(const struct arm *arm, double unit, double **ret, size_t *ret_nr)
{
	*ret = calloc(arm->nr ? arm->nr : 1, sizeof(**ret));
	if (!*ret)
		return -ENOMEM;
	for (size_t i = 0; i < arm->nr; i++)
		(*ret)[i] = group__scaled(arm->runs[i].value, unit);
	*ret_nr = arm->nr;
	return 0;
}

static bool enough(const struct groups *a, const struct groups *b)
{
	return a->nr >= VERDICT_MIN_BOOTS && b->nr >= VERDICT_MIN_BOOTS;
}

/*
 * Hosts that both sides have are blocks: what sets them apart is no part of the difference. One that
 * a single side has would be, and is left out.
 */
static int build_host_pairs(struct groups *a, struct groups *b, struct units *ret)
{
	const size_t nr_a = a->nr, nr_b = b->nr;
	const size_t boots_alone = match_groups(a, b);

	ret->few_common = a->nr < 2;
	if (!a->nr) {
		/* No host is the same for sure: there is no pair to show, but each side has a value. */
		a->nr = nr_a;
		b->nr = nr_b;
		return take_groups("host", a, b, ret);
	}
	ret->paired = true;
	ret->boots_alone = boots_alone;
	ret->hosts_alone = nr_a + nr_b - 2 * a->nr;
	return take_groups("host pair", a, b, ret);
}

static int build_levels(const struct arm *before, const struct arm *after,
			const struct judge_options *o, double unit, struct units *ret)
{
	struct levels a = {0}, b = {0};
	int err = levels__find(before, unit, &a);

	err = err ?: levels__find(after, unit, &b);
	if (err)
		goto out;
	ret->boots_before = a.boots.nr;
	ret->boots_after = b.boots.nr;
	ret->hosts_before = a.hosts.nr;
	ret->hosts_after = b.hosts.nr;
	if (!o->hosts_differ && (a.hosts.nr > 1 || b.hosts.nr > 1)) {
		err = build_host_pairs(&a.hosts, &b.hosts, ret);
	} else if (o->hosts_differ && enough(&a.hosts, &b.hosts)) {
		err = take_groups("host", &a.hosts, &b.hosts, ret);
	} else if (enough(&a.boots, &b.boots)) {
		err = take_groups("boot", &a.boots, &b.boots, ret);
	} else {
		ret->name = "run";
		err = build_runs(before, unit, &ret->before, &ret->nr_before);
		err = err ?: build_runs(after, unit, &ret->after, &ret->nr_after);
	}
out:
	levels__free(&a);
	levels__free(&b);
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
	err = build_levels(before, after, o, unit, ret);
out:
	ret->unit = unit;
	if (err)
		units__free(ret);
	return err;
}

size_t units__least(const struct units *units)
{
	bool runs = !strcmp(units->name, "run") || !strcmp(units->name, "pair");

	return runs ? VERDICT_MIN_RUNS : VERDICT_MIN_BOOTS;
}

static int estimate(const double *scaled, size_t nr, double unit, struct estimate *ret)
{
	double *values = calloc(nr ? nr : 1, sizeof(*values));

	if (!values)
		return -ENOMEM;
	for (size_t i = 0; i < nr; i++)
		values[i] = unit > 0 ? exp(scaled[i] + log(unit)) : scaled[i];
	group__estimate(values, nr, unit > 0, ret);
	free(values);
	return 0;
}

int units__estimate(const struct units *units, struct estimate *ret_before,
		    struct estimate *ret_after)
{
	int err = estimate(units->before, units->nr_before, units->unit, ret_before);

	return err ?: estimate(units->after, units->nr_after, units->unit, ret_after);
}

void units__free(struct units *units)
{
	free(units->before);
	free(units->after);
	memset(units, 0, sizeof(*units));
}
