// SPDX-License-Identifier: GPL-2.0-only
#include "lib/finding.h"

#include <errno.h>

#include "lib/verdict.h"
#include "tests/unit/golden.h"
#include "tests/unit/unit.h"

/* Ranks of 4,200 a side, of which some are 0, need no interval, and so no memory for one. */
START_TEST(test_many_zeros)
{
	static struct observation a[4200], b[4200];
	struct judge_options o = {.min_effect = 0.01};
	struct judgement j;

	for (int i = 0; i < 4200; i++) {
		a[i] = (struct observation){.value = i % 2, .block = i};
		b[i] = (struct observation){.value = i % 4, .block = i};
	}
	for (int paired = 0; paired < 2; paired++) {
		o.paired = paired;
		ck_assert_int_eq(
			verdict__judge(&(struct arm){a, 4200}, &(struct arm){b, 4200}, &o, &j), 0);
		ck_assert_int_eq(j.verdict, VERDICT_REGRESSED);
		expect_near("ratio", j.ratio, 3, CLOSED_FORM);
	}
	/* The interval of ranks takes every difference. */
	o.robust = true;
	o.paired = false;
	for (int i = 0; i < 4200; i++)
		a[i].value = b[i].value = 1;
	ck_assert_int_eq(verdict__judge(&(struct arm){a, 4200}, &(struct arm){b, 4200}, &o, &j),
			 -E2BIG);
}
END_TEST

UNIT_MAIN("finding", test_many_zeros)
