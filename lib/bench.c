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
	for (const struct param *p = bench->params; p && p->name; p++)
		if (param__find(common_params, p->name) || !strcmp(p->name, "producers"))
			bug("benchmark '%s': parameter '%s' belongs to the harness", bench->name,
			    p->name);
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
	for (size_t i = 1; i < nr; i++)
		if (!strcmp(sorted[i - 1]->name, sorted[i]->name))
			bug("two benchmarks are called '%s'", sorted[i]->name);
}

static const struct bench_alias *find_alias(const struct bench *bench, const char *name)
{
	const struct bench_alias *alias;

	for (alias = bench->aliases; alias && alias->name; alias++)
		if (!strcmp(alias->name, name))
			return alias;
	return NULL;
}

static int not_found(const char *name, struct why *why)
{
	struct suggest suggest = {.word = name};
	char near[256];

	for (size_t i = 0; i < bench__count(); i++) {
		const struct bench_alias *alias = sorted[i]->aliases;

		suggest__offer(&suggest, sorted[i]->name);
		for (; alias && alias->name; alias++)
			suggest__offer(&suggest, alias->name);
	}
	suggest__format(&suggest, near, sizeof(near));
	return why__set(why, -EINVAL, "unknown benchmark '%.80s'%s%s ('bpfperf list' has them)",
			name, near[0] ? ": " : "", near);
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
