// SPDX-License-Identifier: GPL-2.0-only
#include "tests/unit/compare_two.h"
#include "tests/unit/unit.h"

/* Every state that two documents can be in has one outcome. */

START_TEST(test_four_verdicts)
{
	struct two two = make_two(1e6, 10, 0.95e6, 10);

	compare(&two);
	expect(&two, "REGRESSED");
	ck_assert_double_eq_tol(json__number(row(&two, 0), "ratio"), 0.95, 1e-9);
	drop(&two);
	two = make_two(1e6, 10, 1.05e6, 10);
	compare(&two);
	expect(&two, "IMPROVED");
	drop(&two);
	two = make_two(1e6, 10, 1e6, 10);
	compare(&two);
	expect(&two, "NO CHANGE");
	drop(&two);
	two = make_two(1e6, 2, 1.005e6, 2);
	compare(&two);
	expect(&two, "INCONCLUSIVE");
	drop(&two);
}
END_TEST

START_TEST(test_unequal_numbers_of_runs)
{
	struct two two = make_two(1e6, 5, 0.95e6, 9);

	compare(&two);
	expect(&two, "REGRESSED");
	ck_assert_int_eq(
		json_integer_value(json_array_get(json_object_get(row(&two, 0), "units"), 1)), 9);
	drop(&two);
}
END_TEST

START_TEST(report_mui_public_1712_a_single_run_has_no_error)
{
	struct two two = make_two(1e6, 10, 0.5e6, 1);

	compare(&two);
	expect(&two, "INCONCLUSIVE");
	ck_assert_ptr_nonnull(strstr(json__string(row(&two, 0), "note", ""), "one run"));
	ck_assert(json_is_null(json_object_get(row(&two, 0), "lo")));
	drop(&two);
}
END_TEST

START_TEST(test_zero_variance)
{
	struct two two = make_two(1e6, 0, 1e6, 0);

	for (int i = 0; i < 5; i++) {
		add_run(first_benchmark(two.before), 1e6);
		add_run(first_benchmark(two.after), 0.9e6);
	}
	compare(&two);
	expect(&two, "REGRESSED");
	drop(&two);
}
END_TEST

START_TEST(test_points_on_one_side_are_named)
{
	struct two two = make_two(1e6, 10, 1e6, 10);
	const json_t *list;

	add_runs(add_benchmark(two.before, "toy", 2), 1e6, 10);
	add_runs(add_benchmark(two.after, "toy", 3), 1e6, 10);
	compare(&two);
	expect(&two, "NO CHANGE");
	list = json_object_get(two.comparison, "unmatched");
	ck_assert_uint_eq(json_array_size(list), 2);
	ck_assert_str_eq(json__string(json_array_get(list, 0), "key", ""),
			 "toy/size=2/producers=1");
	ck_assert_int_eq(json_integer_value(json_object_get(json_array_get(list, 1), "side")), 1);
	drop(&two);
}
END_TEST

START_TEST(test_nothing_in_common)
{
	struct two two = {make_document("a", "6.12"), make_toy("b", "6.12", 1e6, 5), NULL};

	add_runs(add_benchmark(two.before, "toy", 7), 1e6, 5);
	compare(&two);
	expect(&two, "NOT COMPARABLE");
	ck_assert_uint_eq(json_array_size(json_object_get(two.comparison, "rows")), 0);
	drop(&two);
}
END_TEST

/* One member of the after side's benchmark is another; the whole is not comparable. */
static void expect_other_benchmark(const char *key, const char *value, const char *text)
{
	struct two two = make_two(1e6, 5, 1e6, 5);

	json_object_set_new(first_benchmark(two.after), key, json_of(value));
	compare(&two);
	expect(&two, "NOT COMPARABLE");
	expect_reason(&two, "blocked", text);
	drop(&two);
}

START_TEST(test_another_benchmark_of_the_same_key)
{
	expect_other_benchmark("trigger", "'raw-tp'",
			       "trigger differs: 'prog-run:syscall' and 'raw-tp'");
	expect_other_benchmark("trigger", "null", "trigger differs");
	expect_other_benchmark("loop", "'unrolled'", "loop differs: 'callback' and 'unrolled'");
	expect_other_benchmark("params", "{'size': 2, 'producers': 1}", "parameter size differs");
	expect_other_benchmark("params", "{'size': 1, 'producers': 1, 'new': 1}",
			       "only one side has parameter new");
	expect_other_benchmark("primary", "'ns_op'", "primary differs");
}
END_TEST

