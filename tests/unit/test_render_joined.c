// SPDX-License-Identifier: GPL-2.0-only
#include "lib/render/render.h"

#include <string.h>

#include "tests/unit/rendered.h"
#include "tests/unit/unit.h"

/* Documents that were joined: what one of them had, another one need not have. */

static void csv(const json_t *result, FILE *out)
{
	render__csv(result, ",", out);
}

static void begins(const char *document, const char *expected)
{
	char *text = rendered(render__stat, json_of(document));

	ck_assert_msg(!strncmp(text, expected, strlen(expected)), "'%s' does not begin:\n%s",
		      expected, text);
	free(text);
}

#define PLAN(runs) "'tool': {'plan': {'runs': " #runs ", 'duration_ms': 1000, 'affinity': false}}"
#define POINT(name, runs)                                                                    \
	"{'name': '" name "', 'key': '" name "', 'params': {'producers': 1}, 'primary': 'm'" \
	", 'runs': [" runs "]}"
#define ONE_BOOT  "'boots': [{}]"
#define TWO_BOOTS "'boots': [{}, {}]"
#define MERGED	  "'merged': [{}, {}]"
#define OK(boot)  "{'status': 'ok', 'boot': " #boot ", 'values': {'ops_rate': 5}}"
#define THREE(boot) \
	OK(boot)    \
	"," OK(boot) "," OK(boot)

START_TEST(runs_are_those_of_a_point)
{
	/* Two documents of one boot with a benchmark each. */
	begins("{" PLAN(6) "," ONE_BOOT "," MERGED
			   ", 'benchmarks': [" POINT("a", THREE(0)) "," POINT("b", THREE(0)) "]}",
	       "2 points, 3 runs x 1 s each, interleaved\n");
	begins("{" PLAN(7) "," TWO_BOOTS "," MERGED ", 'benchmarks': [" POINT(
		       "a", THREE(0)) "," POINT("b", THREE(0) "," OK(1)) "]}",
	       "2 points, 3 to 4 runs x 1 s each in 1 to 2 boots, interleaved\n");
	begins("{" PLAN(9) "," ONE_BOOT "," MERGED ", 'benchmarks': [" POINT("a", THREE(0)) "]}",
	       "a   1 producer, floating   3 runs x 1 s\n");
	begins("{" PLAN(9) "," TWO_BOOTS "," MERGED ", 'benchmarks': [" POINT("a", OK(1)) "]}",
	       "a   1 producer, floating   1 run x 1 s in 1 boot\n");
	/* Of one document it is the plan, however far it came. */
	begins("{" PLAN(9) "," ONE_BOOT ", 'benchmarks': [" POINT("a", THREE(0)) "]}",
	       "a   1 producer, floating   9 runs x 1 s\n");
}
END_TEST

#define CUT ", 'complete': false, 'incomplete_reason': 'so', 'benchmarks': "
#define VS  "'tool': {'plan': {'runs': 4, 'duration_ms': 1000, 'affinity': false, 'vs': {}}}"

START_TEST(what_was_cut_short_says_how_far_it_came)
{
	static const char one[] = "{" PLAN(5) CUT "[" POINT("a", OK(0) "," OK(0)) "]}";

	begins(one, "a   1 producer, floating   2 of 5 runs x 1 s\n");
	rendered_has(render__stat, one, "\n  incomplete: so\n");
	begins("{" PLAN(5) CUT "[" POINT("a", THREE(0)) "," POINT("b", OK(0)) "]}",
	       "2 points, 1 to 3 of 5 runs x 1 s each, interleaved\n");
	begins("{" VS CUT "[" POINT("a", THREE(0)) "]}",
	       "a   1 producer, floating   3 of 8 runs x 1 s in two arms\n");
	/* Evidence was what it had not come to. */
	begins("{" PLAN(3) CUT "[" POINT("a", THREE(0)) "]}",
	       "a   1 producer, floating   3 runs x 1 s\n");
}
END_TEST

#define BRANCHES "{'metric': 'branches', 'tid': 0, 'scaled': 400, 'enabled_ns': 1, 'running_ns': 1}"
#define COUNTED(boot, counters)                                           \
	"{'status': 'ok', 'boot': " #boot ", 'values': {'ops_rate': 4}, " \
	"'threads': [{'ops': 4, 'dur_ns': 1000000000}], 'counters': [" counters "]}"
#define PARTLY                                                                               \
	"{" PLAN(4) "," TWO_BOOTS "," MERGED ", 'benchmarks': [" POINT(                      \
		"a", COUNTED(0, BRANCHES) "," COUNTED(1, "") "," COUNTED(1, "") "," COUNTED( \
			     1, "")) "]}"

START_TEST(a_counter_is_of_the_runs_that_have_it)
{
	rendered_has(csv, PARTLY, "\na,branches,,100,,,,1,,sum,1\n");
	rendered_has(render__stat, PARTLY,
		     "       100                  400   branches   in 1 of 4 runs\n");
	rendered_has(render__per_thread, PARTLY, "        100   branches   in 1 of 4 runs\n");
	/* Two producers of one run are one run. */
	rendered_has(csv,
		     "{" ONE_BOOT ", 'benchmarks': [" POINT(
			     "a", COUNTED(0, BRANCHES "," BRANCHES) "," COUNTED(0, BRANCHES)) "]}",
		     "\na,branches,,100,,,,2,,sum,2\n");
	rendered_lacks(render__stat,
		       "{" ONE_BOOT
		       ", 'benchmarks': [" POINT("a", COUNTED(0, BRANCHES "," BRANCHES) "," COUNTED(
							      0, BRANCHES)) "]}",
		       " of 2 runs");
}
END_TEST

#define ABSENT	 "{'status': 'ok', 'values': {'m': null}, 'values_absent': {'m': 'too short'}}"
#define LATER	 "{'status': 'ok', 'values': {'m': 5, 'later_share': 0.5}}"
#define EVIDENCE "{'status': 'ok', 'role': 'evidence', 'values': {'evidence_share': 0.5}}"

START_TEST(a_reason_is_of_a_value_that_is_not_there)
{
	const char *some = "{'benchmarks': [" POINT("a", ABSENT "," LATER "," EVIDENCE) "]}";
	const char *none = "{'benchmarks': [" POINT(
		"a", "{'status': 'ok', 'values': {'m': null}}," ABSENT) "]}";

	rendered_has(csv, some, "\na,m,,5,,,,1,,run,1\n");
	rendered_has(csv, none, "\na,m,,,,,,0,too short,run,0\n");
	/* A figure that the first run lacks is one all the same. */
	rendered_has(csv, some, "\na,later_share,,0.5,,,,1,,run,1\n");
	rendered_has(render__stat, some, "later_share 0.5\n");
	rendered_lacks(csv, some, "evidence_share");
}
END_TEST

UNIT_MAIN("render-joined", runs_are_those_of_a_point, what_was_cut_short_says_how_far_it_came,
	  a_counter_is_of_the_runs_that_have_it, a_reason_is_of_a_value_that_is_not_there)
