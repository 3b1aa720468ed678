// SPDX-License-Identifier: GPL-2.0-only
#include "lib/plan.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/bench.h"
#include "lib/random.h"
#include "lib/sensor.h"
#include "lib/sweep.h"

const struct param common_params[] = {
	PARAM_NUMBER(struct common_args, batch, 0, 0, 1 << 22,
		     "operations per trigger; 0 calibrates to 2 ms"),
	{0},
};

#define NSEC_PER_SEC 1000000000ULL

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

static int resolve_cpus(struct plan *plan, const struct plan_request *request, struct why *why)
{
	char allowed[256];
	int err;

	err = topology__allowed(request->sysfs, &plan->allowed, why);
	if (err)
		return err;
	if (!request->prod_affinity)
		return cpulist__intersect(&plan->allowed, &plan->allowed, &plan->prod_cpus);
	err = cpulist__parse(request->prod_affinity, &plan->prod_cpus, why);
	if (err)
		return err;
	for (int i = 0; i < plan->prod_cpus.nr; i++) {
		if (cpulist__contains(&plan->allowed, plan->prod_cpus.cpu[i]))
			continue;
		cpulist__format(&plan->allowed, allowed, sizeof(allowed));
		return why__set(why, -EINVAL,
				"--prod-affinity: CPU %d is offline or not allowed; "
				"allowed are %s",
				plan->prod_cpus.cpu[i], allowed);
	}
	return 0;
}

/* Every block visits each point once, in an order of its own: drift hits all points alike. */
static int order_steps(struct plan *plan)
{
	uint64_t state = plan->seed;
	struct step *step;

	plan->nr_steps = plan->nr_points * plan->repeats;
	plan->steps = calloc(plan->nr_steps, sizeof(*plan->steps));
	if (!plan->steps)
		return -ENOMEM;
	for (int block = 0; block < plan->repeats; block++) {
		step = &plan->steps[block * plan->nr_points];
		for (int i = 0; i < plan->nr_points; i++) {
			int j = random__below(&state, i + 1);

			step[i] = step[j];
			step[j] = (struct step){.point = i, .n = block, .block = block};
		}
	}
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
	plan->affinity = request->affinity;
	err = check_times(request, why);
	err = err ?: resolve_cpus(plan, request, why);
	err = err ?: sweep__expand(plan, request, why);
	err = err ?: order_steps(plan);
	if (err) {
		plan__free(plan);
		return err;
	}
	*ret_plan = plan;
	return 0;
}

int plan__add_sensor(struct plan *plan, const char *name, const char *spec, struct why *why)
{
	const struct sensor *ops = sensor__find(name);
	struct run_sensor *sensors;
	void *config = NULL;
	int err;

	if (!ops)
		return why__set(why, -EINVAL, "unknown sensor '%s'", name);
	err = ops->parse(spec, &config, why);
	if (err)
		return err;
	sensors = reallocarray(plan->sensors, plan->nr_sensors + 1, sizeof(*sensors));
	if (!sensors)
		return why__errno(why, -ENOMEM, "plan");
	plan->sensors = sensors;
	sensors[plan->nr_sensors++] = (struct run_sensor){.ops = ops, .config = config};
	return 0;
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
	for (int i = 0; i < plan->nr_sensors; i++)
		if (plan->sensors[i].ops->free_config)
			plan->sensors[i].ops->free_config(plan->sensors[i].config);
	free(plan->sensors);
	free(plan->points);
	free(plan->steps);
	cpulist__free(&plan->allowed);
	cpulist__free(&plan->prod_cpus);
	free(plan);
}

int plan__cpu(const struct plan *plan, int i)
{
	return plan->affinity ? plan->prod_cpus.cpu[i % plan->prod_cpus.nr] : -1;
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

/* Time from tick 0 to this tick: warm-up and duration are each cut evenly, and kept exactly. */
uint64_t plan__tick_ns(const struct plan *plan, int tick)
{
	int warm = plan__warmup_ticks(plan);

	if (tick <= warm)
		return warm ? plan->warmup_ns * tick / warm : 0;
	return plan->warmup_ns +
	       plan->duration_ns * (tick - warm) / nr_intervals(plan, plan->duration_ns);
}

uint64_t plan__measured_ns(const struct plan *plan)
{
	return plan->nr_steps * (plan->duration_ns + plan->warmup_ns);
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
	return params;
}

json_t *plan__json(const struct plan *plan)
{
	json_t *primary = json_object(), *sensors = json_array();
	char cpus[1024];

	cpulist__format(&plan->prod_cpus, cpus, sizeof(cpus));
	for (int i = 0; i < plan->nr_points; i++) {
		const struct bench *bench = plan->points[i].bench;

		json_object_set_new(primary, bench->name, json_string(bench__primary(bench)));
	}
	for (int i = 0; i < plan->nr_sensors; i++)
		json_array_append_new(sensors, json_string(plan->sensors[i].ops->name));
	return json_pack("{s:i, s:s, s:f, s:f, s:f, s:s, s:b, s:s, s:o, s:o}", "runs",
			 plan->repeats, "order", "random-blocks", "duration_ms",
			 plan->duration_ns / 1e6, "warmup_ms", plan->warmup_ns / 1e6, "interval_ms",
			 plan->interval_ns / 1e6, "analysis", "geomean-t95-log", "affinity",
			 plan->affinity, "cpus", cpus, "sensors", sensors, "primary", primary);
}
