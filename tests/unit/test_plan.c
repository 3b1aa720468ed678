// SPDX-License-Identifier: GPL-2.0-only
#include "lib/plan.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "lib/why.h"
#include "tests/unit/machine.h"
#include "tests/unit/unit.h"

struct toy_args {
	uint64_t n;
};

static const struct param toy_params[] = {
	PARAM_NUMBER(struct toy_args, n, 1, 1, 1000, "which point this is"),
	{0},
};

BENCH(toy, .name = "toy", .summary = "nothing", .op = "nothing", .checked = "nothing",
      .params = toy_params, .args_size = sizeof(struct toy_args), .work = idle_work,
      .check = idle_check, .primary = "ns_op");

static struct plan *plan_of(const struct plan_request *request)
{
	struct plan *plan;
	struct why why;

	ck_assert_msg(machine__build(request, &plan, &why) == 0, "refused: %s", why.text);
	return plan;
}

static struct plan *timed(double warmup_s, double duration_s, double interval_s)
{
	struct plan_request request = machine__request(WORDS("toy"));

	request.warmup_s = warmup_s;
	request.duration_s = duration_s;
	request.interval_s = interval_s;
	return plan_of(&request);
}

#define MS 1000000ULL

START_TEST(test_ticks_of_the_defaults)
{
	struct plan *plan = timed(0.2, 1, 0.1);

	ck_assert_int_eq(plan__warmup_ticks(plan), 2);
	ck_assert_int_eq(plan__ticks(plan), 13);
	for (int tick = 0; tick < 13; tick++)
		ck_assert_uint_eq(plan__tick_ns(plan, tick), tick * 100 * MS);
	plan__free(plan);
}
END_TEST

START_TEST(test_ticks_without_warmup)
{
	struct plan *plan = timed(0, 0.3, 0.1);

	ck_assert_int_eq(plan__warmup_ticks(plan), 0);
	ck_assert_int_eq(plan__ticks(plan), 4);
	ck_assert_uint_eq(plan__tick_ns(plan, 0), 0);
	ck_assert_uint_eq(plan__tick_ns(plan, 1), 100 * MS);
	ck_assert_uint_eq(plan__tick_ns(plan, 3), 300 * MS);
	plan__free(plan);
}
END_TEST

/* The nearest number of equal intervals: the duration is what was asked for, to the ns. */
START_TEST(test_ticks_that_do_not_fit)
{
	struct plan *plan = timed(0.05, 1, 0.3);

	ck_assert_int_eq(plan__warmup_ticks(plan), 1);
	ck_assert_int_eq(plan__ticks(plan), 5);
	ck_assert_uint_eq(plan__tick_ns(plan, 1), 50 * MS);
	ck_assert_uint_eq(plan__tick_ns(plan, 2), 50 * MS + 333333333);
	ck_assert_uint_eq(plan__tick_ns(plan, 3), 50 * MS + 666666666);
	ck_assert_uint_eq(plan__tick_ns(plan, 4), 1050 * MS);
	plan__free(plan);
	/* 3.5 intervals are rounded up, 3.4 down. */
	plan = timed(0, 0.35, 0.1);
	ck_assert_int_eq(plan__ticks(plan), 5);
	plan__free(plan);
	plan = timed(0, 0.34, 0.1);
	ck_assert_int_eq(plan__ticks(plan), 4);
	ck_assert_uint_eq(plan__tick_ns(plan, 3), 340 * MS);
	plan__free(plan);
}
END_TEST

START_TEST(test_ticks_longer_than_the_run)
{
	struct plan *plan = timed(0.001, 0.005, 3600);

	ck_assert_int_eq(plan__warmup_ticks(plan), 1);
	ck_assert_int_eq(plan__ticks(plan), 3);
	ck_assert_uint_eq(plan__tick_ns(plan, 1), 1 * MS);
	ck_assert_uint_eq(plan__tick_ns(plan, 2), 6 * MS);
	plan__free(plan);
}
END_TEST

/* ns x ticks of a day at 0.1 s is 7.5e19, and 2^64 is 1.8e19. */
START_TEST(test_ticks_of_a_day)
{
	struct plan *plan = timed(3600, 86400, 0.1);
	int warm = plan__warmup_ticks(plan);

	ck_assert_int_eq(warm, 36000);
	ck_assert_int_eq(plan__ticks(plan), 1 + 36000 + 864000);
	for (int tick = 0; tick < plan__ticks(plan); tick += 9000)
		ck_assert_uint_eq(plan__tick_ns(plan, tick), tick * 100 * MS);
	plan__free(plan);
}
END_TEST

