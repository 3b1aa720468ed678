// SPDX-License-Identifier: GPL-2.0-only
#include "lib/render/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/result.h"

bool summary__counts(const json_t *run)
{
	return !strcmp(json__string(run, "status", ""), "ok") &&
	       !strcmp(json__string(run, "role", "clean"), "clean");
}

struct run_tally summary__tally(const json_t *benchmark)
{
	struct run_tally tally = {0};
	const json_t *run;
	size_t i;

	json_array_foreach(json_object_get(benchmark, "runs"), i, run) {
		const char *status = json__string(run, "status", "");

		tally.total++;
		if (!strcmp(status, "ok"))
			tally.ok++;
		else if (!strcmp(status, "failed"))
			tally.failed++;
		else
			tally.skipped++;
		if (strcmp(status, "ok") && !tally.reason)
			tally.reason = json__string(run, "reason", "no reason given");
	}
	return tally;
}

/* values[metric] of the runs that count; the caller frees, and gets their number. */
static double *collect(const json_t *benchmark, const char *metric, size_t *ret_nr)
{
	const json_t *runs = json_object_get(benchmark, "runs"), *run;
	double *values = calloc(json_array_size(runs) + 1, sizeof(*values));
	size_t i;

	*ret_nr = 0;
	json_array_foreach(runs, i, run) {
		double value = json__number(json_object_get(run, "values"), metric);

		if (values && summary__counts(run) && isfinite(value))
			values[(*ret_nr)++] = value;
	}
	return values;
}

bool summary__estimate(const json_t *benchmark, const char *metric, struct estimate *ret)
{
	size_t nr;
	double *values = collect(benchmark, metric, &nr);
	bool found = values && !stats__estimate(values, nr, ret);

	free(values);
	return found;
}

double summary__mean(const json_t *benchmark, const char *metric)
{
	size_t nr;
	double *values = collect(benchmark, metric, &nr);
	double mean = values && nr ? stats__mean(values, nr) : NAN;

	free(values);
	return mean;
}

double summary__thread_rate(const json_t *benchmark, int tid)
{
	const json_t *run;
	double sum = 0;
	size_t i;
	int nr = 0;

	json_array_foreach(json_object_get(benchmark, "runs"), i, run) {
		const json_t *thread = json_array_get(json_object_get(run, "threads"), tid);
		double rate = json__number(thread, "ops") * 1e9 / json__number(thread, "dur_ns");

		if (!summary__counts(run) || !isfinite(rate))
			continue;
		sum += rate;
		nr++;
	}
	return nr ? sum / nr : NAN;
}

static double run_ops(const json_t *run)
{
	const json_t *thread;
	double ops = 0;
	size_t i;

	json_array_foreach(json_object_get(run, "threads"), i, thread)
		ops += json__number(thread, "ops");
	return ops;
}

/* Adds one run; a producer without a number takes the whole total away. */
static void add_run(const json_t *run, const char *metric, struct counter_total *sum,
		    double *enabled, double *running)
{
	const json_t *row;
	size_t i;

	json_array_foreach(json_object_get(run, "counters"), i, row) {
		if (strcmp(json__string(row, "metric", ""), metric))
			continue;
		if (!json_is_number(json_object_get(row, "scaled"))) {
			sum->reason = json__string(row, "reason", "no reason given");
			continue;
		}
		sum->note = json__string(row, "note", sum->note);
		sum->total += json__number(row, "scaled");
		*enabled += json__number(row, "enabled_ns");
		*running += json__number(row, "running_ns");
	}
}

struct counter_total summary__counter(const json_t *benchmark, const char *metric)
{
	struct counter_total sum = {0};
	double ops = 0, enabled = 0, running = 0;
	const json_t *run;
	size_t i;

	json_array_foreach(json_object_get(benchmark, "runs"), i, run) {
		if (!summary__counts(run))
			continue;
		ops += run_ops(run);
		add_run(run, metric, &sum, &enabled, &running);
	}
	sum.per_op = sum.total / ops;
	sum.running = running / enabled;
	return sum;
}
