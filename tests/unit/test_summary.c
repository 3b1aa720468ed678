// SPDX-License-Identifier: GPL-2.0-only
#include "lib/render/summary.h"

#include <math.h>
#include <string.h>

#include "lib/render/counter.h"
#include "tests/unit/document.h"
#include "tests/unit/unit.h"

static bool find_counter(const json_t *benchmark, const char *metric, struct counter_total *ret)
{
	struct counters counters;
	bool found = false;

	ck_assert_int_eq(counters__sum(benchmark, false, &counters), 0);
	for (size_t i = 0; i < counters.nr; i++) {
		if (strcmp(counters.of[i].metric, metric))
			continue;
		*ret = counters.of[i];
		found = true;
	}
	free(counters.of);
	return found;
}

static struct counter_total counter(const json_t *benchmark, const char *metric)
{
	struct counter_total total;

	ck_assert_msg(find_counter(benchmark, metric, &total), "no counter '%s'", metric);
	return total;
}

static json_t *benchmark_of(const char *runs)
{
	json_t *benchmark = json_object();

	json_object_set_new(benchmark, "runs", json_of(runs));
	return benchmark;
}

static void near(double got, double expected)
{
	ck_assert_msg(fabs(got - expected) <= 1e-9 * fabs(expected), "%.12g is not %.12g", got,
		      expected);
}

static void tally_is(const char *runs, struct run_tally expected)
{
	json_t *benchmark = benchmark_of(runs);
	struct run_tally tally = summary__tally(benchmark, "clean");

	ck_assert_int_eq(tally.total, expected.total);
	ck_assert_int_eq(tally.ok, expected.ok);
	ck_assert_int_eq(tally.failed, expected.failed);
	ck_assert_int_eq(tally.skipped, expected.skipped);
	ck_assert_int_eq(tally.boots, expected.boots);
	ck_assert_pstr_eq(tally.reason, expected.reason);
	json_decref(benchmark);
}

#define OK "{'status': 'ok', 'reason': null}"

START_TEST(test_tally)
{
	tally_is("[]", (struct run_tally){0});
	tally_is("[" OK "," OK "]", (struct run_tally){.total = 2, .ok = 2, .boots = 1});
	/* The first reason is the one that is told. */
	tally_is("[" OK "," SKIPPED("no fentry") "," FAILED("hung") "," OK "," FAILED("b") "]",
		 (struct run_tally){5, 2, 2, 1, 1, "no fentry"});
	/* What is neither ok nor failed was not measured. */
	tally_is("[{'status': 'strange'}, {}]",
		 (struct run_tally){
			 .total = 2, .skipped = 2, .boots = 1, .reason = "no reason given"});
	/* Boots are those of the clean runs. */
	tally_is("[{'status': 'ok', 'boot': 3}, {'status': 'failed', 'reason': 'hung', 'boot': 1},"
		 " {'status': 'ok', 'boot': 3}, {'status': 'ok', 'role': 'evidence', 'boot': 2},"
		 " {'status': 'ok', 'boot': -1}, {'status': 'ok', 'boot': 1000}]",
		 (struct run_tally){5, 4, 1, 0, 2, "hung"});
}
END_TEST

START_TEST(test_which_runs_count)
{
	static const struct {
		const char *run;
		bool counts;
	} cases[] = {
		{"{'status': 'ok', 'role': 'clean'}", true},
		{"{'status': 'ok'}", true},
		{"{'status': 'ok', 'role': 'evidence'}", false},
		{"{'status': 'failed', 'role': 'clean'}", false},
		{"{'status': 'skipped', 'role': 'clean'}", false},
		{"{'role': 'clean'}", false},
		{"{}", false},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		json_t *run = json_of(cases[i].run);

		ck_assert_msg(summary__counts(run) == cases[i].counts, "%s", cases[i].run);
		json_decref(run);
	}
}
END_TEST

/*
 * 1e6, 2e6 and 4e6 are 2e6 x 2^-1, 2^0 and 2^1: the mean is 2e6, the deviation of the logs is ln 2,
 * and t(0.975, 2) = 4.302652729696 makes the interval 2e6 x exp(+-4.3027 x ln 2 / sqrt 3). The
 * values themselves have the mean 7e6 / 3 and the standard deviation 1e6 x sqrt(7 / 3).
 */