START_TEST(test_times_refused)
{
	static const struct {
		double duration, warmup, interval;
		int repeats;
		const char *words;
	} faulty[] = {
		{0, 0, 0.1, 1, "-d: the duration is 0.001..86400 seconds"},
		{0.0009, 0, 0.1, 1, "-d: the duration is 0.001..86400 seconds"},
		{86401, 0, 0.1, 1, "-d: the duration is 0.001..86400 seconds"},
		{NAN, 0, 0.1, 1, "-d: the duration is 0.001..86400 seconds"},
		{INFINITY, 0, 0.1, 1, "-d: the duration is 0.001..86400 seconds"},
		{1, -0.1, 0.1, 1, "-w: the warm-up is 0..3600 seconds"},
		{1, 3601, 0.1, 1, "-w: the warm-up is 0..3600 seconds"},
		{1, NAN, 0.1, 1, "-w: the warm-up is 0..3600 seconds"},
		{1, 0, 0, 1, "the interval is 0.001..3600 seconds"},
		{1, 0, 3601, 1, "the interval is 0.001..3600 seconds"},
		{1, 0, NAN, 1, "the interval is 0.001..3600 seconds"},
		{1, 0, 0.1, 0, "-r: the number of runs is 1..10000"},
		{1, 0, 0.1, -1, "-r: the number of runs is 1..10000"},
		{1, 0, 0.1, 10001, "-r: the number of runs is 1..10000"},
		{1001, 0, 0.001, 1, "more than 1000000 intervals in a run"},
	};

	for (size_t i = 0; i < sizeof(faulty) / sizeof(faulty[0]); i++) {
		struct plan_request request = machine__request(WORDS("toy"));
		struct plan *plan;
		struct why why;

		request.duration_s = faulty[i].duration;
		request.warmup_s = faulty[i].warmup;
		request.interval_s = faulty[i].interval;
		request.repeats = faulty[i].repeats;
		ck_assert_int_eq(machine__build(&request, &plan, &why), -EINVAL);
		ck_assert_str_eq(why.text, faulty[i].words);
	}
}
END_TEST

#define POINTS 9
#define BLOCKS 20

/* The points of all steps in one line of text. */
static void order_of(uint64_t seed, char order[POINTS * BLOCKS + 1])
{
	struct plan_request request = machine__request(WORDS("toy", "n=1,2,3,4,5,6,7,8,9"));
	struct plan *plan;

	request.repeats = BLOCKS;
	request.seed = seed;
	plan = plan_of(&request);
	ck_assert_int_eq(plan->nr_steps, POINTS * BLOCKS);
	for (int i = 0; i < plan->nr_steps; i++)
		order[i] = '0' + plan->steps[i].point;
	order[POINTS * BLOCKS] = '\0';
	plan__free(plan);
}

START_TEST(test_order_is_the_seed)
{
	char a[POINTS * BLOCKS + 1], b[POINTS * BLOCKS + 1];

	order_of(1, a);
	order_of(1, b);
	ck_assert_str_eq(a, b);
	order_of(2, b);
	ck_assert_str_ne(a, b);
	/* And the blocks are not all in one order. */
	ck_assert_int_ne(memcmp(a, a + POINTS, POINTS), 0);
}
END_TEST

START_TEST(test_blocks_are_permutations)
{
	struct plan_request request = machine__request(WORDS("toy", "n=1,2,3,4,5,6,7,8,9"));
	struct plan *plan;

	request.repeats = BLOCKS;
	plan = plan_of(&request);
	for (int block = 0; block < BLOCKS; block++) {
		unsigned int seen = 0;

		for (int i = 0; i < POINTS; i++) {
			const struct step *step = &plan->steps[block * POINTS + i];

			ck_assert_int_eq(step->block, block);
			ck_assert_int_eq(step->n, block);
			seen |= 1U << step->point;
		}
		ck_assert_uint_eq(seen, (1U << POINTS) - 1);
	}
	plan__free(plan);
}
END_TEST

/* Over many seeds every point stands in every place equally often: 900 / 9, and +-5 sigma. */
START_TEST(test_order_is_fair)
{
	int count[POINTS][POINTS] = {0};

	for (uint64_t seed = 0; seed < 45; seed++) {
		char order[POINTS * BLOCKS + 1];

		order_of(seed, order);
		for (int i = 0; i < POINTS * BLOCKS; i++)
			count[i % POINTS][order[i] - '0']++;
	}
	for (int place = 0; place < POINTS; place++) {
		for (int point = 0; point < POINTS; point++) {
			ck_assert_int_gt(count[place][point], 50);
			ck_assert_int_lt(count[place][point], 150);
		}
	}
}
END_TEST

static void cpus_are(const struct cpulist *list, const char *expected)
{
	char text[64];

	ck_assert_int_ge(cpulist__format(list, text, sizeof(text)), 0);
	ck_assert_str_eq(text, expected);
}

