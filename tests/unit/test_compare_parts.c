// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <math.h>

#include "lib/render/render.h"
#include "tests/unit/compare_two.h"
#include "tests/unit/unit.h"

/* Emulated time, other metrics, values of several boots, sides of one document, and the text. */

static void set_timing(const struct two *two, const char *before, const char *after)
{
	json_object_set_new(first_boot(two->before), "timing", json_string(before));
	json_object_set_new(first_boot(two->after), "timing", json_string(after));
}

START_TEST(test_emulated_time)
{
	struct two two = make_two(1e6, 10, 0.5e6, 10);
	struct compare_options large = {.min_effect = 0.5};

	set_timing(&two, "emulated", "emulated");
	compare(&two);
	expect(&two, "NOT COMPARABLE");
	expect_reason(&two, "blocked", "--min-effect 50");
	compare_with(&two, &large);
	ck_assert_str_eq(json__string(row(&two, 0), "state", ""), "judged");
	large.force = true;
	set_timing(&two, "native", "emulated");
	compare_with(&two, &large);
	expect_reason(&two, "blocked", "noisy figures do not compare");
	drop(&two);
}
END_TEST

static void set_values(const json_t *document, const char *name, double value)
{
	const json_t *benchmark, *run;
	size_t i, j;

	json_array_foreach(json_object_get(document, "benchmarks"), i, benchmark)
		json_array_foreach(json_object_get(benchmark, "runs"), j, run)
			json_object_set_new(json_object_get(run, "values"), name, json_real(value));
}

/* Virtual time in the kernel repeats to a fraction of a per cent, and decides. */
START_TEST(test_icount)
{
	struct two two = make_two(1e6, 5, 0.5e6, 5);

	set_timing(&two, "icount", "icount");
	set_values(two.before, "bpf_ns_op", 100.0);
	set_values(two.after, "bpf_ns_op", 100.5);
	compare(&two);
	expect(&two, "REGRESSED");
	ck_assert_str_eq(json__string(row(&two, 0), "metric", ""), "bpf_ns_op");
	drop(&two);
}
END_TEST

START_TEST(test_exact_metrics)
{
	struct compare_options options = {.min_effect = 0.01, .primary = "insns,ops_rate"};
	struct two two = make_two(1e6, 10, 1e6, 10);

	set_values(two.before, "insns", 1000);
	set_values(two.after, "insns", 1001);
	compare_with(&two, &options);
	expect(&two, "REGRESSED");
	ck_assert_uint_eq(json_array_size(json_object_get(two.comparison, "rows")), 2);
	ck_assert_int_eq(json_integer_value(json_object_get(two.comparison, "headline")), 0);
	drop(&two);
}
END_TEST

START_TEST(test_unknown_primary)
{
	struct two two = make_two(1e6, 5, 1e6, 5);
	struct compare_options options = {.min_effect = 0.01, .primary = "ops_rat"};
	struct compare_side sides[] = {{.document = two.before, .name = "a", .arm = -1},
				       {.document = two.after, .name = "b", .arm = -1}};
	struct why why;

	ck_assert_ptr_null(compare__documents(sides, 2, &options, &why));
	ck_assert_ptr_nonnull(strstr(why.text, "'ops_rate'"));
	drop(&two);
}
END_TEST

static double value_of_side(const json_t *row, const char *side)
{
	return json__number(json_object_get(row, side), "value");
}

static void expect_ratio_of_sides(const json_t *row)
{
	ck_assert_double_eq_tol(value_of_side(row, "after") / value_of_side(row, "before"),
				json__number(row, "ratio"), 1e-9);
}

/* Runs of 2 and 4 M/s in two boots more: one to each, and two more to the first. */
static void add_boots(json_t *document)
{
	json_t *boots = json_object_get(document, "boots");

	for (int boot = 1; boot < 3; boot++) {
		json_array_append_new(boots, make_boot(boot == 1 ? "c" : "d", "6.12"));
		for (int i = 0; i < (boot == 1 ? 3 : 1); i++)
			json_object_set_new(add_run(first_benchmark(document), boot * 2e6), "boot",
					    json_integer(boot));
	}
}

/*
 * Boots of 1, 2 (three runs) and 4 against one boot have runs as their unit, of which the mean is
 * the fifth root of 1 * 2^3 * 4 = 2; then against three boots, with a mean of (1 * 2 * 4)^(1/3).
 */
