/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_TESTS_UNIT_COMPARE_TWO_H
#define BPFPERF_TESTS_UNIT_COMPARE_TWO_H

#include <string.h>

#include "lib/compare.h"
#include "lib/compare_runs.h"
#include "lib/result.h"
#include "lib/why.h"
#include "tests/unit/compared.h"

/* Two documents, compared; what the tests of comparisons share. */

static const struct compare_options defaults __attribute__((unused)) = {.min_effect = 0.01};

/* Two runs of the same machine and boot, unless a test changes that. */
struct two {
	json_t *before, *after, *comparison;
};

static inline void share_boot(const struct two *two)
{
	json_object_set(first_boot(two->after), "boot_id",
			json_object_get(first_boot(two->before), "boot_id"));
}

static inline struct two make_two(double before, int nr_before, double after, int nr_after)
{
	struct two two = {make_toy("a", "6.12", before, nr_before),
			  make_toy("b", "6.12", after, nr_after), NULL};

	share_boot(&two);
	return two;
}

static inline void trim(json_t *document)
{
	json_t *benchmark;
	size_t i;

	json_array_foreach(json_object_get(document, "benchmarks"), i, benchmark)
		compare__trim(benchmark);
}

static inline void compare_with(struct two *two, const struct compare_options *options)
{
	struct compare_side sides[2];
	struct why why = {0};

	trim(two->before);
	trim(two->after);
	json_decref(two->comparison);
	sides[0] = (struct compare_side){.document = two->before, .name = "before", .arm = -1};
	sides[1] = (struct compare_side){.document = two->after, .name = "after", .arm = -1};
	two->comparison = compare__documents(sides, 2, options, &why);
	ck_assert_msg(two->comparison, "%s", why.text);
}

static inline void compare(struct two *two)
{
	compare_with(two, &defaults);
}

static inline void drop(struct two *two)
{
	json_decref(two->before);
	json_decref(two->after);
	json_decref(two->comparison);
}

static inline json_t *row(const struct two *two, size_t i)
{
	return json_array_get(json_object_get(two->comparison, "rows"), i);
}

static inline void expect(const struct two *two, const char *verdict)
{
	const char *got = json__string(two->comparison, "verdict", "");

	ck_assert_msg(!strcmp(got, verdict), "%s instead of %s: %s", got, verdict,
		      json_dumps(row(two, 0), JSON_INDENT(1)));
}

/* The first row is not judged, and says why. */
static inline void expect_reason(const struct two *two, const char *state, const char *text)
{
	const char *reason = json__string(row(two, 0), "reason", "");

	ck_assert_str_eq(json__string(row(two, 0), "state", ""), state);
	ck_assert_str_eq(json__string(row(two, 0), "verdict", ""), "NOT COMPARABLE");
	ck_assert_msg(strstr(reason, text), "'%s' is not in '%s'", text, reason);
	ck_assert(json_is_null(json_object_get(row(two, 0), "ratio")));
}

#endif
