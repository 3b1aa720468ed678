// SPDX-License-Identifier: GPL-2.0-only
#include "tracepoints/rcu_tasks_trace_metric.h"

#include <math.h>

#include "lib/result.h"
#include "tests/unit/document.h"
#include "tests/unit/unit.h"

static json_t *run_with(const char *grace)
{
	json_t *run = json_object(), *row = json_of(grace);

	rtt_metric__add(row, run);
	json_decref(row);
	return run;
}

static double value(const json_t *run, const char *name)
{
	return json__number(json_object_get(run, "values"), name);
}

START_TEST(test_figures)
{
	json_t *run = run_with("{'count': 8, 'window_ns': 2000000000, 'mean_ns': 3e7,"
			       " 'cpu': {'ns_per_gp': 1e5}, 'delay': {'mean_ns': 4e8}}");
	json_t *second = json_of("{'count': 80, 'window_ns': 2000000000, 'mean_ns': 9e9}");

	ck_assert(value(run, "gp_ns") == 3e7 && value(run, "gp_rate") == 4);
	ck_assert(value(run, "gp_cpu_ns") == 1e5 && value(run, "gp_delay_ns") == 4e8);
	ck_assert_ptr_null(json_object_get(run, "values_absent"));
	/* Another path of the same tracer, and what is there already, are left alone. */
	rtt_metric__add(second, run);
	ck_assert(value(run, "gp_ns") == 3e7 && value(run, "gp_rate") == 4);
	json_decref(second);
	json_decref(run);
}
END_TEST

/* Without a grace period there is a rate, of 0; the others are null, each with its reason. */
START_TEST(test_none)
{
	json_t *run = run_with("{'count': 0, 'window_ns': 1000000000, 'mean_ns': null,"
			       " 'cpu': {'ns_per_gp': null}, 'delay': null}");
	const json_t *absent = json_object_get(run, "values_absent");
	static const char *const names[] = {"gp_ns", "gp_cpu_ns", "gp_delay_ns"};

	ck_assert(value(run, "gp_rate") == 0);
	ck_assert_uint_eq(json_object_size(absent), 3);
	for (size_t i = 0; i < 3; i++) {
		ck_assert(json_is_null(json_object_get(json_object_get(run, "values"), names[i])));
		ck_assert_ptr_nonnull(json__string(absent, names[i], NULL));
	}
	json_decref(run);
}
END_TEST

/* What a run has and what the document describes are the same names. */
START_TEST(test_described)
{
	json_t *metrics = json_object(), *run = run_with("{}"), *figure;
	const char *name;

	rtt_metric__describe(metrics);
	ck_assert_uint_eq(json_object_size(metrics), 4);
	json_object_foreach(json_object_get(run, "values"), name, figure)
		ck_assert_str_ne(json__string(json_object_get(metrics, name), "unit", ""), "");
	ck_assert_uint_eq(json_object_size(json_object_get(run, "values")), 4);
	json_decref(metrics);
	json_decref(run);
}
END_TEST

UNIT_MAIN("rcu-metric", test_figures, test_none, test_described)