START_TEST(test_auto_that_came_to_something_else)
{
	struct two two = make_two(1e6, 5, 1e6, 5);

	json_object_set_new(nth_run(two.before, 0), "resolved", json_of("{'hash_seed': 'zero'}"));
	json_object_set_new(nth_run(two.after, 0), "resolved", json_of("{'hash_seed': 'random'}"));
	compare(&two);
	expect_reason(&two, "blocked", "hash_seed=auto came to 'zero' and to 'random'");
	drop(&two);
}
END_TEST

START_TEST(report_neqo_3787_another_unit_or_direction)
{
	static const char *const keys[] = {"unit", "better", "kind", "class"};

	for (size_t i = 0; i < 4; i++) {
		struct two two = make_two(1e6, 5, 1e6, 5);
		json_t *metrics = json_object_get(two.after, "metrics");

		json_object_set_new(json_object_get(metrics, "ops_rate"), keys[i],
				    json_string(i == 1	 ? "lower"
						: i == 3 ? "repeatable"
							 : "x"));
		compare(&two);
		expect(&two, "NOT COMPARABLE");
		expect_reason(&two, "blocked", keys[i]);
		drop(&two);
	}
}
END_TEST

START_TEST(test_unknown_direction_is_no_verdict)
{
	struct two two = make_two(1e6, 10, 0.5e6, 10);
	json_t *documents[] = {two.before, two.after};

	for (int i = 0; i < 2; i++)
		json_object_set_new(json_object_get(json_object_get(documents[i], "metrics"),
						    "ops_rate"),
				    "better", json_string("none"));
	compare(&two);
	expect(&two, "INCONCLUSIVE");
	ck_assert_double_eq_tol(json__number(row(&two, 0), "ratio"), 0.5, 1e-9);
	ck_assert(json_is_string(json_object_get(row(&two, 0), "note")));
	drop(&two);
}
END_TEST

START_TEST(test_skipped_on_one_side_decides_nothing)
{
	struct two two = make_two(1e6, 10, 1e6, 10);

	add_runs(add_benchmark(two.before, "other", 1), 1e6, 10);
	add_bad_run(add_benchmark(two.after, "other", 1), "skipped", "this kernel has no such map");
	compare(&two);
	expect(&two, "NO CHANGE");
	ck_assert_str_eq(json__string(row(&two, 1), "state", ""), "absent");
	ck_assert_str_eq(json__string(row(&two, 1), "reason", ""),
			 "skipped after: this kernel has no such map");
	drop(&two);
}
END_TEST

/* What fails its check after the change must not pass as "no change" of the others. */
START_TEST(test_failed_on_one_side_is_not_comparable)
{
	struct two two = make_two(1e6, 10, 1e6, 10);

	add_runs(add_benchmark(two.before, "other", 1), 1e6, 10);
	add_bad_run(add_benchmark(two.after, "other", 1), "failed", "the counts disagree");
	compare(&two);
	expect(&two, "NOT COMPARABLE");
	ck_assert_str_eq(json__string(row(&two, 1), "reason", ""),
			 "failed after: the counts disagree");
	drop(&two);
}
END_TEST

START_TEST(test_one_failed_run_is_left_out_and_listed)
{
	struct two two = make_two(1e6, 10, 1e6, 9);
	const json_t *exclusions;

	add_bad_run(first_benchmark(two.after), "failed", "the counts disagree");
	compare(&two);
	expect(&two, "NO CHANGE");
	exclusions = json_object_get(two.comparison, "exclusions");
	ck_assert_int_eq(json_integer_value(json_object_get(exclusions, "total")), 1);
	ck_assert_str_eq(json__string(json_array_get(json_object_get(exclusions, "runs"), 0),
				      "cause", ""),
			 "failed: the counts disagree");
	drop(&two);
}
END_TEST

