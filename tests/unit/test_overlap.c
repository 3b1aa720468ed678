// SPDX-License-Identifier: GPL-2.0-only
#include "lib/overlap.h"

#include <string.h>

#include "tests/unit/compare_two.h"
#include "tests/unit/unit.h"

static size_t common_runs(const json_t *before, const json_t *after)
{
	const struct entry a = {.benchmark = first_benchmark(before), .arm = -1};
	const struct entry b = {.benchmark = first_benchmark(after), .arm = -1};

	return overlap__count(&(struct overlap_side){before, &a},
			      &(struct overlap_side){after, &b});
}

static void expect_overlap(const json_t *before, const json_t *after, enum overlap want,
			   size_t want_runs)
{
	ck_assert_int_eq(overlap__find(before, after), want);
	ck_assert_uint_eq(common_runs(before, after), want_runs);
}

/* Each run begins a second after the one before it. */
static json_t *started(const char *id, double rate, int nr, json_int_t first_s)
{
	json_t *document = make_toy(id, "6.12", rate, nr);

	json_object_set_new(first_boot(document), "boot_id", json_string("boot"));
	for (int i = 0; i < nr; i++)
		json_object_set_new(nth_run(document, i), "t0_mono_ns",
				    json_integer((first_s + i) * 1000000000));
	return document;
}

START_TEST(test_copies)
{
	json_t *a = started("a", 1e6, 5, 100), *copy = json_deep_copy(a);

	expect_overlap(a, copy, OVERLAP_ALL, 5);
	/* Neither its id nor its numbers make it another one. */
	json_object_set_new(copy, "id", json_string("b"));
	json_object_set_new(nth_run(copy, 0), "n", json_integer(17));
	expect_overlap(a, copy, OVERLAP_ALL, 5);
	/* One of its runs is missing. */
	json_array_remove(json_object_get(first_benchmark(copy), "runs"), 4);
	expect_overlap(a, copy, OVERLAP_SOME, 4);
	json_decref(a);
	json_decref(copy);
}
END_TEST

START_TEST(test_others)
{
	json_t *a = started("a", 1e6, 5, 100), *b = started("b", 1e6, 5, 105);
	json_t *boot = started("c", 1e6, 5, 100), *values = started("d", 2e6, 5, 100);

	expect_overlap(a, b, OVERLAP_NONE, 0);
	/* The clock starts anew with each boot. */
	json_object_set_new(first_boot(boot), "boot_id", json_string("another"));
	expect_overlap(a, boot, OVERLAP_NONE, 0);
	expect_overlap(a, values, OVERLAP_NONE, 0);
	json_decref(a);
	json_decref(b);
	json_decref(boot);
	json_decref(values);
}
END_TEST

/* Without a start the same values prove nothing, but in one document. */
START_TEST(test_without_a_start)
{
	struct two two = make_two(1e6, 5, 1e6, 5);

	expect_overlap(two.before, two.after, OVERLAP_NONE, 0);
	json_object_set_new(two.after, "id", json_string("a"));
	expect_overlap(two.before, two.after, OVERLAP_ALL, 5);
	drop(&two);
}
END_TEST

/* A failed run has no values, and is none. */
START_TEST(test_no_values)
{
	json_t *a = make_document("a", "6.12"), *copy;

	add_bad_run(add_benchmark(a, "toy", 1), "failed", "hung");
	copy = json_deep_copy(a);
	expect_overlap(a, copy, OVERLAP_NONE, 0);
	json_decref(a);
	json_decref(copy);
}
END_TEST

START_TEST(test_verdict)
{
	struct two two = {started("a", 1e6, 5, 100), started("b", 1e6, 5, 100), NULL};
	const struct compare_options force = {.min_effect = 0.01, .force = true};

	compare(&two);
	expect(&two, "NOT COMPARABLE");
	expect_reason(&two, "blocked", "both are the same document");
	ck_assert_str_eq(json__string(two.comparison, "overlap", ""), "both are the same document");
	/* There is no other machine that could be forced. */
	compare_with(&two, &force);
	expect(&two, "NOT COMPARABLE");
	drop(&two);
}
END_TEST

/* The copy of the first run of `from`, appended to the benchmark. */
static json_t *share_run(const json_t *from, json_t *benchmark)
{
	json_t *run = json_deep_copy(nth_run(from, 0));

	json_array_append_new(json_object_get(benchmark, "runs"), run);
	return run;
}

/* A run on both sides blocks its benchmark, and no other one. */
START_TEST(test_one_benchmark)
{
	struct two two = {started("a", 1e6, 10, 100), started("b", 1e6, 10, 200), NULL};

	add_runs(add_benchmark(two.before, "other", 1), 1e6, 10);
	add_runs(add_benchmark(two.after, "other", 1), 0.9e6, 10);
	share_run(two.before, first_benchmark(two.after));
	compare(&two);
	expect_reason(&two, "blocked",
		      "1 run is on both sides: the two are no independent samples");
	ck_assert_str_eq(json__string(row(&two, 1), "state", ""), "judged");
	ck_assert_str_eq(json__string(row(&two, 1), "verdict", ""), "REGRESSED");
	expect(&two, "REGRESSED");
	ck_assert(json_is_null(json_object_get(two.comparison, "overlap")));
	drop(&two);
}
END_TEST

/* Evidence is no part of a verdict. */
START_TEST(test_common_evidence)
{
	struct two two = {started("a", 1e6, 10, 100), started("b", 0.9e6, 10, 200), NULL};

	json_object_set_new(share_run(two.before, first_benchmark(two.after)), "role",
			    json_string("locks"));
	json_object_set_new(share_run(two.before, first_benchmark(two.before)), "role",
			    json_string("locks"));
	json_object_set_new(nth_run(two.before, 10), "t0_mono_ns", json_integer(7));
	json_object_set_new(nth_run(two.after, 10), "t0_mono_ns", json_integer(7));
	expect_overlap(two.before, two.after, OVERLAP_SOME, 0);
	compare(&two);
	expect(&two, "REGRESSED");
	drop(&two);
}
END_TEST

UNIT_MAIN("overlap", test_copies, test_others, test_without_a_start, test_no_values, test_verdict,
	  test_one_benchmark, test_common_evidence)
