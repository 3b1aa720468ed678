// SPDX-License-Identifier: GPL-2.0-only
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/run.h"
#include "lib/worker.h"
#include "perf/counters.h"
#include "tests/unit/counters.h"
#include "tests/unit/unit.h"

/* Groups, kinds of core, and what is known without trying. */

static void open_on_self(struct counted *s, int cpu)
{
	struct worker worker = {.tid = gettid(), .cpu = cpu};
	struct run run = {.nr_workers = 1, .workers = &worker};

	counters__open(s->counters, &run, &event_env_system);
}

static const char *reason(struct counted *s, int event)
{
	return counters__thread(s->counters, 0, event)->reason;
}

/* Members have the times of their leader: they were enabled and on the hardware together. */
START_TEST(test_group)
{
	struct counted s;
	json_t *doc = new_doc(1);

	if (!may_count())
		return;
	prepare(&s, "{task-clock,page-faults:k,dummy}", 1, 2);
	open_on_self(&s, -1);
	/* A member joins a group that is on the hardware when its thread is next switched to. */
	usleep(1000);
	for (int row = 0; row < 2; row++) {
		for (int i = 0; i < 3; i++)
			ck_assert_int_eq(counter__read(counters__thread(s.counters, 0, i)->counter,
						       counters__value(s.counters, 0, row, i)),
					 0);
		usleep(1000);
	}
	counters__emit(s.counters, 0, 1, doc);
	for (int i = 0; i < 3; i++) {
		const char *name = s.list.events[i].name;

		ck_assert_str_eq(reason_of(row_of(doc, name, 0)), "");
		ck_assert_int_eq(count_of(doc, name, 0, "enabled_ns"),
				 count_of(doc, name, 0, "running_ns"));
	}
	drop(&s);
	json_decref(doc);
}
END_TEST

/* A leader that cannot be had is replaced, and a pinned group stays pinned by its next one. */
START_TEST(test_absent_leader)
{
	struct counted s;

	if (!may_count())
		return;
	prepare(&s, "{cs:u,task-clock,page-faults}:D", 1, 1);
	open_on_self(&s, -1);
	ck_assert_str_eq(reason(&s, 0),
			 "not observable: it happens in the kernel, which ':u' leaves out");
	ck_assert_ptr_nonnull(counters__thread(s.counters, 0, 1)->counter);
	ck_assert_ptr_nonnull(counters__thread(s.counters, 0, 2)->counter);
	drop(&s);
}
END_TEST

START_TEST(report_rustc_perf_1480_no_zero_of_another_core)
{
	struct counted s;
	json_t *doc = new_doc(1);

	prepare(&s, "dummy", 1, 2);
	s.list.events[0].cpus = strdup("16-23");
	open_on_self(&s, 3);
	ck_assert_str_eq(reason(&s, 0), "not counted: the thread is pinned to CPU 3, the event is "
					"of CPUs 16-23");
	counters__emit(s.counters, 0, 1, doc);
	ck_assert(json_is_true(json_object_get(row_of(doc, "dummy", 0), "elsewhere")));
	ck_assert(json_is_null(cell(doc, 0, 1)));
	drop(&s);
	json_decref(doc);
}
END_TEST

/* On a thread that floats the event is opened, and its number has a flaw that is told. */
START_TEST(report_rustc_perf_1480_a_floating_thread_is_told)
{
	struct counted s;

	if (!may_count())
		return;
	prepare(&s, "dummy", 1, 1);
	s.list.events[0].cpus = strdup("16-23");
	open_on_self(&s, -1);
	ck_assert_ptr_nonnull(counters__thread(s.counters, 0, 0)->counter);
	ck_assert_ptr_nonnull(counters__thread(s.counters, 0, 0)->note);
	drop(&s);
}
END_TEST

START_TEST(test_known_absent)
{
	struct counted s;

	prepare(&s, "dummy", 1, 1);
	s.list.events[0].absent = strdup("not supported: tracefs is not mounted");
	open_on_self(&s, -1);
	ck_assert_str_eq(reason(&s, 0), "not supported: tracefs is not mounted");
	ck_assert_ptr_null(counters__thread(s.counters, 0, 0)->counter);
	drop(&s);
}
END_TEST

