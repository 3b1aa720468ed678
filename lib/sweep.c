// SPDX-License-Identifier: GPL-2.0-only
#include "lib/sweep.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/bench.h"
#include "lib/sweep_axes.h"
#include "lib/trigger.h"

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
	err = sweep__init_axes(&sweep, why);
	err = err ?: init_triggers(&sweep, why);
	if (!err && alias)
		err = sweep__apply_settings(&sweep, alias->settings, why);
	for (int i = 0; !err && i < request->nr_words; i++)
		if (strchr(request->words[i], '='))
			err = sweep__apply_word(&sweep, request->words[i], why);
	if (!err && request->vs)
		err = sweep__apply_vs(&sweep, request->vs, why);
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
