// SPDX-License-Identifier: GPL-2.0-only
#include "lib/equivalence.h"

#include <errno.h>
#include <math.h>

#include "tests/unit/golden.h"
#include "tests/unit/unit.h"

/* The two one-sided tests say the same as the 90 % interval; the values are golden cases. */
START_TEST(test_interval_agrees)
{
	struct equivalence e;

	for (int i = -20; i <= 20; i++) {
		struct difference d = {.value = i * 0.0007, .se = 0.003, .df = 18};

		ck_assert_int_eq(equivalence__test(&d, 1 / 1.01, 1.01, &e), 0);
		ck_assert_int_eq(e.equivalent, e.lo > 1 / 1.01 && e.hi < 1.01);
		ck_assert(e.p == fmax(e.p_lower, e.p_upper));
	}
}
END_TEST

START_TEST(test_degenerate)
{
	struct difference d = {.value = 0.005, .se = 0, .df = 4};
	struct equivalence e;

	/* No spread: the value is in or out. */
	ck_assert_int_eq(equivalence__test(&d, 0.99, 1.01, &e), 0);
	ck_assert(e.equivalent && e.p == 0 && e.lo == e.hi);
	d.value = 0.5;
	ck_assert_int_eq(equivalence__test(&d, 0.99, 1.01, &e), 0);
	ck_assert(!e.equivalent && e.p == 1);
	/* One run: nothing is proven. */
	d = (struct difference){.value = 0, .se = NAN, .df = NAN};
	ck_assert_int_eq(equivalence__test(&d, 0.99, 1.01, &e), 0);
	ck_assert(!e.equivalent && isnan(e.p));
	ck_assert_int_eq(equivalence__test(&d, 1.01, 0.99, &e), -EINVAL);
	ck_assert_int_eq(equivalence__test(&d, 0, 1.01, &e), -EINVAL);
	ck_assert_int_eq(equivalence__test(&d, 0.9, NAN, &e), -EINVAL);
}
END_TEST

/* R's power.t.test() gives a fraction of a run. */
START_TEST(test_runs_for_change)
{
	json_t *doc = load_data(TESTDATA "/wilcox.json"), *row;
	size_t i;

	json_array_foreach(member(doc, "power"), i, row) {
		double effect = json_number_value(member(row, "effect"));
		double power = json_number_value(member(row, "power"));
		struct design design = {.sd = json_number_value(member(row, "sd"))};
		double n = equivalence__runs_for_change(&design, effect, power);

		expect_near("n", n, ceil(json_number_value(member(row, "n"))), 0);
		ck_assert(equivalence__power_of_change(&design, effect, n) >= power);
		ck_assert(equivalence__power_of_change(&design, effect, n - 1) < power);
		design.paired = true;
		n = equivalence__runs_for_change(&design, effect, power);
		expect_near("pairs", n, ceil(json_number_value(member(row, "paired_n"))), 0);
	}
	ck_assert_uint_ge(i, 10);
	json_decref(doc);
}
END_TEST

/* From the same integral by R's integrate(). */
START_TEST(test_power_of_no_change)
{
	const struct {
		struct design design;
		double truth, margin;
		size_t n;
		double power;
	} cases[] = {
		{{0.005, false}, 0, 0.01, 10, 0.991459759021},
		{{0.01, false}, 0, 0.01, 10, 0.383775273683},
		{{0.01, false}, 0, 0.01, 24, 0.919999216777},
		{{0.02, true}, 0.004, 0.02, 12, 0.80741876228},
		{{0.01, true}, 0, 0.01, 3, 0.125734759852},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		double power = equivalence__power_of_no_change(&cases[i].design, cases[i].truth,
							       cases[i].margin, cases[i].n);

		/* Where the power is 0 for a large error, Simpson's rule meets a kink. */
		expect_near("power", power, cases[i].power, 1e-3);
	}
}
END_TEST

START_TEST(test_runs_for_no_change)
{
	const double sd[] = {0.002, 0.005, 0.01, 0.02, 0.1};
	const double truth[] = {0, 0.003, -0.003};

	for (size_t i = 0; i < ARRAY_SIZE(sd); i++)
		for (size_t j = 0; j < ARRAY_SIZE(truth); j++) {
			struct design design = {.sd = sd[i], .paired = i % 2};
			double n = equivalence__runs_for_no_change(&design, truth[j], 0.01, 0.9);

			ck_assert_msg(equivalence__power_of_no_change(&design, truth[j], 0.01, n) >
					      0.899,
				      "sd %g, truth %g", sd[i], truth[j]);
			if (n > 2)
				ck_assert(equivalence__power_of_no_change(&design, truth[j], 0.01,
									  n - 1) < 0.901);
		}
}
END_TEST

START_TEST(test_no_number)
{
	const struct design design = {.sd = 0.01}, none = {.sd = 0}, unknown = {.sd = NAN};

	/* A truth outside of the band cannot be shown to lie within. */
	ck_assert(isnan(equivalence__runs_for_no_change(&design, 0.02, 0.01, 0.9)));
	ck_assert(isnan(equivalence__runs_for_no_change(&design, 0, 0, 0.9)));
	ck_assert(isnan(equivalence__runs_for_change(&design, 0, 0.9)));
	ck_assert(isnan(equivalence__runs_for_change(&design, 1e-6, 0.9)));
	ck_assert(isnan(equivalence__runs_for_change(&design, 0.01, 1)));
	ck_assert(isnan(equivalence__runs_for_change(&none, 0.01, 0.9)));
	ck_assert(isnan(equivalence__runs_for_change(&unknown, 0.01, 0.9)));
	ck_assert(isnan(equivalence__power_of_change(&design, 0.01, 1)));
}
END_TEST

START_TEST(test_runs_for_width)
{
	/* t(4) at 0.975 is 2.776: (2.776 * 0.02 / 0.01)^2 = 30.8. */
	expect_near("n", equivalence__runs_for_width(0.02, 5, 0.01, 0.95), 31, 0);
	expect_near("n", equivalence__runs_for_width(0, 5, 0.01, 0.95), 2, 0);
	ck_assert(isnan(equivalence__runs_for_width(0.02, 1, 0.01, 0.95)));
	ck_assert(isnan(equivalence__runs_for_width(NAN, 5, 0.01, 0.95)));
	ck_assert(isnan(equivalence__runs_for_width(0.02, 5, 0, 0.95)));
}
END_TEST

UNIT_MAIN("equivalence", test_interval_agrees, test_degenerate, test_runs_for_change,
	  test_power_of_no_change, test_runs_for_no_change, test_no_number, test_runs_for_width)
