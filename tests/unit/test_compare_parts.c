// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>

#include "lib/render/render.h"
#include "tests/unit/compare_two.h"
#include "tests/unit/unit.h"

/* Emulated time, other metrics, what moved beside the verdict, sides of one document, and the text. */

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

/* Counts that are the operations themselves are no news; a share that changes is. */
START_TEST(test_also_moved)
{
	struct two two = make_two(1e6, 10, 0.9e6, 10);
	const json_t *also, *moved;

	for (int i = 0; i < 10; i++) {
		double rate =
			json__number(json_object_get(nth_run(two.before, i), "values"), "ops_rate");

		json_object_set_new(json_object_get(nth_run(two.before, i), "values"),
				    "failed_rate", json_real(rate * 0.1));
		json_object_set_new(json_object_get(nth_run(two.after, i), "values"), "failed_rate",
				    json_real(rate * 0.9 * (0.5 + i * 0.001)));
		json_object_set_new(nth_run(two.before, i), "counters",
				    json_of("[" COUNT("branches", 0, 5000000, 1, 1) "]"));
		json_object_set_new(nth_run(two.after, i), "counters",
				    json_of("[" COUNT("branches", 0, 5000000, 1, 1) "]"));
	}
	compare(&two);
	also = json_object_get(two.comparison, "also_moved");
	moved = json_object_get(also, "moved");
	ck_assert_int_eq(json_integer_value(json_object_get(also, "tested")), 2);
	ck_assert_uint_eq(json_array_size(moved), 2);
	ck_assert_str_eq(json__string(json_array_get(moved, 0), "figure", ""), "failed");
	ck_assert_str_eq(json__string(json_array_get(moved, 1), "figure", ""), "branches");
	ck_assert_double_eq_tol(json__number(json_array_get(moved, 0), "before"), 0.1, 1e-9);
	drop(&two);
}
END_TEST

static void add_evidence(const json_t *document, double share)
{
	json_t *run = json_of("{'status': 'ok', 'reason': null, 'role': 'evidence', 'boot': 0,"
			      " 'values': {'ops_rate': 1.0}, 'locks': [{'class': 'htab bucket',"
			      " 'type': 'spinlock', 'caller': 'htab_map_update_elem'}]}");

	json_object_set_new(json_array_get(json_object_get(run, "locks"), 0), "share",
			    json_real(share));
	json_array_append_new(json_object_get(first_benchmark(document), "runs"), run);
}

START_TEST(test_evidence)
{
	struct two two = make_two(1e6, 10, 1e6, 10);
	const json_t *also;

	add_evidence(two.before, 0.1);
	add_evidence(two.after, 0.2);
	compare(&two);
	expect(&two, "NO CHANGE");
	also = json_object_get(two.comparison, "also_moved");
	ck_assert_uint_eq(json_array_size(json_object_get(also, "descriptive")), 1);
	ck_assert(!json_object_get(json_array_get(json_object_get(also, "descriptive"), 0), "lo"));
	for (int i = 0; i < 4; i++) {
		add_evidence(two.before, 0.1 + i * 0.001);
		add_evidence(two.after, 0.2 + i * 0.001);
	}
	compare(&two);
	also = json_object_get(two.comparison, "also_moved");
	ck_assert_uint_eq(json_array_size(json_object_get(also, "descriptive")), 0);
	ck_assert_uint_eq(json_array_size(json_object_get(also, "moved")), 1);
	drop(&two);
}
END_TEST

static void add_grace(const json_t *document, double gp_ns)
{
	json_t *run = json_of("{'status': 'ok', 'reason': null, 'role': 'evidence', 'boot': 0,"
			      " 'values': {'ops_rate': 1.0, 'gp_rate': 4.0}}");

	json_object_set_new(json_object_get(run, "values"), "gp_ns",
			    gp_ns > 0 ? json_real(gp_ns) : json_null());
	json_array_append_new(json_object_get(first_benchmark(document), "runs"), run);
	json_object_set_new(json_object_get(document, "metrics"), "gp_ns",
			    json_of("{'unit': 'ns', 'better': 'lower', 'kind': 'time', 'class':"
				    " 'noisy'}"));
	json_object_set_new(json_object_get(document, "metrics"), "gp_rate",
			    json_of("{'unit': '1/s', 'better': 'none', 'kind': 'rate', 'class':"
				    " 'noisy'}"));
}

