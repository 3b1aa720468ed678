// SPDX-License-Identifier: GPL-2.0-only
#include "tests/unit/unit.h"

#include "tracepoints/rcu_tasks_trace_gp.h"

#define MS 1000000ULL

/*
 * Starts at 0 and 100, end of the second at 120, its callbacks called until 140. Queued at 0: 120;
 * queued at 100: 40; evenly between.
 */
START_TEST(test_delay)
{
	struct grace_period gps[] = {
		{.number = 1, .start_ns = 1000 * MS, .end_ns = 1010 * MS, .invoked_ns = 1011 * MS},
		{.number = 2, .start_ns = 1100 * MS, .end_ns = 1120 * MS, .invoked_ns = 1140 * MS},
	};
	struct gp_window window = {.gps = gps, .nr = 2};
	struct gp_delay delay;

	ck_assert(gp_delay__derive(&window, 0, &delay));
	ck_assert_uint_eq(delay.nr, 1);
	ck_assert_double_eq_tol(delay.mean_ns, 80.0 * MS, 1);
	ck_assert_double_eq_tol(delay.median_ns, 80.0 * MS, 1);
	ck_assert_double_eq_tol(delay.p99_ns, 119.2 * MS, 1);
	ck_assert_double_eq_tol(delay.max_ns, 120.0 * MS, 1);
	ck_assert_double_eq_tol(delay.lo_mean_ns, 70.0 * MS, 1);
	ck_assert_double_eq_tol(delay.hi_mean_ns, 90.0 * MS, 1);
	gps[1].number = 3; /* one is missing between them */
	ck_assert(!gp_delay__derive(&window, 0, &delay));
	gps[1].number = 2;
	gps[1].invoked_ns = 0;
	ck_assert(!gp_delay__derive(&window, 0, &delay));
}
END_TEST

/*
 * One CPU, of which the kthread has half while it calls callbacks, from 10 to 50: in these 40 ms
 * come the deletes of 20, and of 80 in all until 100. In the mean the three parts wait 115, 90 and
 * 45 ms for the end at 120, and all of them half of the 40 ms in which the next are called.
 */
START_TEST(test_delay_on_one_cpu)
{
	struct grace_period gps[] = {
		{.number = 1,
		 .start_ns = 1000 * MS,
		 .end_ns = 1010 * MS,
		 .invoked_ns = 1050 * MS,
		 .calling_ns = 20 * MS},
		{.number = 2, .start_ns = 1100 * MS, .end_ns = 1120 * MS, .invoked_ns = 1160 * MS},
	};
	struct gp_window window = {.gps = gps, .nr = 2};
	struct gp_delay delay;

	ck_assert(gp_delay__derive(&window, 1, &delay));
	ck_assert_uint_eq(delay.nr, 1);
	ck_assert_double_eq_tol(delay.lo_mean_ns, (10 * 115 + 20 * 90 + 50 * 45) / 80.0 * MS, 1);
	ck_assert_double_eq_tol(delay.mean_ns, delay.lo_mean_ns + 20.0 * MS, 1);
	ck_assert_double_eq_tol(delay.hi_mean_ns, delay.lo_mean_ns + 40.0 * MS, 1);
	ck_assert_double_eq_tol(delay.max_ns, 120.0 * MS, 1);
	/* The kthread had another CPU. */
	ck_assert(gp_delay__derive(&window, 0, &delay));
	ck_assert_double_eq_tol(delay.mean_ns, 90.0 * MS, 1);
	/* Callbacks of the one before were still called when this one began; or were not seen. */
	gps[0].invoked_ns = 1200 * MS;
	gps[0].calling_ns = 190 * MS;
	ck_assert(gp_delay__derive(&window, 1, &delay));
	ck_assert_double_eq_tol(delay.lo_mean_ns, 115.0 * MS, 1);
	gps[0].invoked_ns = gps[0].calling_ns = 0;
	ck_assert(gp_delay__derive(&window, 1, &delay));
	ck_assert_double_eq_tol(delay.mean_ns, 90.0 * MS, 1);
}
END_TEST

UNIT_MAIN("rcu-delay", test_delay, test_delay_on_one_cpu)
