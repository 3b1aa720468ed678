// SPDX-License-Identifier: GPL-2.0-only
#include "lib/inventory.h"

#include <stdio.h>
#include <string.h>

#include "lib/bench.h"
#include "lib/execute.h"
#include "lib/need.h"
#include "lib/plan.h"
#include "lib/sensor.h"
#include "lib/trigger.h"

static json_t *describe_params(const struct param *table)
{
	json_t *params = json_array();
	const struct param *p;
	char def[64], bounds[256];

	for_each_param(p, table) {
		param__text(p, p->words ? 0 : p->def, def, sizeof(def));
		param__bounds(p, bounds, sizeof(bounds));
		json_array_append_new(params,
				      json_pack("{s:s, s:s, s:s, s:s}", "name", p->name, "default",
						def, "values", bounds, "help", p->help));
	}
	return params;
}

static json_t *describe_aliases(const struct bench *bench)
{
	const struct bench_alias *alias = bench->aliases;
	json_t *aliases = json_array();

	for (; alias && alias->name; alias++)
		json_array_append_new(aliases,
				      json_pack("{s:s, s:s}", "name", alias->name, "settings",
						alias->settings ? alias->settings : ""));
	return aliases;
}

/* Tries the benchmark with its defaults, and says which trigger would be taken. */
static void describe_here(json_t *doc, const struct bench *bench)
{
	const struct plan_request request = {.words = &bench->name,
					     .nr_words = 1,
					     .affinity = true,
					     .repeats = 1,
					     .duration_s = 1,
					     .interval_s = 0.1,
					     .seed = 1,
					     .timing = "native",
					     .sysfs = "/sys"};
	struct plan *plan;
	struct why why = {0};
	char trigger[64];

	if (plan__build(&request, &plan, &why)) {
		json_object_set_new(doc, "can_run", json_false());
		json_object_set_new(doc, "because", json_string(why.text));
		return;
	}
	execute__probe(plan);
	why = plan->points[0].skip.text[0] ? plan->points[0].skip : plan->points[0].failure;
	json_object_set_new(doc, "can_run", json_boolean(!why.text[0]));
	json_object_set_new(doc, "because", why.text[0] ? json_string(why.text) : json_null());
	if (plan->points[0].trigger) {
		trigger__describe(plan->points[0].trigger, trigger, sizeof(trigger));
		json_object_set_new(doc, "trigger", json_string(trigger));
	}
	plan__free(plan);
}

static json_t *describe_bench(const struct bench *bench)
{
	bool user = bench__is_user(bench);
	json_t *doc = json_object(), *metrics = json_object();

	bench__describe(bench, metrics);
	json_object_set_new(doc, "name", json_string(bench->name));
	json_object_set_new(doc, "summary", json_string(bench->summary));
	json_object_set_new(doc, "op", json_string(bench->op));
	json_object_set_new(doc, "user_space", json_boolean(user));
	json_object_set_new(doc, "needs",
			    json_string(bench->needs ? bench->needs
					: user	     ? "nothing"
						     : "CAP_BPF and CAP_PERFMON"));
	json_object_set_new(doc, "checked", json_string(bench->checked));
	json_object_set_new(doc, "loop", json_string(bench__loop(bench, NULL)));
	json_object_set_new(doc, "primary", json_string(bench__primary(bench, "native")));
	json_object_set_new(doc, "producers", json_string(bench->every_cpu ? "every CPU" : "1"));
	json_object_set_new(doc, "aliases", describe_aliases(bench));
	json_object_set_new(doc, "params", describe_params(bench->params));
	json_object_set_new(doc, "metrics", metrics);
	describe_here(doc, bench);
	return doc;
}

static json_t *describe_triggers(void)
{
	json_t *triggers = json_array();
	char name[64];

	for (size_t i = 0; i < trigger__count(); i++) {
		const struct trigger *trigger = trigger__at(i);

		trigger__describe(trigger, name, sizeof(name));
		json_array_append_new(triggers,
				      json_pack("{s:s, s:s, s:b}", "name", name, "needs",
						trigger->needs ? trigger->needs : "CAP_BPF",
						"hooked", trigger->hooked));
	}
	return triggers;
}

/* Tracers are the sensors that can be refused; what they can do here is found by trying. */
static json_t *describe_tracers(void)
{
	json_t *tracers = json_array();
	const struct sensor *const *pos;

	for_each_sensor(pos) {
		const struct sensor *sensor = *pos;
		struct why why = {0};
		void *config = NULL;
		int err;

		if (!sensor->probe)
			continue;
		err = sensor->parse(NULL, &config, &why);
		err = err ?: sensor->probe(config, &why);
		if (sensor->free_config)
			sensor->free_config(config);
		json_array_append_new(
			tracers, json_pack("{s:s, s:s, s:b, s:o}", "name", sensor->name, "summary",
					   sensor->summary, "can_run", !err, "because",
					   err ? json_string(why.text) : json_null()));
	}
	return tracers;
}

json_t *inventory__new(const char *const *names, int nr_names, struct why *why)
{
	json_t *benchmarks = json_array();
	const struct bench_alias *alias;

	for (int i = 0; i < nr_names; i++) {
		const struct bench *bench = bench__find(names[i], &alias, why);

		if (!bench) {
			json_decref(benchmarks);
			return NULL;
		}
		json_array_append_new(benchmarks, describe_bench(bench));
	}
	for (size_t i = 0; !nr_names && i < bench__count(); i++)
		json_array_append_new(benchmarks, describe_bench(bench__at(i)));
	return json_pack("{s:s, s:o, s:o, s:o, s:o}", "format", "bpfperf-list", "benchmarks",
			 benchmarks, "common_params", describe_params(common_params), "triggers",
			 describe_triggers(), "tracers", describe_tracers());
}
