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

struct run_tally summary__tally(const json_t *benchmark, const char *role)
{
	bool seen[DOCUMENT_MAX_BOOTS] = {0};
	struct run_tally tally = {0};
	const json_t *run;
	size_t i;

	json_array_foreach(json_object_get(benchmark, "runs"), i, run) {
		const char *status = json__string(run, "status", "");
		json_int_t boot = json_integer_value(json_object_get(run, "boot"));

		if (strcmp(json__string(run, "role", "clean"), role))
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

static const char *reason_of(const json_t *run, const char *metric)
{
	if (!json_object_get(json_object_get(run, "values"), metric))
		return "not in the document";
	return json__string(json_object_get(run, "values_absent"), metric, "no reason given");
}

const char *summary__absent(const json_t *benchmark, const char *role, const char *metric,
			    int *ret_runs)
{
	const char *reason = NULL;
	const json_t *run;
	size_t i;

	*ret_runs = 0;
	json_array_foreach(json_object_get(benchmark, "runs"), i, run) {
		if (!summary__has_role(run, role) ||
		    json_is_number(json_object_get(json_object_get(run, "values"), metric)))
			continue;
		++*ret_runs;
		reason = reason ? reason : reason_of(run, metric);
	}
	return reason;
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

bool summary__same_advice(const char *a, const char *b)
{
	size_t len = strcspn(a, "(");

	return len == strcspn(b, "(") && !strncmp(a, b, len);
}

bool summary__is_known(const struct estimate *estimate)
{
	return estimate->hi <= (1 + SUMMARY_WIDEST) * estimate->value;
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

/* Logs of one block: of its clean runs, and of those of a role. */
struct block {
	double clean, other;
	int nr_clean, nr_other;
};

static int add_to_block(struct name_index *blocks, const json_t *run, const char *role,
			const char *metric)
{
	bool clean = summary__counts(run), other = summary__has_role(run, role);
	double value = clean || other ? value_of(run, metric) : NAN;
	struct block *block;
	char key[32];

	if (!(value > 0))
		return 0;
	snprintf(key, sizeof(key), "%lld",
		 (long long)json_integer_value(json_object_get(run, "block")));
	block = name_index__get(blocks, key);
	if (!block)
		return -ENOMEM;
	*(clean ? &block->clean : &block->other) += log(value);
	++*(clean ? &block->nr_clean : &block->nr_other);
	return 0;
}

/* A block is one pair: with two equal arms it has two clean runs, and they share its other one. */
static bool ratio_of_blocks(const struct name_index *blocks, struct ratio *ret)
{
	double *clean = calloc(blocks->nr + 1, sizeof(*clean));
	double *other = calloc(blocks->nr + 1, sizeof(*other));
	const struct block *of = blocks->items;
	size_t nr = 0;
	bool found;

	for (size_t i = 0; clean && other && i < blocks->nr; i++) {
		if (!of[i].nr_clean || !of[i].nr_other)
			continue;
		clean[nr] = exp(of[i].clean / of[i].nr_clean);
		other[nr++] = exp(of[i].other / of[i].nr_other);
	}
	found = nr && !stats__ratio_paired(clean, other, nr, STATS_LEVEL, ret);
	free(clean);
	free(other);
	return found;
}

bool summary__paired(const json_t *benchmark, const char *role, const char *metric,
		     struct ratio *ret)
{
	struct name_index blocks = NAME_INDEX(struct block);
	const json_t *run;
	bool found;
	int err = 0;
	size_t i;

	json_array_foreach(json_object_get(benchmark, "runs"), i, run)
		err = err ?: add_to_block(&blocks, run, role, metric);
	found = !err && ratio_of_blocks(&blocks, ret);
	name_index__free(&blocks);
	return found;
}
