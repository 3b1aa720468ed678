// SPDX-License-Identifier: GPL-2.0-only
#include "lib/plan.h"

#include <errno.h>
#include <string.h>

#include "lib/sensor.h"
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

static int freed;

static int parse_spec(const char *spec, void **ret_config, struct why *why)
{
	if (!strcmp(spec, "bad"))
		return why__set(why, -EINVAL, "toy sensor: bad words");
	*ret_config = strdup(spec);
	return *ret_config ? 0 : -ENOMEM;
}

static void free_config(void *config)
{
	free(config);
	freed++;
}

static int probe_here(const void *config, struct why *why)
{
	return strcmp(config, "good") ? why__set(why, -EPERM, "toy sensor: not here") : 0;
}

SENSOR(toy_sensor, .name = "toy-sensor", .parse = parse_spec, .free_config = free_config,
       .probe = probe_here);

static struct plan *plan_of(const struct plan_request *request)
{
	struct plan *plan;
	struct why why;

	ck_assert_msg(machine__build(request, &plan, &why) == 0, "refused: %s", why.text);
	return plan;
}

#define BLOCKS 20

/* The blocks in which a role has its steps, in order. */
static void steps_are(const struct plan *plan, enum run_role role, const char *blocks)
{
	char text[200] = "";
	int n = 0;

	for (int i = 0; i < plan->nr_steps; i++) {
		const struct step *step = &plan->steps[i];

		if (step->role != role)
			continue;
		ck_assert_int_eq(step->n, n++);
		sprintf(text + strlen(text), "%d", step->block);
	}
	ck_assert_str_eq(text, blocks);
}

START_TEST(test_roles)
{
	struct plan_request request = machine__request(WORDS("toy"));
	struct plan *plan;

	request.repeats = 4;
	plan = plan_of(&request);
	steps_are(plan, ROLE_CLEAN, "0123");
	steps_are(plan, ROLE_EVIDENCE, "");
	ck_assert_int_eq(plan__set_roles(plan, 2, false), 0);
	ck_assert_int_eq(plan->nr_steps, 6);
	steps_are(plan, ROLE_CLEAN, "0123");
	/* With clean ones beside them, and late: what they leave behind disturbs few. */
	steps_are(plan, ROLE_EVIDENCE, "23");
	ck_assert_int_eq(plan__set_roles(plan, 0, true), 0);
	ck_assert_int_eq(plan->nr_steps, 8);
	steps_are(plan, ROLE_CLEAN, "0123");
	steps_are(plan, ROLE_BARE, "0123");
	/* More of them than of the clean ones. */
	ck_assert_int_eq(plan__set_roles(plan, 6, false), 0);
	ck_assert_int_eq(plan->nr_steps, 10);
	steps_are(plan, ROLE_CLEAN, "0123");
	steps_are(plan, ROLE_EVIDENCE, "012345");
	plan__free(plan);
	ck_assert_str_eq(run_role__name(ROLE_CLEAN), "clean");
	ck_assert_str_eq(run_role__name(ROLE_EVIDENCE), "evidence");
	ck_assert_str_eq(run_role__name(ROLE_BARE), "bare");
}
END_TEST

/* In every block each point has its clean and its bare run, in any order of the two. */
START_TEST(test_roles_of_a_sweep)
{
	struct plan_request request = machine__request(WORDS("toy", "n=1,2,3"));
	int bare_first = 0;
	struct plan *plan;

	request.repeats = BLOCKS;
	plan = plan_of(&request);
	ck_assert_int_eq(plan__set_roles(plan, 1, true), 0);
	ck_assert_int_eq(plan->nr_steps, BLOCKS * 6 + 3);
	for (int block = 0; block < BLOCKS; block++) {
		unsigned int seen = 0;

		for (int i = 0; i < (block == BLOCKS - 1 ? 9 : 6); i++) {
			const struct step *step = &plan->steps[block * 6 + i];

			ck_assert_int_eq(step->block, block);
			seen |= 1U << (step->point + 3 * step->role);
		}
		ck_assert_uint_eq(seen, block == BLOCKS - 1 ? 0777 : 0707);
		bare_first += plan->steps[block * 6].role == ROLE_BARE;
	}
	ck_assert_int_gt(bare_first, 0);
	ck_assert_int_lt(bare_first, BLOCKS);
	plan__free(plan);
}
END_TEST

static int take(struct consumer *consumer)
{
	(void)consumer;
	return 0;
}

BENCH(fed, .name = "fed", .summary = "has a consumer", .op = "nothing", .checked = "nothing",
      .work = idle_work, .consumers = 1, .consume = take, .check = idle_check);

START_TEST(test_consumers)
{
	struct plan_request request = machine__request(WORDS("fed"));
	struct plan *plan;

	/* Behind the two producers on 0 and 1, and around. */
	request.producers = "2";
	plan = plan_of(&request);
	ck_assert_int_eq(plan__consumer_cpu(plan, &plan->points[0], 0), 2);
	ck_assert_int_eq(plan__consumer_cpu(plan, &plan->points[0], 2), 6);
	ck_assert_int_eq(plan__consumer_cpu(plan, &plan->points[0], 3), 0);
	plan__free(plan);
	request.cons_affinity = "1,6";
	plan = plan_of(&request);
	ck_assert_int_eq(plan__consumer_cpu(plan, &plan->points[0], 0), 1);
	ck_assert_int_eq(plan__consumer_cpu(plan, &plan->points[0], 1), 6);
	ck_assert_int_eq(plan__consumer_cpu(plan, &plan->points[0], 2), 1);
	plan__free(plan);
	request.affinity = false;
	plan = plan_of(&request);
	ck_assert_int_eq(plan__consumer_cpu(plan, &plan->points[0], 0), -1);
	plan__free(plan);
}
END_TEST

