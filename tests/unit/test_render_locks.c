// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>

#include "lib/render/render.h"
#include "tests/unit/document.h"
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

UNIT_MAIN("render-locks", test_boots_that_differ, report_bcc_704_dropped_events_are_printed,
	  report_bcc_3941_lost_events_are_printed)
