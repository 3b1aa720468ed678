// SPDX-License-Identifier: GPL-2.0-only
#include "lib/verdict.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "tests/unit/golden.h"
#include "tests/unit/judged.h"
#include "tests/unit/unit.h"

START_TEST(test_five_verdicts)
{
	struct runs before = runs_of(100, noise_10, 10), after = runs_of(103, noise_10, 10);
	struct judge_options o = defaults;
	struct judgement j = judge(&before, &after, &o);

	expect_verdict(&j, VERDICT_REGRESSED);
	expect_near("ratio", j.ratio, 1.03, CLOSED_FORM);
	ck_assert(j.lo > 1.02 && j.hi < 1.04 && j.lo90 > j.lo && j.hi90 < j.hi);
	ck_assert(j.units_before == 10 && j.units_after == 10);
	expect_near("df", j.df, 18, CLOSED_FORM);
	ck_assert_str_eq(j.unit, "run");
	ck_assert_str_eq(j.method, "Welch t on logs");
	ck_assert_str_eq(j.note, "");
	o.higher_is_better = true;
	j = judge(&before, &after, &o);
	expect_verdict(&j, VERDICT_IMPROVED);

	after = runs_of(100.1, noise_10, 10);
	j = judge(&before, &after, &o);
	expect_verdict(&j, VERDICT_NO_CHANGE);
	ck_assert(isnan(j.runs_needed));

	before = runs_of(100, noise_5, 5);
	after = runs_of(100.8, noise_5, 5);
	j = judge(&before, &after, &o);
	expect_verdict(&j, VERDICT_INCONCLUSIVE);
	ck_assert(j.runs_needed > 5);

	after.nr = 0;
	j = judge(&before, &after, &o);
	expect_verdict(&j, VERDICT_NOT_COMPARABLE);
	ck_assert_str_eq(j.note, "no run after");
	ck_assert_str_eq(verdict__name(VERDICT_NO_CHANGE), "NO CHANGE");
}
END_TEST

/* A rate and its time per operation must not disagree, at the borders least of all. */
START_TEST(test_reciprocal)
{
	for (double effect = 0.98; effect < 1.02; effect += 0.0005) {
		struct runs a = runs_of(100, noise_10, 10), b = runs_of(100 * effect, noise_10, 10);
		struct judge_options time = defaults, rate = defaults;
		struct judgement j = judge(&a, &b, &time), inverse;

		rate.higher_is_better = true;
		for (size_t i = 0; i < 10; i++) {
			a.of[i].value = 1 / a.of[i].value;
			b.of[i].value = 1 / b.of[i].value;
		}
		inverse = judge(&a, &b, &rate);
		expect_verdict(&inverse, j.verdict);
		expect_near("ratio", inverse.ratio, 1 / j.ratio, CLOSED_FORM);
	}
}
END_TEST

START_TEST(test_one_run)
{
	struct runs one = runs_of(100, noise_5, 1), many = runs_of(300, noise_5, 5);
	struct judgement j = judge(&one, &one, &defaults);

	expect_verdict(&j, VERDICT_INCONCLUSIVE);
	ck_assert_str_eq(j.note, "one run: error not known");
	ck_assert(j.ratio == 1 && isnan(j.lo) && isnan(j.hi) && isnan(j.p) && isnan(j.runs_needed));
	j = judge(&one, &many, &defaults);
	expect_verdict(&j, VERDICT_INCONCLUSIVE);
	ck_assert_str_eq(j.note, "one run before: error not known");
	j = judge(&many, &one, &defaults);
	ck_assert_str_eq(j.note, "one run after: error not known");
	ck_assert(j.units_before == 5 && j.units_after == 1);
}
END_TEST

START_TEST(test_unequal_numbers)
{
	struct runs before = runs_of(100, noise_5, 5), after = runs_of(105, noise_10, 10);
	struct judgement j = judge(&before, &after, &defaults);

	expect_verdict(&j, VERDICT_REGRESSED);
	ck_assert(j.units_before == 5 && j.units_after == 10 && j.df > 4 && j.df < 13);
}
END_TEST

