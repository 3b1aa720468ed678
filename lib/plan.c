// SPDX-License-Identifier: GPL-2.0-only
#include "lib/plan.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/bench.h"
#include "lib/clock.h"
#include "lib/sensor.h"
#include "lib/sweep.h"

const struct param common_params[] = {
	PARAM_NUMBER(struct common_args, batch, 0, 0, 1 << 22,
		     "operations per trigger; 0 calibrates to 2 ms"),
	{0},
};

static int check_times(const struct plan_request *request, struct why *why)
{
	if (!(request->duration_s >= 0.001 && request->duration_s <= 86400))
		return why__set(why, -EINVAL, "-d: the duration is 0.001..86400 seconds");
	if (!(request->warmup_s >= 0 && request->warmup_s <= 3600))
		return why__set(why, -EINVAL, "-w: the warm-up is 0..3600 seconds");
	if (!(request->interval_s >= 0.001 && request->interval_s <= 3600))
		return why__set(why, -EINVAL, "the interval is 0.001..3600 seconds");
	if (request->repeats < 1 || request->repeats > 10000)
		return why__set(why, -EINVAL, "-r: the number of runs is 1..10000");
	if (request->duration_s / request->interval_s > 1e6)
		return why__set(why, -EINVAL, "more than 1000000 intervals in a run");
	return 0;
}

static int parse_cpus(const struct plan *plan, const char *option, const char *text,
		      struct cpulist *ret, struct why *why)
{
	char allowed[256];
	int err = cpulist__parse(text, ret, why);

	if (err)
		return err == -ERANGE ? -EINVAL : err;
	for (int i = 0; i < ret->nr; i++) {
		if (cpulist__contains(&plan->allowed, ret->cpu[i]))
			continue;
		if (cpulist__format(&plan->allowed, allowed, sizeof(allowed)) < 0)
			snprintf(allowed, sizeof(allowed), "%d others", plan->allowed.nr);
		return why__set(why, -EINVAL,
				"%s: CPU %d is offline or not allowed; allowed are %s", option,
				ret->cpu[i], allowed);
	}
	return 0;
}

static int resolve_cpus(struct plan *plan, const struct plan_request *request, struct why *why)
{
	const char *prod = request->prod_affinity, *cons = request->cons_affinity;
	int err = topology__allowed(request->sysfs, &plan->allowed, why);

	/* A file of the kernel that cannot be understood is no matter of usage. */
	if (err == -EINVAL)
		err = -EIO;
	if (!err && prod)
		err = parse_cpus(plan, "--prod-affinity", prod, &plan->prod_cpus, why);
	else if (!err)
		err = cpulist__intersect(&plan->allowed, &plan->allowed, &plan->prod_cpus);
	if (!err && cons)
		err = parse_cpus(plan, "--cons-affinity", cons, &plan->cons_cpus, why);
	return err;
}

/* What would be left out in silence: an option for what none of the benchmarks has. */
static int check_uses(const struct plan *plan, const struct plan_request *request, struct why *why)
{
	bool consumers = false, program = false;

	for (int i = 0; i < plan->nr_points; i++) {
		consumers |= plan->points[i].nr_consumers > 0;
		program |= !bench__is_user(plan->points[i].bench);
	}
	if (request->cons_affinity && !consumers)
		return why__set(why, -EINVAL, "--cons-affinity: there are no consumers ('%s')",
				plan->points[0].bench->name);
	if (request->triggers && !program)
		return why__set(why, -EINVAL,
				"--trigger: '%s' runs in user space, without a BPF "
				"program",
				plan->points[0].bench->name);
	return 0;
}

int plan__build(const struct plan_request *request, struct plan **ret_plan, struct why *why)
{
	struct plan *plan = calloc(1, sizeof(*plan));
	int err;

	if (!plan)
		return why__errno(why, -ENOMEM, "plan");
	plan->repeats = request->repeats;
	plan->duration_ns = llround(request->duration_s * NSEC_PER_SEC);
	plan->warmup_ns = llround(request->warmup_s * NSEC_PER_SEC);
	plan->interval_ns = llround(request->interval_s * NSEC_PER_SEC);
	plan->seed = request->seed;
	plan->timing = request->timing;
	plan->robust = request->robust;
	plan->affinity = request->affinity;
	err = check_times(request, why);
	err = err ?: resolve_cpus(plan, request, why);
	err = err ?: sweep__expand(plan, request, why);
	err = err ?: check_uses(plan, request, why);
	err = err ?: plan__set_roles(plan, 0, false);
	if (err) {
		plan__free(plan);
		return err;
	}
	*ret_plan = plan;
	return 0;
}

static void free_sensors(struct run_sensor *sensors, int nr)
{
	for (int i = 0; i < nr; i++)
		if (sensors[i].ops->free_config)
			sensors[i].ops->free_config(sensors[i].config);
	free(sensors);
}

