/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_TESTS_UNIT_COUNTERS_H
#define BPFPERF_TESTS_UNIT_COUNTERS_H

#include <check.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "perf/counters.h"

/* What the tests of the counters share. */

/* The object of an event and thread in "counters". */
static inline json_t *row_of(json_t *doc, const char *metric, int tid)
{
	json_t *row;
	size_t i;

	json_array_foreach(json_object_get(doc, "counters"), i, row)
		if (!strcmp(json_string_value(json_object_get(row, "metric")), metric) &&
		    json_integer_value(json_object_get(row, "tid")) == tid)
			return row;
	ck_abort_msg("no counter %s of thread %d", metric, tid);
	return NULL;
}

static inline const char *reason_of(json_t *row)
{
	const char *reason = json_string_value(json_object_get(row, "reason"));

	return reason ? reason : "";
}

static inline json_int_t count_of(json_t *doc, const char *metric, int tid, const char *key)
{
	json_t *row = row_of(doc, metric, tid);

	ck_assert_msg(json_is_integer(json_object_get(row, key)), "%s of thread %d: %s", metric,
		      tid, reason_of(row));
	return json_integer_value(json_object_get(row, key));
}

static inline json_t *new_doc(int nr_rows)
{
	json_t *rows = json_array();

	for (int i = 0; i < nr_rows; i++)
		json_array_append_new(rows, json_pack("[i]", i));
	return json_pack("{s:{s:[s], s:o}}", "intervals", "columns", "ops", "rows", rows);
}

static inline json_t *cell(json_t *doc, int row, int column)
{
	json_t *rows = json_object_get(json_object_get(doc, "intervals"), "rows");

	return json_array_get(json_array_get(rows, row), column);
}

/* Counting may be forbidden where the tests run: then only the reasons can be tested. */
static inline bool may_count(void)
{
	struct event_list list;
	struct counter *counter;
	int err;

	ck_assert_int_eq(event_list__parse("task-clock", &event_env_system, &list, NULL), 0);
	err = counter__open(&counter, &list.events[0], 0, NULL);
	if (!err)
		counter__close(counter);
	event_list__free(&list);
	if (err)
		fprintf(stderr, "skipped: may not count here: %s\n", errno_text(err));
	return !err;
}

struct counted {
	struct event_list list;
	struct counters *counters;
};

static inline void prepare(struct counted *s, const char *spec, int nr_workers, int nr_rows)
{
	ck_assert_int_eq(event_list__parse(spec, &event_env_system, &s->list, NULL), 0);
	ck_assert_int_eq(counters__new(&s->counters, &s->list, nr_workers, nr_rows), 0);
}

static inline void drop(struct counted *s)
{
	counters__free(s->counters);
	event_list__free(&s->list);
}

#endif
