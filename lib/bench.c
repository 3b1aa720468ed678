// SPDX-License-Identifier: GPL-2.0-only
#include "lib/bench.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/log.h"
#include "lib/plan.h"
#include "lib/suggest.h"

#define for_each_entry(pos) for_each_registered(benches, pos)

static const struct bench **sorted;

size_t bench__count(void)
{
	return __stop_bpfperf_benches - __start_bpfperf_benches;
}

const struct bench *bench__at(size_t i)
{
	return i < bench__count() ? sorted[i] : NULL;
}

static int by_name(const void *a, const void *b)
{
	return strcmp((*(const struct bench *const *)a)->name,
		      (*(const struct bench *const *)b)->name);
}

/* "keys=one,many": a parameter of this benchmark or of the harness, and values that it takes. */
static int check_setting(const struct bench *bench, char *word, struct why *why)
{
	char *values = strchr(word, '='), *value;
	const struct param *param;
	uint64_t ignored;

	int err = 0;

	if (!values)
		return why__set(why, -EINVAL, "'%s' is no name=value", word);
	*values++ = '\0';
	param = param__find(bench->params, word);
	param = param ? param : param__find(common_params, word);
	if (!param)
		return why__set(why, -EINVAL, "there is no parameter '%s'", word);
	while (!err && (value = strsep(&values, ",")))
		err = param__parse(param, value, &ignored, why);
	return err;
}

/* An option that asks for a tracer, with its argument: nothing else can be told to be there. */
static int check_option(const char *word, char **cursor, struct why *why)
{
	const char *tracer;

	if (!strcmp(word, "-L"))
		return 0;
	if (strcmp(word, "-T"))
		return why__set(why, -EINVAL, "'%s' is neither -L nor -T", word);
	tracer = strsep(cursor, " ");
	if (!tracer || !*tracer || *tracer == '(')
		return why__set(why, -EINVAL, "-T without a tracer");
	return 0;
}

/* Words up to an explanation in parentheses. */
static void check_settings(const struct bench *bench, const char *where, const char *settings,
			   bool options)
{
	char *copy = strdup(settings ? settings : ""), *cursor = copy, *word;
	struct why why;
	int err = 0;

	if (!copy)
		bug("out of memory");
	while (!err && (word = strsep(&cursor, " ")) && *word != '(') {
		if (options && *word == '-')
			err = check_option(word, &cursor, &why);
		else if (*word)
			err = check_setting(bench, word, &why);
	}
	if (err)
		bug("benchmark '%s', %s: %s", bench->name, where, why.text);
	free(copy);
}

static const struct metric *find_metric(const struct bench *bench, const char *name)
{
	const struct metric *metric;

	for (metric = bench->metrics; metric && metric->name; metric++)
		if (!strcmp(metric->name, name))
			return metric;
	return NULL;
}

static void check_words(const struct bench *bench)
{
	const struct bench_alias *alias;
	const struct bench_hint *hint;
	char where[96];

	for (alias = bench->aliases; alias && alias->name; alias++) {
		snprintf(where, sizeof(where), "alias '%s'", alias->name);
		check_settings(bench, where, alias->settings, false);
	}
	check_settings(bench, "next", bench->next, true);
	for (hint = bench->hints; hint && hint->metric; hint++) {
		check_settings(bench, "hint", hint->next, true);
		if (!find_metric(bench, hint->metric))
			bug("benchmark '%s', hint: there is no metric '%s'", bench->name,
			    hint->metric);
	}
}

static void check_entry(const struct bench *bench)
{
	struct why why;

	if (!bench->name || !bench->summary || !bench->op)
		bug("benchmark '%s' lacks a name, a summary or its operation",
		    bench->name ? bench->name : "?");
	if (!bench->check || !bench->checked)
		bug("benchmark '%s' has no check: it cannot tell a number from a mistake",
		    bench->name);
	if (!bench->work == !bench->open)
		bug("benchmark '%s' needs either work() or open()", bench->name);
	if (!bench->metrics != !bench->values)
		bug("benchmark '%s' needs both metrics and values()", bench->name);
	if (bench->consumers && !bench->consume)
		bug("benchmark '%s' has consumers that do nothing", bench->name);
	if (param__check_table(bench->params, bench->args_size, &why))
		bug("benchmark '%s': %s", bench->name, why.text);
	check_words(bench);
	for (const struct param *p = bench->params; p && p->name; p++)
		if (param__find(common_params, p->name) || !strcmp(p->name, "producers"))
			bug("benchmark '%s': parameter '%s' belongs to the harness", bench->name,
			    p->name);
}