START_TEST(test_no_spread)
{
	const double same[] = {0.1, 0.1, 0.1, 0.1, 0.1}, other[] = {0.2, 0.2, 0.2, 0.2, 0.2};
	const double near[] = {0.1005, 0.1005, 0.1005, 0.1005, 0.1005};
	struct judgement j = judge_values(same, 5, same, 5, &defaults);

	expect_verdict(&j, VERDICT_NO_CHANGE);
	ck_assert(j.ratio == 1 && j.lo == 1 && j.hi == 1 && j.p == 1);
	expect_note(&j, "no spread");
	j = judge_values(same, 5, other, 5, &defaults);
	expect_verdict(&j, VERDICT_REGRESSED);
	ck_assert(j.p == 0 && j.lo == j.hi);
	j = judge_values(same, 5, near, 5, &defaults);
	expect_verdict(&j, VERDICT_NO_CHANGE);
	/* On one side only: the other side has an error, and that is enough. */
	j = judge_values(same, 5, noise_5, 5, &defaults);
	expect_verdict(&j, VERDICT_REGRESSED);
	ck_assert(j.df == 4);
}
END_TEST

/* Four runs may be as far apart as they like; boots, each of them a mean, are enough from three on. */
START_TEST(test_few_runs)
{
	struct runs before = runs_of(100, noise_5, 5), after = runs_of(150, noise_5, 4);
	struct judge_options o = defaults;
	struct judgement j = judge(&before, &after, &o);

	expect_verdict(&j, VERDICT_INCONCLUSIVE);
	expect_note(&j, "no verdict on fewer than 5 runs");
	ck_assert(j.lo > 1.4 && j.runs_needed == 5);
	after = runs_of(150, noise_5, 5);
	j = judge(&before, &after, &o);
	expect_verdict(&j, VERDICT_REGRESSED);
	o.paired = true;
	for (int i = 0; i < 4; i++)
		before.of[i].block = after.of[i].block = i;
	before.nr = after.nr = 4;
	j = judge(&before, &after, &o);
	expect_verdict(&j, VERDICT_INCONCLUSIVE);
	expect_note(&j, "no verdict on fewer than 5 pairs");
	/* What repeats needs no such number. */
	o.class = METRIC_REPEATABLE;
	j = judge(&before, &after, &o);
	expect_verdict(&j, VERDICT_REGRESSED);
	o = defaults;
	o.kernels_differ = true;
	before.nr = after.nr = 3;
	for (int i = 0; i < 3; i++)
		before.of[i].boot = after.of[i].boot = i;
	j = judge(&before, &after, &o);
	ck_assert_str_eq(j.unit, "boot");
	expect_verdict(&j, VERDICT_REGRESSED);
}
END_TEST

/* A host is a mean as well, and a pair of them no less: three pairs, and not two. */
START_TEST(test_few_host_pairs)
{
	struct runs before = runs_of(100, noise_5, 5), after = runs_of(150, noise_5, 5);
	struct judge_options o = defaults;
	struct judgement j;

	o.kernels_differ = true;
	for (int i = 0; i < 5; i++) {
		before.of[i].boot = before.of[i].host = i;
		after.of[i].boot = after.of[i].host = i;
		after.of[i].value += 0.1 * i;
	}
	before.nr = after.nr = 2;
	j = judge(&before, &after, &o);
	ck_assert_str_eq(j.unit, "host pair");
	expect_verdict(&j, VERDICT_INCONCLUSIVE);
	ck_assert_str_eq(j.note, "no verdict on fewer than 3 host pairs");
	ck_assert(j.p < 0.05 && j.lo > 1.4 && j.runs_needed == 3);
	before.nr = after.nr = 3;
	j = judge(&before, &after, &o);
	expect_verdict(&j, VERDICT_REGRESSED);
	ck_assert_str_eq(j.note, "");
	o.robust = true;
	j = judge(&before, &after, &o);
	expect_verdict(&j, VERDICT_INCONCLUSIVE);
	ck_assert_str_eq(j.note, "too few host pairs for ranks: 6 are the least");
}
END_TEST