void plan__free(struct plan *plan)
{
	if (!plan)
		return;
	for (int i = 0; i < plan->nr_points; i++) {
		free(plan->points[i].args);
		free(plan->points[i].key);
		free(plan->points[i].trigger_name);
	}
	free_sensors(plan->sensors, plan->nr_sensors);
	free_sensors(plan->evidence, plan->nr_evidence);
	free(plan->points);
	free(plan->steps);
	cpulist__free(&plan->allowed);
	cpulist__free(&plan->prod_cpus);
	cpulist__free(&plan->cons_cpus);
	free(plan);
}

int plan__cpu(const struct plan *plan, int i)
{
	return plan->affinity ? plan->prod_cpus.cpu[i % plan->prod_cpus.nr] : -1;
}

int plan__consumer_cpu(const struct plan *plan, const struct point *point, int i)
{
	if (!plan->affinity)
		return -1;
	if (plan->cons_cpus.nr)
		return plan->cons_cpus.cpu[i % plan->cons_cpus.nr];
	return plan->allowed.cpu[(point->nr_producers + i) % plan->allowed.nr];
}

static int nr_intervals(const struct plan *plan, uint64_t span_ns)
{
	uint64_t nr = (span_ns + plan->interval_ns / 2) / plan->interval_ns;

	return nr ? nr : span_ns > 0;
}

int plan__warmup_ticks(const struct plan *plan)
{
	return nr_intervals(plan, plan->warmup_ns);
}

int plan__ticks(const struct plan *plan)
{
	return 1 + plan__warmup_ticks(plan) + nr_intervals(plan, plan->duration_ns);
}

/* A day of nanoseconds times its ticks does not fit into 64 bits. */
static uint64_t part(uint64_t span_ns, int i, int nr)
{
	return (unsigned __int128)span_ns * i / nr;
}

/* Time from tick 0 to this tick: warm-up and duration are each cut evenly, and kept exactly. */
uint64_t plan__tick_ns(const struct plan *plan, int tick)
{
	int warm = plan__warmup_ticks(plan);

	if (tick <= warm)
		return warm ? part(plan->warmup_ns, tick, warm) : 0;
	return plan->warmup_ns +
	       part(plan->duration_ns, tick - warm, nr_intervals(plan, plan->duration_ns));
}

uint64_t plan__measured_ns(const struct plan *plan)
{
	return plan__runs(plan) * (plan->duration_ns + plan->warmup_ns);
}

int plan__runs_of(const struct plan *plan, enum run_role role)
{
	int nr = 0;

	for (int i = 0; i < plan->nr_steps; i++)
		nr += plan->steps[i].role == role &&
		      !plan->points[plan->steps[i].point].skip.text[0];
	return nr;
}

int plan__runs(const struct plan *plan)
{
	return plan__runs_of(plan, ROLE_CLEAN) + plan__runs_of(plan, ROLE_EVIDENCE) +
	       plan__runs_of(plan, ROLE_BARE);
}

json_t *point__params(const struct point *point)
{
	json_t *params = json_object();
	const struct param *p;

	for_each_param(p, point->bench->params)
		json_object_set_new(params, p->name, param__json(p, point->args));
	for_each_param(p, common_params)
		json_object_set_new(params, p->name, param__json(p, &point->common));
	json_object_set_new(params, "producers", json_integer(point->nr_producers));
	if (point->bench->consume)
		json_object_set_new(params, "consumers", json_integer(point->nr_consumers));
	return params;
}

static json_t *vs_json(const struct vs *vs)
{
	if (!vs->param[0])
		return json_pack("{s:n, s:[]}", "param", "values");
	return json_pack("{s:s, s:[s, s]}", "param", vs->param, "values", vs->values[0],
			 vs->values[1]);
}

json_t *plan__json(const struct plan *plan)
{
	json_t *primary = json_object(), *sensors = json_array(), *evidence = json_array();
	char cpus[CPULIST_TEXT_SIZE];
	json_t *doc;

	cpulist__format(&plan->prod_cpus, cpus, sizeof(cpus));
	for (int i = 0; i < plan->nr_points; i++) {
		const struct bench *bench = plan->points[i].bench;

		json_object_set_new(primary, bench->name,
				    json_string(bench__primary(bench, plan->timing)));
	}
	for (int i = 0; i < plan->nr_sensors; i++)
		json_array_append_new(sensors, json_string(plan->sensors[i].ops->name));
	for (int i = 0; i < plan->nr_evidence; i++)
		json_array_append_new(evidence, json_string(plan->evidence[i].ops->name));
	doc = json_pack("{s:i, s:i, s:b, s:s, s:f, s:f, s:f, s:s, s:b, s:s, s:o, s:o, s:o}", "runs",
			plan->repeats, "evidence_runs", plan->evidence_runs, "bare_runs",
			plan->bare_runs, "order", "random-blocks", "duration_ms",
			plan->duration_ns / 1e6, "warmup_ms", plan->warmup_ns / 1e6, "interval_ms",
			plan->interval_ns / 1e6, "analysis",
			plan->robust ? "ranks" : "geomean-t95-log", "affinity", plan->affinity,
			"cpus", cpus, "sensors", sensors, "evidence", evidence, "primary", primary);
	if (plan->vs.wanted)
		json_object_set_new(doc, "vs", vs_json(&plan->vs));
	return doc;
}
