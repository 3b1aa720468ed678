// SPDX-License-Identifier: GPL-2.0-only
#include "tests/unit/screen.h"
#include "tests/unit/unit.h"

/* What a document does not have is a line with its reason, and not a line that is missing. */

#define NET(net) "'ops_rate': 4e6, 'ns_op': 5, 'ns_op_net': " net
/* A run without net cost, for this reason. */
#define NO_NET(why) RUN(NET("null") "}, 'values_absent': {'ns_op_net': '" why "'", "")

START_TEST(test_within_the_harness)
{
	screen_has(DOCUMENT(POINT("toy", NO_NET("within the harness: 4.45 ns"))),
		   "5.00 ns/op, within the harness     map is full: check ok");
	screen_has(DOCUMENT(POINT("toy", RUN(NET("5.2"), "") "," NO_NET("within the harness: 4"))),
		   "5.00 ns/op, within the harness in 1 of 2 runs     map");
	/* In user space there is no harness to be net of. */
	screen_has(
		"{" PLAN ", 'benchmarks': [{'name': 'toy', 'params': {'producers': 2},"
		" 'trigger': null, 'runs': [" NO_NET("no control measurement in user space") "]}]}",
		"5.00 ns/op     checked: check ok");
	screen_lacks("{" PLAN ", 'benchmarks': [{'name': 'toy', 'params': {'producers': 2},"
		     " 'trigger': null, 'runs': [" NO_NET("in user space") "]}]}",
		     "trigger");
}
END_TEST

/* A harness that could not be measured is none to be within. */
START_TEST(test_net_is_not_known)
{
	screen_has(
		DOCUMENT(POINT("toy", RUN(NET("4"), "") "," NO_NET("the control was disturbed"))),
		"5.00 ns/op, net not known: the control was disturbed in 1 of 2 runs     map");
	screen_has(DOCUMENT(POINT("toy", RUN(NET("null"), ""))),
		   "5.00 ns/op, net not known: no reason given     map");
	screen_has(DOCUMENT(POINT("toy", NO_NET("the control was disturbed: 9 ns")) "," POINT(
			   "toy", NO_NET("the control was disturbed: 8 ns"))),
		   "\n    net -   the control was disturbed (2 points)\n");
}
END_TEST

/* A value that is null is no line that is missing. */
START_TEST(test_absent_values)
{
	static const char values[] =
		DOCUMENT(POINT("toy", RUN("'ops_rate': 4e6, 'failed_rate': null, 'lost': null},"
					  " 'values_absent': {'failed_rate': 'not counted',"
					  " 'lost': 'no ring'",
					  "")));

	screen_lacks(DOCUMENT(POINT("toy", RUN(VALUES("4e6") ", 'lost': null}, 'values_absent': {"
							     "'lost': 'not asked for: seen=1'",
					       ""))),
		     "lost");
	screen_has(values, "\n    failed -   not counted\n    lost -   no ring\n");
	screen_has(values, "one run, error not known     cost not known: not in the document");
	screen_has(DOCUMENT(POINT("toy",
				  RUN("'ops_rate': null}, 'values_absent': {'ops_rate': 'x'", ""))),
		   "\n    no rate: x\n");
	screen_has(DOCUMENT(POINT("toy", RUN("'ops_rate': 0", ""))),
		   "\n    no rate: not above 0 in a run\n");
}
END_TEST

#define ROLE(role, status, reason)                                             \
	"{'role': '" role "', 'status': '" status "', 'reason': '" reason "'," \
	" 'block': 0, 'values': null}"

/* What was asked for beside the clean runs, and did not come to be. */
START_TEST(test_other_runs)
{
	screen_has(DOCUMENT(POINT("toy",
				  RUN(VALUES("4e6"), "") "," ROLE("evidence", "failed", "hung"))),
		   "\n    1 of 1 evidence run failed: hung\n");
	screen_has(DOCUMENT(POINT("toy", RUN(VALUES("4e6"), "") "," ROLE(
						 "bare", "skipped",
						 "no")) "," POINT("toy", RUN(VALUES("4e6"), ""))),
		   "\n    1 of 1 bare run skipped: no\n");
	screen_has(
		DOCUMENT(POINT("toy", RUN(VALUES("4e6"), "") "," ROLE("bare", "failed", "hung"))),
		"    overhead   not known: no pair of runs with and without counters\n");
	/* What is said of all runs is said once. */
	screen_lacks(DOCUMENT(POINT("toy", SKIPPED("no fentry") "," ROLE("evidence", "skipped",
									 "no fentry"))),
		     "evidence");
	screen_has(DOCUMENT(POINT("toy", FAILED("a") "," SKIPPED("b"))),
		   "    1 of 2 runs failed, 1 of 2 runs skipped: a\n");
}
END_TEST

#define WAITS(waits, share, max)                                                                 \
	"{'role': 'evidence', 'status': 'ok', 'locks': [{'class': 'bucket', 'type': 'spinlock'," \
	" 'caller': 'f', 'contended': " waits ", 'wait_ns_total': 2000, 'wait_ns_max': " max "," \
	" 'sampled': 1, 'failed': 0, 'share': " share "}]}"

/* A sweep has no room for callers: what waits of all locks, and for which most. */
START_TEST(test_locks_of_points)
{
	screen_has(DOCUMENT(POINT("toy-a",
				  RUN(VALUES("4e6"), "") "," WAITS(
					  "2", "0.25", "1500")) "," POINT("toy-b",
									  RUN(VALUES("4e6"), ""))),
		   "\n    locks   spinlock waits: not tested\n"
		   "      share        waits       mean        max   most of it      point\n"
		   "    25.00 %            2    1.00 us    1.50 us   bucket          toy-a -p 2");
	screen_has(
		DOCUMENT(POINT("toy-a", RUN(VALUES("4e6"), "") "," WAITS("0", "0", "0")) "," POINT(
			"toy-b", RUN(VALUES("4e6"), ""))),
		"            no wait in any evidence run\n");
	screen_lacks(DOCUMENT(POINT("toy-a", RUN(VALUES("4e6"),
						 "")) "," POINT("toy-b", RUN(VALUES("4e6"), ""))),
		     "locks");
	screen_has("{'evidence_absent': 'no CAP_BPF', 'benchmarks': [" POINT("a", "") "," POINT(
			   "b", "") "]}",
		   "\n    locks   no CAP_BPF\n");
}
END_TEST

/* What the points agree on is advised once, whatever its figures; of those that failed, nothing. */
START_TEST(test_next_of_points)
{
#define NEXT(next, run) "{'name': 'toy', 'next': [" next "], 'runs': [" run "]}"
	screen_has("{'benchmarks': [" NEXT("'-r 20 (3 %)', '-o F'", RUN(VALUES("1"), "")) "," NEXT(
			   "'-r 20 (4 %)', 'a=1', '-o F'",
			   RUN(VALUES("1"), "")) "," NEXT("'never'", FAILED("x")) "]}",
		   "\n  next: -r 20 (3 %) | -o F | a=1\n");
#undef NEXT
}
END_TEST

UNIT_MAIN("render-absent", test_within_the_harness, test_net_is_not_known, test_absent_values,
	  test_other_runs, test_locks_of_points, test_next_of_points)
