/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_TESTS_GOLDEN_H
#define BPFPERF_TESTS_GOLDEN_H

#include <check.h>
#include <jansson.h>
#include <math.h>
#include <stddef.h>

/* Numbers that other programs computed: files in tests/data, and how near is near enough. */

#ifndef TESTDATA
#define TESTDATA "tests/data"
#endif

#define CLOSED_FORM   1e-9
#define TAIL_P	      1e-7
#define EXACT_P	      1e-12
#define MAX_VALUES    512
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

struct series {
	size_t n;
	double x[MAX_VALUES];
};

static inline void expect_near(const char *what, double got, double want, double tolerance)
{
	ck_assert_msg(fabs(got - want) <= tolerance * fmax(fabs(want), 1e-300),
		      "%s: got %.17g, want %.17g", what, got, want);
}

/* A key that the golden file no longer has is a failure, not a NULL passed on. */
static inline json_t *member(const json_t *object, const char *key)
{
	json_t *value = json_object_get(object, key);

	ck_assert_msg(value != NULL, "no key '%s'", key);
	return value;
}

static inline struct series series_of(const json_t *array)
{
	struct series s = {.n = json_array_size(array)};

	ck_assert_uint_gt(s.n, 0);
	ck_assert_uint_le(s.n, MAX_VALUES);
	for (size_t i = 0; i < s.n; i++)
		s.x[i] = json_number_value(json_array_get(array, i));
	return s;
}

static inline void expect(const json_t *expected, const char *key, double got, double tolerance)
{
	expect_near(key, got, json_number_value(member(expected, key)), tolerance);
}

static inline void expect_pair(const json_t *expected, const char *key, double lo, double hi)
{
	struct series want = series_of(member(expected, key));

	expect_near(key, lo, want.x[0], CLOSED_FORM);
	expect_near(key, hi, want.x[1], CLOSED_FORM);
}

static inline json_t *load_data(const char *path)
{
	json_error_t error;
	json_t *doc = json_load_file(path, 0, &error);

	ck_assert_msg(doc != NULL, "%s: %s", error.source, error.text);
	return doc;
}

#endif
