// SPDX-License-Identifier: GPL-2.0-only
#include <check.h>
#include <stdint.h>
#include <stdlib.h>

#include "lib/worker.h"
#include "perf/counters.h"
#include "tests/unit/counters.h"
#include "tests/unit/unit.h"

/* Rows made by hand, and what the document says of them. */

/* Any counter makes the thread one that is counted. */
static void set(struct counted *s, int worker, int row, uint64_t val, uint64_t ena, uint64_t run)
{
	struct thread_counter *thread = counters__thread(s->counters, worker, 0);

	if (!thread->counter)
		ck_assert_int_eq(counter__open(&thread->counter, &s->list.events[0], 0, NULL), 0);
	*counters__value(s->counters, worker, row, 0) = (struct counter_value){val, ena, run};
}

START_TEST(test_delta)
{
	struct counted s;
	struct counter_value delta = {0};

	prepare(&s, "dummy,cs", 2, 4);
	*counters__value(s.counters, 1, 0, 1) = (struct counter_value){100, 1000, 900};
	*counters__value(s.counters, 1, 1, 1) = (struct counter_value){150, 3000, 1900};
	*counters__value(s.counters, 1, 2, 1) = (struct counter_value){40, 2000, 1900};
	ck_assert(counters__delta(s.counters, 1, 1, 0, 1, &delta));
	ck_assert_uint_eq(delta.val, 50);
	ck_assert_uint_eq(delta.ena, 2000);
	ck_assert_uint_eq(delta.run, 1000);
	*counters__value(s.counters, 0, 2, 1) = (struct counter_value){1, 10, 10};
	*counters__value(s.counters, 0, 3, 1) = (struct counter_value){2, 20, 9};
	ck_assert(!counters__delta(s.counters, 0, 1, 2, 3, &delta));
	/* times that run backwards, rows that were not read, rows that are not there */
	ck_assert(!counters__delta(s.counters, 1, 1, 1, 2, &delta));
	ck_assert(!counters__delta(s.counters, 1, 1, 0, 3, &delta));
	ck_assert(!counters__delta(s.counters, 1, 0, 0, 1, &delta));
	ck_assert(!counters__delta(s.counters, 1, 1, 0, 4, &delta));
	ck_assert(!counters__delta(s.counters, 1, 1, -1, 1, &delta));
	ck_assert(!counters__delta(s.counters, 1, 1, 1, 0, &delta));
	/* a count that wraps at 64 bits */
	*counters__value(s.counters, 0, 0, 0) = (struct counter_value){UINT64_MAX - 9, 0, 0};
	*counters__value(s.counters, 0, 1, 0) = (struct counter_value){10, 5, 5};
	ck_assert(counters__delta(s.counters, 0, 0, 0, 1, &delta));
	ck_assert_uint_eq(delta.val, 20);
	drop(&s);
}
END_TEST

/* What is emitted for one thread and one event whose rows are (0, 0, 0) and the arguments. */
static json_t *emitted(uint64_t val, uint64_t ena, uint64_t run)
{
	struct counted s;
	json_t *doc = new_doc(1);
	json_t *row;

	prepare(&s, "dummy", 1, 2);
	set(&s, 0, 0, 0, 0, 0);
	set(&s, 0, 1, val, ena, run);
	counters__emit(s.counters, 0, 1, doc);
	row = json_incref(row_of(doc, "dummy", 0));
	drop(&s);
	json_decref(doc);
	return row;
}

static void emits(uint64_t val, uint64_t ena, uint64_t run, const char *text)
{
	json_t *row = emitted(val, ena, run);
	char *got = json_dumps(row, JSON_COMPACT);

	ck_assert_str_eq(got, text);
	free(got);
	json_decref(row);
}

#define ROW(value, ena, run, scaled, reason)                                                      \
	"{\"metric\":\"dummy\",\"scope\":\"thread\",\"tid\":0,\"value\":" value                   \
	",\"enabled_ns\":" ena ",\"running_ns\":" run ",\"scaled\":" scaled ",\"reason\":" reason \
	"}"

/* A quotient of it would be garbage, and 0 a lie. */
START_TEST(report_cadvisor_2629_never_scheduled_is_no_number)
{
	if (!may_count())
		return;
	emits(0, 1000, 0, ROW("0", "1000", "0", "null", "\"not counted: never scheduled\""));
	emits(77, 1000, 0, ROW("77", "1000", "0", "null", "\"not counted: never scheduled\""));
	emits(0, 0, 0, ROW("0", "0", "0", "null", "\"not counted: never scheduled\""));
}
END_TEST

/* Of a thread that ran for 100 ms in each of two intervals: how long its counter was enabled. */
static json_t *emitted_of_100_ms(uint64_t ena_ns, uint64_t second_ns)
{
	struct sample samples[3] = {
		{.cpu_ns = 5000000}, {.cpu_ns = 105000000}, {.cpu_ns = 205000000}};
	const struct worker worker = {.samples = samples};
	struct counted s;
	json_t *doc = new_doc(1), *row;

	prepare(&s, "dummy", 1, 3);
	s.counters->workers = &worker;
	set(&s, 0, 0, 0, 7, 7);
	set(&s, 0, 1, 500, 7 + ena_ns, 7 + ena_ns);
	set(&s, 0, 2, 1000, 7 + ena_ns + second_ns, 7 + ena_ns + second_ns);
	counters__emit(s.counters, 0, 2, doc);
	row = json_incref(row_of(doc, "dummy", 0));
	drop(&s);
	json_decref(doc);
	return row;
}

