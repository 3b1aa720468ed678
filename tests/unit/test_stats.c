// SPDX-License-Identifier: GPL-2.0-only
#include "lib/stats.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>

#include "tests/unit/golden.h"
#include "tests/unit/unit.h"

/* With one and two degrees of freedom the quantile is an elementary function. */
START_TEST(test_t_quantile)
{
	const double p[] = {1e-300, 1e-20, 1e-7, 0.025, 0.3, 0.4999, 0.5, 0.8, 0.975, 0.9995};

	for (size_t i = 0; i < ARRAY_SIZE(p); i++) {
		double df2 = (2 * p[i] - 1) / sqrt(2 * p[i] * (1 - p[i]));

		if (p[i] == 0.5) {
			ck_assert(stats__t_quantile(p[i], 7) == 0);
			continue;
		}
		/* cot() instead of tan(), which has no digits next to its pole. */
		expect_near("df 1", stats__t_quantile(p[i], 1), -1 / tan(M_PI * p[i]), CLOSED_FORM);
		expect_near("df 2", stats__t_quantile(p[i], 2), df2, CLOSED_FORM);
		expect_near("df inf", stats__t_quantile(p[i], INFINITY),
			    stats__normal_quantile(p[i]), CLOSED_FORM);
	}
	expect_near("df 4", stats__t_quantile(0.975, 4), 2.7764451051977987, CLOSED_FORM);
	expect_near("df 9", stats__t_quantile(0.975, 9), 2.2621571627409915, CLOSED_FORM);
	ck_assert(isnan(stats__t_quantile(0, 4)));
	ck_assert(isnan(stats__t_quantile(1, 4)));
	ck_assert(isnan(stats__t_quantile(0.9, 0)));
	ck_assert(isnan(stats__t_quantile(NAN, 4)));
}
END_TEST

/* Far tails, and degrees of freedom on both sides of every change of method. */
START_TEST(test_t_round_trip)
{
	const double df[] = {1, 1.5, 17.84, 19.9, 20.1, 399, 401, 0.99e6, 1.01e6, 1e9};
	const double tail[] = {1e-300, 1e-20, 0.005, 0.3, 0.49, 0.4999999};

	for (size_t i = 0; i < ARRAY_SIZE(df); i++)
		for (size_t j = 0; j < ARRAY_SIZE(tail); j++) {
			double t = stats__t_quantile(tail[j], df[i]);

			ck_assert(t < 0);
			expect_near("tail", stats__t_cdf(t, df[i]), tail[j], TAIL_P);
			/* Exact in binary only near 1/2; enough to see a wrong sign. */
			if (tail[j] > 0.1)
				expect_near("mirrored", stats__t_quantile(1 - tail[j], df[i]), -t,
					    TAIL_P);
		}
	/* From 50 digits: the continued fraction just below its end, the normal just above. */
	expect_near("df 1e6", stats__t_quantile(0.025, 1e6), -1.959966356814107, CLOSED_FORM);
	expect_near("df 1.01e6", stats__t_quantile(0.025, 1.01e6), -1.9599663333262175,
		    CLOSED_FORM);
}
END_TEST

START_TEST(test_cdf)
{
	/* 1/2 + atan(t) / pi, and t / sqrt(2 + t^2) for two. */
	expect_near("df 1", stats__t_cdf(1, 1), 0.75, CLOSED_FORM);
	expect_near("df 2", stats__t_cdf(-1, 2), (1 - 1 / sqrt(3)) / 2, CLOSED_FORM);
	expect_near("df 1", stats__t_two_sided_p(1e200, 1), 2e-200 / M_PI, TAIL_P);
	ck_assert(stats__t_two_sided_p(INFINITY, 3) == 0);
	ck_assert(isnan(stats__t_two_sided_p(1, 0)));
	expect_near("normal", stats__normal_cdf(1), 0.84134474606854293, CLOSED_FORM);
	expect_near("normal tail", stats__normal_cdf(-10), 7.6198530241605261e-24, TAIL_P);
	/* So many degrees that differences of lgamma() would have lost half their digits. */
	expect_near("df 1e10", stats__t_two_sided_p(-2, 1e10), 2 * stats__normal_cdf(-2), TAIL_P);
}
END_TEST

START_TEST(test_undefined)
{
	const double one = 5;
	double ret = 1, hi = 1;

	ck_assert(isnan(stats__mean(NULL, 0)));
	ck_assert(isnan(stats__variance(&one, 1)));
	ck_assert(isnan(stats__cv((double[]){-1, 1}, 2)));
	ck_assert_int_eq(stats__median(NULL, 0, &ret), -EINVAL);
	ck_assert_int_eq(stats__geomean(NULL, 0, &ret), -EINVAL);
	ck_assert_int_eq(stats__geomean((double[]){1, 0}, 2, &ret), -ERANGE);
	ck_assert_int_eq(stats__geomean((double[]){1, NAN}, 2, &ret), -ERANGE);
	ck_assert_int_eq(stats__mean_interval(&one, 1, 1, &ret, &hi), -EINVAL);
	ck_assert_int_eq(stats__mean_interval(&one, 1, 0.95, &ret, &hi), 0);
	ck_assert(isnan(ret) && isnan(hi));
}
END_TEST

