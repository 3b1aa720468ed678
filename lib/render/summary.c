// SPDX-License-Identifier: GPL-2.0-only
#include "lib/render/summary.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/compare_runs.h"
#include "lib/document.h"
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
	bool seen[DOCUMENT_MAX_BOOTS] = {0};
	struct run_tally tally = {0};
	const json_t *run;
	size_t i;

	json_array_foreach(json_object_get(benchmark, "runs"), i, run) {
		const char *status = json__string(run, "status", "");
		json_int_t boot = json_integer_value(json_object_get(run, "boot"));

		if (strcmp(json__string(run, "role", "clean"), "clean"))
			continue;
		tally.total++;
		if (boot >= 0 && boot < DOCUMENT_MAX_BOOTS && !seen[boot]) {
			seen[boot] = true;
			tally.boots++;
		}
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

static int add_names(struct name_index *names, const json_t *run)
{
	const json_t *absent = json_object_get(run, "values_absent"), *value;
	const char *metric;

	json_object_foreach(json_object_get(run, "values"), metric, value) {
		struct value_name *name = name_index__get(names, metric);

		if (!name)
			return -ENOMEM;
		name->metric = metric;
		if (!name->reason)
			name->reason = json__string(absent, metric, NULL);
	}
	return 0;
}

int summary__names(const json_t *benchmark, struct name_index *ret)
{
	const json_t *run;
	int err = 0;
	size_t i;

	*ret = NAME_INDEX(struct value_name);
	json_array_foreach(json_object_get(benchmark, "runs"), i, run)
		if (!err && summary__counts(run))
			err = add_names(ret, run);
	if (err)
		name_index__free(ret);
	return err;
}

static struct entry entry_of(const json_t *result, const json_t *benchmark)
{
	return (struct entry){.benchmark = benchmark,
			      .metrics = json_object_get(result, "metrics"),
			      .boots = json_object_get(result, "boots"),
			      .arm = -1};
}

static double value_of(const json_t *run, const void *metric)
{
	return json__number(json_object_get(run, "values"), metric);
}

bool summary__headline(const json_t *result, const json_t *benchmark, const char *metric,
		       struct headline *ret)
{
	struct entry entry = entry_of(result, benchmark);
	struct series series;
	bool found;

	found = !entry__collect(&entry, "clean", value_of, metric, &series) &&
		!series__headline(&series, ret) && ret->geometric;
	free(series.runs);
	return found;
}

bool summary__net(const json_t *result, const json_t *benchmark, struct headline *ret)
{
	struct headline gross;

	return summary__headline(result, benchmark, "ns_op", &gross) &&
	       summary__headline(result, benchmark, "ns_op_net", ret) && ret->runs == gross.runs;
}

static double mean(const json_t *result, const json_t *benchmark,
		   double (*value)(const json_t *run, const void *arg), const void *arg)
{
	struct entry entry = entry_of(result, benchmark);
	struct series series;
	double mean = NAN;

	if (!entry__collect(&entry, "clean", value, arg, &series))
		mean = headline__mean(&(struct arm){series.runs, series.nr});
	free(series.runs);
	return mean;
}

double summary__mean(const json_t *result, const json_t *benchmark, const char *metric)
{
	return mean(result, benchmark, value_of, metric);
}

static double thread_rate_of(const json_t *run, const void *tid)
{
	const json_t *thread = json_array_get(json_object_get(run, "threads"), *(const int *)tid);

	return json__number(thread, "ops") * 1e9 / json__number(thread, "dur_ns");
}

double summary__thread_rate(const json_t *result, const json_t *benchmark, int tid)
{
	return mean(result, benchmark, thread_rate_of, &tid);
}

/* {block: number of the run} of a role; the first run of a block stands for it. */
static json_t *index_blocks(const json_t *runs, const char *role)
{
	json_t *index = json_object();
	const json_t *run;
	char key[32];
	size_t i;

	json_array_foreach(runs, i, run) {
		snprintf(key, sizeof(key), "%lld",
			 (long long)json_integer_value(json_object_get(run, "block")));
		if (summary__has_role(run, role) && !json_object_get(index, key))
			json_object_set_new(index, key, json_integer(i));
	}
	return index;
}

static double value_in_block(const json_t *runs, const json_t *index, const json_t *block,
			     const char *metric)
{
	const json_t *number;
	char key[32];

	snprintf(key, sizeof(key), "%lld", (long long)json_integer_value(block));
	number = json_object_get(index, key);
	return number ? value_of(json_array_get(runs, json_integer_value(number)), metric) : NAN;
}

bool summary__paired(const json_t *benchmark, const char *role, const char *metric,
		     struct ratio *ret)
{
	const json_t *runs = json_object_get(benchmark, "runs"), *run;
	size_t size = json_array_size(runs) + 1, nr = 0, i;
	double *clean = calloc(size, sizeof(*clean)), *other = calloc(size, sizeof(*other));
	json_t *index = index_blocks(runs, role);
	bool found;

	json_array_foreach(runs, i, run) {
		if (!clean || !other || !summary__counts(run))
			continue;
		clean[nr] = value_of(run, metric);
		other[nr] = value_in_block(runs, index, json_object_get(run, "block"), metric);
		nr += isfinite(clean[nr]) && isfinite(other[nr]);
	}
	found = nr && !stats__ratio_paired(clean, other, nr, STATS_LEVEL, ret);
	json_decref(index);
	free(clean);
	free(other);
	return found;
}
