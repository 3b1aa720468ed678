// SPDX-License-Identifier: GPL-2.0-only
#include "lib/render/counter.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/render/summary.h"
#include "lib/result.h"

/* Sums while they grow: ops are those of the producers that were counted. */
struct sum {
	const char *metric;
	json_int_t tid;
	double total, ops, enabled, running;
	const char *reason, *note, *elsewhere;
};

struct table {
	struct sum *sums;
	size_t nr, room;
	json_t *index; /* {key: number} */
	bool per_producer;
};

static struct sum *append(struct table *table)
{
	size_t room = table->room ? table->room * 2 : 64;
	struct sum *sums = table->sums;

	if (table->nr == table->room) {
		sums = reallocarray(sums, room, sizeof(*sums));
		if (!sums)
			return NULL;
		table->sums = sums;
		table->room = room;
	}
	sums[table->nr] = (struct sum){0};
	return &sums[table->nr++];
}

static struct sum *find(struct table *table, const char *metric, json_int_t tid)
{
	json_t *key = table->per_producer ? json_sprintf("%lld %s", (long long)tid, metric)
					  : json_string(metric);
	const json_t *number = json_object_get(table->index, json_string_value(key));
	struct sum *sum;

	if (number) {
		sum = &table->sums[json_integer_value(number)];
	} else {
		sum = append(table);
		if (sum) {
			sum->metric = metric;
			sum->tid = tid;
			json_object_set_new(table->index, json_string_value(key),
					    json_integer(table->nr - 1));
		}
	}
	json_decref(key);
	return sum;
}

/*
 * A producer without a number takes the whole total away, unless the event belongs to another kind
 * of core than the one it is pinned to.
 */
static void add_row(struct sum *sum, const json_t *row, const json_t *thread)
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
}

static int add_run(struct table *table, const json_t *run)
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
		add_row(sum, row, tid >= 0 ? json_array_get(threads, tid) : NULL);
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
		.reason = !reason && !sum->enabled ? sum->elsewhere : reason,
		.note = sum->note,
	};
}

int counters__sum(const json_t *benchmark, bool per_producer, struct counters *ret)
{
	struct table table = {.index = json_object(), .per_producer = per_producer};
	int err = table.index ? 0 : -ENOMEM;
	const json_t *run;
	size_t i;

	*ret = (struct counters){0};
	json_array_foreach(json_object_get(benchmark, "runs"), i, run)
		if (!err && summary__counts(run))
			err = add_run(&table, run);
	if (!err)
		ret->of = calloc(table.nr + 1, sizeof(*ret->of));
	for (i = 0; ret->of && i < table.nr; i++)
		ret->of[ret->nr++] = total_of(&table.sums[i], per_producer);
	free(table.sums);
	json_decref(table.index);
	return ret->of ? 0 : -ENOMEM;
}