START_TEST(test_estimate)
{
	json_t *benchmark = benchmark_of(
		"[" RUN("'ops_rate': 1e6", "") "," RUN("'ops_rate': 4e6", "") "," FAILED(
			"hung") ","
				"{'status': 'ok', 'role': 'evidence',"
				" 'values': {'ops_rate': 9e9}}," RUN(
					"'ops_rate': null", "") "," RUN("'ops_rate': 2000000",
									"") "]");
	const double half = 4.302652729696 * log(2) / sqrt(3);
	struct headline headline;

	ck_assert(summary__headline(NULL, benchmark, "ops_rate", &headline));
	ck_assert_uint_eq(headline.of_units.n, 3);
	near(headline.of_units.value, 2e6);
	near(headline.of_units.lo, 2e6 * exp(-half));
	near(headline.of_units.hi, 2e6 * exp(half));
	near(headline.run_cv, 3 * sqrt(7.0 / 3) / 7);
	near(summary__mean(NULL, benchmark, "ops_rate"), 7e6 / 3);
	json_decref(benchmark);
}
END_TEST

START_TEST(test_estimate_of_little)
{
	json_t *one = benchmark_of("[" RUN("'ops_rate': 5, 'zero_rate': 0", "") "]");
	json_t *none = benchmark_of("[" FAILED("hung") "]");
	struct headline headline;

	ck_assert(summary__headline(NULL, one, "ops_rate", &headline));
	ck_assert_uint_eq(headline.of_units.n, 1);
	near(headline.of_units.value, 5);
	ck_assert(isnan(headline.of_units.lo) && isnan(headline.of_units.hi) &&
		  isnan(headline.run_cv));
	ck_assert(!summary__headline(NULL, one, "ns_op", &headline));
	/* Zero has no logarithm, but a mean. */
	ck_assert(!summary__headline(NULL, one, "zero_rate", &headline));
	ck_assert(summary__mean(NULL, one, "zero_rate") == 0);
	ck_assert(!summary__headline(NULL, none, "ops_rate", &headline));
	ck_assert(isnan(summary__mean(NULL, none, "ops_rate")));
	json_decref(one);
	json_decref(none);
}
END_TEST

#define BOOTED(boot, rate)                                                                        \
	"{'status': 'ok', 'role': 'clean', 'boot': " #boot ", 'values': {'ops_rate': " #rate ", " \
	"'zero_rate': 0}, 'threads': [{'ops': " #rate ", 'dur_ns': 1000000000}]}"

/*
 * Boots of two hosts: a has those of 1 and 4, b that of 8 in two runs. Host means 2 and 8, and 4 as
 * their mean; the runs pooled would give 4 * 2^0.25. Without the names it is one host, and boots.
 */
START_TEST(test_hosts_and_boots)
{
	json_t *benchmark = benchmark_of(
		"[" BOOTED(0, 1) "," BOOTED(1, 4) "," BOOTED(2, 8) "," BOOTED(2, 8) "]");
	json_t *result = json_of("{'boots': [{'host': 'a'}, {'host': 'a'}, {'host': 'b'}]}");
	struct headline headline;

	ck_assert(summary__headline(result, benchmark, "ops_rate", &headline));
	ck_assert_str_eq(headline.unit, "host");
	ck_assert_uint_eq(headline.of_units.n, 2);
	near(headline.of_units.value, 4);
	/* Arithmetic: (1 + 4) / 2 and 8. */
	near(summary__mean(result, benchmark, "ops_rate"), 5.25);
	near(summary__thread_rate(result, benchmark, 0), 5.25);
	ck_assert(!summary__headline(result, benchmark, "zero_rate", &headline));
	json_decref(result);
	result = json_of("{'boots': [{'host': null}, {}, {'host': 3}]}");
	ck_assert(summary__headline(result, benchmark, "ops_rate", &headline));
	ck_assert_str_eq(headline.unit, "boot");
	near(headline.of_units.value, cbrt(1 * 4 * 8));
	json_decref(result);
	json_decref(benchmark);
}
END_TEST

