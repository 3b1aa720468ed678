// SPDX-License-Identifier: GPL-2.0-only
#include "lib/merge.h"

#include <errno.h>
#include <string.h>

#include "lib/compare.h"
#include "lib/compare_runs.h"
#include "lib/document.h"
#include "lib/result.h"
#include "lib/why.h"
#include "tests/unit/compared.h"
#include "tests/unit/unit.h"

static int merge(json_t *const *documents, size_t nr, json_t **ret, struct why *why)
{
	static const char *const names[] = {"a.json", "b.json", "c.json", "d.json", "e.json"};

	return merge__documents((const json_t *const *)documents, names, nr, ret, why);
}

static void expect_refused(json_t *a, json_t *b, const char *wanted)
{
	json_t *documents[] = {a, b}, *merged = NULL;
	struct why why = {0};

	ck_assert_int_eq(merge(documents, 2, &merged, &why), -EINVAL);
	ck_assert_msg(strstr(why.text, wanted), "'%s' is not in '%s'", wanted, why.text);
	json_decref(a);
	json_decref(b);
}

START_TEST(test_boots_are_joined)
{
	json_t *documents[] = {make_toy("a", "6.12", 1e6, 3), make_toy("b", "6.12", 1e6, 2)};
	json_t *merged = NULL, *run;
	struct why why = {0};

	add_runs(add_benchmark(documents[1], "toy", 2), 1e6, 2);
	json_array_append_new(json_object_get(first_benchmark(documents[0]), "next"),
			      json_string("-r 12"));
	ck_assert_msg(!merge(documents, 2, &merged, &why), "%s", why.text);
	ck_assert_msg(!document__check(merged, &why), "%s", why.text);
	/* What one document advised says nothing of the whole. */
	ck_assert_uint_eq(json_array_size(json_object_get(first_benchmark(merged), "next")), 0);
	ck_assert_uint_eq(json_array_size(json_object_get(merged, "boots")), 2);
	ck_assert_uint_eq(json_array_size(json_object_get(merged, "benchmarks")), 2);
	ck_assert_uint_eq(json_array_size(json_object_get(merged, "merged")), 2);
	ck_assert_str_ne(json__string(merged, "id", ""), "a");
	run = nth_run(merged, 3);
	ck_assert_int_eq(json_integer_value(json_object_get(run, "boot")), 1);
	ck_assert_int_eq(json_integer_value(json_object_get(run, "n")), 3);
	/* Blocks of two boots never meet: those of the first are 0 to 2. */
	ck_assert_int_eq(json_integer_value(json_object_get(run, "block")), 3);
	json_decref(merged);
	json_decref(documents[0]);
	json_decref(documents[1]);
}
END_TEST

START_TEST(test_a_boot_that_is_there_stays_one)
{
	json_t *documents[] = {make_toy("a", "6.12", 1e6, 3), make_toy("b", "6.12", 1e6, 2)};
	json_t *merged = NULL;
	struct why why = {0};

	json_object_set_new(first_boot(documents[1]), "boot_id", json_string("a"));
	ck_assert_msg(!merge(documents, 2, &merged, &why), "%s", why.text);
	ck_assert_uint_eq(json_array_size(json_object_get(merged, "boots")), 1);
	ck_assert_int_eq(json_integer_value(json_object_get(nth_run(merged, 4), "boot")), 0);
	json_decref(merged);
	json_decref(documents[0]);
	json_decref(documents[1]);
}
END_TEST

/* Other programs write a number as they please. */
START_TEST(test_a_number_is_its_value)
{
	json_t *documents[2] = {make_toy("a", "6.12", 1e6, 1), make_toy("b", "6.12", 1e6, 1)};
	json_t *merged = NULL;
	struct why why = {0};

	json_object_set_new(json_object_get(json_object_get(documents[1], "tool"), "plan"),
			    "duration_ms", json_integer(1000));
	ck_assert_msg(!merge(documents, 2, &merged, &why), "%s", why.text);
	json_decref(merged);
	json_decref(documents[0]);
	json_decref(documents[1]);
}
END_TEST

