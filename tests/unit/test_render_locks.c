// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>

#include "lib/render/render.h"
#include "tests/unit/document.h"
#include "tests/unit/rendered.h"
#include "tests/unit/unit.h"

/* One evidence run with these losses, as it is printed. */
static char *printed(const char *lost)
{
	char text[512], *out;
	json_t *benchmark, *result = json_object();
	size_t size;
	FILE *file = open_memstream(&out, &size);

	snprintf(text, sizeof(text),
		 "{'runs': [{'role': 'evidence', 'status': 'ok', 'locks': [], 'locks_reason': null,"
		 " 'locks_lost': %s}]}",
		 lost);
	benchmark = json_of(text);
	render__locks(result, benchmark, file);
	fclose(file);
	json_decref(benchmark);
	json_decref(result);
	return out;
}

static void prints(const char *lost, const char *line)
{
	char *out = printed(lost);

	ck_assert_msg(!!strstr(out, line), "'%s' is not in:\n%s", line, out);
	free(out);
}

/* Maintainers who dropped them in silence were asked not to. */
START_TEST(report_bcc_704_dropped_events_are_printed)
{
	prints("{'nesting': 1, 'sites': 0, 'stack': 0, 'begin': 1, 'clock': 3, 'unfinished': 7}",
	       " 5 events lost, 3 of them because the clock went backwards (locks_lost in the "
	       "document)\n");
}
END_TEST

START_TEST(report_bcc_3941_lost_events_are_printed)
{
	char *out = printed("{'nesting': 0, 'sites': 0, 'begin': 0, 'clock': 0, 'unfinished': 1}");

	/* A wait that is still going on is not lost. */
	ck_assert_ptr_null(strstr(out, "lost"));
	free(out);
	prints("{'nesting': 2, 'sites': 30, 'stack': 4, 'begin': 0, 'clock': 0, 'unfinished': 1}",
	       " 36 events lost (locks_lost in the document)\n");
}
END_TEST

#define TESTED(status) "{'spinlock_waits': {'status': '" status "', 'detail': 'so it is'}}"

static void observed(const char *boots, const char *line)
{
	json_t *result = json_object();
	json_t *benchmark =
		json_of("{'runs': [{'role': 'evidence', 'status': 'ok', 'locks': []}]}");
	size_t size;
	char *out;
	FILE *file = open_memstream(&out, &size);

	json_object_set_new(result, "boots", json_of(boots));
	render__locks(result, benchmark, file);
	fclose(file);
	ck_assert_msg(!!strstr(out, line), "'%s' is not in:\n%s", line, out);
	free(out);
	json_decref(benchmark);
	json_decref(result);
}

#define ALONE " (1 evidence run, without a clean one to compare with)"

START_TEST(test_boots_that_differ)
{
	observed("[{}, {}]", "spinlock waits: not tested" ALONE "\n");
	observed("[" TESTED("visible") "," TESTED("visible") "]",
		 "spinlock waits visible: so it is" ALONE "\n");
	observed("[" TESTED("visible") "," TESTED("hidden") "]",
		 "spinlock waits visible: so it is; not so in every boot" ALONE "\n");
	observed("[" TESTED("visible") ", {}]",
		 "spinlock waits visible: so it is; not so in every boot" ALONE "\n");
	observed("[{}, " TESTED("visible") "]",
		 "spinlock waits visible: so it is; not so in every boot" ALONE "\n");
}
END_TEST

#define SPUN(type)                                                                                \
	"{'name': 'a', 'params': {'producers': 1}, 'runs': [{'role': 'evidence', 'status': 'ok'," \
	" 'locks': [{'class': 'b', 'type': '" type "', 'contended': 3, 'share': 0.1,"             \
	" 'wait_ns_total': 9, 'wait_ns_max': 5}]}]}"
#define NONE                                                                                      \
	"{'name': 'a', 'params': {'producers': 1}, 'runs': [{'role': 'evidence', 'status': 'ok'," \
	" 'locks': []}]}"
#define SEEN \
	"spinlock waits observable: a lower bound: the runs have some, which the self-test had not"

/* The screen of these points, tested with this status. */
static void shows(const char *status, const char *points, const char *line)
{
	char text[2048], *out;

	snprintf(text, sizeof(text),
		 "{'boots': [{'spinlock_waits': {'status': '%s', 'detail': 'so it is'}}],"
		 " 'benchmarks': [%s]}",
		 status, points);
	out = rendered(render__stat, json_of(text));
	ck_assert_msg(!!strstr(out, line), "'%s' is not in:\n%s", line, out);
	free(out);
}

START_TEST(waits_that_were_seen_can_be_seen)
{
	shows("undecided", SPUN("spinlock"), "    locks   " SEEN ALONE "\n");
	shows("not observable", SPUN("spinlock"), "    locks   " SEEN ALONE "\n");
	shows("observable", SPUN("spinlock"), "spinlock waits observable: so it is" ALONE "\n");
	shows("undecided", SPUN("mutex"), "spinlock waits undecided: so it is" ALONE "\n");
	shows("undecided", SPUN("mutex") "," SPUN("spinlock"), "    locks   " SEEN "\n");
	shows("undecided", SPUN("mutex") "," NONE, "spinlock waits undecided: so it is\n");
}
END_TEST

START_TEST(an_absence_of_waits_is_said)
{
	shows("observable", NONE, "so it is" ALONE "\n            no wait in any evidence run\n");
	shows("observable", NONE "," NONE, "so it is\n            no wait in any evidence run\n");
}
END_TEST

UNIT_MAIN("render-locks", waits_that_were_seen_can_be_seen, an_absence_of_waits_is_said,
	  test_boots_that_differ, report_bcc_704_dropped_events_are_printed,
	  report_bcc_3941_lost_events_are_printed)
