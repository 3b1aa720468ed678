// SPDX-License-Identifier: GPL-2.0-only
#include "tracepoints/rcu_tasks_trace_metric.h"

#include <math.h>
#include <stddef.h>

#include "lib/metric.h"
#include "lib/result.h"

static double mean_of(const json_t *grace)
{
	return json__number(grace, "mean_ns");
}

static double rate_of(const json_t *grace)
{
	return json__number(grace, "count") * 1e9 / json__number(grace, "window_ns");
}

static double cpu_of(const json_t *grace)
{
	return json__number(json_object_get(grace, "cpu"), "ns_per_gp");
}

static double delay_of(const json_t *grace)
{
	return json__number(json_object_get(grace, "delay"), "mean_ns");
}

static const struct {
	struct metric metric;
	double (*value)(const json_t *grace);
	const char *absent;
} figures[] = {
	{{"gp_ns", "ns", BETTER_LOWER, "time", METRIC_NOISY,
	  "how long a grace period of RCU Tasks Trace lasts, mean of the run"},
	 mean_of,
	 "no grace period was seen from start to end"},
	{{"gp_rate", "1/s", BETTER_NONE, "rate", METRIC_NOISY,
	  "grace periods of RCU Tasks Trace that ended, per second"},
	 rate_of,
	 "nothing was measured"},
	{{"gp_cpu_ns", "ns", BETTER_LOWER, "time", METRIC_NOISY,
	  "CPU time of a grace period of RCU Tasks Trace, mean of the run"},
	 cpu_of,
	 "no grace period ended, or its CPU time is not observable"},
	{{"gp_delay_ns", "ns", BETTER_LOWER, "time", METRIC_NOISY,
	  "how long a delete waits to be carried out, derived from the grace periods"},
	 delay_of,
	 "too few grace periods to derive it from"},
};

#define NR_FIGURES (sizeof(figures) / sizeof(figures[0]))

void rtt_metric__describe(json_t *metrics)
{
	for (size_t i = 0; i < NR_FIGURES; i++)
		json_object_set_new(metrics, figures[i].metric.name,
				    metric__json(&figures[i].metric));
}

static json_t *member(json_t *run, const char *key)
{
	json_t *object = json_object_get(run, key);

	if (!object) {
		object = json_object();
		json_object_set_new(run, key, object);
	}
	return object;
}

void rtt_metric__add(const json_t *grace, json_t *run)
{
	json_t *values = member(run, "values");

	for (size_t i = 0; i < NR_FIGURES; i++) {
		const char *name = figures[i].metric.name;
		double value = figures[i].value(grace);

		if (json_object_get(values, name))
			continue;
		json_object_set_new(values, name, isfinite(value) ? json_real(value) : json_null());
		if (!isfinite(value))
			json_object_set_new(member(run, "values_absent"), name,
					    json_string(figures[i].absent));
	}
}
