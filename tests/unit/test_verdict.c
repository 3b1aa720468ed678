// SPDX-License-Identifier: GPL-2.0-only
#include "lib/verdict.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "tests/unit/golden.h"
#include "tests/unit/sides.h"
#include "tests/unit/unit.h"

#define MAX_RUNS 64

/* Five runs with a CV of 0.45 %, ten with 0.5 %, of which the values below are multiples. */
#define NOISE_5                                   \
	{                                         \
		0.995, 1.002, 1.006, 0.998, 0.999 \
	}
#define NOISE_10                                                                   \
	{                                                                          \
		0.993, 1.004, 1.006, 0.997, 0.999, 1.001, 1.008, 0.994, 1.0, 0.998 \
	}

static const double noise_5[] = NOISE_5, noise_10[] = NOISE_10;

/* Times, lower is better, one kernel, not paired. */
static const struct judge_options defaults = {.min_effect = 0.01, .assumed_boot_sd = 0.02};

struct runs {
	struct observation of[MAX_RUNS];
	size_t nr;
};

static struct runs runs_of(double level, const double *noise, size_t nr)
{
	struct runs runs = {.nr = nr};

	for (size_t i = 0; i < nr; i++)
		runs.of[i] = (struct observation){.value = level * noise[i], .block = -1};
	return runs;
}

static struct judgement judge(const struct runs *before, const struct runs *after,
			      const struct judge_options *o)
{
	const struct arm a = {before->of, before->nr}, b = {after->of, after->nr};
	struct judgement j;

	ck_assert_int_eq(verdict__judge(&a, &b, o, &j), 0);
	ck_assert(!memchr(j.note, '\n', sizeof(j.note)));
	expect_ratio_of_sides(&j, o->robust);
	return j;
}

/* Of single values on either side. */
static struct judgement judge_values(const double *x, size_t nx, const double *y, size_t ny,
				     const struct judge_options *o)
{
	struct runs before = runs_of(1, x, nx), after = runs_of(1, y, ny);

	return judge(&before, &after, o);
}

static void expect_verdict(const struct judgement *j, enum verdict want)
{
	ck_assert_msg(j->verdict == want, "%s instead of %s: %g (%g .. %g), p %g, %s",
		      verdict__name(j->verdict), verdict__name(want), j->ratio, j->lo, j->hi, j->p,
		      j->note);
}

static void expect_note(const struct judgement *j, const char *part)
{
	ck_assert_msg(strstr(j->note, part) != NULL, "no '%s' in '%s'", part, j->note);
}

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
	const double same[] = {0.1, 0.1, 0.1}, other[] = {0.2, 0.2, 0.2}, near[] = {0.1005, 0.1005};
	struct judgement j = judge_values(same, 3, same, 3, &defaults);

	expect_verdict(&j, VERDICT_NO_CHANGE);
	ck_assert(j.ratio == 1 && j.lo == 1 && j.hi == 1 && j.p == 1);
	expect_note(&j, "no spread");
	j = judge_values(same, 3, other, 3, &defaults);
	expect_verdict(&j, VERDICT_REGRESSED);
	ck_assert(j.p == 0 && j.lo == j.hi);
	j = judge_values(same, 3, near, 2, &defaults);
	expect_verdict(&j, VERDICT_NO_CHANGE);
	/* On one side only: the other side has an error, and that is enough. */
	j = judge_values(same, 3, noise_5, 5, &defaults);
	expect_verdict(&j, VERDICT_REGRESSED);
	ck_assert(j.df == 4);
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

/* The drift of 20 % hides the change of 2 % from all but the pairs. */
static void drifting(struct runs *before, struct runs *after)
{
	*before = runs_of(100, noise_10, 10);
	*after = runs_of(102, noise_10, 10);
	for (int i = 0; i < 10; i++) {
		before->of[i].value *= 1 + 0.02 * i;
		after->of[i].value *= 1 + 0.02 * i + 0.0005 * (i % 3);
		before->of[i].block = after->of[i].block = i;
	}
}

START_TEST(test_pairs)
{
	struct judge_options o = defaults;
	struct runs before, after;
	struct observation first;
	struct judgement j, moved;

	drifting(&before, &after);
	j = judge(&before, &after, &o);
	expect_verdict(&j, VERDICT_INCONCLUSIVE);
	o.paired = true;
	j = judge(&before, &after, &o);
	expect_verdict(&j, VERDICT_REGRESSED);
	ck_assert_str_eq(j.unit, "pair");
	ck_assert_str_eq(j.method, "paired t on logs");
	ck_assert(j.units_before == 10 && j.units_after == 10 && j.df == 9);

	/* Blocks make pairs, the order in the document does not. */
	first = after.of[0];
	memmove(after.of, after.of + 1, 9 * sizeof(first));
	after.of[9] = first;
	moved = judge(&before, &after, &o);
	expect_near("ratio", moved.ratio, j.ratio, CLOSED_FORM);
	expect_near("p", moved.p, j.p, TAIL_P);

	/* Blocks are counted anew in every boot. */
	for (int i = 0; i < 10; i++) {
		before.of[i].boot = before.of[i].block / 5;
		after.of[i].boot = after.of[i].block / 5;
		before.of[i].block %= 5;
		after.of[i].block %= 5;
	}
	moved = judge(&before, &after, &o);
	expect_near("ratio", moved.ratio, j.ratio, CLOSED_FORM);
	ck_assert_uint_eq(moved.units_before, 10);

	/* Two kernels have no block in common, whatever the numbers say. */
	o.kernels_differ = true;
	j = judge(&before, &after, &o);
	ck_assert_str_eq(j.unit, "run");
}
END_TEST

