// SPDX-License-Identifier: GPL-2.0-only
#include "perf/counters.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/stats.h"
#include "lib/worker.h"

/* The clock of a thread and its counters are read one after the other. */
#define READ_SKEW_NS 1000000

/* A count in JSON; jansson's integers end at 2^63, and a double would lose digits from 2^53 on. */
static json_t *json_count(uint64_t count)
{
	char text[24];

	if (count <= INT64_MAX)
		return json_integer((json_int_t)count);
	snprintf(text, sizeof(text), "%llu", (unsigned long long)count);
	return json_string(text);
}

/* Into the event's unit; most are counted in it, and stay exact. */
static json_t *json_scaled(uint64_t count, const struct event *event)
{
	return event->scale == 1 ? json_count(count) : json_real((double)count * event->scale);
}

bool counters__delta(const struct counters *counters, int worker, int event, int first, int last,
		     struct counter_value *ret_delta)
{
	const struct counter_value *from, *to;

	if (first < 0 || last < first || last >= counters->nr_rows)
		return false;
	from = counters__value(counters, worker, first, event);
	to = counters__value(counters, worker, last, event);
	if (from->ena == COUNTER_NOT_READ || to->ena == COUNTER_NOT_READ)
		return false;
	/* Times that run backwards are no difference; the count itself may wrap. */
	if (to->ena < from->ena || to->run < from->run)
		return false;
	*ret_delta = (struct counter_value){
		.val = to->val - from->val,
		.ena = to->ena - from->ena,
		.run = to->run - from->run,
	};
	return true;
}

static bool scale(const struct counter_value *delta, uint64_t *ret_scaled)
{
	return !stats__scale_count(delta->val, delta->ena, delta->run, ret_scaled);
}

static void set_count(json_t *row, const struct counter_value *delta, const struct event *event)
{
	uint64_t scaled;

	json_object_set_new(row, "value", json_count(delta->val));
	json_object_set_new(row, "enabled_ns", json_count(delta->ena));
	json_object_set_new(row, "running_ns", json_count(delta->run));
	if (scale(delta, &scaled)) {
		json_object_set_new(row, "scaled", json_scaled(scaled, event));
		json_object_set_new(row, "reason", json_null());
		return;
	}
	json_object_set_new(row, "scaled", json_null());
	json_object_set_new(row, "reason",
			    json_string(event->cpus ? "not counted: never scheduled, or never on "
						      "this kind of core"
						    : "not counted: never scheduled"));
}

/* Time of the thread in which a counter that lives is enabled for some of it, whatever its clock. */
#define STILL_NS 20000000

/*
 * A thread's counter is enabled whenever that thread is on a CPU: what others have seen as a count
 * that is too low was one that had died with its CPU, or in an error, and came back. The thread's
 * own clock is no measure for more than that: where two producers of `mmap` put each other to sleep
 * thousands of times a second it is up to 30 % above what all counters agree on.
 */
static bool stood_still(const struct counters *counters, int worker, int event, int first, int last,
			char *reason, size_t size)
{
	const struct sample *samples = counters->workers ? counters->workers[worker].samples : NULL;
	struct counter_value delta;

	for (int to = first + 1; samples && to <= last; to++) {
		uint64_t ran_ns = samples[to].cpu_ns - samples[first].cpu_ns;

		if ((ran_ns < STILL_NS && to < last) ||
		    !counters__delta(counters, worker, event, first, to, &delta))
			continue;
		first = to;
		if (delta.ena >= ran_ns / 2 || ran_ns - delta.ena < READ_SKEW_NS)
			continue;
		snprintf(reason, size,
			 "not counted: it was enabled for %.1f of %.1f ms that the thread ran",
			 delta.ena / 1e6, ran_ns / 1e6);
		return true;
	}
	return false;
}

static void set_absent(json_t *row, const char *reason)
{
	static const char *const keys[] = {"value", "enabled_ns", "running_ns", "scaled"};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		json_object_set_new(row, keys[i], json_null());
	json_object_set_new(row, "reason", json_string(reason));
}

static json_t *thread_row(const struct counters *counters, int worker, int event, int first,
			  int last)
{
	const struct thread_counter *thread = counters__thread(counters, worker, event);
	const struct event *what = &counters->list->events[event];
	json_t *row = json_pack("{s:s, s:s, s:i}", "metric", what->name, "scope", "thread", "tid",
				worker);
	struct counter_value delta;
	char reason[128];

	if (!thread->counter)
		/* Only strdup() can have left it without a reason. */
		set_absent(row, thread->reason ? thread->reason : "not counted: out of memory");
	else if (!counters__delta(counters, worker, event, first, last, &delta))
		/* The kernel puts a pinned one into an error state for good: read() gives nothing. */
		set_absent(row, what->attr.pinned
					? "not counted: it is pinned, and found no free counter"
					: "not counted: no reading at the start or the end");
	else if (delta.ena &&
		 stood_still(counters, worker, event, first, last, reason, sizeof(reason)))
		set_absent(row, reason);
	else
		set_count(row, &delta, what);
	if (thread->elsewhere)
		json_object_set_new(row, "elsewhere", json_true());
	if (thread->note)
		json_object_set_new(row, "note", json_string(thread->note));
	return row;
}

/* Sum over the threads, or null: a sum without one of them would be a different figure. */
static json_t *interval_count(const struct counters *counters, int event, int tick)
{
	struct counter_value delta;
	uint64_t sum = 0, scaled;
	char reason[128];
	int nr = 0;

	for (int i = 0; i < counters->nr_workers; i++) {
		if (counters__thread(counters, i, event)->elsewhere)
			continue;
		if (!counters__delta(counters, i, event, tick - 1, tick, &delta) ||
		    stood_still(counters, i, event, tick - 1, tick, reason, sizeof(reason)) ||
		    !scale(&delta, &scaled) || __builtin_add_overflow(sum, scaled, &sum))
			return json_null();
		nr++;
	}
	return nr ? json_scaled(sum, &counters->list->events[event]) : json_null();
}

static void emit_intervals(const struct counters *counters, json_t *intervals)
{
	json_t *columns = json_object_get(intervals, "columns");
	json_t *rows = json_object_get(intervals, "rows");
	json_t *row;
	size_t i;

	for (int event = 0; event < counters->list->nr; event++)
		json_array_append_new(columns, json_string(counters->list->events[event].name));
	json_array_foreach(rows, i, row)
		for (int event = 0; event < counters->list->nr; event++)
			json_array_append_new(row, interval_count(counters, event, (int)i + 1));
}

void counters__emit(const struct counters *counters, int first, int last, json_t *doc)
{
	json_t *rows = json_object_get(doc, "counters");

	if (!rows) {
		rows = json_array();
		json_object_set_new(doc, "counters", rows);
	}
	for (int event = 0; event < counters->list->nr; event++)
		for (int i = 0; i < counters->nr_workers; i++)
			json_array_append_new(rows, thread_row(counters, i, event, first, last));
	emit_intervals(counters, json_object_get(doc, "intervals"));
}