START_TEST(report_bcc_893_placement_by_position)
{
	struct plan_request request = machine__request(WORDS("toy"));
	struct plan *plan = plan_of(&request);

	cpus_are(&plan->allowed, MACHINE_CPUS);
	cpus_are(&plan->prod_cpus, MACHINE_CPUS);
	ck_assert_int_eq(plan__cpu(plan, 0), 0);
	ck_assert_int_eq(plan__cpu(plan, 4), 6);
	/* More producers than CPUs take them in turn. */
	ck_assert_int_eq(plan__cpu(plan, 5), 0);
	ck_assert_int_eq(plan__cpu(plan, 9), 6);
	plan__free(plan);
	request.prod_affinity = "6,2-3";
	plan = plan_of(&request);
	cpus_are(&plan->prod_cpus, "2-3,6");
	cpus_are(&plan->allowed, MACHINE_CPUS);
	ck_assert_int_eq(plan__cpu(plan, 2), 6);
	ck_assert_int_eq(plan__cpu(plan, 3), 2);
	plan__free(plan);
	request.prod_affinity = NULL;
	request.affinity = false;
	plan = plan_of(&request);
	ck_assert_int_eq(plan__cpu(plan, 0), -1);
	ck_assert_int_eq(plan__cpu(plan, 7), -1);
	plan__free(plan);
}
END_TEST

static void affinity_refused(const char *list, const char *words)
{
	struct plan_request request = machine__request(WORDS("toy"));
	struct plan *plan;
	struct why why;

	request.prod_affinity = list;
	ck_assert_int_eq(machine__build(&request, &plan, &why), -EINVAL);
	ck_assert_ptr_nonnull(strstr(why.text, words));
}

START_TEST(report_libbpf_103_cpus_that_are_offline)
{
	/* 4 is online but outside the mask, 5 in the mask but offline. */
	affinity_refused("0,4", "--prod-affinity: CPU 4 is offline or not allowed; "
				"allowed are " MACHINE_CPUS);
	affinity_refused("5", "--prod-affinity: CPU 5 is offline or not allowed");
	affinity_refused("0-8191", "--prod-affinity: CPU 4 is offline or not allowed");
	affinity_refused("", "''");
	affinity_refused("2-1", "'2-1'");
	affinity_refused("one", "'one'");
}
END_TEST

START_TEST(test_measured_time)
{
	struct plan_request request = machine__request(WORDS("toy", "n=1,2,3"));
	struct plan *plan;

	request.repeats = 5;
	plan = plan_of(&request);
	ck_assert_uint_eq(plan__measured_ns(plan), 15 * 1200 * MS);
	plan__free(plan);
}
END_TEST

START_TEST(test_json)
{
	struct plan_request request = machine__request(WORDS("toy", "n=7"));
	struct plan *plan;
	char *text;
	json_t *doc;

	request.repeats = 3;
	request.duration_s = 0.25;
	request.prod_affinity = "1,2";
	plan = plan_of(&request);
	doc = plan__json(plan);
	text = json_dumps(doc, JSON_COMPACT | JSON_SORT_KEYS);
	ck_assert_str_eq(text, "{\"affinity\":true,\"analysis\":\"geomean-t95-log\","
			       "\"bare_runs\":false,\"cpus\":\"1-2\",\"duration_ms\":250.0,"
			       "\"evidence\":[],\"evidence_runs\":0,\"interval_ms\":100.0,"
			       "\"order\":\"random-blocks\",\"primary\":{\"toy\":\"ns_op\"},"
			       "\"runs\":3,\"sensors\":[],\"warmup_ms\":200.0}");
	free(text);
	json_decref(doc);
	doc = point__params(&plan->points[0]);
	text = json_dumps(doc, JSON_COMPACT);
	ck_assert_str_eq(text, "{\"n\":7,\"batch\":0,\"producers\":1}");
	free(text);
	json_decref(doc);
	plan__free(plan);
}
END_TEST

/* A list that was cut short would name other CPUs: every second one of 8192. */
START_TEST(test_json_of_many_cpus)
{
	struct plan *plan = timed(0, 1, 0.1);
	struct cpulist *cpus = &plan->prod_cpus;
	const char *text;
	json_t *doc;

	cpulist__free(cpus);
	for (int cpu = 0; cpu <= CPULIST_MAX_CPU; cpu += 2)
		ck_assert_int_eq(cpulist__append(cpus, cpu), 0);
	doc = plan__json(plan);
	text = json_string_value(json_object_get(doc, "cpus"));
	ck_assert_str_eq(text + strlen(text) - 10, ",8188,8190");
	json_decref(doc);
	plan__free(plan);
}
END_TEST

UNIT_MAIN("plan", test_ticks_of_the_defaults, test_ticks_without_warmup, test_ticks_that_do_not_fit,
	  test_ticks_longer_than_the_run, test_ticks_of_a_day, test_times_refused,
	  test_order_is_the_seed, test_blocks_are_permutations, test_order_is_fair,
	  report_bcc_893_placement_by_position, report_libbpf_103_cpus_that_are_offline,
	  test_measured_time, test_json, test_json_of_many_cpus)