/* The file of the perf event that is open, the only one of this process. */
static int find_perf_event(void)
{
	char path[32], link[64];

	for (int fd = 0; fd < 256; fd++) {
		ssize_t len;

		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		len = readlink(path, link, sizeof(link) - 1);
		link[len < 0 ? 0 : len] = '\0';
		if (!strcmp(link, "anon_inode:[perf_event]"))
			return fd;
	}
	ck_abort_msg("no perf event is open");
	return -1;
}

/*
 * read() of a pinned event without a counter gives 0 bytes, ever, with an errno that is old: no
 * reading, and no zero. /dev/null reads like that.
 */
START_TEST(report_rezolus_1052_error_state_is_no_zero)
{
	struct counted s;
	json_t *doc = new_doc(1);
	int end_of_file = open("/dev/null", O_RDONLY);

	if (!may_count())
		return;
	prepare(&s, "dummy:D", 1, 2);
	open_on_self(&s, -1);
	ck_assert_int_eq(counter__read(counters__thread(s.counters, 0, 0)->counter,
				       counters__value(s.counters, 0, 0, 0)),
			 0);
	ck_assert_int_ge(dup2(end_of_file, find_perf_event()), 0);
	errno = 0;
	ck_assert_int_eq(counter__read(counters__thread(s.counters, 0, 0)->counter,
				       counters__value(s.counters, 0, 1, 0)),
			 -ENODATA);
	ck_assert_uint_eq(counters__value(s.counters, 0, 1, 0)->ena, COUNTER_NOT_READ);
	counters__emit(s.counters, 0, 1, doc);
	ck_assert_str_eq(reason_of(row_of(doc, "dummy:D", 0)),
			 "not counted: it is pinned, and found no free counter");
	ck_assert(json_is_null(json_object_get(row_of(doc, "dummy:D", 0), "value")));
	ck_assert(json_is_null(cell(doc, 0, 1)));
	close(end_of_file);
	drop(&s);
	json_decref(doc);
}
END_TEST

/* An event that was enabled for no time at all. */
START_TEST(report_cadvisor_2629_never_enabled_is_no_number)
{
	struct counted s;
	json_t *doc = new_doc(1);

	if (!may_count())
		return;
	prepare(&s, "dummy", 1, 2);
	open_on_self(&s, -1);
	for (int row = 0; row < 2; row++)
		*counters__value(s.counters, 0, row, 0) = (struct counter_value){7, 0, 0};
	counters__emit(s.counters, 0, 1, doc);
	ck_assert_str_eq(reason_of(row_of(doc, "dummy", 0)), "not counted: never scheduled");
	ck_assert(json_is_null(json_object_get(row_of(doc, "dummy", 0), "scaled")));
	drop(&s);
	json_decref(doc);
}
END_TEST

START_TEST(test_scale)
{
	struct counted s;
	json_t *doc = new_doc(1);
	json_t *row;

	if (!may_count())
		return;
	prepare(&s, "dummy", 1, 2);
	s.list.events[0].scale = 0.5;
	open_on_self(&s, -1);
	*counters__value(s.counters, 0, 0, 0) = (struct counter_value){0, 0, 0};
	*counters__value(s.counters, 0, 1, 0) = (struct counter_value){15, 20, 10};
	counters__emit(s.counters, 0, 1, doc);
	row = row_of(doc, "dummy", 0);
	ck_assert_int_eq(json_integer_value(json_object_get(row, "value")), 15);
	ck_assert_double_eq(json_real_value(json_object_get(row, "scaled")), 15);
	ck_assert_double_eq(json_real_value(cell(doc, 0, 1)), 15);
	drop(&s);
	json_decref(doc);
}
END_TEST

UNIT_MAIN("counters_open", test_group, test_absent_leader,
	  report_rustc_perf_1480_no_zero_of_another_core,
	  report_rustc_perf_1480_a_floating_thread_is_told, test_known_absent,
	  report_rezolus_1052_error_state_is_no_zero,
	  report_cadvisor_2629_never_enabled_is_no_number, test_scale)
