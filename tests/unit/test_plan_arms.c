// SPDX-License-Identifier: GPL-2.0-only
#include "lib/precision.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "lib/result.h"
#include "lib/why.h"
#include "tests/unit/compared.h"
#include "tests/unit/machine.h"
#include "tests/unit/unit.h"

struct toy_args {
	uint64_t n, word;
};

static const struct param toy_params[] = {
	PARAM_NUMBER(struct toy_args, n, 1, 1, 1000, "a number"),
	PARAM_WORD(struct toy_args, word, "absent|one|random", "a word"),
	{0},
};

BENCH(toy, .name = "toy", .summary = "nothing", .op = "nothing", .checked = "nothing",
      .params = toy_params, .args_size = sizeof(struct toy_args), .work = idle_work,
      .check = idle_check);

#define REPEATS 20

static struct plan *plan_vs(const char *const *words, const char *vs)
{
	struct plan_request request = machine__request(words);
	struct plan *plan;
	struct why why;

	request.repeats = REPEATS;
	request.vs = vs;
	ck_assert_msg(machine__build(&request, &plan, &why) == 0, "refused: %s", why.text);
	return plan;
}

static void expect_refused(const char *const *words, const char *vs, const char *wanted)
{
	struct plan_request request = machine__request(words);
	struct plan *plan;
	struct why why;

	request.vs = vs;
	ck_assert_int_eq(machine__build(&request, &plan, &why), -EINVAL);
	ck_assert_msg(strstr(why.text, wanted), "'%s' is not in '%s'", wanted, why.text);
}

/* One run of each arm in every block, and either first in some of them. */
static void expect_random_pairs(const struct plan *plan)
{
	int first[2] = {0};

	ck_assert_int_eq(plan->nr_steps, 2 * REPEATS);
	for (int i = 0; i < plan->nr_steps; i += 2) {
		const struct step *a = &plan->steps[i], *b = &plan->steps[i + 1];

		ck_assert_int_eq(a->block, i / 2);
		ck_assert_int_eq(b->block, i / 2);
		ck_assert_int_eq(a->arm + b->arm, 1);
		first[a->arm]++;
	}
	ck_assert(first[0] > 0 && first[1] > 0);
}

START_TEST(test_equal_arms)
{
	struct plan *plan = plan_vs(WORDS("toy"), "same");
	json_t *doc = plan__json(plan);

	ck_assert_int_eq(plan->nr_points, 1);
	expect_random_pairs(plan);
	ck_assert(json_is_null(json_object_get(json_object_get(doc, "vs"), "param")));
	json_decref(doc);
	plan__free(plan);
}
END_TEST

START_TEST(test_arms_of_a_parameter)
{
	struct plan *plan = plan_vs(WORDS("toy", "n=5"), "word=random");
	json_t *doc = plan__json(plan), *values;

	ck_assert_int_eq(plan->nr_points, 2);
	expect_random_pairs(plan);
	for (int i = 0; i < plan->nr_steps; i++)
		ck_assert_int_eq(plan->steps[i].arm, plan->points[plan->steps[i].point].arm);
	values = json_object_get(json_object_get(doc, "vs"), "values");
	ck_assert_str_eq(json_string_value(json_array_get(values, 0)), "absent");
	ck_assert_str_eq(json_string_value(json_array_get(values, 1)), "random");
	json_decref(doc);
	plan__free(plan);
}
END_TEST

START_TEST(test_no_arms)
{
	struct plan *plan = plan_vs(WORDS("toy"), NULL);
	json_t *doc = plan__json(plan);

	for (int i = 0; i < plan->nr_steps; i++)
		ck_assert_int_eq(plan->steps[i].arm, -1);
	ck_assert(!json_object_get(doc, "vs"));
	json_decref(doc);
	plan__free(plan);
}
END_TEST

START_TEST(test_bad_arms)
{
	expect_refused(WORDS("toy"), "other", "'same', or param=value");
	expect_refused(WORDS("toy"), "m=1", "no parameter 'm'");
	expect_refused(WORDS("toy"), "n=0", "1..1000");
	expect_refused(WORDS("toy"), "n=1", "its value already");
	expect_refused(WORDS("toy", "n=1,2"), "n=3", "has 2 values already");
	expect_refused(WORDS("toy"), "-p=2", "no parameter '-p'");
}
END_TEST

START_TEST(test_more_blocks)
{
	struct plan *plan = plan_vs(WORDS("toy", "n=1,2"), NULL);
	struct step before[2 * REPEATS];

	memcpy(before, plan->steps, sizeof(before));
	ck_assert_int_eq(plan__extend(plan, REPEATS + 3), 0);
	ck_assert_int_eq(plan->repeats, REPEATS + 3);
	ck_assert_int_eq(plan->nr_steps, 2 * (REPEATS + 3));
	ck_assert(!memcmp(before, plan->steps, sizeof(before)));
	for (int i = 2 * REPEATS; i < plan->nr_steps; i++)
		ck_assert_int_eq(plan->steps[i].block, i / 2);
	plan__free(plan);
}
END_TEST

/* A pilot with a CV of 0.3 %, and how many runs it leads to. */
static int runs_after(double width, uint64_t max_ns, json_t **ret_result)
{
	struct plan *plan = plan_vs(WORDS("toy"), NULL);
	json_t *result = make_toy("a", "6.12", 1e6, PRECISION_PILOT);
	int runs;

	plan->repeats = PRECISION_PILOT;
	plan->precision = (struct precision){width, max_ns};
	precision__extend(plan, result, PRECISION_PILOT * 1000000000ULL);
	runs = plan->repeats;
	plan__free(plan);
	*ret_result = result;
	return runs;
}

START_TEST(test_precision)
{
	json_t *result;
	int runs = runs_after(0.001, UINT64_MAX, &result);
	const json_t *precision = json_object_get(
		json_object_get(json_object_get(result, "tool"), "plan"), "precision");

	/* (2.776 x 0.0026 / 0.001)^2 */
	ck_assert_int_ge(runs, 40);
	ck_assert_int_le(runs, 60);
	ck_assert_int_eq(json_integer_value(json_object_get(precision, "runs")), runs);
	ck_assert_int_eq(json_integer_value(json_object_get(precision, "wanted_runs")), runs);
	json_decref(result);
	ck_assert_int_eq(runs_after(0.5, UINT64_MAX, &result), PRECISION_PILOT);
	json_decref(result);
}
END_TEST

START_TEST(test_precision_has_a_limit)
{
	json_t *result;

	ck_assert_int_eq(runs_after(0.001, 10 * 1000000000ULL, &result), PRECISION_PILOT + 10);
	ck_assert_uint_eq(json_array_size(json_object_get(result, "warnings")), 1);
	json_decref(result);
}
END_TEST

UNIT_MAIN("plan-arms", test_equal_arms, test_arms_of_a_parameter, test_no_arms, test_bad_arms,
	  test_more_blocks, test_precision, test_precision_has_a_limit)
