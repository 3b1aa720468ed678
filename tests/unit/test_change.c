// SPDX-License-Identifier: GPL-2.0-only
#include "lib/render/render.h"

#include "tests/unit/document.h"
#include "tests/unit/unit.h"

static void expect_change(const char *row, const char *text, const char *interval)
{
	json_t *json = json_of(row);
	struct change change = render__change_of(json, "lo", "hi");

	ck_assert_str_eq(change.text, text);
	ck_assert_str_eq(change.interval, interval);
	json_decref(json);
}

/* One end beyond a factor of two makes factors of all three. */
START_TEST(test_one_notation)
{
	expect_change("{'ratio': 0.97, 'lo': 0.96, 'hi': 0.982}", "-3.0 %", "-4.0 % .. -1.8 %");
	expect_change("{'ratio': 1.001, 'lo': 0.996, 'hi': 1.02}", "+0.10 %", "-0.40 % .. +2.0 %");
	expect_change("{'ratio': 0.523, 'lo': 0.473, 'hi': 0.577}", "x 0.523",
		      "x 0.473 .. x 0.577");
	expect_change("{'ratio': 1.33, 'lo': 0.359, 'hi': 4.94}", "x 1.33", "x 0.359 .. x 4.94");
	expect_change("{'ratio': 12.5, 'lo': 1.5, 'hi': 30}", "x 12.5", "x 1.5 .. x 30");
}
END_TEST

START_TEST(test_not_known)
{
	expect_change("{'ratio': 0.97, 'lo': null, 'hi': null}", "-3.0 %", "-");
	expect_change("{'ratio': null, 'lo': 0.9, 'hi': null}", "-", "-");
}
END_TEST

UNIT_MAIN("change", test_one_notation, test_not_known)
