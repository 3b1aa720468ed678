// SPDX-License-Identifier: GPL-2.0-only
#include "lib/sweep_axes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/bench.h"
#include "lib/suggest.h"
#include "lib/sweep.h"

/* Named by their options: they are set with -p and -c, not with words. */
static const struct param thread_params[] = {
	{.name = "-p",
	 .help = "producer threads",
	 .def = 1,
	 .min = 1,
	 .max = SWEEP_MAX_PRODUCERS,
	 .offset = offsetof(struct threads, producers)},
	{.name = "-c",
	 .help = "consumer threads",
	 .def = 0,
	 .min = 0,
	 .max = SWEEP_MAX_PRODUCERS,
	 .offset = offsetof(struct threads, consumers)},
	{0},
};

static int count_params(const struct param *table)
{
	const struct param *p;
	int nr = 0;

	for_each_param(p, table)
		nr++;
	return nr;
}

/* The values of a comma list replace what the axis had. */
static int axis__parse(struct axis *axis, const char *list, struct why *why)
{
	char *copy = strdup(list), *cursor = copy, *word;
	int err = copy ? 0 : -ENOMEM;

	axis->nr = 0;
	while (!err && (word = strsep(&cursor, ","))) {
		uint64_t value;
		uint64_t *values = reallocarray(axis->values, axis->nr + 1, sizeof(*values));

		if (!values) {
			err = why__errno(why, -ENOMEM, "%s", axis->param->name);
			break;
		}
		axis->values = values;
		err = param__parse(axis->param, word, &value, why);
		for (int i = 0; !err && i < axis->nr; i++)
			if (values[i] == value)
				err = why__set(why, -EINVAL, "%s: the value '%s' stands twice",
					       axis->param->name, word);
		if (!err)
			values[axis->nr++] = value;
	}
	free(copy);
	return err;
}

static struct axis *find_axis(struct sweep *sweep, const char *name)
{
	for (int i = 0; i < sweep->nr_axes; i++)
		if (!strcmp(sweep->axes[i].param->name, name))
			return &sweep->axes[i];
	return NULL;
}

static int unknown_param(const struct sweep *sweep, const char *name, struct why *why)
{
	struct suggest suggest = {.word = name};
	char near[160], all[300] = "";
	size_t used = 0;

	for (int i = 0; i < sweep->nr_axes && sweep->axes[i].home != HOME_THREADS; i++) {
		const char *known = sweep->axes[i].param->name;

		suggest__offer(&suggest, known);
		if (used < sizeof(all))
			used += snprintf(all + used, sizeof(all) - used, "%s%s", i ? ", " : "",
					 known);
	}
	suggest__format(&suggest, near, sizeof(near));
	return why__set(why, -EINVAL, "'%s' has no parameter '%.60s'%s%s (it has %s)",
			sweep->bench->name, name, near[0] ? ": " : "", near, all);
}

/* "key=values", or "bench:key=values" which others skip. */
int sweep__apply_word(struct sweep *sweep, const char *word, struct why *why)
{
	const char *equals = strchr(word, '=');
	const char *colon = memchr(word, ':', equals - word);
	const char *key = colon ? colon + 1 : word;
	struct why inner = {0};
	char name[128];
	struct axis *axis;
	int err;

	snprintf(name, sizeof(name), "%.*s", colon ? (int)(colon - word) : 0, word);
	if (colon && strcmp(name, sweep->bench->name))
		return 0;
	snprintf(name, sizeof(name), "%.*s", (int)(equals - key), key);
	axis = find_axis(sweep, name);
	if (!axis || axis->home == HOME_THREADS)
		return unknown_param(sweep, name, why);
	err = axis__parse(axis, equals + 1, &inner);
	return err ? why__set(why, err, "%s: %.500s", sweep->bench->name, inner.text) : 0;
}

