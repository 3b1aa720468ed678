// SPDX-License-Identifier: GPL-2.0-only
#include "lib/rank.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>

#include "tests/unit/golden.h"
#include "tests/unit/unit.h"

/* One row of R's table, one way or the other. */
static void run_test(bool paired, bool exact, const struct series *x, const struct series *y,
		     struct rank_test *ret)
{
	double d[MAX_VALUES];
	int err;

	/* R's statistic is that of its first argument, which is y. */
	if (!paired) {
		err = exact ? rank__mann_whitney(y->x, y->n, x->x, x->n, ret)
			    : rank__mann_whitney_normal(y->x, y->n, x->x, x->n, ret);
	} else {
		for (size_t i = 0; i < x->n; i++)
			d[i] = y->x[i] - x->x[i];
		err = exact ? rank__signed_rank(d, x->n, ret)
			    : rank__signed_rank_normal(d, x->n, ret);
	}
	ck_assert_int_eq(err, 0);
}

static void run_shift(bool paired, const struct series *x, const struct series *y,
		      struct rank_shift *ret)
{
	double d[MAX_VALUES];

	if (!paired) {
		ck_assert_int_eq(rank__shift(x->x, x->n, y->x, y->n, 0.95, ret), 0);
		return;
	}
	for (size_t i = 0; i < x->n; i++)
		d[i] = y->x[i] - x->x[i];
	ck_assert_int_eq(rank__center(d, x->n, 0.95, ret), 0);
}

static void check_row(const json_t *row)
{
	struct series x = series_of(member(row, "x")), y = series_of(member(row, "y"));
	bool paired = json_is_true(member(row, "paired")),
	     exact = json_is_true(member(row, "exact"));
	json_t *permuted = json_object_get(row, "p_permuted");
	struct rank_shift shift;
	struct rank_test test;

	run_test(paired, exact, &x, &y, &test);
	ck_assert_int_eq(test.exact, exact);
	expect(row, "statistic", test.statistic, EXACT_P);
	expect(row, "p", test.p, exact ? EXACT_P : TAIL_P);
	if (permuted) {
		run_test(paired, true, &x, &y, &test);
		expect(row, "p_permuted", test.p, EXACT_P);
	}
	if (exact) {
		run_shift(paired, &x, &y, &shift);
		expect(row, "estimate", shift.value, CLOSED_FORM);
		if (json_is_null(member(row, "interval")))
			ck_assert(isnan(shift.lo) && isnan(shift.hi));
		else
			expect_pair(row, "interval", shift.lo, shift.hi);
	}
}

START_TEST(test_wilcox)
{
	json_t *doc = load_data(TESTDATA "/wilcox.json"), *row;
	size_t i;

	json_array_foreach(member(doc, "cases"), i, row)
		check_row(row);
	ck_assert_uint_ge(i, 45);
	json_decref(doc);
}
END_TEST

START_TEST(test_all_equal)
{
	const double same[] = {3, 3, 3, 3, 3, 3, 3}, zero[7] = {};
	struct rank_shift shift;
	struct rank_test test;

	ck_assert_int_eq(rank__mann_whitney(same, 4, same, 7, &test), 0);
	ck_assert(test.p == 1 && test.statistic == 14);
	ck_assert_int_eq(rank__mann_whitney_normal(same, 4, same, 7, &test), 0);
	ck_assert(test.p == 1);
	ck_assert_int_eq(rank__signed_rank(zero, 7, &test), 0);
	ck_assert(test.p == 1 && test.statistic == 0);
	ck_assert_int_eq(rank__signed_rank_normal(zero, 7, &test), 0);
	ck_assert(test.p == 1);
	ck_assert_int_eq(rank__shift(same, 7, same, 7, 0.95, &shift), 0);
	ck_assert(shift.value == 0 && shift.lo == 0 && shift.hi == 0);
}
END_TEST

/* d = 0 keeps its rank: {0, 1, 2, 3} has ranks 2, 3, 4, of which all signs: 2 of 8. */
START_TEST(test_zero_difference)
{
	const double d[] = {0, 1, 2, 3};
	struct rank_test test;

	ck_assert_int_eq(rank__signed_rank(d, 4, &test), 0);
	ck_assert(test.statistic == 9);
	expect_near("p", test.p, 0.25, EXACT_P);
}
END_TEST

