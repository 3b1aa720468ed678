// SPDX-License-Identifier: GPL-2.0-only
#include "lib/render/counter.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/name_index.h"
#include "lib/render/summary.h"
#include "lib/result.h"

/* Sums while they grow: ops are those of the producers that were counted. */
struct sum {
	const char *metric;
	json_int_t tid;
	double total, ops, enabled, running;
	const char *reason, *note, *elsewhere;
	size_t runs, last; /* those with a number; the last of them, from 1 on */
};

struct table {
	struct name_index sums;
	bool per_producer;
};

static struct sum *find(struct table *table, const char *metric, json_int_t tid)
{
	char *key = NULL;
	struct sum *sum;

	if (!table->per_producer)
		sum = name_index__get(&table->sums, metric);
	else if (asprintf(&key, "%lld %s", (long long)tid, metric) < 0)
		return NULL;
	else
		sum = name_index__get(&table->sums, key);
	free(key);
	if (sum) {
		sum->metric = metric;
		sum->tid = tid;
	}
	return sum;
}

/*
 * A producer without a number takes the whole total away, unless the event belongs to another kind
 * of core than the one it is pinned to.
 */
static void add_row(struct sum *sum, const json_t *row, const json_t *thread, size_t run)
{
	const char *reason = json__string(row, "reason", "no reason given");

	if (!json_is_number(json_object_get(row, "scaled"))) {
		if (json_is_true(json_object_get(row, "elsewhere")))
			sum->elsewhere = reason;
		else
			sum->reason = reason;
		return;
	}
	sum->note = json__string(row, "note", sum->note);
	sum->total += json__number(row, "scaled");
	sum->ops += json__number(thread, "ops");
	sum->enabled += json__number(row, "enabled_ns");
	sum->running += json__number(row, "running_ns");
	sum->runs += sum->last != run;
	sum->last = run;
}

static int add_run(struct table *table, const json_t *run, size_t number)
{
	const json_t *threads = json_object_get(run, "threads"), *row;
	size_t i;

	json_array_foreach(json_object_get(run, "counters"), i, row) {
		const char *metric = json__string(row, "metric", NULL);
		json_int_t tid = json_integer_value(json_object_get(row, "tid"));
		struct sum *sum;

		if (!metric)
			continue;
		sum = find(table, metric, tid);
		if (!sum)
			return -ENOMEM;
		add_row(sum, row, tid >= 0 ? json_array_get(threads, tid) : NULL, number);
	}
	return 0;
}

static struct counter_total total_of(const struct sum *sum, bool per_producer)
{
	const char *reason = sum->reason;

	return (struct counter_total){
		.metric = sum->metric,
		.tid = per_producer ? (int)sum->tid : -1,
		.total = sum->total,
		.per_op = sum->total / sum->ops,
		.running = sum->running / sum->enabled,
		.runs = sum->runs,
		.reason = !reason && !sum->enabled ? sum->elsewhere : reason,
		.note = sum->note,
	};
}

int counters__sum(const json_t *benchmark, bool per_producer, struct counters *ret)
{
	struct table table = {NAME_INDEX(struct sum), per_producer};
	const struct sum *sums;
	const json_t *run;
	size_t i;
	int err = 0;

	*ret = (struct counters){0};
	json_array_foreach(json_object_get(benchmark, "runs"), i, run)
		if (!err && summary__counts(run))
			err = add_run(&table, run, i + 1);
	if (!err)
		ret->of = calloc(table.sums.nr + 1, sizeof(*ret->of));
	sums = table.sums.items;
	for (i = 0; ret->of && i < table.sums.nr; i++)
		ret->of[ret->nr++] = total_of(&sums[i], per_producer);
	name_index__free(&table.sums);
	return ret->of ? 0 : -ENOMEM;
}
