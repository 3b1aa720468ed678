/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_TESTS_UNIT_SIDES_H
#define BPFPERF_TESTS_UNIT_SIDES_H

#include <math.h>
#include <string.h>

#include "lib/verdict.h"
#include "tests/unit/golden.h"
#include "tests/unit/unit.h"

/* Whatever the unit, the ratio is that of the two sides; ranks have no means, but with a 0. */
static inline void expect_ratio_of_sides(const struct judgement *j, bool robust)
{
	bool zeros = j->before.value == 0 || strstr(j->note, "a value is 0");

	if (!isfinite(j->ratio) || (robust && !zeros))
		return;
	ck_assert_uint_eq(j->before.n, j->units_before);
	ck_assert_uint_eq(j->after.n, j->units_after);
	if (j->before.value != 0)
		expect_near("ratio of sides", j->after.value / j->before.value, j->ratio,
			    CLOSED_FORM);
}

#endif
