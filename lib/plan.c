// SPDX-License-Identifier: GPL-2.0-only
#include "lib/plan.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/bench.h"
#include "lib/random.h"
#include "lib/sensor.h"
#include "lib/suggest.h"
#include "lib/sweep.h"
#include "lib/trigger.h"

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

static int parse_cpus(const struct plan *plan, const char *option, const char *text,
		      struct cpulist *ret, struct why *why)
{
	char allowed[256];
	int err = cpulist__parse(text, ret, why);

	if (err)
		return err;
	for (int i = 0; i < ret->nr; i++) {
		if (cpulist__contains(&plan->allowed, ret->cpu[i]))
			continue;
		cpulist__format(&plan->allowed, allowed, sizeof(allowed));
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

static int nr_blocks(const struct plan *plan)
{
	return plan->repeats > plan->evidence_runs ? plan->repeats : plan->evidence_runs;
}

/* One clean run of a point; with equal arms a pair of them. */
static int fill_clean(const struct plan *plan, int point, int block, struct step *steps)
{
	bool same = plan->vs.wanted && !plan->vs.param[0];

	for (int i = 0; i <= same; i++)
		steps[i] = (struct step){.point = point,
					 .role = ROLE_CLEAN,
					 .n = same ? 2 * block + i : block,
					 .block = block,
					 .arm = same ? i : plan->points[point].arm};
	return 1 + same;
}

/*
 * The steps of one block: each point once clean, and from block `first_evidence` on once for
 * evidence.
 */
static int fill_block(const struct plan *plan, int block, int first_evidence, struct step *steps)
{
	int nr = 0;

	for (int i = 0; block < plan->repeats && i < plan->nr_points; i++) {
		nr += fill_clean(plan, i, block, &steps[nr]);
		if (plan->bare_runs)
			steps[nr++] = (struct step){.point = i,
						    .role = ROLE_BARE,
						    .n = block,
						    .block = block,
						    .arm = plan->points[i].arm};
	}
	for (int i = 0; block >= first_evidence && i < plan->nr_points; i++)
		steps[nr++] = (struct step){.point = i,
					    .role = ROLE_EVIDENCE,
					    .n = block - first_evidence,
					    .block = block,
					    .arm = plan->points[i].arm};
	return nr;
}

/* Within a block the order is drawn: drift hits all points, roles and arms alike. */
static void order_block(struct plan *plan, int block, int first_evidence)
{
	struct step *steps = &plan->steps[plan->nr_steps];
	int nr = fill_block(plan, block, first_evidence, steps);

	for (int i = nr - 1; i > 0; i--) {
		int j = random__below(&plan->order_state, i + 1);
		struct step other = steps[j];

		steps[j] = steps[i];
		steps[i] = other;
	}
	plan->nr_steps += nr;
}

/* Most steps of a block: a pair of arms and a bare run of each point, and its evidence. */
#define STEPS_PER_POINT 4

static int order_steps(struct plan *plan)
{
	int blocks = nr_blocks(plan);

	free(plan->steps);
	plan->nr_steps = 0;
	plan->order_state = plan->seed;
	plan->steps =
		calloc((size_t)plan->nr_points * blocks * STEPS_PER_POINT, sizeof(*plan->steps));
	if (!plan->steps)
		return -ENOMEM;
	for (int block = 0; block < blocks; block++)
		order_block(plan, block, blocks - plan->evidence_runs);
	return 0;
}

int plan__extend(struct plan *plan, int repeats)
{
	int first = nr_blocks(plan), nr = repeats - plan->repeats;
	size_t size = plan->nr_steps + (size_t)plan->nr_points * nr * STEPS_PER_POINT;
	struct step *steps = reallocarray(plan->steps, size, sizeof(*steps));

	if (!steps)
		return -ENOMEM;
	plan->steps = steps;
	plan->repeats = first + nr;
	for (int block = first; block < first + nr; block++)
		order_block(plan, block, INT_MAX);
	plan->repeats = repeats;
	return 0;
}

int plan__set_roles(struct plan *plan, int evidence_runs, bool bare)
{
	plan->evidence_runs = evidence_runs;
	plan->bare_runs = bare;
	return order_steps(plan);
}

const char *run_role__name(enum run_role role)
{
	static const char *const names[] = {"clean", "evidence", "bare", "probe"};

	return names[role];
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
	err = err ?: order_steps(plan);
	if (err) {
		plan__free(plan);
		return err;
	}
	*ret_plan = plan;
	return 0;
}

static int unknown_sensor(const char *name, struct why *why)
{
	struct suggest suggest = {.word = name};
	const struct sensor *const *pos;
	char near[160];

	for_each_sensor(pos)
		suggest__offer(&suggest, (*pos)->name);
	suggest__format(&suggest, near, sizeof(near));
	return why__set(why, -EINVAL, "unknown tracer '%.80s'%s%s ('bpfperf list' has them)", name,
			near[0] ? ": " : "", near);
}

static int append_sensor(struct run_sensor **list, int *nr, const struct sensor *ops, void *config)
{
	struct run_sensor *longer = reallocarray(*list, *nr + 1, sizeof(*longer));

	if (!longer)
		return -ENOMEM;
	*list = longer;
	longer[(*nr)++] = (struct run_sensor){.ops = ops, .config = config};
	return 0;
}

int plan__add_sensor(struct plan *plan, enum run_role role, const char *name, const char *spec,
		     struct why *why)
{
	const struct sensor *ops = sensor__find(name);
	void *config = NULL;
	int err;

	if (!ops)
		return unknown_sensor(name, why);
	err = ops->parse(spec, &config, why);
	if (err)
		return err;
	if (ops->probe)
		err = ops->probe(config, why);
	if (!err && role == ROLE_EVIDENCE)
		err = append_sensor(&plan->evidence, &plan->nr_evidence, ops, config);
	else if (!err)
		err = append_sensor(&plan->sensors, &plan->nr_sensors, ops, config);
	if (err && ops->free_config)
		ops->free_config(config);
	return err;
}

/* The trigger that a point will have: the one that works, or the one that was asked for. */
static const struct trigger *trigger_of(const struct point *point)
{
	const struct trigger *trigger = point->trigger;

	for (size_t i = 0; !trigger && point->trigger_name && i < trigger__count(); i++)
		if (trigger__matches(trigger__at(i), point->trigger_name))
			trigger = trigger__at(i);
	return trigger;
}

int plan__check_pairs(const struct plan *plan, struct why *why)
{
	for (int i = 0; i < plan->nr_evidence; i++) {
		const struct run_sensor *sensor = &plan->evidence[i];

		if (!sensor->ops->skippable || !sensor->ops->skippable(sensor->config))
			continue;
		for (int j = 0; j < plan->nr_points; j++) {
			const struct trigger *trigger = trigger_of(&plan->points[j]);

			if (trigger && trigger->skippable)
				return why__set(
					why, -EINVAL,
					"trigger '%s' and this use of tracer '%s' exclude each other: the "
					"kernel skips the programs of one while the other's run (--trigger "
					"prog-run, fentry, tp-btf or raw-tp)",
					trigger->name, sensor->ops->name);
		}
	}
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
	char cpus[1024];
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