START_TEST(test_disturbed_runs_are_left_out_for_their_cause)
{
	struct two two = make_two(1e6, 10, 1e6, 10);

	json_object_set_new(add_run(first_benchmark(two.after), 1e3), "state",
			    json_of("{'steal_pct': 40.0}"));
	compare(&two);
	expect(&two, "NO CHANGE");
	ck_assert_int_eq(json_integer_value(json_object_get(
				 json_object_get(two.comparison, "exclusions"), "total")),
			 1);
	drop(&two);
}
END_TEST

/* A value alone is no cause: the same odd run stays. */
START_TEST(test_odd_values_stay)
{
	struct two two = make_two(1e6, 10, 1e6, 10);

	add_run(first_benchmark(two.after), 1e3);
	compare(&two);
	expect(&two, "INCONCLUSIVE");
	drop(&two);
}
END_TEST

START_TEST(test_too_few_undisturbed_runs)
{
	struct two two = make_two(1e6, 5, 1e6, 5);
	const json_t *after;

	/* Three would be left, of which there is no verdict. */
	json_object_set_new(nth_run(two.after, 0), "state", json_of("{'steal_pct': 7.0}"));
	json_object_set_new(nth_run(two.after, 3), "state", json_of("{'steal_pct': 9.0}"));
	compare(&two);
	expect(&two, "NO CHANGE");
	ck_assert_ptr_nonnull(strstr(json__string(row(&two, 0), "reason", ""),
				     "2 of 10 runs were disturbed, and are kept"));
	after = json_object_get(row(&two, 0), "after");
	ck_assert_int_eq(json_integer_value(json_object_get(after, "disturbed")), 2);
	/* The worst cause is the one that is told. */
	ck_assert_str_eq(json__string(after, "cause", ""),
			 "the hypervisor took 9.0 % of the CPUs (steal)");
	drop(&two);
}
END_TEST

static void disturb(json_t *run, const char *percent)
{
	char text[64];

	snprintf(text, sizeof(text), "{'steal_pct': %s}", percent);
	json_object_set_new(run, "state", json_of(text));
}

static void expect_kept(const struct two *two, bool kept, const char *unit, int units)
{
	const json_t *side = json_object_get(row(two, 0), "before");

	ck_assert_msg((strstr(json__string(row(two, 0), "reason", ""), "are kept") != NULL) == kept,
		      "%s", json_dumps(row(two, 0), JSON_INDENT(1)));
	ck_assert_str_eq(json__string(row(two, 0), "unit", ""), unit);
	ck_assert_int_eq(json_integer_value(json_object_get(side, "units")), units);
}

/* `boots` with two runs each. */
static json_t *make_boots(const char *id, int boots, double rate)
{
	json_t *document = make_toy(id, id, rate, 2 * boots);

	for (int i = 1; i < boots; i++) {
		char name[16];

		snprintf(name, sizeof(name), "%s%d", id, i);
		json_array_append_new(json_object_get(document, "boots"), make_boot(name, id));
	}
	for (int i = 0; i < 2 * boots; i++)
		json_object_set_new(nth_run(document, i), "boot", json_integer(i / 2));
	return document;
}

/* What is left is counted in the unit of the verdict, whichever way that goes. */
START_TEST(test_disturbed_boots)
{
	struct two two = {make_boots("a", 3, 1e6), make_boots("b", 3, 0.95e6), NULL};

	for (int i = 0; i < 6; i++)
		add_run(first_benchmark(two.before), 1e6);
	for (int i = 0; i < 2; i++)
		disturb(nth_run(two.before, 2 + i), "7.0");
	/* Ten runs would be left, of two boots: no unit any more, and a spread assumed. */
	compare(&two);
	expect_kept(&two, true, "boot", 3);
	expect(&two, "REGRESSED");
	drop(&two);
	/* Of four boots one may go... */
	two = (struct two){make_boots("a", 4, 1e6), make_boots("b", 4, 0.95e6), NULL};
	for (int i = 0; i < 2; i++)
		disturb(nth_run(two.before, 2 + i), "7.0");
	compare(&two);
	expect_kept(&two, false, "boot", 3);
	expect(&two, "REGRESSED");
	drop(&two);
	/* ...and of three boots a run each, although the runs that are left are but three. */
	two = (struct two){make_boots("a", 3, 1e6), make_boots("b", 3, 0.95e6), NULL};
	for (int i = 0; i < 3; i++)
		disturb(nth_run(two.before, 2 * i), "7.0");
	compare(&two);
	expect_kept(&two, false, "boot", 3);
	expect(&two, "REGRESSED");
	drop(&two);
}
END_TEST

