// SPDX-License-Identifier: GPL-2.0-only
#include "lib/render/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/result.h"

bool summary__has_role(const json_t *run, const char *role)
{
	return !strcmp(json__string(run, "status", ""), "ok") &&
	       !strcmp(json__string(run, "role", "clean"), role);
}

bool summary__counts(const json_t *run)
{
	return summary__has_role(run, "clean");
}

const json_t *summary__first(const json_t *benchmark)
{
	const json_t *run;
	size_t i;

	json_array_foreach(json_object_get(benchmark, "runs"), i, run)
		if (summary__counts(run))
			return run;
	return NULL;
}

struct run_tally summary__tally(const json_t *benchmark)
{
	struct run_tally tally = {0};
	const json_t *run;
	size_t i;

	json_array_foreach(json_object_get(benchmark, "runs"), i, run) {
		const char *status = json__string(run, "status", "");

		if (strcmp(json__string(run, "role", "clean"), "clean"))
			continue;
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

/* values[metric] of the good runs of a role; the caller frees, and gets their number. */
static double *collect(const json_t *benchmark, const char *role, const char *metric,
		       size_t *ret_nr)
{
	const json_t *runs = json_object_get(benchmark, "runs"), *run;
	double *values = calloc(json_array_size(runs) + 1, sizeof(*values));
	size_t i;

	*ret_nr = 0;
	json_array_foreach(runs, i, run) {
		double value = json__number(json_object_get(run, "values"), metric);

		if (values && summary__has_role(run, role) && isfinite(value))
			values[(*ret_nr)++] = value;
	}
	return values;
}

bool summary__estimate_role(const json_t *benchmark, const char *role, const char *metric,
			    struct estimate *ret)
{
	size_t nr;
	double *values = collect(benchmark, role, metric, &nr);
	bool found = values && !stats__estimate(values, nr, ret);

	free(values);
	return found;
}

bool summary__estimate(const json_t *benchmark, const char *metric, struct estimate *ret)
{
	return summary__estimate_role(benchmark, "clean", metric, ret);
}

bool summary__net(const json_t *benchmark, struct estimate *ret)
{
	struct estimate gross;

	return summary__estimate(benchmark, "ns_op", &gross) &&
	       summary__estimate(benchmark, "ns_op_net", ret) && ret->n == gross.n;
}

/* values[metric] of the run of this role and block, or NaN. */
static double value_in_block(const json_t *benchmark, const char *role, json_int_t block,
			     const char *metric)
{
	const json_t *run;
	size_t i;

	json_array_foreach(json_object_get(benchmark, "runs"), i, run)
		if (summary__has_role(run, role) &&
		    json_integer_value(json_object_get(run, "block")) == block)
			return json__number(json_object_get(run, "values"), metric);
	return NAN;
}

bool summary__paired(const json_t *benchmark, const char *role, const char *metric,
		     struct ratio *ret)
{
	const json_t *runs = json_object_get(benchmark, "runs"), *run;
	size_t size = json_array_size(runs) + 1, nr = 0, i;
	double *clean = calloc(size, sizeof(*clean)), *other = calloc(size, sizeof(*other));
	bool found;

	json_array_foreach(runs, i, run) {
		json_int_t block = json_integer_value(json_object_get(run, "block"));

		if (!clean || !other || !summary__counts(run))
			continue;
		clean[nr] = json__number(json_object_get(run, "values"), metric);
		other[nr] = value_in_block(benchmark, role, block, metric);
		nr += isfinite(clean[nr]) && isfinite(other[nr]);
	}
	found = nr && !stats__ratio_paired(clean, other, nr, STATS_LEVEL, ret);
	free(clean);
	free(other);
	return found;
}

double summary__mean(const json_t *benchmark, const char *metric)
{
	size_t nr;
	double *values = collect(benchmark, "clean", metric, &nr);
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

/* Sums while they grow: ops are those of the producers that were counted. */
struct counter_sum {
	double total, ops, enabled, running;
	const char *reason, *note, *elsewhere;
};

/*
 * Adds one run. A producer without a number takes the whole total away, unless the event belongs
 * to another kind of core than the one it is pinned to.
 */
static void add_run(const json_t *run, const char *metric, struct counter_sum *sum)
{
	const json_t *threads = json_object_get(run, "threads"), *row;
	size_t i;

	json_array_foreach(json_object_get(run, "counters"), i, row) {
		json_int_t tid = json_integer_value(json_object_get(row, "tid"));
		bool elsewhere = json_is_true(json_object_get(row, "elsewhere"));

		if (strcmp(json__string(row, "metric", ""), metric))
			continue;
		if (!json_is_number(json_object_get(row, "scaled"))) {
			const char *reason = json__string(row, "reason", "no reason given");

			*(elsewhere ? &sum->elsewhere : &sum->reason) = reason;
			continue;
		}
		sum->note = json__string(row, "note", sum->note);
		sum->total += json__number(row, "scaled");
		sum->ops += json__number(json_array_get(threads, tid), "ops");
		sum->enabled += json__number(row, "enabled_ns");
		sum->running += json__number(row, "running_ns");
	}
}

struct counter_total summary__counter(const json_t *benchmark, const char *metric)
{
	struct counter_sum sum = {0};
	const json_t *run;
	size_t i;

	json_array_foreach(json_object_get(benchmark, "runs"), i, run)
		if (summary__counts(run))
			add_run(run, metric, &sum);
	if (!sum.reason && !sum.enabled)
		sum.reason = sum.elsewhere;
	return (struct counter_total){.total = sum.total,
				      .per_op = sum.total / sum.ops,
				      .running = sum.running / sum.enabled,
				      .reason = sum.reason,
				      .note = sum.note};
}