#define RATE(role, block, rate)                                                                   \
	"{'status': 'ok', 'role': '" role "', 'block': " #block ", 'values': {'ops_rate': " #rate \
	"}}"

/* Evidence is compared with the clean run of its own block, and with no other. */
START_TEST(test_roles)
{
	json_t *benchmark = benchmark_of(
		"[" RATE("clean", 0, 7) "," RATE("clean", 1, 100) "," RATE("evidence", 1, 99) "," RATE(
			"clean", 2,
			200) "," RATE("evidence", 2,
				      196) "," RATE("evidence", 3,
						    1) ","
						       "{'status': 'failed', 'role': 'evidence', 'reason': 'no tracefs'}]");
	struct run_tally tally = summary__tally(benchmark, "clean");
	const double mean = sqrt(0.99 * 0.98);
	struct ratio ratio;

	ck_assert_int_eq(tally.total, 3);
	ck_assert_int_eq(tally.failed, 0);
	ck_assert(summary__paired(benchmark, "evidence", "ops_rate", &ratio));
	ck_assert_uint_eq(ratio.nr_before, 2);
	near(ratio.value, mean);
	/* t(0.975, 1) = 12.7062047364, and half the difference of two logs. */
	near(ratio.hi, mean * exp(12.7062047364 * log(0.99 / 0.98) / 2));
	ck_assert(!summary__paired(benchmark, "bare", "ops_rate", &ratio));
	ck_assert(!summary__paired(benchmark, "evidence", "ns_op", &ratio));
	ck_assert_ptr_eq(summary__first(benchmark),
			 json_array_get(json_object_get(benchmark, "runs"), 0));
	json_decref(benchmark);
}
END_TEST

/* With two equal arms a block has two clean runs, and its one evidence run is still one pair. */
START_TEST(test_roles_of_two_arms)
{
	json_t *benchmark = benchmark_of("[" RATE("clean", 0, 50) "," RATE(
		"clean", 1, 100) "," RATE("clean", 1, 400) "," RATE("evidence", 1, 180) "]");
	struct ratio ratio;

	ck_assert(summary__paired(benchmark, "evidence", "ops_rate", &ratio));
	ck_assert_uint_eq(ratio.nr_before, 1);
	near(ratio.value, 0.9);
	ck_assert(isnan(ratio.lo) && isnan(ratio.hi));
	json_decref(benchmark);
}
END_TEST

START_TEST(test_thread_rates)
{
	json_t *benchmark = benchmark_of("[" RUN("", "") "," FAILED(
		"hung") ","
			"{'status': 'failed', 'threads': [{'ops': 99, 'dur_ns': 1}]},"
			"{'status': 'ok', 'threads': [{'ops': 6000000, 'dur_ns': 2000000000},"
			" {'ops': 5, 'dur_ns': 0}]}]");

	/* 1e6 and 3e6 per second; the second one has no time in the last run. */
	near(summary__thread_rate(NULL, benchmark, 0), 2e6);
	near(summary__thread_rate(NULL, benchmark, 1), 3e6);
	ck_assert(isnan(summary__thread_rate(NULL, benchmark, 2)));
	ck_assert(isnan(summary__thread_rate(NULL, benchmark, -1)));
	json_decref(benchmark);
}
END_TEST

/* Two runs of 4e6 operations: 240 + 80 events. */
START_TEST(test_counter)
{
	json_t *benchmark = benchmark_of("[" RUN(
		"", COUNT("cycles", 0, 100, 10, 10) "," COUNT("cycles", 1, 140, 10, 5) "," COUNT(
			    "branches", 1, 7, 10,
			    10)) "," FAILED("hung") "," RUN("",
							    COUNT("cycles", 0, 80, 20, 15)) "]");
	struct counter_total sum = counter(benchmark, "cycles");

	ck_assert_ptr_null(sum.reason);
	ck_assert_ptr_null(sum.note);
	near(sum.total, 320);
	/* Of the operations of the producers that were counted: run 2 has no row of producer 1. */
	near(sum.per_op, 320 / 5e6);
	near(sum.running, 30.0 / 40);
	json_decref(benchmark);
}
END_TEST