START_TEST(test_alone)
{
	struct judge_options o = defaults;
	struct runs before, after;
	struct judgement j;

	o.paired = true;
	drifting(&before, &after);
	before.of[2].block = -1;
	after.nr = 8;
	j = judge(&before, &after, &o);
	expect_verdict(&j, VERDICT_REGRESSED);
	ck_assert_uint_eq(j.units_before, 7);
	ck_assert_str_eq(j.note, "4 runs without a partner left out");
	for (int i = 0; i < 10; i++)
		before.of[i].block = 100 + i;
	j = judge(&before, &after, &o);
	ck_assert_str_eq(j.unit, "run");
	expect_note(&j, "fewer than two pairs in common");
}
END_TEST

/* `boots` with `each` runs; the level of boot b is level * (1 + spread * b). */
static struct runs boots_of(double level, int boots, int each, double spread)
{
	struct runs runs = {.nr = boots * each};

	for (int i = 0; i < boots * each; i++)
		runs.of[i] = (struct observation){
			.value = level * (1 + spread * (i / each)) * noise_5[i % 5],
			.boot = i / each,
			.block = -1,
		};
	return runs;
}

START_TEST(test_boots)
{
	struct judge_options o = defaults;
	struct runs before = boots_of(100, 5, 5, 0.01), after = boots_of(101.5, 4, 5, 0.01);
	struct judgement j;

	o.kernels_differ = true;
	j = judge(&before, &after, &o);
	expect_verdict(&j, VERDICT_INCONCLUSIVE);
	ck_assert_str_eq(j.unit, "boot");
	ck_assert(j.units_before == 5 && j.units_after == 4 && j.df < 8);
	ck_assert_str_eq(j.note, "");
	ck_assert(j.runs_needed > 4);
	after = boots_of(110, 5, 5, 0.01);
	j = judge(&before, &after, &o);
	expect_verdict(&j, VERDICT_REGRESSED);
}
END_TEST

START_TEST(test_one_boot)
{
	struct runs before = runs_of(100, noise_10, 10), after = runs_of(103, noise_10, 10);
	struct judge_options o = defaults;
	struct judgement j;

	o.kernels_differ = true;
	j = judge(&before, &after, &o);
	expect_verdict(&j, VERDICT_INCONCLUSIVE);
	ck_assert(j.lo < 0.98 && j.hi > 1.08 && j.df > 1000);
	ck_assert_str_eq(j.note,
			 "1 boot before, 1 after: a spread of 2 % between boots is assumed; "
			 "five boots per side lift that");
	/* More runs do not help. */
	ck_assert(isnan(j.runs_needed));
	after = runs_of(3000, noise_10, 10);
	j = judge(&before, &after, &o);
	expect_verdict(&j, VERDICT_REGRESSED);
	/* se^2 grows by 2 x 0.02^2: without an error of its own, that is all of it. */
	for (int i = 0; i < 10; i++)
		before.of[i].value = after.of[i].value = 7;
	j = judge(&before, &after, &o);
	expect_near("hi", j.hi, exp(1.959963984540054 * sqrt(2) * 0.02), CLOSED_FORM);
	ck_assert(isinf(j.df));
	/* Two boots on either side halve what is assumed. */
	for (int i = 0; i < 10; i++)
		before.of[i].boot = after.of[i].boot = i % 2;
	j = judge(&before, &after, &o);
	expect_near("hi", j.hi, exp(1.959963984540054 * 0.02), CLOSED_FORM);
	expect_note(&j, "2 boots before, 2 after");
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
	expect_note(&j, "too few runs for ranks");
}
END_TEST

START_TEST(test_robust_pairs_and_boots)
{
	struct judge_options o = defaults;
	struct runs before, after;
	struct judgement j;

	o.robust = o.paired = true;
	drifting(&before, &after);
	j = judge(&before, &after, &o);
	expect_verdict(&j, VERDICT_REGRESSED);
	ck_assert_str_eq(j.method, "signed rank, exact");
	expect_near("p", j.p, 2 / 1024.0, EXACT_P);

	o.kernels_differ = true;
	before = runs_of(100, noise_10, 10);
	after = runs_of(103, noise_10, 10);
	j = judge(&before, &after, &o);
	expect_verdict(&j, VERDICT_INCONCLUSIVE);
	ck_assert(j.lo < 0.98 && j.hi > 1.08 && j.p > 0.2);
	after = runs_of(3000, noise_10, 10);
	j = judge(&before, &after, &o);
	expect_verdict(&j, VERDICT_REGRESSED);
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
	  test_no_spread, test_bad_values, test_zeros, test_exact, test_repeatable,
	  test_no_direction, test_pairs, test_alone, test_boots, test_one_boot, test_robust,
	  test_robust_pairs_and_boots, test_runs_needed)
