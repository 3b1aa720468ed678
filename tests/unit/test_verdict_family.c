// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <string.h>

#include "lib/verdict.h"
#include "tests/unit/golden.h"
#include "tests/unit/unit.h"

START_TEST(test_holm)
{
	struct judgement family[] = {
		{.verdict = VERDICT_REGRESSED, .p = 0.03, .note = "first"},
		{.verdict = VERDICT_INCONCLUSIVE, .p = NAN},
		{.verdict = VERDICT_IMPROVED, .p = 1e-6},
		{.verdict = VERDICT_NO_CHANGE, .p = 0.5},
	};

	ck_assert_int_eq(verdict__holm(family, 4), 0);
	ck_assert_int_eq(family[0].verdict, VERDICT_INCONCLUSIVE);
	expect_near("p", family[0].p, 0.06, CLOSED_FORM);
	ck_assert_str_eq(family[0].note,
			 "first; p = 0.03 alone, but 0.06 among 3 primary metrics (Holm)");
	ck_assert(family[1].verdict == VERDICT_INCONCLUSIVE && isnan(family[1].p));
	ck_assert_int_eq(family[2].verdict, VERDICT_IMPROVED);
	expect_near("p", family[2].p, 3e-6, CLOSED_FORM);
	ck_assert_int_eq(family[3].verdict, VERDICT_NO_CHANGE);
	ck_assert_int_eq(verdict__holm(family, 0), 0);
}
END_TEST

START_TEST(test_holm_alone)
{
	struct judgement one = {.verdict = VERDICT_REGRESSED, .p = 0.049};

	ck_assert_int_eq(verdict__holm(&one, 1), 0);
	ck_assert(one.verdict == VERDICT_REGRESSED && one.p == 0.049);
	ck_assert_str_eq(one.note, "");
}
END_TEST

/* A note has room for what it has room for. */
START_TEST(test_long_note)
{
	struct judgement family[2] = {{.verdict = VERDICT_REGRESSED, .p = 0.03}, {.p = 0.9}};

	memset(family[0].note, 'x', sizeof(family[0].note) - 3);
	ck_assert_int_eq(verdict__holm(family, 2), 0);
	ck_assert_uint_eq(strlen(family[0].note), sizeof(family[0].note) - 1);
}
END_TEST

START_TEST(test_moved)
{
	const struct judgement j[] = {
		{.p = 1e-5, .ratio = 1.5},	/* moved */
		{.p = 1e-5, .ratio = 1.015},	/* too little */
		{.p = 1e-5, .ratio = 3},	/* 1 to 3 of something: below its floor */
		{.p = 0.05, .ratio = 2},	/* not among so many */
		{.p = 1e-3, .ratio = INFINITY}, /* from nothing */
		{.p = 1e-3, .ratio = 0},	/* to nothing */
		{.p = NAN, .ratio = 2},		/* not tested */
		{.p = 0.6, .ratio = 1.3},
	};
	const double change[] = {50, 50, 2, 50, 50, 50, 50, 50},
		     floor[] = {10, 10, 10, 0, 0, 0, 0, 0};
	const bool moved[] = {true, false, false, false, true, true, false, false};
	struct secondary s[ARRAY_SIZE(j)];

	for (size_t i = 0; i < ARRAY_SIZE(j); i++)
		s[i] = (struct secondary){&j[i], -change[i], floor[i], 0, false};
	ck_assert_int_eq(verdict__moved(s, ARRAY_SIZE(j), 0.02), 0);
	for (size_t i = 0; i < ARRAY_SIZE(j); i++)
		ck_assert_msg(s[i].moved == moved[i], "%zu: q %g", i, s[i].q);
	/* Seven were tested, and this is the sixth smallest. */
	expect_near("q", s[3].q, 7 * 0.05 / 6, CLOSED_FORM);
	ck_assert(isnan(s[6].q));
}
END_TEST

UNIT_MAIN("verdict family", test_holm, test_holm_alone, test_long_note, test_moved)
