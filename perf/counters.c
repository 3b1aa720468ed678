// SPDX-License-Identifier: GPL-2.0-only
#include "perf/counters.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/metric.h"
#include "lib/run.h"
#include "lib/sensor.h"
#include "lib/worker.h"

struct thread_counter *counters__thread(const struct counters *counters, int worker, int event)
{
	return &counters->threads[worker * counters->list->nr + event];
}

struct counter_value *counters__value(const struct counters *counters, int worker, int row,
				      int event)
{
	return &counters->values[worker][row * counters->list->nr + event];
}

/* A block of its own for each worker, on its own cache lines: the workers write all the time. */
static struct counter_value *new_values(size_t nr)
{
	struct counter_value *values;

	values = aligned_alloc(128, (nr * sizeof(*values) + 128) & ~(size_t)127);
	/* Written now, so that the readings take no page fault of their own into the count. */
	for (size_t i = 0; values && i < nr; i++)
		values[i] = (struct counter_value){.ena = COUNTER_NOT_READ};
	return values;
}

int counters__new(struct counters **ret_counters, const struct event_list *list, int nr_workers,
		  int nr_rows)
{
	struct counters *counters = calloc(1, sizeof(*counters));

	*ret_counters = NULL;
	if (!counters)
		return -ENOMEM;
	counters->list = list;
	counters->nr_workers = nr_workers;
	counters->nr_rows = nr_rows;
	counters->threads = calloc((size_t)nr_workers * list->nr + 1, sizeof(*counters->threads));
	counters->values = calloc(nr_workers + 1, sizeof(*counters->values));
	if (!counters->threads || !counters->values)
		goto no_memory;
	for (int i = 0; i < nr_workers; i++) {
		counters->values[i] = new_values((size_t)nr_rows * list->nr);
		if (!counters->values[i])
			goto no_memory;
	}
	*ret_counters = counters;
	return 0;

no_memory:
	counters__free(counters);
	return -ENOMEM;
}

void counters__free(struct counters *counters)
{
	int nr = counters->threads ? counters->nr_workers * counters->list->nr : 0;

	for (int i = 0; i < nr; i++) {
		counter__close(counters->threads[i].counter);
		free(counters->threads[i].reason);
		free(counters->threads[i].note);
	}
	for (int i = 0; counters->values && i < counters->nr_workers; i++)
		free(counters->values[i]);
	free(counters->values);
	free(counters->threads);
	free(counters);
}

static int parse(const char *spec, void **ret_config, struct why *why)
{
	struct event_list *list = calloc(1, sizeof(*list));
	int err;

	if (!list)
		return why__errno(why, -ENOMEM, "cannot parse the event list");
	err = event_list__parse(spec && *spec ? spec : EVENT_DEFAULTS, &event_env_system, list,
				why);
	if (err) {
		free(list);
		return err;
	}
	*ret_config = list;
	return 0;
}

static void free_config(void *config)
{
	struct event_list *list = config;

	if (!list)
		return;
	event_list__free(list);
	free(list);
}

static void describe(const void *config, json_t *metrics)
{
	const struct event_list *list = config;

	for (int i = 0; i < list->nr; i++) {
		const struct event *event = &list->events[i];
		const struct metric metric = {
			.name = event->name,
			.unit = event->unit,
			.better = event->better,
			.kind = "counter",
			.class = event->class,
			.help = "count of a perf event on the producers' threads",
		};
		json_t *row = metric__json(&metric);

		json_object_set_new(row, "per", json_string("op"));
		json_object_set_new(row, "event", json_string(event->name));
		json_object_set_new(metrics, event->name, row);
	}
}

static int sensor_open(struct run *run, const void *config, void **ret_state, struct why *why)
{
	struct counters *counters;
	int err = counters__new(&counters, config, run->nr_workers, run->nr_ticks);

	if (err)
		return why__errno(why, err, "cannot keep the readings of the counters");
	counters__open(counters, run, &event_env_system);
	*ret_state = counters;
	return 0;
}

/*
 * All events in the same order each time, and nothing but the readings: so the window of every one
 * of them, from a row to another, holds what was measured and one reading of each other event.
 */
static void snapshot_worker(void *state, const struct worker *worker, int row)
{
	const struct counters *counters = state;
	const struct thread_counter *thread, *end;
	struct counter_value *value;

	if (row < 0 || row >= counters->nr_rows)
		return;
	thread = counters__thread(counters, worker->index, 0);
	value = counters__value(counters, worker->index, row, 0);
	for (end = thread + counters->list->nr; thread < end; thread++, value++)
		/* A failed read leaves the value as not read. */
		if (thread->counter)
			counter__read(thread->counter, value);
}

static void sensor_emit(void *state, const struct run *run, int first, int last, json_t *doc)
{
	struct counters *counters = state;

	counters->workers = run->workers;
	counters__emit(counters, first, last, doc);
}

static void sensor_close(void *state)
{
	if (state)
		counters__free(state);
}

SENSOR(counters, .name = "counters", .summary = "perf events on every producer thread",
       .parse = parse, .free_config = free_config, .describe = describe, .open = sensor_open,
       .snapshot_worker = snapshot_worker, .emit = sensor_emit, .close = sensor_close);
