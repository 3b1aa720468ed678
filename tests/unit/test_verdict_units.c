// SPDX-License-Identifier: GPL-2.0-only
#include "lib/verdict.h"

#include <math.h>
#include <string.h>

#include "tests/unit/golden.h"
#include "tests/unit/judged.h"
#include "tests/unit/unit.h"

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

UNIT_MAIN("verdict-units", test_pairs, test_alone, test_boots, test_one_boot,
	  test_robust_pairs_and_boots)
