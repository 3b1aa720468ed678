// SPDX-License-Identifier: GPL-2.0-only
#include "lib/multiple.h"

#include <errno.h>
#include <math.h>

#include "tests/unit/golden.h"
#include "tests/unit/unit.h"

/* The values themselves are golden cases, in test_golden.c. */

START_TEST(test_untested)
{
	const double p[] = {0.04, NAN, 0.01, NAN};
	double ret[4];

	/* A family of two, not of four. */
	ck_assert_int_eq(multiple__holm(p, 4, ret), 0);
	expect_near("holm", ret[0], 0.04, CLOSED_FORM);
	expect_near("holm", ret[2], 0.02, CLOSED_FORM);
	ck_assert(isnan(ret[1]) && isnan(ret[3]));
	ck_assert_int_eq(multiple__benjamini_hochberg(p, 4, ret), 0);
	expect_near("bh", ret[0], 0.04, CLOSED_FORM);
	expect_near("bh", ret[2], 0.02, CLOSED_FORM);
	ck_assert(isnan(ret[1]) && isnan(ret[3]));
}
END_TEST

START_TEST(test_in_place)
{
	double p[] = {0.03, 0.9, 0.03, 0};

	ck_assert_int_eq(multiple__holm(p, 4, p), 0);
	expect_near("holm", p[0], 0.09, CLOSED_FORM);
	expect_near("holm", p[1], 0.9, CLOSED_FORM);
	expect_near("holm", p[2], 0.09, CLOSED_FORM);
	ck_assert(p[3] == 0);
}
END_TEST

START_TEST(test_edges)
{
	const double one = 0.05, wrong[] = {0.5, 1.1}, none[] = {NAN, NAN};
	double ret[2];

	ck_assert_int_eq(multiple__holm(&one, 1, ret), 0);
	ck_assert(ret[0] == one);
	ck_assert_int_eq(multiple__benjamini_hochberg(&one, 1, ret), 0);
	ck_assert(ret[0] == one);
	ck_assert_int_eq(multiple__holm(NULL, 0, NULL), 0);
	ck_assert_int_eq(multiple__holm(none, 2, ret), 0);
	ck_assert(isnan(ret[0]) && isnan(ret[1]));
	ck_assert_int_eq(multiple__holm(wrong, 2, ret), -EINVAL);
	ck_assert_int_eq(multiple__benjamini_hochberg(wrong, 2, ret), -EINVAL);
}
END_TEST

UNIT_MAIN("multiple", test_untested, test_in_place, test_edges)