/*
 * What only evidence runs have: a hint from single ones, from several a finding with an interval.
 * Geometric means of 20 and 22.05 ms against 30 and 33.075: exactly 1.5 times.
 */
START_TEST(test_grace_periods)
{
	struct two two = make_two(1e6, 10, 1e6, 10);
	const json_t *also, *hint, *found;

	add_grace(two.before, 20e6);
	add_grace(two.after, 30e6);
	compare(&two);
	also = json_object_get(two.comparison, "also_moved");
	hint = json_array_get(json_object_get(also, "descriptive"), 0);
	ck_assert_uint_eq(json_array_size(json_object_get(also, "descriptive")), 1);
	ck_assert_str_eq(json__string(hint, "figure", ""), "gp_ns");
	ck_assert(json__number(hint, "after") == 30e6 && !json_object_get(hint, "lo"));
	for (int i = 0; i < 4; i++) {
		add_grace(two.before, i % 2 ? 20e6 : 22.05e6);
		add_grace(two.after, i % 2 ? 30e6 : 33.075e6);
		add_grace(two.after, NAN);
	}
	compare(&two);
	also = json_object_get(two.comparison, "also_moved");
	found = json_array_get(json_object_get(also, "moved"), 0);
	ck_assert_uint_eq(json_array_size(json_object_get(also, "descriptive")), 0);
	ck_assert_uint_eq(json_array_size(json_object_get(also, "moved")), 1);
	ck_assert_str_eq(json__string(found, "figure", ""), "gp_ns");
	ck_assert_double_eq_tol(json__number(found, "ratio"), 1.5, 1e-9);
	ck_assert(json__number(found, "lo") < 1.5 && json__number(found, "hi") > 1.5);
	/* gp_rate was tested as well, and did not move; nulls are no zeros. */
	ck_assert_int_eq(json_integer_value(json_array_get(json_object_get(found, "units"), 1)), 5);
	drop(&two);
}
END_TEST

/* A side of several boots is told by its boots: of 1, 2 (three runs) and 4 the mean is 2. */
START_TEST(test_values_of_boots)
{
	struct two two = make_two(1e6, 1, 1e6, 2);
	json_t *benchmark = first_benchmark(two.before);
	const json_t *before;

	for (int boot = 1; boot < 3; boot++) {
		json_array_append_new(json_object_get(two.before, "boots"),
				      make_boot(boot == 1 ? "c" : "d", "6.12"));
		for (int i = 0; i < (boot == 1 ? 3 : 1); i++)
			json_object_set_new(add_run(benchmark, boot == 1 ? 2e6 : 4e6), "boot",
					    json_integer(boot));
	}
	compare(&two);
	before = json_object_get(row(&two, 0), "before");
	ck_assert_str_eq(json__string(before, "unit", ""), "boot");
	ck_assert_int_eq(json_integer_value(json_object_get(before, "units")), 3);
	ck_assert_int_eq(json_integer_value(json_object_get(before, "runs")), 5);
	ck_assert_double_eq_tol(json__number(before, "value"), 2e6, 1e-3);
	ck_assert_double_eq_tol(json__number(before, "lo"), 357462.12, 1);
	ck_assert(json__number(before, "cv") == 0);
	drop(&two);
}
END_TEST

START_TEST(test_programs_are_exact)
{
	struct two two = make_two(1e6, 10, 1e6, 10);
	const json_t *moved;

	json_object_set_new(first_benchmark(two.before), "progs",
			    json_of("[{'name': 'p', 'verified_insns': 93, 'jited_len': 400}]"));
	json_object_set_new(first_benchmark(two.after), "progs",
			    json_of("[{'name': 'p', 'verified_insns': 94, 'jited_len': 400}]"));
	compare(&two);
	moved = json_object_get(json_object_get(two.comparison, "also_moved"), "moved");
	ck_assert_uint_eq(json_array_size(moved), 1);
	ck_assert_str_eq(json__string(json_array_get(moved, 0), "figure", ""),
			 "verified_insns of p");
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
	json_t *document = make_document("a", "6.12"), *owner = NULL, *comparison, *benchmark;
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
	  test_unknown_primary, test_also_moved, test_evidence, test_grace_periods,
	  test_values_of_boots, test_programs_are_exact, test_by_a_parameter,
	  test_what_cannot_be_split, test_arms, test_text, test_text_of_strangers)
