// SPDX-License-Identifier: GPL-2.0-only
#include "lib/compare_runs.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/name_index.h"
#include "lib/result.h"
#include "lib/state.h"

/* Of one producer's counter to the sum of all; null once one of them is missing. */
static void add_counter(json_t *sums, const json_t *row)
{
	const char *metric = json__string(row, "metric", "?");
	json_t *sum = json_object_get(sums, metric);
	double scaled = json__number(row, "scaled");

	/* An event of another kind of core than this producer's is no gap. */
	if (json_is_true(json_object_get(row, "elsewhere")))
		return;
	if (!isfinite(scaled) || json_is_null(sum))
		json_object_set_new(sums, metric, json_null());
	else
		json_object_set_new(sums, metric, json_real(json_number_value(sum) + scaled));
}

static void divide(json_t *sums, double ops)
{
	const char *metric;
	json_t *sum;

	json_object_foreach(sums, metric, sum) {
		double per_op = json_number_value(sum) / ops;

		if (!json_is_null(sum))
			json_object_set_new(sums, metric,
					    isfinite(per_op) ? json_real(per_op) : json_null());
	}
}

static json_t *counters_per_op(const json_t *run)
{
	const json_t *counters = json_object_get(run, "counters"), *row, *thread;
	json_t *sums = json_object();
	double ops = 0;
	size_t i;

	json_array_foreach(json_object_get(run, "threads"), i, thread)
		ops += json_number_value(json_object_get(thread, "ops"));
	json_array_foreach(counters, i, row)
		add_counter(sums, row);
	divide(sums, ops);
	return sums;
}

static void trim_rows(const json_t *run, const char *key, const char *member)
{
	json_t *row;
	size_t i;

	json_array_foreach(json_object_get(run, key), i, row)
		json_object_del(row, member);
}

static bool is_of(const struct entry *entry, const json_t *run, const char *role)
{
	const json_t *arm = json_object_get(run, "arm");

	return !strcmp(json__string(run, "role", "clean"), role) &&
	       (entry->arm < 0 || (arm && json_integer_value(arm) == entry->arm));
}

bool entry__has(const struct entry *entry, const json_t *run, const char *role)
{
	return !strcmp(json__string(run, "status", ""), "ok") && is_of(entry, run, role);
}

struct cause {
	char *text;
	size_t size;
};

static void keep_first(void *arg, const char *code, const char *text)
{
	struct cause *cause = arg;

	(void)code;
	if (!cause->text[0])
		snprintf(cause->text, cause->size, "%s", text);
}

bool run__disturbed(const json_t *run, char *cause, size_t size)
{
	struct cause first = {cause, size};

	cause[0] = '\0';
	if (json_is_true(json_object_get(run, "interrupted")))
		snprintf(cause, size, "interrupted");
	else if (json_object_get(run, "state"))
		state__warn(json_object_get(run, "state"), keep_first, &first);
	return cause[0];
}

static void trim_run(json_t *run)
{
	static const char *const unused[] = {"counters", "intervals", "threads", "control",
					     "hist",	 "profile",   "order"};
	char cause[160];

	if (!json_object_get(run, "per_op"))
		json_object_set_new(run, "per_op", counters_per_op(run));
	for (size_t i = 0; i < sizeof(unused) / sizeof(unused[0]); i++)
		json_object_del(run, unused[i]);
	trim_rows(run, "locks", "wait_hist");
	trim_rows(run, "grace_periods", "hist");
	if (!run__disturbed(run, cause, sizeof(cause)))
		json_object_del(run, "state");
}

void compare__trim(json_t *benchmark)
{
	json_t *run;
	size_t i;

	json_array_foreach(json_object_get(benchmark, "runs"), i, run)
		trim_run(run);
}

bool entry__left_out(const struct entry *entry, const json_t *run, char *cause, size_t size)
{
	const char *status = json__string(run, "status", "");

	if (!is_of(entry, run, "clean"))
		return false;
	if (strcmp(status, "ok")) {
		snprintf(cause, size, "%s: %s", status,
			 json__string(run, "reason", "no reason given"));
		return true;
	}
	return entry->drop_disturbed && run__disturbed(run, cause, size);
}

static double figure_of(const json_t *run, const void *arg)
{
	const json_t *values = json_object_get(run, "values");
	const struct figure *figure = arg;
	double value = json__number(values, figure->name);

	if (figure->per_op)
		return value / json__number(values, "ops_rate");
	return json_object_get(values, figure->name)
		       ? value
		       : json__number(json_object_get(run, "per_op"), figure->name);
}

/* Numbers of hosts, given as they are asked for. */
struct numbering {
	const json_t *boots;
	int *of_boot;		  /* from 1 on; 0: not asked for yet */
	struct name_index *names; /* the same by name; int */
};

