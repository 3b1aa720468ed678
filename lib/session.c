// SPDX-License-Identifier: GPL-2.0-only
#include "lib/session.h"

#include <stdio.h>
#include <string.h>

#include "lib/bench.h"
#include "lib/clock.h"
#include "lib/execute.h"
#include "lib/interrupt.h"
#include "lib/lock_selftest.h"
#include "lib/need.h"
#include "lib/plan.h"
#include "lib/plural.h"
#include "lib/precision.h"
#include "lib/result.h"
#include "lib/sensor.h"
#include "lib/state.h"

static const struct state_roots roots = {.sys = "/sys", .proc = "/proc"};

static void warn_about_plan(json_t *result, const struct plan *plan)
{
	char text[160];

	for (int i = 0; i < plan->nr_points; i++) {
		const struct point *point = &plan->points[i];
		int threads = point->nr_producers + point->nr_consumers;

		if (point->nr_producers <= plan->prod_cpus.nr && threads <= plan->allowed.nr)
			continue;
		snprintf(text, sizeof(text),
			 "%d producers%s share %d CPU%s: they wait for each other", threads,
			 point->nr_consumers ? " and consumers" : "", plan->prod_cpus.nr,
			 plural(plan->prod_cpus.nr));
		result__warn(result, "MORE_PRODUCERS_THAN_CPUS", text);
		return;
	}
}

static void warn_about_privilege(json_t *result, const struct plan *plan)
{
	for (int i = 0; i < plan->nr_points; i++) {
		if (!plan->points[i].trigger || need__capability("CAP_PERFMON"))
			continue;
		/* Measured: a turn of the empty loop takes 13.1 instead of 7.1 ns. */
		result__warn(result, "NO_PERFMON",
			     "without CAP_PERFMON the verifier adds speculation "
			     "barriers: privileged programs are faster");
		return;
	}
}

static void warn_about_governor(json_t *result)
{
	const json_t *boot = json_array_get(json_object_get(result, "boots"), 0), *governor;
	const char *cpus;
	char text[160];

	json_object_foreach(json_object_get(json_object_get(boot, "power"), "governor"), cpus,
			    governor) {
		const char *name = json_string_value(governor);

		if (!name || !strcmp(name, "performance"))
			continue;
		snprintf(text, sizeof(text),
			 "the frequency governor of CPUs %.40s is '%.40s', not performance", cpus,
			 name);
		result__warn(result, "GOVERNOR", text);
	}
}

/* Whether the lock tracer can see spinlocks is a property of this boot, and asked once. */
static void test_spinlocks(json_t *result, const struct plan *plan)
{
	json_t *boot = json_array_get(json_object_get(result, "boots"), 0);
	struct lock_verdict verdict;
	struct why why;
	bool wanted = false;

	for (int i = 0; i < plan->nr_evidence; i++)
		wanted |= !strcmp(plan->evidence[i].ops->name, "locks");
	if (!wanted || !boot)
		return;
	if (!lock_selftest__run(&verdict, &why)) {
		json_object_set_new(boot, "spinlock_waits", lock_verdict__json(&verdict));
		return;
	}
	json_object_set_new(boot, "spinlock_waits", json_null());
	json_object_set_new(json_object_get(boot, "absent"), "spinlock_waits",
			    json_string(why.text));
}

static json_t *skipped(const struct point *point)
{
	return json_pack("{s:s, s:s, s:n}", "status", "skipped", "reason", point->skip.text,
			 "values");
}

static void warn(void *arg, const char *code, const char *text)
{
	result__warn(arg, code, text);
}

static json_t *run_step(const struct plan *plan, const struct step *step, json_t *result)
{
	const struct point *point = &plan->points[step->point];
	struct state before, after;
	json_t *run, *state;

	if (point->skip.text[0])
		return skipped(point);
	state__read(&roots, &plan->allowed, &before);
	run = execute__run(plan, step);
	state__read(&roots, &plan->allowed, &after);
	state = state__json(&before, &after);
	/* Beside an emulated CPU the host's other programs are nobody's fault. */
	if (!strcmp(plan->timing, "native"))
		state__warn(state, warn, result);
	json_object_set_new(run, "state", state);
	return run;
}

static void run_steps(const struct plan *plan, json_t *result, void (*on_step)(void *arg, int step),
		      void *arg, int first)
{
	for (int i = first; i < plan->nr_steps && !interrupt__signal(); i++) {
		if (on_step)
			on_step(arg, i);
		result__add_run(result, plan, i, run_step(plan, &plan->steps[i], result));
	}
}

void session__run(struct plan *plan, json_t *result, void (*on_step)(void *arg, int step),
		  void *arg)
{
	uint64_t start = clock__now();
	int pilot;

	warn_about_plan(result, plan);
	warn_about_governor(result);
	warn_about_privilege(result, plan);
	test_spinlocks(result, plan);
	run_steps(plan, result, on_step, arg, 0);
	pilot = plan->nr_steps;
	if (plan->precision.width && !interrupt__signal()) {
		precision__extend(plan, result, clock__now() - start);
		run_steps(plan, result, on_step, arg, pilot);
	}
	if (interrupt__signal())
		result__interrupted(result, interrupt__signal());
	session__advise(plan, result);
}
