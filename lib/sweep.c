// SPDX-License-Identifier: GPL-2.0-only
#include "lib/sweep.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/bench.h"
#include "lib/suggest.h"
#include "lib/trigger.h"

/* Which struct of a point a parameter lives in. */
enum axis_home { HOME_BENCH, HOME_COMMON, HOME_THREADS };

/* The values of one parameter. */
struct axis {
	const struct param *param;
	enum axis_home home;
	uint64_t *values;
	int nr;
};

/* Everything that is known about one benchmark before its points are made. */
struct sweep {
	struct plan *plan;
	const struct plan_request *request;
	const struct bench *bench;
	struct axis *axes;
	int nr_axes;
	char *trigger_list;
	struct axis *vs; /* the one that has two values for --vs; NULL */
	char **triggers; /* names within trigger_list; one NULL where the choice is free */
	int nr_triggers;
};

struct threads {
	uint64_t producers, consumers;
};

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
static int apply_word(struct sweep *sweep, const char *word, struct why *why)
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
static int apply_settings(struct sweep *sweep, const char *settings, struct why *why)
{
	char *copy = strdup(settings ? settings : ""), *cursor = copy, *word;
	int err = copy ? 0 : -ENOMEM;

	while (!err && (word = strsep(&cursor, " ")))
		if (*word)
			err = apply_word(sweep, word, why);
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

static int init_axes(struct sweep *sweep, struct why *why)
{
	int err = add_axes(sweep, sweep->bench->params, HOME_BENCH, why);

	err = err ?: add_axes(sweep, common_params, HOME_COMMON, why);
	err = err ?: add_axes(sweep, thread_params, HOME_THREADS, why);
	return err ?: init_threads(sweep, why);
}

static int init_triggers(struct sweep *sweep, struct why *why)
{
	const char *list = sweep->request->triggers;
	char *cursor, *word;
	int err = 0;

	sweep->triggers = calloc(trigger__count() + 2, sizeof(*sweep->triggers));
	if (!sweep->triggers)
		return why__errno(why, -ENOMEM, "sweep");
	sweep->nr_triggers = 1;
	if (!list)
		return 0;
	sweep->trigger_list = cursor = strdup(list);
	sweep->nr_triggers = 0;
	while (!err && (word = strsep(&cursor, ","))) {
		err = trigger__check_name(word, why);
		for (int i = 0; !err && i < sweep->nr_triggers; i++)
			if (!strcmp(sweep->triggers[i], word))
				err = why__set(why, -EINVAL,
					       "--trigger: the name '%s' stands twice", word);
		if (!err && sweep->nr_triggers == (int)trigger__count())
			err = why__set(why, -EINVAL,
				       "--trigger: more names than there are triggers");
		if (!err)
			sweep->triggers[sweep->nr_triggers++] = word;
	}
	/* The list is for those of the benchmarks that have a program. */
	if (!err && bench__is_user(sweep->bench)) {
		sweep->nr_triggers = 1;
		sweep->triggers[0] = NULL;
	}
	return err;
}

static char *point_key(const struct point *point)
{
	char *key = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&key, &size);
	const struct param *p;
	char text[64];

	if (!out)
		return NULL;
	fputs(point->bench->name, out);
	for_each_param(p, point->bench->params)
		fprintf(out, "/%s=%s", p->name,
			param__text(p, param__get(p, point->args), text, sizeof(text)));
	for_each_param(p, common_params)
		fprintf(out, "/%s=%s", p->name,
			param__text(p, param__get(p, &point->common), text, sizeof(text)));
	fprintf(out, "/producers=%d", point->nr_producers);
	if (point->bench->consume)
		fprintf(out, "/consumers=%d", point->nr_consumers);
	if (point->trigger_name)
		fprintf(out, "/trigger=%s", point->trigger_name);
	fclose(out);
	return key;
}

static int settle_consumers(const struct sweep *sweep, struct point *point, struct why *why)
{
	int needed;

	if (!sweep->bench->nr_consumers)
		return 0;
	needed = sweep->bench->nr_consumers(point->args);
	if (sweep->request->consumers && point->nr_consumers != needed)
		return why__set(why, -EINVAL, "-c %d: '%s' has %d consumer(s) with these settings",
				point->nr_consumers, sweep->bench->name, needed);
	point->nr_consumers = needed;
	return 0;
}