START_TEST(test_bad_values)
{
	const double good[] = {1, 2}, negative[] = {1, -2}, nan[] = {NAN, 1}, inf[] = {1, INFINITY};
	struct judgement j = judge_values(good, 2, negative, 2, &defaults);

	expect_verdict(&j, VERDICT_NOT_COMPARABLE);
	expect_note(&j, "after is below 0 (-2)");
	j = judge_values(nan, 2, good, 2, &defaults);
	expect_verdict(&j, VERDICT_NOT_COMPARABLE);
	expect_note(&j, "before is not a finite number");
	j = judge_values(good, 2, inf, 2, &defaults);
	expect_verdict(&j, VERDICT_NOT_COMPARABLE);
	ck_assert(isnan(j.ratio) && isnan(j.p) && isnan(j.runs_needed));
}
END_TEST

START_TEST(test_zeros)
{
	const double zero[5] = {}, some[] = {0, 1, 0, 2, 1}, many[] = {50, 70, 40, 90, 60};
	struct judge_options o = defaults;
	struct judgement j = judge_values(zero, 5, zero, 5, &o);

	expect_verdict(&j, VERDICT_NO_CHANGE);
	ck_assert(j.ratio == 1 && j.lo == 1 && j.hi == 1 && j.p == 1);
	j = judge_values(zero, 5, many, 5, &o);
	expect_verdict(&j, VERDICT_REGRESSED);
	ck_assert(isinf(j.ratio) && isnan(j.lo) && isnan(j.hi));
	expect_near("p", j.p, 2.0 / 252, EXACT_P);
	expect_note(&j, "a value is 0");
	j = judge_values(many, 5, zero, 5, &o);
	expect_verdict(&j, VERDICT_IMPROVED);
	ck_assert(j.ratio == 0);
	j = judge_values(zero, 5, some, 5, &o);
	expect_verdict(&j, VERDICT_INCONCLUSIVE);
	j = judge_values(zero, 1, some, 1, &o);
	expect_verdict(&j, VERDICT_INCONCLUSIVE);
	ck_assert(j.ratio == 1);
	/* An assumed spread is one in proportion: nothing remains nothing. */
	o.kernels_differ = true;
	j = judge_values(zero, 5, zero, 5, &o);
	expect_verdict(&j, VERDICT_NO_CHANGE);
	j = judge_values(some, 5, many, 5, &o);
	expect_verdict(&j, VERDICT_REGRESSED);
}
END_TEST

START_TEST(test_exact)
{
	const double before[] = {128, 128, 128}, after[] = {129, 129}, one = 128, zero = 0;
	const double unsteady[] = {128, 128, 131};
	struct judge_options o = {.min_effect = 0.01, .class = METRIC_EXACT};
	struct judgement j = judge_values(before, 3, after, 2, &o);

	/* Less than min_effect, and a change all the same; a kernel has no spread here. */
	o.kernels_differ = true;
	expect_verdict(&j, VERDICT_REGRESSED);
	ck_assert(j.p == 0 && j.lo == j.ratio && j.hi == j.ratio);
	ck_assert_str_eq(j.method, "exact");
	j = judge_values(before, 3, &one, 1, &o);
	expect_verdict(&j, VERDICT_NO_CHANGE);
	ck_assert(j.p == 1);
	j = judge_values(&zero, 1, &one, 1, &o);
	expect_verdict(&j, VERDICT_REGRESSED);
	ck_assert(isinf(j.ratio));
	j = judge_values(before, 3, unsteady, 3, &o);
	expect_verdict(&j, VERDICT_INCONCLUSIVE);
	expect_note(&j, "should be constant but is not after");
	ck_assert(verdict__min_effect(&o) == 0);
}
END_TEST