START_TEST(test_median)
{
	const double x[] = {9, 1, 5, 3};
	double median;

	ck_assert_int_eq(stats__median(x, 3, &median), 0);
	ck_assert(median == 5);
	ck_assert_int_eq(stats__median(x, 4, &median), 0);
	ck_assert(median == 4);
	ck_assert(x[0] == 9);
}
END_TEST

START_TEST(test_estimate)
{
	/* Logs -1, 0, 1 (times log 2): sd log 2, and t(2) at 0.975 is 4.302652729749464. */
	const double x[] = {50, 100, 200};
	const double half = 4.302652729749464 * log(2) / sqrt(3);
	struct estimate e;

	ck_assert_int_eq(stats__estimate(x, 3, &e), 0);
	ck_assert_uint_eq(e.n, 3);
	expect_near("value", e.value, 100, CLOSED_FORM);
	expect_near("lo", e.lo, 100 * exp(-half), CLOSED_FORM);
	expect_near("hi", e.hi, 100 * exp(half), CLOSED_FORM);
	expect_near("cv", e.cv, sqrt(17500 / 3.0) / (350 / 3.0), CLOSED_FORM);
}
END_TEST

START_TEST(test_estimate_degenerate)
{
	/* 0.1 has a log that is not exact: equal values must still give no width at all. */
	const double same[] = {0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1};
	struct estimate e;

	ck_assert_int_eq(stats__estimate(same, 7, &e), 0);
	ck_assert(e.value == 0.1 && e.lo == 0.1 && e.hi == 0.1 && e.cv == 0);
	ck_assert_int_eq(stats__estimate(same, 1, &e), 0);
	ck_assert(e.n == 1 && e.value == 0.1 && isnan(e.lo) && isnan(e.hi) && isnan(e.cv));
	ck_assert_int_eq(stats__estimate(same, 0, &e), -EINVAL);
	ck_assert_int_eq(stats__estimate((double[]){1, -1}, 2, &e), -ERANGE);
	ck_assert_int_eq(stats__estimate((double[]){INFINITY, 1}, 2, &e), -ERANGE);
}
END_TEST

START_TEST(test_ratio_degenerate)
{
	const double before[] = {0.1, 0.1, 0.1}, after[] = {0.2, 0.2, 0.2};
	struct ratio r;

	ck_assert_int_eq(stats__ratio(before, 3, after, 3, 0.95, &r), 0);
	expect_near("ratio", r.value, 2, CLOSED_FORM);
	ck_assert(r.lo == r.value && r.hi == r.value && r.p == 0 && r.df == 4);
	ck_assert_int_eq(stats__ratio(before, 3, before, 3, 0.95, &r), 0);
	ck_assert(r.value == 1 && r.lo == 1 && r.hi == 1 && r.t == 0 && r.p == 1);
	ck_assert_int_eq(stats__ratio(before, 1, after, 3, 0.95, &r), 0);
	expect_near("ratio", r.value, 2, CLOSED_FORM);
	ck_assert(isnan(r.lo) && isnan(r.hi) && isnan(r.p) && isnan(r.df));
	ck_assert_int_eq(stats__ratio_paired(before, after, 1, 0.95, &r), 0);
	expect_near("ratio", r.value, 2, CLOSED_FORM);
	ck_assert(isnan(r.lo) && isnan(r.hi) && isnan(r.p) && isnan(r.df));

	ck_assert_int_eq(stats__ratio(before, 0, after, 3, 0.95, &r), -EINVAL);
	ck_assert_int_eq(stats__ratio(before, 3, after, 0, 0.95, &r), -EINVAL);
	ck_assert_int_eq(stats__ratio(before, 3, after, 3, 1.5, &r), -EINVAL);
	ck_assert_int_eq(stats__ratio_paired(before, after, 0, 0.95, &r), -EINVAL);
	ck_assert_int_eq(stats__ratio((double[]){1, 0}, 2, after, 3, 0.95, &r), -ERANGE);
	ck_assert_int_eq(stats__ratio_paired(before, (double[]){1, -1}, 2, 0.95, &r), -ERANGE);
}
END_TEST

static bool scales_to(uint64_t value, uint64_t enabled, uint64_t running, uint64_t want)
{
	uint64_t got = 0;

	return !stats__scale_count(value, enabled, running, &got) && got == want;
}

START_TEST(report_benchmark_1813_scaling_in_128_bits)
{
	uint64_t untouched = 42;

	ck_assert(scales_to(7, 3, 3, 7));
	ck_assert(scales_to(10, 1, 3, 3));
	ck_assert(scales_to(11, 1, 3, 4));
	ck_assert(scales_to(1, 1, 2, 1));
	ck_assert(scales_to(0, 100, 1, 0));
	/* More digits than a double has, and a product of more than 64 bits. */
	ck_assert(scales_to(9007199254740993, 1000000007, 1000000007, 9007199254740993));
	ck_assert(scales_to(UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX));
	ck_assert(scales_to(UINT64_MAX, 2, 1, UINT64_MAX));
	ck_assert_int_eq(stats__scale_count(5, 100, 0, &untouched), -ENODATA);
	ck_assert_uint_eq(untouched, 42);
}
END_TEST

UNIT_MAIN("stats", test_t_quantile, test_t_round_trip, test_cdf, test_undefined, test_median,
	  test_estimate, test_estimate_degenerate, test_ratio_degenerate,
	  report_benchmark_1813_scaling_in_128_bits)
