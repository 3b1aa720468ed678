// SPDX-License-Identifier: GPL-2.0-only
#include "lib/headline.h"

#include <errno.h>

#include "tests/unit/golden.h"
#include "tests/unit/unit.h"

/* qt(0.975, 1) and qt(0.975, 2) of R. */
#define T1 12.706204736174694
#define T2 4.3026527297494619

static struct headline headline_of(const struct observation *runs, size_t nr)
{
	struct headline headline;

	ck_assert_int_eq(headline__make(&(struct arm){runs, nr}, &headline), 0);
	return headline;
}

/* One boot: what stats__estimate() says of the runs. */
START_TEST(test_one_boot)
{
	const struct observation runs[] = {{.value = 1e6}, {.value = 2e6}, {.value = 4e6}};
	struct headline h = headline_of(runs, 3);

	ck_assert_str_eq(h.unit, "run");
	ck_assert(h.geometric && h.balanced && h.runs == 3 && h.boots == 1 && h.hosts == 1);
	ck_assert_uint_eq(h.of_units.n, 3);
	expect_near("factor", h.factor, 4, CLOSED_FORM);
	expect_near("value", h.of_units.value, 2e6, CLOSED_FORM);
	expect_near("lo", h.of_units.lo, 2e6 * exp(-T2 * log(2) / sqrt(3)), CLOSED_FORM);
	expect_near("hi", h.of_units.hi, 2e6 * exp(T2 * log(2) / sqrt(3)), CLOSED_FORM);
	/* mean 7/3, sd sqrt(7/3), in millions */
	expect_near("cv", h.run_cv, sqrt(7. / 3) / (7. / 3), CLOSED_FORM);
}
END_TEST

/*
 * Boots of 1, 2 and 4, whatever their runs: geometric mean 2, and the interval of three values.
 * Pooled, the six runs would give 2.245, and an interval on 5 degrees of freedom.
 */
START_TEST(test_boots)
{
	const struct observation runs[] = {
		{.value = 16, .boot = 2}, {.value = 0.5, .boot = 0}, {.value = 2, .boot = 1},
		{.value = 1, .boot = 2},  {.value = 2, .boot = 0},   {.value = 4, .boot = 2},
	};
	struct headline h = headline_of(runs, 6);

	ck_assert_str_eq(h.unit, "boot");
	ck_assert(!h.balanced && h.runs == 6 && h.boots == 3 && h.hosts == 1);
	ck_assert_uint_eq(h.of_units.n, 3);
	expect_near("value", h.of_units.value, 2, CLOSED_FORM);
	expect_near("lo", h.of_units.lo, 2 * exp(-T2 * log(2) / sqrt(3)), CLOSED_FORM);
	expect_near("hi", h.of_units.hi, 2 * exp(T2 * log(2) / sqrt(3)), CLOSED_FORM);
	/* Between boots: of 1, 2, 4. */
	expect_near("boot cv", h.of_units.cv, sqrt(7. / 3) / (7. / 3), CLOSED_FORM);
	/* Within: means 1.25, 2, 7; squares .36 .36 0 36/49 9/49 81/49 over 6 - 3. */
	expect_near("run cv", h.run_cv, sqrt((0.72 + 126. / 49) / 3), CLOSED_FORM);
}
END_TEST

/* Hosts of 2 (boots of 1 and 4) and 8: their mean is 4, on one degree of freedom. */
START_TEST(test_hosts)
{
	const struct observation runs[] = {
		{.value = 1, .boot = 0, .host = 0},
		{.value = 4, .boot = 1, .host = 0},
		{.value = 8, .boot = 2, .host = 2},
		{.value = 8, .boot = 3, .host = 2},
	};
	struct headline h = headline_of(runs, 4);

	ck_assert_str_eq(h.unit, "host");
	ck_assert(h.balanced && h.runs == 4 && h.boots == 4 && h.hosts == 2);
	ck_assert_uint_eq(h.of_units.n, 2);
	expect_near("value", h.of_units.value, 4, CLOSED_FORM);
	/* The logs differ by ln 4: their sd is ln 4 / sqrt 2. */
	expect_near("lo", h.of_units.lo, 4 * exp(-T1 * log(4) / 2), CLOSED_FORM);
	expect_near("hi", h.of_units.hi, 4 * exp(T1 * log(4) / 2), CLOSED_FORM);
	ck_assert(isnan(h.run_cv));
}
END_TEST

/* Equal values have an interval of width zero, at every level. */
START_TEST(test_equal_boots)
{
	struct observation runs[6];
	struct headline h;

	for (int i = 0; i < 6; i++)
		runs[i] = (struct observation){.value = 12345.678, .boot = i / 2};
	h = headline_of(runs, 6);
	ck_assert_uint_eq(h.of_units.n, 3);
	ck_assert(h.of_units.lo == h.of_units.hi && h.run_cv == 0 && h.of_units.cv == 0);
}
END_TEST

/* 0 has no log: the mean of the boots' means, 0 and 6, and no interval. */
START_TEST(test_zero)
{
	const struct observation runs[] = {{.value = 0, .boot = 0},
					   {.value = 4, .boot = 1},
					   {.value = 8, .boot = 1},
					   {.value = 6, .boot = 1}};
	struct headline h = headline_of(runs, 4);

	ck_assert(!h.geometric && h.of_units.value == 3);
	ck_assert(isnan(h.of_units.lo) && isnan(h.of_units.hi));
	ck_assert(headline__mean(&(struct arm){runs, 4}) == 3);
	ck_assert(headline__mean(&(struct arm){runs + 1, 3}) == 6);
	ck_assert(isnan(headline__mean(&(struct arm){runs, 0})));
}
END_TEST

START_TEST(test_no_value)
{
	const struct observation runs[] = {{.value = 1}, {.value = NAN}};
	struct headline h;

	ck_assert_int_eq(headline__make(&(struct arm){runs, 0}, &h), -EINVAL);
	ck_assert(h.of_units.n == 0 && isnan(h.of_units.value));
	ck_assert_int_eq(headline__make(&(struct arm){runs, 2}, &h), -EINVAL);
	ck_assert(isnan(h.of_units.value) && isnan(h.run_cv));
}
END_TEST

/* The ends of what a double holds: a figure, or none, and never a wrong one. */
START_TEST(test_extremes)
{
	const struct observation runs[] = {{.value = 1e308, .boot = 0},
					   {.value = 1e308, .boot = 0},
					   {.value = 1e-320, .boot = 1},
					   {.value = 1e-320, .boot = 1}};
	struct headline h = headline_of(runs, 4);

	/* sqrt(1e308 * 1e-320) = 1e-6; 1e-320 has three digits. */
	expect_near("value", h.of_units.value, 1e-6, 1e-3);
	ck_assert(h.of_units.lo >= 0 && !isnan(h.of_units.hi));
}
END_TEST

UNIT_MAIN("headline", test_one_boot, test_boots, test_hosts, test_equal_boots, test_zero,
	  test_no_value, test_extremes)