static void refused(const struct plan_request *request, const char *words)
{
	struct plan *plan = NULL;
	struct why why;

	ck_assert_int_eq(machine__build(request, &plan, &why), -EINVAL);
	ck_assert_str_eq(why.text, words);
}

/* An option that no benchmark of the plan has a use for was meant for another one. */
START_TEST(test_options_without_a_use)
{
	struct plan_request request = machine__request(WORDS("toy"));

	request.cons_affinity = "1";
	refused(&request, "--cons-affinity: there are no consumers ('toy')");
	request = machine__request(WORDS("fed"));
	request.cons_affinity = "1";
	plan__free(plan_of(&request));
	request.consumers = "0";
	refused(&request, "--cons-affinity: there are no consumers ('fed')");
	request = machine__request(WORDS("toy,fed"));
	request.cons_affinity = "1";
	plan__free(plan_of(&request));
	request = machine__request(WORDS("fed"));
	request.triggers = "fentry";
	refused(&request, "--trigger: 'fed' runs in user space, without a BPF program");
}
END_TEST

START_TEST(test_sensors)
{
	const struct plan_request request = machine__request(WORDS("toy"));
	struct plan *plan = plan_of(&request);
	struct why why = {0};

	ck_assert_int_eq(plan__add_sensor(plan, ROLE_CLEAN, "no-such", "", &why), -EINVAL);
	ck_assert_str_eq(why.text, "unknown tracer 'no-such' ('bpfperf list' has them)");
	ck_assert_int_eq(plan__add_sensor(plan, ROLE_CLEAN, "toy-sensor", "bad", &why), -EINVAL);
	ck_assert_str_eq(why.text, "toy sensor: bad words");
	/* Understood, but not possible here: its configuration is given back. */
	ck_assert_int_eq(plan__add_sensor(plan, ROLE_CLEAN, "toy-sensor", "other", &why), -EPERM);
	ck_assert_str_eq(why.text, "toy sensor: not here");
	ck_assert_int_eq(freed, 1);
	ck_assert_int_eq(plan->nr_sensors + plan->nr_evidence, 0);
	ck_assert_int_eq(plan__add_sensor(plan, ROLE_CLEAN, "toy-sensor", "good", &why), 0);
	ck_assert_int_eq(plan__add_sensor(plan, ROLE_EVIDENCE, "toy-sensor", "good", &why), 0);
	ck_assert_int_eq(plan->nr_sensors, 1);
	ck_assert_int_eq(plan->nr_evidence, 1);
	plan__free(plan);
	ck_assert_int_eq(freed, 3);
	plan__free(NULL);
}
END_TEST

/* 4,000,000 threads: 3,906 runs of 1,024 producers. */
START_TEST(test_what_no_document_can_hold)
{
	struct plan_request request = machine__request(WORDS("toy"));
	struct why why = {0};
	struct plan *plan;

	request.producers = "1,1024";
	request.repeats = 3905;
	plan = plan_of(&request);
	ck_assert_int_eq(plan__check_size(plan, &why), 0);
	ck_assert_int_eq(plan__set_roles(plan, 1, false), 0);
	ck_assert_int_eq(plan__check_size(plan, &why), 0);
	/* Evidence runs have threads as well. */
	ck_assert_int_eq(plan__set_roles(plan, 2, false), 0);
	ck_assert_int_eq(plan__check_size(plan, &why), -EINVAL);
	ck_assert_str_eq(why.text,
			 "-r, -p: 3907 runs of 1024 producers are too many for a document;"
			 " of so many producers it can have 3906");
	plan__free(plan);
}
END_TEST

/* A million intervals, of 10 runs and one of evidence. */
START_TEST(test_intervals_that_no_document_can_hold)
{
	struct plan_request request = machine__request(WORDS("toy"));
	struct why why = {0};
	struct plan *plan;

	request.repeats = 10;
	request.warmup_s = 0;
	request.duration_s = 909.09;
	request.interval_s = 0.01;
	plan = plan_of(&request);
	ck_assert_int_eq(plan__set_roles(plan, 1, false), 0);
	ck_assert_int_eq(plan__check_size(plan, &why), 0);
	plan__free(plan);
	request.duration_s = 1000;
	plan = plan_of(&request);
	ck_assert_int_eq(plan__set_roles(plan, 1, false), 0);
	ck_assert_int_eq(plan__check_size(plan, &why), -EINVAL);
	ck_assert_str_eq(why.text,
			 "-I: 100000 intervals in each of 11 runs are too many for a document; it"
			 " can have 90909 in each (-I 12)");
	plan__free(plan);
}
END_TEST

/* Of 1,000 intervals each, beside 2 evidence runs: 998 runs, of which every other one is bare. */
START_TEST(test_how_many_runs_a_document_can_hold)
{
	struct plan_request request = machine__request(WORDS("toy"));
	struct plan *plan;

	request.repeats = 5;
	request.warmup_s = 0;
	request.duration_s = 10;
	request.interval_s = 0.01;
	plan = plan_of(&request);
	ck_assert_int_eq(plan__most_repeats(plan), 1000);
	ck_assert_int_eq(plan__set_roles(plan, 2, true), 0);
	ck_assert_int_eq(plan__most_repeats(plan), 499);
	plan__free(plan);
	request.interval_s = 10;
	request.producers = "1,1024";
	plan = plan_of(&request);
	ck_assert_int_eq(plan__most_repeats(plan), 3906);
	plan__free(plan);
}
END_TEST

UNIT_MAIN("plan-roles", test_how_many_runs_a_document_can_hold, test_what_no_document_can_hold,
	  test_intervals_that_no_document_can_hold, test_roles, test_roles_of_a_sweep,
	  test_consumers, test_options_without_a_use, test_sensors)
