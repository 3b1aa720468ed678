// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>

#include "lib/bench.h"
#include "lib/plan.h"
#include "lib/render/summary.h"
#include "lib/result.h"
#include "lib/sensor.h"
#include "lib/session.h"

/* A line, not a list. */
#define MAX_ADVICE 3

#define NOISY_CV 0.02
/* What more runs can mend: four times as many halve the interval, and a night is no answer. */
#define WILD_CV	      0.1
#define MANY_RUNS     100
#define TELLING_SHARE 0.05

static void advise(json_t *next, const char *text)
{
	const json_t *said;
	size_t i;

	json_array_foreach(next, i, said)
		if (summary__same_advice(json_string_value(said), text))
			return;
	if (json_array_size(next) < MAX_ADVICE)
		json_array_append_new(next, json_string(text));
}

static void about_noise(const struct plan *plan, const json_t *result, const json_t *benchmark,
			json_t *next)
{
	struct headline rate;
	char text[96];

	if (!summary__headline(result, benchmark, "ops_rate", &rate) || !(rate.run_cv > NOISY_CV))
		return;
	if (rate.run_cv > WILD_CV || plan->repeats * 4 > MANY_RUNS)
		snprintf(text, sizeof(text),
			 "a quieter machine, see 'bpfperf doctor' (runs differ by %.1f %%)",
			 rate.run_cv * 100);
	else
		snprintf(text, sizeof(text), "-r %d (runs differ by %.1f %%)", plan->repeats * 4,
			 rate.run_cv * 100);
	advise(next, text);
}

/* The evidence run saw waits: more of them make figures with an interval. */
static void about_locks(const struct plan *plan, const json_t *benchmark, json_t *next)
{
	const json_t *run, *lock;
	char text[128];
	size_t i, j;

	if (plan->evidence_runs >= plan->repeats)
		return;
	json_array_foreach(json_object_get(benchmark, "runs"), i, run) {
		json_array_foreach(json_object_get(run, "locks"), j, lock) {
			double share = json__number(lock, "share");

			if (!(share > TELLING_SHARE))
				continue;
			snprintf(text, sizeof(text), "-L (%.0f %% of the time waits for: %.40s)",
				 share * 100, json__string(lock, "class", "?"));
			advise(next, text);
			return;
		}
	}
}

/* What a text proposes, as one value of one parameter. */
struct wish {
	const struct bench *bench;
	const struct param *param;
	uint64_t value;
	bool or_more; /* what goes beyond it has it as well */
};

static bool point_has(const struct point *point, const struct wish *wish)
{
	bool common = param__find(common_params, wish->param->name);
	const void *args = common ? &point->common : point->args;
	uint64_t value;

	if (point->bench != wish->bench)
		return false;
	value = param__get(wish->param, args);
	return value == wish->value || (wish->or_more && value > wish->value);
}

static bool has_value(const struct plan *plan, struct wish *wish, const char *text)
{
	if (param__parse(wish->param, text, &wish->value, NULL))
		return false;
	for (int i = 0; i < plan->nr_points; i++)
		if (point_has(&plan->points[i], wish))
			return true;
	return false;
}

/* One that nobody asks for is in a run or so, and is worth asking for; others were asked for. */
static bool has_tracer(const struct plan *plan, const char *name)
{
	for (int i = 0; i < plan->nr_evidence; i++)
		if (!strcmp(plan->evidence[i].ops->name, name))
			return strcmp(name, "locks") || plan->evidence_runs >= plan->repeats;
	return false;
}

/* "keys=one,many": does the plan have every one of these? */
static bool has_values(const struct plan *plan, const struct bench *bench, char *word, bool rise)
{
	char *name = strsep(&word, "="), *value;
	struct wish wish = {.bench = bench, .param = param__find(bench->params, name)};

	if (!wish.param)
		wish.param = param__find(common_params, name);
	if (!wish.param || !word)
		return false;
	wish.or_more = rise && !wish.param->words && !strchr(word, ',');
	while ((value = strsep(&word, ",")))
		if (!has_value(plan, &wish, value))
			return false;
	return true;
}

/* Does the plan have what this text proposes, up to the explanation in parentheses? */
static bool has_all(const struct plan *plan, const struct bench *bench, const char *text, bool rise)
{
	char copy[128], *cursor = copy, *word;
	bool has = true;

	snprintf(copy, sizeof(copy), "%.*s", (int)strcspn(text, "("), text);
	while (has && (word = strsep(&cursor, " "))) {
		if (!strcmp(word, "-T") && cursor)
			has = has_tracer(plan, strsep(&cursor, " "));
		else if (!strcmp(word, "-L"))
			has = has_tracer(plan, "locks");
		else if (*word)
			has = has_values(plan, bench, word, rise);
	}
	return has;
}

/* What the benchmark makes of its own figures. */
static void about_values(const struct plan *plan, const struct point *point, const json_t *result,
			 const json_t *benchmark, json_t *next)
{
	const struct bench_hint *hint;

	for (hint = point->bench->hints; hint && hint->metric; hint++)
		if (summary__mean(result, benchmark, hint->metric) > hint->above &&
		    !has_all(plan, point->bench, hint->next, true))
			advise(next, hint->next);
}

static void about_scaling(const struct plan *plan, const struct point *point, json_t *next)
{
	char text[64];

	for (int i = 0; i < plan->nr_points; i++)
		if (plan->points[i].nr_producers != point->nr_producers)
			return;
	if (plan->prod_cpus.nr < 2)
		return;
	snprintf(text, sizeof(text), "-p 1,%d (scaling)", plan->prod_cpus.nr);
	advise(next, text);
}

void session__advise(const struct plan *plan, json_t *result)
{
	json_t *benchmarks = json_object_get(result, "benchmarks"), *benchmark;
	size_t i;

	json_array_foreach(benchmarks, i, benchmark) {
		const struct point *point = &plan->points[i];
		const char *text = point->bench->next;
		json_t *next = json_array();

		about_noise(plan, result, benchmark, next);
		about_locks(plan, benchmark, next);
		about_values(plan, point, result, benchmark, next);
		if (text && !has_all(plan, point->bench, text, false))
			advise(next, text);
		about_scaling(plan, point, next);
		advise(next, "-o FILE.json (keep it)");
		json_object_set_new(benchmark, "next", next);
	}
}