static int begin_numbering(const json_t *boots, struct name_index *names, struct numbering *ret)
{
	*ret = (struct numbering){.boots = boots, .names = names};
	ret->of_boot = calloc(json_array_size(boots) + 1, sizeof(*ret->of_boot));
	return ret->of_boot ? 0 : -ENOMEM;
}

/* The host of a boot, from 0 on; one that is not known is that of the first boot. */
static int number_host(struct numbering *n, size_t boot, int *ret)
{
	const char *first = json__string(json_array_get(n->boots, 0), "host", "");
	const char *host = json__string(json_array_get(n->boots, boot), "host", first);
	int *number;

	if (!n->of_boot[boot]) {
		number = name_index__get(n->names, host);
		if (!number)
			return -ENOMEM;
		if (!*number)
			*number = n->names->nr;
		n->of_boot[boot] = *number;
	}
	*ret = n->of_boot[boot] - 1;
	return 0;
}

int *hosts__number(const json_t *boots, struct name_index *names)
{
	int *hosts = calloc(json_array_size(boots) + 1, sizeof(*hosts));
	struct numbering numbering;
	int err = begin_numbering(boots, names, &numbering);

	for (size_t i = 0; hosts && !err && i < json_array_size(boots); i++)
		err = number_host(&numbering, i, &hosts[i]);
	free(numbering.of_boot);
	if (!err)
		return hosts;
	free(hosts);
	return NULL;
}

static int observe(const struct entry *entry, const json_t *run, double value,
		   struct numbering *hosts, struct observation *ret)
{
	const json_t *block = json_object_get(run, "block");
	json_int_t boot = json_integer_value(json_object_get(run, "boot"));

	*ret = (struct observation){
		.value = value, .boot = boot, .block = block ? json_integer_value(block) : -1};
	if (boot < 0 || boot >= (json_int_t)json_array_size(entry->boots))
		return 0;
	if (!entry->hosts)
		return number_host(hosts, boot, &ret->host);
	ret->host = entry->hosts[boot];
	return 0;
}

int entry__collect(const struct entry *entry, const char *role,
		   double (*value_of)(const json_t *run, const void *arg), const void *arg,
		   struct series *ret)
{
	const json_t *runs = json_object_get(entry->benchmark, "runs"), *run;
	/* Evidence is too rare to leave any out: what it says is no verdict. */
	bool drop = entry->drop_disturbed && !strcmp(role, "clean");
	struct name_index names = NAME_INDEX(int);
	struct numbering hosts;
	int err = begin_numbering(entry->boots, &names, &hosts);
	char cause[160];
	size_t i;

	*ret = (struct series){calloc(json_array_size(runs) + 1, sizeof(*ret->runs)), 0};
	err = err ?: ret->runs ? 0 : -ENOMEM;
	json_array_foreach(runs, i, run) {
		double value;

		if (err || !entry__has(entry, run, role))
			continue;
		value = value_of(run, arg);
		if (!isfinite(value))
			continue;
		if (drop && run__disturbed(run, cause, sizeof(cause)))
			continue;
		err = observe(entry, run, value, &hosts, &ret->runs[ret->nr++]);
	}
	free(hosts.of_boot);
	name_index__free(&names);
	return err;
}

int entry__series(const struct entry *entry, const char *role, const struct figure *figure,
		  struct series *ret)
{
	return entry__collect(entry, role, figure_of, figure, ret);
}

int series__headline(const struct series *series, struct headline *ret)
{
	return headline__make(&(struct arm){series->runs, series->nr}, ret);
}

/* The share of the CPUs that others had, in per cent. */
static double share_of_others(const json_t *run)
{
	const json_t *state = json_object_get(run, "state");

	return json_number_value(json_object_get(state, "steal_pct")) +
	       json_number_value(json_object_get(state, "foreign_cpu_pct"));
}

size_t entry__count(const struct entry *entry, size_t *ret_disturbed, char *cause, size_t size)
{
	const json_t *run;
	double most = -1;
	size_t i, nr = 0;
	char own[160];

	*ret_disturbed = 0;
	cause[0] = '\0';
	json_array_foreach(json_object_get(entry->benchmark, "runs"), i, run) {
		if (!entry__has(entry, run, "clean"))
			continue;
		nr++;
		if (!run__disturbed(run, own, sizeof(own)))
			continue;
		++*ret_disturbed;
		if (share_of_others(run) <= most)
			continue;
		most = share_of_others(run);
		snprintf(cause, size, "%s", own);
	}
	return nr;
}

const char *entry__reason(const struct entry *entry, const char **ret_status)
{
	const json_t *run;
	size_t i;

	*ret_status = "absent";
	json_array_foreach(json_object_get(entry->benchmark, "runs"), i, run) {
		const char *status = json__string(run, "status", "");

		if (strcmp(json__string(run, "role", "clean"), "clean") || !strcmp(status, "ok"))
			continue;
		*ret_status = status;
		return json__string(run, "reason", "no reason given");
	}
	return "no run has this figure";
}