START_TEST(test_repeatable)
{
	const double before[] = {1000.1, 1000.0, 999.9, 1000.2}, up[] = {1003, 1003.1, 1002.9};
	const double same[] = {1001.0, 1001.1, 1000.9};
	struct judge_options o = defaults;
	struct judgement j;

	o.class = METRIC_REPEATABLE;
	o.kernels_differ = true;
	j = judge_values(before, 4, up, 3, &o);
	expect_verdict(&j, VERDICT_REGRESSED);
	/* Sure to be there, but below the floor. */
	j = judge_values(before, 4, same, 3, &o);
	expect_verdict(&j, VERDICT_NO_CHANGE);
	ck_assert(j.p < 0.001);
	ck_assert(verdict__min_effect(&o) == VERDICT_REPEATABLE_EFFECT);
}
END_TEST

START_TEST(test_no_direction)
{
	struct runs before = runs_of(100, noise_10, 10), after = runs_of(110, noise_10, 10);
	struct judge_options o = defaults;
	struct judgement j;

	o.no_direction = true;
	j = judge(&before, &after, &o);
	expect_verdict(&j, VERDICT_INCONCLUSIVE);
	expect_note(&j, "changed, but neither direction");
	ck_assert(j.p < 1e-6 && isnan(j.runs_needed));
}
END_TEST

START_TEST(test_robust)
{
	struct runs before = runs_of(100, noise_10, 10), after = runs_of(103, noise_10, 10);
	struct judge_options o = defaults;
	struct judgement j;

	/* One run far off: t sees noise, ranks a change. */
	after.of[3].value = 160;
	j = judge(&before, &after, &o);
	expect_verdict(&j, VERDICT_INCONCLUSIVE);
	o.robust = true;
	j = judge(&before, &after, &o);
	expect_verdict(&j, VERDICT_REGRESSED);
	ck_assert_str_eq(j.method, "Mann-Whitney, exact");
	ck_assert(isnan(j.df) && j.lo > 1.02 && j.hi < 1.05);

	before.nr = after.nr = 3;
	j = judge(&before, &after, &o);
	expect_verdict(&j, VERDICT_INCONCLUSIVE);
	ck_assert(isnan(j.lo) && isnan(j.runs_needed));
	/* Of one number only: four would do for ranks, but not for a verdict. */
	ck_assert_str_eq(j.note, "too few runs for ranks: 5 per side are the least");
	before.nr = after.nr = 4;
	j = judge(&before, &after, &o);
	ck_assert_str_eq(j.note, "no verdict on fewer than 5 runs");
	o.class = METRIC_REPEATABLE;
	before.nr = after.nr = 3;
	j = judge(&before, &after, &o);
	ck_assert_str_eq(j.note, "too few runs for ranks: 4 per side are the least");
}
END_TEST

START_TEST(test_runs_needed)
{
	struct runs before = runs_of(100, noise_5, 5), after = before;
	struct judge_options o = defaults;
	struct judgement j;

	/* An sd of 0.41 %, times 4: 13 runs by the power table would be 1 %, and 36 are 1.65 %. */
	for (int i = 0; i < 5; i++)
		before.of[i].value = after.of[i].value = 100 * pow(noise_5[i], 4);
	j = judge(&before, &after, &o);
	expect_verdict(&j, VERDICT_INCONCLUSIVE);
	ck_assert_msg(j.runs_needed >= 55 && j.runs_needed <= 65, "%g runs", j.runs_needed);
	/* At the border itself no number of runs will do. */
	before = runs_of(100, noise_10, 10);
	after = runs_of(100.99, noise_10, 10);
	j = judge(&before, &after, &o);
	expect_verdict(&j, VERDICT_INCONCLUSIVE);
	ck_assert(isnan(j.runs_needed) || j.runs_needed > 10000);
}
END_TEST

UNIT_MAIN("verdict", test_five_verdicts, test_reciprocal, test_one_run, test_unequal_numbers,
	  test_no_spread, test_few_runs, test_few_host_pairs, test_bad_values, test_zeros,
	  test_exact, test_repeatable, test_no_direction, test_robust, test_runs_needed)