START_TEST(report_benchmark_593_too_few_runs_for_ranks)
{
	const double x[] = {1, 2, 3, 4, 5}, y[] = {11, 12, 13, 14, 15};
	struct rank_shift shift;
	struct rank_test test;
	size_t k;

	/* 2 / C(6, 3) = 0.1: no interval of 95 % exists, but an estimate does. */
	ck_assert_int_eq(rank__shift(x, 3, y, 3, 0.95, &shift), 0);
	ck_assert(shift.value == 10 && isnan(shift.lo) && isnan(shift.hi));
	ck_assert_int_eq(rank__shift(x, 4, y, 4, 0.95, &shift), 0);
	ck_assert(shift.lo == 7 && shift.hi == 13);
	/* 2 / 2^5 = 0.0625. */
	ck_assert_int_eq(rank__signed_rank_critical(5, 0.95, &k), 0);
	ck_assert_uint_eq(k, 0);
	ck_assert_int_eq(rank__signed_rank_critical(6, 0.95, &k), 0);
	ck_assert_uint_eq(k, 1);
	ck_assert_int_eq(rank__mann_whitney(x, 1, y, 1, &test), 0);
	ck_assert(test.p == 1);

	ck_assert_int_eq(rank__mann_whitney(x, 0, y, 1, &test), -EINVAL);
	ck_assert_int_eq(rank__mann_whitney(x, 1, y, 0, &test), -EINVAL);
	ck_assert_int_eq(rank__signed_rank(x, 0, &test), -EINVAL);
	ck_assert_int_eq(rank__shift(x, 3, y, 3, 1, &shift), -EINVAL);
	ck_assert_int_eq(rank__center(x, 0, 0.95, &shift), -EINVAL);
	ck_assert_int_eq(rank__shift(x, 4097, y, 4096, 0.95, &shift), -E2BIG);
	ck_assert_int_eq(rank__center(x, SIZE_MAX / 2, 0.95, &shift), -E2BIG);
}
END_TEST

/* The normal approximation takes over without a jump. */
START_TEST(test_takeover)
{
	const size_t n = RANK_EXACT;
	double x[RANK_EXACT + 1], y[RANK_EXACT + 1];
	struct rank_test exact, normal;
	size_t k, next;

	for (size_t i = 0; i <= n; i++) {
		x[i] = i;
		y[i] = i + 8.5;
	}
	ck_assert_int_eq(rank__mann_whitney(x, n, y, n, &exact), 0);
	ck_assert_int_eq(rank__mann_whitney_normal(x, n, y, n, &normal), 0);
	ck_assert(exact.exact && !normal.exact);
	expect_near("p", normal.p, exact.p, 0.1);
	ck_assert_int_eq(rank__mann_whitney(x, n + 1, y, n, &normal), 0);
	ck_assert(!normal.exact);
	/* R: qwilcox(0.025, 49, 49) = 925, qwilcox(0.025, 50, 49) = 945. */
	ck_assert_int_eq(rank__mann_whitney_critical(n, n, 0.95, &k), 0);
	ck_assert_int_eq(rank__mann_whitney_critical(n + 1, n, 0.95, &next), 0);
	ck_assert_uint_eq(k, 925);
	ck_assert_uint_eq(next, 945);
	/* R: qsignrank(0.025, 49) = 416, qsignrank(0.025, 50) = 435: one off, on the wide side. */
	ck_assert_int_eq(rank__signed_rank_critical(n, 0.95, &k), 0);
	ck_assert_int_eq(rank__signed_rank_critical(n + 1, 0.95, &next), 0);
	ck_assert_uint_eq(k, 416);
	ck_assert_uint_eq(next, 434);
}
END_TEST

START_TEST(test_order)
{
	const double x[] = {9, 1, 5, 3, 7, 2};
	struct rank_order order;
	double lo, hi;

	ck_assert_int_eq(rank__quantile_interval(x, 6, 0.5, 0.95, &lo, &hi), 0);
	ck_assert(lo == 1 && hi == 9 && x[0] == 9);
	ck_assert_int_eq(rank__quantile_interval(x, 5, 0.5, 0.95, &lo, &hi), -ENODATA);
	ck_assert_uint_eq(rank__order_needs(0.5, 0.95), 6);
	/* log(0.025) / log(0.99) = 367.04 */
	ck_assert_uint_eq(rank__order_needs(0.99, 0.95), 368);
	ck_assert_int_eq(rank__order(368, 0.99, 0.95, &order), 0);
	ck_assert_uint_eq(order.hi, 368);
	ck_assert_int_eq(rank__order(367, 0.99, 0.95, &order), -ENODATA);
	ck_assert_int_eq(rank__order(0, 0.5, 0.95, &order), -ENODATA);
	ck_assert_int_eq(rank__order(10, 1, 0.95, &order), -EINVAL);
	ck_assert_int_eq(rank__order(10, 0.5, 1, &order), -EINVAL);
}
END_TEST

UNIT_MAIN("rank", test_wilcox, test_all_equal, test_zero_difference,
	  report_benchmark_593_too_few_runs_for_ranks, test_takeover, test_order)