/* "keys=one churn=100" of an alias. */
int sweep__apply_settings(struct sweep *sweep, const char *settings, struct why *why)
{
	char *copy = strdup(settings ? settings : ""), *cursor = copy, *word;
	int err = copy ? 0 : -ENOMEM;

	while (!err && (word = strsep(&cursor, " ")))
		if (*word)
			err = sweep__apply_word(sweep, word, why);
	free(copy);
	return err;
}

static int add_axes(struct sweep *sweep, const struct param *table, enum axis_home home,
		    struct why *why)
{
	struct axis *axes =
		reallocarray(sweep->axes, sweep->nr_axes + count_params(table) + 1, sizeof(*axes));
	const struct param *p;

	if (!axes)
		return why__errno(why, -ENOMEM, "sweep");
	sweep->axes = axes;
	for_each_param(p, table) {
		struct axis *axis = &axes[sweep->nr_axes];

		*axis = (struct axis){.param = p, .home = home, .nr = 1};
		axis->values = malloc(sizeof(*axis->values));
		if (!axis->values)
			return why__errno(why, -ENOMEM, "sweep");
		axis->values[0] = p->words ? 0 : p->def;
		sweep->nr_axes++;
	}
	return 0;
}

static int init_threads(struct sweep *sweep, struct why *why)
{
	const struct plan_request *request = sweep->request;
	const struct bench *bench = sweep->bench;
	const struct plan *plan = sweep->plan;
	struct axis *producers = find_axis(sweep, "-p"), *consumers = find_axis(sweep, "-c");
	int err = 0;

	if (bench->every_cpu)
		producers->values[0] = plan->affinity ? plan->prod_cpus.nr : plan->allowed.nr;
	consumers->values[0] = bench->consumers;
	if (request->producers)
		err = axis__parse(producers, request->producers, why);
	if (!err && request->consumers)
		err = axis__parse(consumers, request->consumers, why);
	for (int i = 0; !err && !bench->consume && i < consumers->nr; i++)
		if (consumers->values[i])
			err = why__set(why, -EINVAL, "-c: '%s' has no consumers", bench->name);
	return err;
}

int sweep__init_axes(struct sweep *sweep, struct why *why)
{
	int err = add_axes(sweep, sweep->bench->params, HOME_BENCH, why);

	err = err ?: add_axes(sweep, common_params, HOME_COMMON, why);
	err = err ?: add_axes(sweep, thread_params, HOME_THREADS, why);
	return err ?: init_threads(sweep, why);
}

/* --vs param=value: a second value of a parameter that has one; "same" is a matter of the plan. */
int sweep__apply_vs(struct sweep *sweep, const char *word, struct why *why)
{
	struct vs *vs = &sweep->plan->vs;
	const char *equals = strchr(word, '=');
	struct axis *axis;
	uint64_t *values;
	char name[64];
	int err;

	vs->wanted = true;
	if (!strcmp(word, "same"))
		return 0;
	if (!equals)
		return why__set(why, -EINVAL, "--vs '%.80s': 'same', or param=value", word);
	snprintf(name, sizeof(name), "%.*s", (int)(equals - word), word);
	axis = find_axis(sweep, name);
	if (!axis || axis->home == HOME_THREADS)
		return unknown_param(sweep, name, why);
	if (axis->nr != 1)
		return why__set(why, -EINVAL, "--vs: '%s' has %d values already", name, axis->nr);
	values = reallocarray(axis->values, 2, sizeof(*values));
	if (!values)
		return why__errno(why, -ENOMEM, "--vs");
	axis->values = values;
	err = param__parse(axis->param, equals + 1, &values[1], why);
	if (err)
		return err;
	if (values[0] == values[1])
		return why__set(
			why, -EINVAL,
			"--vs %.80s: that is its value already ('same' compares equal arms)", word);
	axis->nr = 2;
	sweep->vs = axis;
	snprintf(vs->param, sizeof(vs->param), "%s", name);
	for (int i = 0; i < 2; i++) {
		char buf[64];

		snprintf(vs->values[i], sizeof(vs->values[i]), "%s",
			 param__text(axis->param, values[i], buf, sizeof(buf)));
	}
	return 0;
}