START_TEST(test_values_are_of_the_units_of_the_verdict)
{
	struct two two = make_two(1e6, 1, 1e6, 2);
	const json_t *before;

	add_boots(two.before);
	json_object_set_new(json_object_get(nth_run(two.before, 0), "values"), "ops_rate",
			    json_real(0.5e6));
	compare(&two);
	before = json_object_get(row(&two, 0), "before");
	ck_assert_str_eq(json__string(before, "unit", ""), "run");
	ck_assert_int_eq(json_integer_value(json_object_get(before, "units")), 5);
	ck_assert_double_eq_tol(json__number(before, "value"), 1e6 * pow(16, 0.2), 1e-3);
	expect_ratio_of_sides(row(&two, 0));
	add_boots(two.after);
	compare(&two);
	before = json_object_get(row(&two, 0), "before");
	ck_assert_str_eq(json__string(before, "unit", ""), "boot");
	ck_assert_int_eq(json_integer_value(json_object_get(before, "units")), 3);
	ck_assert_int_eq(json_integer_value(json_object_get(before, "runs")), 5);
	ck_assert_double_eq_tol(json__number(before, "value"), 1e6 * cbrt(4), 1e-3);
	ck_assert(json__number(before, "cv") == 0);
	expect_ratio_of_sides(row(&two, 0));
	drop(&two);
}
END_TEST

/* Without a verdict there is the figure of each document, as `report` has it. */
START_TEST(test_values_without_a_verdict)
{
	struct two two = make_two(1e6, 1, 1e6, 2);
	const json_t *before;

	add_boots(two.before);
	json_object_set_new(json_object_get(first_boot(two.after), "cpu"), "model",
			    json_string("another CPU"));
	compare(&two);
	expect(&two, "NOT COMPARABLE");
	before = json_object_get(row(&two, 0), "before");
	ck_assert_str_eq(json__string(before, "unit", ""), "boot");
	ck_assert_double_eq_tol(json__number(before, "value"), 2e6, 1e-3);
	ck_assert_double_eq_tol(json__number(before, "lo"), 357462.12, 1);
	drop(&two);
}
END_TEST

/* One document, three values, interleaved. */
static json_t *make_sweep(void)
{
	json_t *document = make_document("a", "6.12");

	add_runs(add_benchmark(document, "toy", 1), 1e6, 10);
	add_runs(add_benchmark(document, "toy", 2), 1.1e6, 10);
	add_runs(add_benchmark(document, "toy", 3), 1.2e6, 10);
	trim(document);
	return document;
}

START_TEST(test_by_a_parameter)
{
	json_t *document = make_sweep(), *owner = NULL, *comparison;
	struct compare_side sides[COMPARE_MAX_SIDES];
	struct why why = {0};
	const json_t *line;
	size_t nr;

	ck_assert_int_eq(
		compare__split(document, "size", sides, COMPARE_MAX_SIDES, &nr, &owner, &why), 0);
	ck_assert_uint_eq(nr, 3);
	ck_assert_str_eq(sides[2].name, "size=3");
	comparison = compare__documents(sides, 2, &defaults, &why);
	ck_assert_str_eq(json__string(comparison, "verdict", ""), "IMPROVED");
	line = json_array_get(json_object_get(comparison, "rows"), 0);
	ck_assert_str_eq(json__string(line, "unit", ""), "pair");
	ck_assert_str_eq(json__string(line, "key", ""), "toy/producers=1");
	json_decref(comparison);
	comparison = compare__documents(sides, 3, &defaults, &why);
	ck_assert_str_eq(json__string(comparison, "verdict", ""), "BEST");
	ck_assert_int_eq(json_integer_value(json_object_get(comparison, "best")), 2);
	line = json_array_get(json_object_get(comparison, "matrix"), 0);
	ck_assert_uint_eq(json_array_size(json_object_get(line, "cells")), 3);
	json_decref(comparison);
	json_decref(owner);
	json_decref(document);
}
END_TEST

START_TEST(test_what_cannot_be_split)
{
	json_t *document = make_toy("a", "6.12", 1e6, 5), *owner = NULL;
	struct compare_side sides[2];
	struct why why;
	size_t nr;

	ck_assert_int_eq(compare__split(document, "siez", sides, 2, &nr, &owner, &why), -EINVAL);
	ck_assert_ptr_nonnull(strstr(why.text, "'size'"));
	ck_assert_int_eq(compare__split(document, "size", sides, 2, &nr, &owner, &why), -EINVAL);
	ck_assert_ptr_nonnull(strstr(why.text, "one value"));
	ck_assert_int_eq(compare__split(document, NULL, sides, 2, &nr, &owner, &why), -EINVAL);
	ck_assert_ptr_nonnull(strstr(why.text, "no arms"));
	json_decref(document);
	document = make_sweep();
	ck_assert_int_eq(compare__split(document, "size", sides, 2, &nr, &owner, &why), -EINVAL);
	ck_assert_ptr_nonnull(strstr(why.text, "at most 2"));
	json_decref(document);
}
END_TEST