/* Producer 1 sits on another kind of core: its operations are not in the quotient either. */
START_TEST(report_rustc_perf_1480_total_without_the_other_core)
{
	json_t *benchmark = benchmark_of("[" RUN(
		"",
		COUNT("cpu_core/cycles/", 0, 100, 10,
		      10) ","
			  "{'metric': 'cpu_core/cycles/', 'tid': 1, 'scaled': null, 'elsewhere': true, "
			  "'reason': 'not counted: on cpu_atom'}," NO_COUNT("LLC-loads", 0,
									    "no PMU")) "]");
	struct counter_total sum = counter(benchmark, "cpu_core/cycles/");

	ck_assert_ptr_null(sum.reason);
	near(sum.total, 100);
	near(sum.per_op, 100 / 1e6);
	json_decref(benchmark);
}
END_TEST

/* A total without one of the producers would be a different figure. */
START_TEST(test_counter_absent_wins)
{
	static const char *const runs[] = {
		"[" RUN("", NO_COUNT("cycles", 0, "no PMU") "," COUNT("cycles", 1, 9, 1, 1)) "]",
		"[" RUN("", COUNT("cycles", 0, 9, 1, 1) "," NO_COUNT("cycles", 1, "no PMU")) "]",
		"[" RUN("", COUNT("cycles", 0, 9, 1, 1)) "," RUN("", NO_COUNT("cycles", 0,
									      "no PMU")) "]",
		"[" RUN("", NO_COUNT("cycles", 0, "no PMU")) "," RUN("", COUNT("cycles", 0, 9, 1,
									       1)) "]",
	};

	for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
		json_t *benchmark = benchmark_of(runs[i]);

		ck_assert_pstr_eq(counter(benchmark, "cycles").reason, "no PMU");
		json_decref(benchmark);
	}
}
END_TEST

START_TEST(test_counter_note)
{
	json_t *benchmark = benchmark_of(
		"[" RUN("", "{'metric': 'cycles', 'tid': 0, 'scaled': 1, 'enabled_ns': 1,"
			    " 'running_ns': 1, 'note': 'user only'}") "]");

	ck_assert_pstr_eq(counter(benchmark, "cycles").note, "user only");
	json_decref(benchmark);
	benchmark =
		benchmark_of("[" RUN("", "{'metric': 'cycles', 'tid': 0, 'scaled': 'many'}") "]");
	ck_assert_pstr_eq(counter(benchmark, "cycles").reason, "no reason given");
	json_decref(benchmark);
}
END_TEST

/* A document may lack anything, and hold anything else instead. */
START_TEST(test_strange_documents)
{
	static const char *const documents[] = {
		"{}",
		"[]",
		"null",
		"3",
		"{'runs': {}}",
		"{'runs': [null, 3, [], 'x']}",
		"{'runs': [{'status': 'ok', 'values': [], 'threads': {}, 'counters': 'x'}]}",
		"{'runs': [{'status': 'ok', 'values': {'m': 'x'}, 'threads': [3, null]}]}",
		"{'runs': [{'status': 'ok', 'counters': [3, null, {}, {'metric': 7}]}]}",
		"{'runs': [{'status': 'skipped', 'counters': [" COUNT("m", 0, 1, 1, 1) "]}]}",
	};

	for (size_t i = 0; i < sizeof(documents) / sizeof(documents[0]); i++) {
		json_t *benchmark = json_of(documents[i]);
		struct counter_total total;
		struct headline headline;

		ck_assert(!summary__headline(NULL, benchmark, "m", &headline));
		ck_assert(isnan(summary__mean(NULL, benchmark, "m")));
		ck_assert(isnan(summary__thread_rate(NULL, benchmark, 0)));
		ck_assert(!find_counter(benchmark, "m", &total));
		ck_assert_int_eq(summary__tally(benchmark, "clean").failed, 0);
		json_decref(benchmark);
	}
}
END_TEST

UNIT_MAIN("summary", test_tally, test_which_runs_count, test_estimate, test_estimate_of_little,
	  test_roles, test_roles_of_two_arms, test_hosts_and_boots, test_thread_rates, test_counter,
	  report_rustc_perf_1480_total_without_the_other_core, test_counter_absent_wins,
	  test_counter_note, test_strange_documents)