static void counts(uint64_t ena_ns, uint64_t second_ns)
{
	json_t *row = emitted_of_100_ms(ena_ns, second_ns);

	ck_assert_int_eq(json_integer_value(json_object_get(row, "scaled")), 1000);
	json_decref(row);
}

/* A counter that dies with its CPU, and comes back with it, has a count that is too low. */
START_TEST(report_bpftrace_3125_a_counter_that_stood_still)
{
	json_t *row;

	if (!may_count())
		return;
	row = emitted_of_100_ms(99000000, 40000000);
	ck_assert_str_eq(reason_of(row),
			 "not counted: it was enabled for 40.0 of 100.0 ms that the thread ran");
	ck_assert(json_is_null(json_object_get(row, "value")));
	ck_assert(json_is_null(json_object_get(row, "scaled")));
	json_decref(row);
	counts(99500000, 99500000);
	/* Its clock has the interrupts in it, which the thread's leaves out. */
	counts(140000000, 100000000);
	/* The thread's clock has some of what it waited, where it is put to sleep all the time. */
	counts(70000000, 100000000);
}
END_TEST

/* Low by the share of time in which others had the counters, and the digits of large ones gone. */
START_TEST(report_benchmark_1813_multiplexed_counts_are_scaled)
{
	if (!may_count())
		return;
	emits(12345, 1000, 1000, ROW("12345", "1000", "1000", "12345", "null"));
	/* on the hardware for a third of the time */
	emits(1000, 3000, 1000, ROW("1000", "3000", "1000", "3000", "null"));
	emits(100, 1000, 300, ROW("100", "1000", "300", "333", "null"));
	emits(200, 1000, 300, ROW("200", "1000", "300", "667", "null"));
	emits(0, 1000, 1000, ROW("0", "1000", "1000", "0", "null"));
	/* digits that a double would lose */
	emits(9007199254740993, 7, 7,
	      ROW("9007199254740993", "7", "7", "9007199254740993", "null"));
	emits(9223372036854775807, 2, 2,
	      ROW("9223372036854775807", "2", "2", "9223372036854775807", "null"));
	/* beyond 2^63: a product of 127 bits, and strings */
	emits(6148914691236517205, 3000000000000000000, 1000000000000000000,
	      ROW("6148914691236517205", "3000000000000000000", "1000000000000000000",
		  "\"18446744073709551615\"", "null"));
	emits(9223372036854775808ULL, 2, 2,
	      ROW("\"9223372036854775808\"", "2", "2", "\"9223372036854775808\"", "null"));
}
END_TEST

START_TEST(test_intervals)
{
	struct counted s;
	json_t *doc = new_doc(4);
	json_t *columns;

	prepare(&s, "dummy", 2, 5);
	if (!may_count()) {
		drop(&s);
		json_decref(doc);
		return;
	}
	for (int row = 0; row < 5; row++) {
		set(&s, 0, row, 10 * row, 100 * row, 100 * row);
		set(&s, 1, row, 1000 * row, 100 * row, 50 * row);
	}
	/* Thread 1 was not scheduled between ticks 2 and 3, and did not take the reading of 4. */
	*counters__value(s.counters, 1, 3, 0) = (struct counter_value){2000, 300, 100};
	counters__value(s.counters, 1, 4, 0)->ena = COUNTER_NOT_READ;
	counters__emit(s.counters, 0, 3, doc);

	columns = json_object_get(json_object_get(doc, "intervals"), "columns");
	ck_assert_uint_eq(json_array_size(columns), 2);
	ck_assert_str_eq(json_string_value(json_array_get(columns, 1)), "dummy");
	ck_assert_int_eq(json_integer_value(cell(doc, 0, 1)), 2010);
	ck_assert_int_eq(json_integer_value(cell(doc, 1, 1)), 2010);
	ck_assert(json_is_null(cell(doc, 2, 1)));
	ck_assert(json_is_null(cell(doc, 3, 1)));
	ck_assert_int_eq(count_of(doc, "dummy", 0, "scaled"), 30);
	ck_assert_int_eq(count_of(doc, "dummy", 1, "value"), 2000);
	ck_assert_int_eq(count_of(doc, "dummy", 1, "scaled"), 6000);
	json_decref(doc);

	/* A second sensor's counters are kept; a last row that was not read is named. */
	doc = json_pack("{s:[i]}", "counters", 7);
	counters__emit(s.counters, 0, 4, doc);
	ck_assert_uint_eq(json_array_size(json_object_get(doc, "counters")), 3);
	ck_assert_str_eq(reason_of(json_array_get(json_object_get(doc, "counters"), 2)),
			 "not counted: no reading at the start or the end");
	drop(&s);
	json_decref(doc);
}
END_TEST

UNIT_MAIN("counters_emit", test_delta, report_cadvisor_2629_never_scheduled_is_no_number,
	  report_bpftrace_3125_a_counter_that_stood_still,
	  report_benchmark_1813_multiplexed_counts_are_scaled, test_intervals)