/* Point number `index` of the product: a number whose digits are the indexes of the axes. */
static int make_point(const struct sweep *sweep, int index, struct point *point, struct why *why)
{
	struct threads threads;
	const char *name;

	point->bench = sweep->bench;
	point->arm = -1;
	point->args = calloc(1, sweep->bench->args_size ? sweep->bench->args_size : 1);
	if (!point->args)
		return why__errno(why, -ENOMEM, "sweep");
	name = sweep->triggers[index % sweep->nr_triggers];
	point->trigger_name = name ? strdup(name) : NULL;
	index /= sweep->nr_triggers;
	for (int i = sweep->nr_axes - 1; i >= 0; i--) {
		const struct axis *axis = &sweep->axes[i];
		void *const homes[] = {point->args, &point->common, &threads};

		param__set(axis->param, homes[axis->home], axis->values[index % axis->nr]);
		if (axis == sweep->vs)
			point->arm = index % axis->nr;
		index /= axis->nr;
	}
	point->nr_producers = threads.producers;
	point->nr_consumers = threads.consumers;
	if (settle_consumers(sweep, point, why))
		return -EINVAL;
	point->key = point_key(point);
	if (!point->key)
		return why__errno(why, -ENOMEM, "sweep");
	if (!sweep->bench->validate)
		return 0;
	return sweep->bench->validate(point->args, point->nr_producers, why);
}

static int make_points(const struct sweep *sweep, struct why *why)
{
	struct plan *plan = sweep->plan;
	uint64_t total = sweep->nr_triggers;
	struct point *points;

	for (int i = 0; i < sweep->nr_axes; i++)
		if (__builtin_mul_overflow(total, sweep->axes[i].nr, &total) ||
		    total > SWEEP_MAX_POINTS)
			total = SWEEP_MAX_POINTS + 1;
	if (total + plan->nr_points > SWEEP_MAX_POINTS)
		return why__set(why, -EINVAL, "the sweep has more than %d points",
				SWEEP_MAX_POINTS);
	points = reallocarray(plan->points, plan->nr_points + total, sizeof(*points));
	if (!points)
		return why__errno(why, -ENOMEM, "sweep");
	memset(points + plan->nr_points, 0, total * sizeof(*points));
	plan->points = points;
	for (int i = 0; i < (int)total; i++) {
		int err = make_point(sweep, i, &points[plan->nr_points++], why);

		if (err)
			return err;
	}
	return 0;
}

/* --vs param=value: a second value of a parameter that has one; "same" is a matter of the plan. */
static int apply_vs(struct sweep *sweep, const char *word, struct why *why)
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

static int sweep_bench(struct plan *plan, const struct plan_request *request, const char *name,
		       struct why *why)
{
	struct sweep sweep = {.plan = plan, .request = request};
	const struct bench_alias *alias;
	int err;

	sweep.bench = bench__find(name, &alias, why);
	if (!sweep.bench)
		return -EINVAL;
	for (int i = 0; i < plan->nr_points; i++)
		if (plan->points[i].bench == sweep.bench)
			return why__set(why, -EINVAL, "benchmark '%s' is named twice", name);
	err = init_axes(&sweep, why);
	err = err ?: init_triggers(&sweep, why);
	if (!err && alias)
		err = apply_settings(&sweep, alias->settings, why);
	for (int i = 0; !err && i < request->nr_words; i++)
		if (strchr(request->words[i], '='))
			err = apply_word(&sweep, request->words[i], why);
	if (!err && request->vs)
		err = apply_vs(&sweep, request->vs, why);
	err = err ?: make_points(&sweep, why);
	for (int i = 0; sweep.axes && i < sweep.nr_axes; i++)
		free(sweep.axes[i].values);
	free(sweep.axes);
	free(sweep.triggers);
	free(sweep.trigger_list);
	return err;
}

/* "bench:key=value" with a benchmark that is not part of the plan is a mistake, not a no-op. */
static int check_prefixes(const struct plan *plan, const struct plan_request *request,
			  struct why *why)
{
	for (int i = 0; i < request->nr_words; i++) {
		const char *word = request->words[i], *equals = strchr(word, '=');
		const char *colon = equals ? memchr(word, ':', equals - word) : NULL;
		bool known = !colon;

		for (int j = 0; colon && j < plan->nr_points; j++) {
			const char *name = plan->points[j].bench->name;

			known |= strlen(name) == (size_t)(colon - word) &&
				 !strncmp(name, word, colon - word);
		}
		if (!known)
			return why__set(why, -EINVAL,
					"'%.80s' is for a benchmark that is not named", word);
	}
	return 0;
}

int sweep__expand(struct plan *plan, const struct plan_request *request, struct why *why)
{
	int err = 0;

	for (int i = 0; !err && i < request->nr_words; i++) {
		char *copy, *cursor, *name;

		if (strchr(request->words[i], '='))
			continue;
		copy = cursor = strdup(request->words[i]);
		while (!err && (name = strsep(&cursor, ",")))
			err = sweep_bench(plan, request, name, why);
		free(copy);
	}
	if (!err && !plan->nr_points)
		err = why__set(why, -EINVAL, "no benchmark named ('bpfperf list' has them)");
	return err ?: check_prefixes(plan, request, why);
}
