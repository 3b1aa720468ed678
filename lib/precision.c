// SPDX-License-Identifier: GPL-2.0-only
#include "lib/precision.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/equivalence.h"
#include "lib/plan.h"
#include "lib/render/summary.h"
#include "lib/result.h"
#include "lib/stats.h"

#define MAX_RUNS 10000
/* So many are no advice any more. */
#define MANY_RUNS 1000

/* Standard deviation between the runs of one point, of logs; NAN with less than two. */
static double spread(const json_t *benchmark, size_t *ret_nr)
{
	const json_t *runs = json_object_get(benchmark, "runs"), *run;
	const char *primary = json__string(benchmark, "primary", "ops_rate");
	double *logs = calloc(json_array_size(runs) + 1, sizeof(*logs)), sd = NAN;
	size_t i;

	*ret_nr = 0;
	json_array_foreach(runs, i, run) {
		double value = json__number(json_object_get(run, "values"), primary);

		if (logs && summary__counts(run) && value > 0)
			logs[(*ret_nr)++] = log(value);
	}
	if (*ret_nr > 1)
		sd = stats__stddev(logs, *ret_nr);
	free(logs);
	return sd;
}

/* What the noisiest point needs; `ret_cv` is its spread. */
static double runs_needed(const struct plan *plan, const json_t *result, double *ret_cv)
{
	const json_t *benchmark;
	double needed = 0;
	size_t i, nr;

	*ret_cv = NAN;
	json_array_foreach(json_object_get(result, "benchmarks"), i, benchmark) {
		double sd = spread(benchmark, &nr), own;

		if (!isfinite(sd))
			continue;
		own = equivalence__runs_for_width(sd, nr, plan->precision.width, STATS_LEVEL);
		*ret_cv = isnan(*ret_cv) ? sd : fmax(*ret_cv, sd);
		needed = fmax(needed, isfinite(own) ? own : MAX_RUNS);
	}
	return needed;
}

/* Equal arms are two runs of one point in each block. */
static int blocks_for(const struct plan *plan, double runs)
{
	bool same = plan->vs.wanted && !plan->vs.param[0];

	return fmin(ceil(same ? runs / 2 : runs), MAX_RUNS);
}

void precision__extend(struct plan *plan, json_t *result, uint64_t pilot_ns)
{
	json_t *doc = json_object_get(json_object_get(result, "tool"), "plan");
	double cv, block_ns = (double)pilot_ns / plan->repeats;
	int pilot = plan->repeats;
	int wanted = blocks_for(plan, runs_needed(plan, result, &cv));
	int room = plan__most_repeats(plan);
	int most = pilot + (int)fmin(MAX_RUNS, plan->precision.max_ns / block_ns);
	int allowed = most < room ? most : room;
	int runs = wanted < allowed ? wanted : allowed;
	char text[192];

	if (runs > pilot && plan__extend(plan, runs))
		runs = pilot;
	runs = runs > pilot ? runs : pilot;
	json_object_set_new(doc, "runs", json_integer(runs));
	json_object_set_new(doc, "precision",
			    json_pack("{s:f, s:i, s:o, s:i, s:i}", "goal",
				      expm1(plan->precision.width), "pilot_runs", pilot, "pilot_cv",
				      isfinite(cv) ? json_real(cv) : json_null(), "wanted_runs",
				      wanted, "runs", runs));
	if (runs >= wanted)
		return;
	snprintf(text, sizeof(text), "--precision needs %s%d runs, and %s %d%s",
		 wanted > MANY_RUNS ? "more than " : "", wanted > MANY_RUNS ? MANY_RUNS : wanted,
		 room < most ? "a document has room for" : "--max-time allows", runs,
		 wanted > MANY_RUNS ? ": the runs differ too much; a quieter machine ('bpfperf "
				      "doctor') or longer runs (-d) help more"
				    : "");
	result__warn(result, "MAX_TIME", text);
}