/* Ten pairs; three runs of one arm and three of the other in other blocks: four pairs are left. */
START_TEST(test_disturbed_pairs)
{
	json_t *document = make_document("a", "6.12"), *owner = NULL;
	json_t *plan = json_object_get(json_object_get(document, "tool"), "plan");
	struct compare_side sides[2];
	struct two two = {0};
	struct why why;
	size_t nr;

	json_object_set_new(plan, "vs", json_of("{'param': null, 'values': []}"));
	add_runs(add_benchmark(document, "toy", 1), 1e6, 20);
	for (int i = 0; i < 20; i++) {
		json_object_set_new(nth_run(document, i), "arm", json_integer(i / 10));
		json_object_set_new(nth_run(document, i), "block", json_integer(i % 10));
		if (i < 3 || (i >= 13 && i < 16))
			disturb(nth_run(document, i), "7.0");
	}
	trim(document);
	ck_assert_int_eq(compare__split(document, NULL, sides, 2, &nr, &owner, &why), 0);
	two.comparison = compare__documents(sides, 2, &defaults, &why);
	expect_kept(&two, true, "pair", 10);
	expect(&two, "NO CHANGE");
	json_decref(two.comparison);
	/* With five pairs left they go. */
	json_object_del(nth_run(document, 15), "state");
	two.comparison = compare__documents(sides, 2, &defaults, &why);
	expect_kept(&two, false, "pair", 5);
	expect(&two, "NO CHANGE");
	json_decref(two.comparison);
	json_decref(owner);
	json_decref(document);
}
END_TEST

START_TEST(test_other_machines)
{
	struct two two = make_two(1e6, 10, 0.9e6, 10);
	struct compare_options forced = defaults;

	json_object_set_new(json_object_get(first_boot(two.after), "cpu"), "model",
			    json_string("another CPU"));
	compare(&two);
	expect(&two, "NOT COMPARABLE");
	expect_reason(&two, "blocked", "the machines differ");
	ck_assert(json_is_false(json_object_get(two.comparison, "forced")));
	forced.force = true;
	compare_with(&two, &forced);
	expect(&two, "REGRESSED");
	ck_assert(json_is_true(json_object_get(two.comparison, "forced")));
	drop(&two);
}
END_TEST

START_TEST(test_one_boot_per_kernel_calls_only_large_effects)
{
	struct two two = {make_toy("a", "6.12", 1e6, 10), make_toy("b", "6.13", 0.96e6, 10), NULL};

	compare(&two);
	expect(&two, "INCONCLUSIVE");
	ck_assert_ptr_nonnull(strstr(json__string(row(&two, 0), "note", ""), "five boots"));
	drop(&two);
	two = (struct two){make_toy("a", "6.12", 1e6, 10), make_toy("b", "6.13", 30e6, 10), NULL};
	compare(&two);
	expect(&two, "IMPROVED");
	drop(&two);
}
END_TEST

UNIT_MAIN("compare", test_four_verdicts, test_unequal_numbers_of_runs,
	  report_mui_public_1712_a_single_run_has_no_error, test_zero_variance,
	  test_points_on_one_side_are_named, test_nothing_in_common,
	  test_another_benchmark_of_the_same_key, test_auto_that_came_to_something_else,
	  report_neqo_3787_another_unit_or_direction, test_unknown_direction_is_no_verdict,
	  test_skipped_on_one_side_decides_nothing, test_failed_on_one_side_is_not_comparable,
	  test_one_failed_run_is_left_out_and_listed,
	  test_disturbed_runs_are_left_out_for_their_cause, test_odd_values_stay,
	  test_too_few_undisturbed_runs, test_disturbed_boots, test_disturbed_pairs,
	  test_other_machines, test_one_boot_per_kernel_calls_only_large_effects)