START_TEST(test_what_does_not_belong_together)
{
	json_t *b = make_toy("b", "6.13", 1e6, 1);

	expect_refused(make_toy("a", "6.12", 1e6, 1), b, "kernel.release is '6.12' and '6.13'");
	expect_refused(make_toy("a", "6.12", 1e6, 1), make_toy("a", "6.12", 1e6, 1),
		       "'b.json' is joined already");
	b = make_toy("b", "6.12", 1e6, 1);
	json_object_set_new(json_object_get(first_boot(b), "cpu"), "model", json_string("x"));
	expect_refused(make_toy("a", "6.12", 1e6, 1), b, "cpu.model is 'some CPU' and 'x'");
	b = make_toy("b", "6.12", 1e6, 1);
	json_object_set_new(first_benchmark(b), "trigger", json_string("raw-tp"));
	expect_refused(make_toy("a", "6.12", 1e6, 1), b,
		       "trigger of toy/size=1/producers=1 is '\"prog-run:syscall\"' and");
	b = make_toy("b", "6.12", 1e6, 1);
	json_object_set_new(json_object_get(json_object_get(b, "tool"), "plan"), "duration_ms",
			    json_real(50));
	expect_refused(make_toy("a", "6.12", 1e6, 1), b, "plan.duration_ms is '1000.0' and '50.0'");
	b = make_toy("b", "6.12", 1e6, 1);
	json_object_set_new(json_object_get(json_object_get(b, "tool"), "plan"), "duration_ms",
			    json_integer(50));
	expect_refused(make_toy("a", "6.12", 1e6, 1), b, "plan.duration_ms is '1000.0' and '50'");
	b = make_toy("b", "6.12", 1e6, 1);
	json_object_set_new(json_object_get(json_object_get(b, "metrics"), "ns_op"), "unit",
			    json_string("us"));
	expect_refused(make_toy("a", "6.12", 1e6, 1), b, "metrics.ns_op.unit is '\"ns\"' and");
}
END_TEST

static json_t *arm(const char *release, double rate)
{
	json_t *documents[5], *merged = NULL, *benchmark;
	struct why why;
	size_t i;

	for (int boot = 0; boot < 5; boot++) {
		char id[32];

		snprintf(id, sizeof(id), "%s-%d", release, boot);
		documents[boot] = make_toy(id, release, rate * (1 + 0.002 * (boot - 2)), 3);
	}
	ck_assert_int_eq(merge(documents, 5, &merged, &why), 0);
	for (int boot = 0; boot < 5; boot++)
		json_decref(documents[boot]);
	json_array_foreach(json_object_get(merged, "benchmarks"), i, benchmark)
		compare__trim(benchmark);
	return merged;
}

/* What merging is for: with five boots a side the boot is the unit. */
START_TEST(test_five_boots_per_kernel_are_compared_as_boots)
{
	const struct compare_options options = {.min_effect = 0.01};
	json_t *before = arm("6.12", 1e6), *after = arm("6.13", 0.97e6), *comparison;
	struct compare_side sides[] = {{.document = before, .name = "before", .arm = -1},
				       {.document = after, .name = "after", .arm = -1}};
	const json_t *row;
	struct why why;

	comparison = compare__documents(sides, 2, &options, &why);
	row = json_array_get(json_object_get(comparison, "rows"), 0);
	ck_assert_str_eq(json__string(comparison, "verdict", ""), "REGRESSED");
	ck_assert_str_eq(json__string(row, "unit", ""), "boot");
	ck_assert_int_eq(json_integer_value(json_array_get(json_object_get(row, "units"), 0)), 5);
	json_decref(comparison);
	json_decref(before);
	json_decref(after);
}
END_TEST

UNIT_MAIN("merge", test_a_number_is_its_value, test_boots_are_joined,
	  test_a_boot_that_is_there_stays_one, test_what_does_not_belong_together,
	  test_five_boots_per_kernel_are_compared_as_boots)
