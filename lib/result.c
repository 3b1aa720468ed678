// SPDX-License-Identifier: GPL-2.0-only
#include "lib/result.h"

#include <bpf/libbpf.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "lib/bench.h"
#include "lib/host.h"
#include "lib/plan.h"
#include "lib/sensor.h"
#include "lib/trigger.h"
#include "version.h"

const char *json__string(const json_t *object, const char *key, const char *absent)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : absent;
}

double json__number(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	return json_is_number(value) ? json_number_value(value) : NAN;
}

/* A version 4 UUID, RFC 9562. */
static json_t *new_uuid(void)
{
	unsigned char b[16];
	char text[37];
	int used = 0;

	if (getrandom(b, sizeof(b), 0) != sizeof(b))
		return json_null();
	b[6] = (b[6] & 0x0f) | 0x40;
	b[8] = (b[8] & 0x3f) | 0x80;
	for (int i = 0; i < 16; i++)
		used += sprintf(text + used, "%s%02x",
				i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", b[i]);
	return json_string(text);
}

static json_t *now_utc(void)
{
	struct timespec now;
	char text[64];
	size_t used;
	struct tm tm;

	clock_gettime(CLOCK_REALTIME, &now);
	gmtime_r(&now.tv_sec, &tm);
	used = strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(text + used, sizeof(text) - used, ".%03ldZ", now.tv_nsec / 1000000);
	return json_string(text);
}

/* Command lines need not be UTF-8; JSON strings must be. */
static json_t *text_json(const char *text)
{
	json_t *doc = json_string(text);
	char *copy;

	if (doc)
		return doc;
	copy = strdup(text);
	for (char *c = copy; c && *c; c++)
		if (*c & 0x80)
			*c = '?';
	doc = json_string(copy ? copy : "?");
	free(copy);
	return doc;
}

/* Readers with doubles lose digits from 2^53 on. */
static json_t *seed_json(uint64_t seed)
{
	char text[24];

	if (seed <= 1ULL << 53)
		return json_integer(seed);
	snprintf(text, sizeof(text), "%llu", (unsigned long long)seed);
	return json_string(text);
}

static json_t *describe_tool(const struct plan *plan, int argc, const char *const *argv)
{
	json_t *words = json_array();
	char libbpf[32];

	for (int i = 0; i < argc; i++)
		json_array_append_new(words, text_json(argv[i]));
	snprintf(libbpf, sizeof(libbpf), "%u.%u", libbpf_major_version(), libbpf_minor_version());
	return json_pack("{s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:o}", "version", BPFPERF_VERSION,
			 "git", BPFPERF_GIT, "libbpf", libbpf, "compiler", BPFPERF_CC,
			 "bpf_compiler", BPFPERF_CLANG, "argv", words, "seed",
			 seed_json(plan->seed), "plan", plan__json(plan));
}

static json_t *describe_metrics(const struct plan *plan)
{
	json_t *metrics = json_object(), *virtual_ns;

	for (int i = 0; i < plan->nr_points; i++)
		bench__describe(plan->points[i].bench, metrics);
	for (int i = 0; i < plan->nr_sensors; i++)
		if (plan->sensors[i].ops->describe)
			plan->sensors[i].ops->describe(plan->sensors[i].config, metrics);
	for (int i = 0; i < plan->nr_evidence; i++)
		if (plan->evidence[i].ops->describe)
			plan->evidence[i].ops->describe(plan->evidence[i].config, metrics);
	virtual_ns = json_object_get(metrics, "bpf_ns_op");
	if (virtual_ns && !strcmp(plan->timing, "icount"))
		json_object_set_new(virtual_ns, "class", json_string("repeatable"));
	return metrics;
}

/* Names of the parameters worth a place on the first screen: two, and all that were changed. */
static json_t *shown_params(const struct plan *plan, const struct point *point)
{
	json_t *shown = json_array();
	const struct param *p;
	int nr = 0;

	for_each_param(p, point->bench->params) {
		uint64_t def = p->words ? 0 : p->def;
		bool changed = false;

		for (int i = 0; i < plan->nr_points; i++)
			if (plan->points[i].bench == point->bench)
				changed |= param__get(p, plan->points[i].args) != def;
		if (nr++ < 2 || changed)
			json_array_append_new(shown, json_string(p->name));
	}
	for_each_param(p, common_params)
		if (param__get(p, &point->common) != p->def)
			json_array_append_new(shown, json_string(p->name));
	return shown;
}

static json_t *describe_point(const struct plan *plan, const struct point *point)
{
	json_t *doc = json_object();
	char name[64];

	json_object_set_new(doc, "name", json_string(point->bench->name));
	json_object_set_new(doc, "params", point__params(point));
	json_object_set_new(doc, "key", json_string(point->key));
	if (point->trigger) {
		trigger__describe(point->trigger, name, sizeof(name));
		json_object_set_new(doc, "trigger", json_string(name));
	} else {
		json_object_set_new(doc, "trigger",
				    point->trigger_name ? json_string(point->trigger_name)
							: json_null());
	}
	json_object_set_new(doc, "loop", json_string(bench__loop(point->bench, point->args)));
	json_object_set_new(doc, "primary",
			    json_string(bench__primary(point->bench, plan->timing)));
	json_object_set_new(doc, "shown", shown_params(plan, point));
	json_object_set_new(doc, "checked", json_string(point->bench->checked));
	json_object_set_new(doc, "next", json_array());
	json_object_set_new(doc, "runs", json_array());
	return doc;
}

void result__new_identity(json_t *result)
{
	json_object_set_new(result, "id", new_uuid());
	json_object_set_new(result, "created", now_utc());
}

json_t *result__new(const struct plan *plan, int argc, const char *const *argv, const char *label)
{
	const struct host_roots roots = HOST_ROOTS_DEFAULT;
	json_t *benchmarks = json_array();
	json_t *doc = json_object();

	for (int i = 0; i < plan->nr_points; i++)
		json_array_append_new(benchmarks, describe_point(plan, &plan->points[i]));
	json_object_set_new(doc, "format", json_string(RESULT_FORMAT));
	json_object_set_new(doc, "schema",
			    json_pack("{s:i, s:i}", "major", RESULT_MAJOR, "minor", RESULT_MINOR));
	result__new_identity(doc);
	json_object_set_new(doc, "label", label ? text_json(label) : json_null());
	json_object_set_new(doc, "complete", json_true());
	json_object_set_new(doc, "incomplete_reason", json_null());
	json_object_set_new(doc, "tool", describe_tool(plan, argc, argv));
	json_object_set_new(doc, "boots", json_pack("[o]", host__describe(&roots, plan->timing)));
	json_object_set_new(doc, "metrics", describe_metrics(plan));
	json_object_set_new(doc, "benchmarks", benchmarks);
	json_object_set_new(doc, "warnings", json_array());
	return doc;
}

static json_t *describe_steps(const struct plan *plan)
{
	json_t *steps = json_array();

	for (int i = 0; i < plan->nr_steps; i++) {
		const struct step *step = &plan->steps[i];

		json_array_append_new(
			steps, json_pack("{s:s, s:s, s:i}", "key", plan->points[step->point].key,
					 "role", run_role__name(step->role), "block", step->block));
	}
	return steps;
}

json_t *result__plan(const struct plan *plan)
{
	json_t *benchmarks = json_array();

	for (int i = 0; i < plan->nr_points; i++) {
		const struct point *point = &plan->points[i];
		const char *skip = point->skip.text[0] ? point->skip.text : NULL;
		json_t *doc = describe_point(plan, point);

		json_object_del(doc, "runs");
		json_object_del(doc, "next");
		json_object_set_new(doc, "cannot_run", skip ? json_string(skip) : json_null());
		json_array_append_new(benchmarks, doc);
	}
	return json_pack("{s:s, s:o, s:o, s:f, s:o, s:o}", "format", "bpfperf-plan", "seed",
			 seed_json(plan->seed), "plan", plan__json(plan), "measured_s",
			 plan__measured_ns(plan) / 1e9, "benchmarks", benchmarks, "order",
			 describe_steps(plan));
}

void result__warn(json_t *result, const char *code, const char *text)
{
	json_t *warnings = json_object_get(result, "warnings"), *warning;
	size_t i;

	json_array_foreach(warnings, i, warning) {
		if (strcmp(json__string(warning, "code", ""), code))
			continue;
		json_object_set_new(
			warning, "count",
			json_integer(json_integer_value(json_object_get(warning, "count")) + 1));
		return;
	}
	json_array_append_new(warnings,
			      json_pack("{s:s, s:s, s:i}", "code", code, "text", text, "count", 1));
}

static void move_warnings(json_t *result, json_t *run)
{
	json_t *warnings = json_object_get(run, "warnings"), *warning;
	size_t i;

	json_array_foreach(warnings, i, warning)
		result__warn(result, json__string(warning, "code", "?"),
			     json__string(warning, "text", "?"));
	json_object_del(run, "warnings");
}

/* The programs are the same in every run of a point. */
static void move_programs(json_t *benchmark, json_t *run)
{
	json_t *progs = json_object_get(run, "progs");

	if (progs && !json_object_get(benchmark, "progs"))
		json_object_set(benchmark, "progs", progs);
	json_object_del(run, "progs");
	json_object_del(run, "trigger");
}

void result__add_run(json_t *result, const struct plan *plan, int step, json_t *run)
{
	const struct step *s = &plan->steps[step];
	json_t *benchmark = json_array_get(json_object_get(result, "benchmarks"), s->point);

	json_object_set_new(run, "n", json_integer(s->n));
	json_object_set_new(run, "boot", json_integer(0));
	json_object_set_new(run, "block", json_integer(s->block));
	json_object_set_new(run, "order", json_integer(step));
	json_object_set_new(run, "role", json_string(run_role__name(s->role)));
	if (s->arm >= 0)
		json_object_set_new(run, "arm", json_integer(s->arm));
	move_warnings(result, run);
	move_programs(benchmark, run);
	json_array_append_new(json_object_get(benchmark, "runs"), run);
}

void result__no_evidence(json_t *result, const char *reason)
{
	json_object_set_new(result, "evidence_absent", json_string(reason));
}

void result__interrupted(json_t *result, int signal)
{
	char reason[64];

	snprintf(reason, sizeof(reason), "interrupted by signal %d (%s)", signal,
		 strsignal(signal));
	json_object_set_new(result, "complete", json_false());
	json_object_set_new(result, "incomplete_reason", json_string(reason));
}

/* Indented: people read and diff these. */
char *result__dump(const json_t *result)
{
	char *text = json_dumps(result, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
	char *longer;

	if (!text)
		return NULL;
	longer = realloc(text, strlen(text) + 2);
	if (!longer) {
		free(text);
		return NULL;
	}
	strcat(longer, "\n");
	return longer;
}