/* A name that stands twice: whoever is second could never be called. */
static void check_names(void)
{
	const struct bench_alias *alias, *found;

	for (size_t i = 0; i < bench__count(); i++) {
		if (i && !strcmp(sorted[i - 1]->name, sorted[i]->name))
			bug("two benchmarks are called '%s'", sorted[i]->name);
		bench__find(sorted[i]->name, &found, NULL);
		if (found)
			bug("benchmark '%s': another one has its name for an alias",
			    sorted[i]->name);
		for (alias = sorted[i]->aliases; alias && alias->name; alias++)
			if (!bench__find(alias->name, &found, NULL) || found != alias)
				bug("benchmark '%s': its alias '%s' is another name already",
				    sorted[i]->name, alias->name);
	}
}

void bench__init(void)
{
	const struct bench *const *pos;
	size_t nr = 0;

	if (sorted)
		return;
	sorted = calloc(bench__count() + 1, sizeof(*sorted));
	if (!sorted)
		bug("out of memory");
	for_each_entry(pos)
	{
		check_entry(*pos);
		sorted[nr++] = *pos;
	}
	qsort(sorted, nr, sizeof(*sorted), by_name);
	check_names();
}

static const struct bench_alias *find_alias(const struct bench *bench, const char *name)
{
	const struct bench_alias *alias;

	for (alias = bench->aliases; alias && alias->name; alias++)
		if (!strcmp(alias->name, name))
			return alias;
	return NULL;
}

static void offer_aliases(struct suggest *suggest)
{
	for (size_t i = 0; i < bench__count(); i++) {
		const struct bench_alias *alias = sorted[i]->aliases;

		for (; alias && alias->name; alias++)
			suggest__offer(suggest, alias->name);
	}
}

static int not_found(const char *name, struct why *why)
{
	const char *where = "'bpfperf list' has them";
	struct suggest suggest = {.word = name};
	char near[256];

	for (size_t i = 0; i < bench__count(); i++)
		suggest__offer(&suggest, sorted[i]->name);
	/* Only where nothing of ours is near: one of them is misspelt in the kernel as well. */
	if (!suggest.nr) {
		offer_aliases(&suggest);
		if (suggest.nr)
			where = "as the kernel's own bench calls it; 'bpfperf list -v' has such names";
	}
	suggest__format(&suggest, near, sizeof(near));
	return why__set(why, -EINVAL, "unknown benchmark '%.80s'%s%s (%s)", name,
			near[0] ? ": " : "", near, where);
}

const struct bench *bench__find(const char *name, const struct bench_alias **ret_alias,
				struct why *why)
{
	*ret_alias = NULL;
	for (size_t i = 0; i < bench__count(); i++) {
		if (!strcmp(sorted[i]->name, name))
			return sorted[i];
		*ret_alias = find_alias(sorted[i], name);
		if (*ret_alias)
			return sorted[i];
	}
	not_found(name, why);
	return NULL;
}

const char *bench__loop(const struct bench *bench, const void *args)
{
	if (bench->loop_form && args)
		return bench->loop_form(args);
	if (bench->loop)
		return bench->loop;
	return bench__is_user(bench) ? "loop" : "callback";
}

const char *bench__primary(const struct bench *bench, const char *timing)
{
	if (!strcmp(timing, "icount") && !bench__is_user(bench))
		return "bpf_ns_op";
	return bench->primary ? bench->primary : "ops_rate";
}

void bench__describe(const struct bench *bench, json_t *metrics)
{
	const struct bench_count *count;
	const struct metric *metric;
	char name[64];

	for (metric = engine_metrics; metric->name; metric++)
		if (!metric->bpf_only || !bench__is_user(bench))
			json_object_set_new(metrics, metric->name, metric__json(metric));
	for (metric = bench->metrics; metric && metric->name; metric++)
		json_object_set_new(metrics, metric->name, metric__json(metric));
	for (count = bench->counts; count && count->name; count++) {
		struct metric row = {.unit = "op/s", .kind = "rate", .help = count->help};

		snprintf(name, sizeof(name), "%s_rate", count->name);
		json_object_set_new(metrics, name, metric__json(&row));
	}
}