/* Two equal arms share a benchmark; those of a parameter have one each. */
START_TEST(test_arms)
{
	json_t *document = make_document("a", "6.12"), *owner = NULL, *comparison, *benchmark,
	       *line;
	json_t *plan = json_object_get(json_object_get(document, "tool"), "plan");
	struct compare_side sides[2];
	struct why why;
	size_t nr;

	json_object_set_new(plan, "vs", json_of("{'param': null, 'values': []}"));
	benchmark = add_benchmark(document, "toy", 1);
	add_runs(benchmark, 1e6, 20);
	for (int i = 0; i < 20; i++) {
		json_object_set_new(nth_run(document, i), "arm", json_integer(i / 10));
		json_object_set_new(nth_run(document, i), "block", json_integer(i % 10));
	}
	ck_assert_int_eq(compare__split(document, NULL, sides, 2, &nr, &owner, &why), 0);
	comparison = compare__documents(sides, 2, &defaults, &why);
	ck_assert_str_eq(json__string(comparison, "verdict", ""), "NO CHANGE");
	ck_assert_int_eq(
		json_integer_value(json_array_get(
			json_object_get(json_array_get(json_object_get(comparison, "rows"), 0),
					"units"),
			0)),
		10);
	expect_ratio_of_sides(json_array_get(json_object_get(comparison, "rows"), 0));
	json_decref(comparison);
	/* A run without a partner is in neither of the two values. */
	json_array_remove(json_object_get(benchmark, "runs"), 12);
	json_object_set_new(json_object_get(nth_run(document, 2), "values"), "ops_rate",
			    json_real(9e6));
	comparison = compare__documents(sides, 2, &defaults, &why);
	line = json_array_get(json_object_get(comparison, "rows"), 0);
	ck_assert_int_eq(
		json_integer_value(json_object_get(json_object_get(line, "before"), "units")), 9);
	ck_assert(value_of_side(line, "before") < 1.1e6);
	expect_ratio_of_sides(line);
	json_decref(comparison);
	json_decref(owner);
	json_decref(document);
}
END_TEST

static char *rendered(const json_t *comparison)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	render__compare(comparison, out);
	fclose(out);
	return text;
}

/* The verdict is in the first two lines, and the last one is for scripts. */
START_TEST(test_text)
{
	struct two two = make_two(1e6, 10, 0.95e6, 10);
	char *text, *second, *last;

	compare(&two);
	text = rendered(two.comparison);
	second = strchr(text, '\n') + 1;
	ck_assert_msg(!strncmp(text, "before -> after", 15), "%s", text);
	ck_assert_msg(!strncmp(second, "REGRESSED   toy is worse: ops_rate -5.0 %", 41), "%s",
		      text);
	last = strstr(text, "\nverdict=");
	ck_assert_msg(last && !strncmp(last,
				       "\nverdict=REGRESSED primary=ops_rate ratio=0.95 ci=0.9",
				       53),
		      "%s", text);
	ck_assert_ptr_null(strchr(strchr(last + 1, '\n') + 1, '\n'));
	free(text);
	drop(&two);
}
END_TEST

/* Two metrics of the same runs, one of which a run does not have: each run is counted once. */
START_TEST(test_text_of_disturbed_runs)
{
	struct compare_options options = {.min_effect = 0.01, .primary = "ns_op,ops_rate"};
	struct two two = make_two(1e6, 6, 1e6, 5);
	char *text;

	add_runs(add_benchmark(two.before, "other", 1), 1e6, 5);
	add_runs(add_benchmark(two.after, "other", 1), 1e6, 5);
	for (int i = 0; i < 6; i++)
		json_object_set_new(nth_run(two.before, i), "state", json_of("{'steal_pct': 7.0}"));
	json_object_del(json_object_get(nth_run(two.before, 0), "values"), "ns_op");
	compare_with(&two, &options);
	ck_assert_uint_eq(json_array_size(json_object_get(two.comparison, "rows")), 4);
	text = rendered(two.comparison);
	ck_assert_msg(strstr(text,
			     "  warning: before: 6 of 11 runs disturbed, such as: the hypervisor "
			     "took 7.0 % of the CPUs (steal)\n"),
		      "%s", text);
	free(text);
	drop(&two);
}
END_TEST

START_TEST(test_text_of_strangers)
{
	struct two two = make_two(1e6, 5, 1e6, 5);
	char *text;

	json_object_set_new(first_benchmark(two.after), "name", json_string("a\033[31m\xc2\x9b"));
	json_object_set_new(first_benchmark(two.before), "name", json_string("a\033[31m\xc2\x9b"));
	json_object_set_new(json_object_get(first_boot(two.after), "kernel"), "release",
			    json_string("\033]0;title\007"));
	compare(&two);
	text = rendered(two.comparison);
	ck_assert_msg(!strpbrk(text, "\033\007\x9b"), "%s", text);
	free(text);
	drop(&two);
}
END_TEST

UNIT_MAIN("compare-parts", test_emulated_time, test_icount, test_exact_metrics,
	  test_unknown_primary, test_values_are_of_the_units_of_the_verdict,
	  test_values_without_a_verdict, test_by_a_parameter, test_what_cannot_be_split, test_arms,
	  test_text, test_text_of_disturbed_runs, test_text_of_strangers)
