/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_TESTS_STATS_SIMULATION_H
#define BPFPERF_TESTS_STATS_SIMULATION_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/random.h"
#include "lib/stats.h"
#include "lib/verdict.h"

/* What the simulations share: runs, their judgement, and figures in TAP with their goals. */

#define NR_SIMS	     4000
#define MAX_RUNS     256
#define MAX_FALSE    5.9
#define MIN_COVERAGE 94.1
#define MAX_COVERAGE 98.5

struct experiment {
	struct observation before[MAX_RUNS], after[MAX_RUNS];
	size_t nr;
};

static const struct judge_options defaults = {.min_effect = 0.01, .assumed_boot_sd = 0.02};
static int nr_figures, nr_failed;

static inline void report(bool ok, const char *what, double percent, const char *goal)
{
	nr_failed += !ok;
	printf("%sok %d - %s: %.1f %%, goal %s\n", ok ? "" : "not ", ++nr_figures, what, percent,
	       goal);
	fflush(stdout);
}

static inline void report_at_most(const char *what, int count, double most)
{
	double percent = 100.0 * count / NR_SIMS;
	char goal[32];

	snprintf(goal, sizeof(goal), "<= %.1f %%", most);
	report(percent <= most, what, percent, goal);
}

static inline void report_at_least(const char *what, int count, double least)
{
	double percent = 100.0 * count / NR_SIMS;
	char goal[32];

	snprintf(goal, sizeof(goal), ">= %.1f %%", least);
	report(percent >= least, what, percent, goal);
}

static inline void report_for_contrast(const char *what, int count)
{
	printf("# for contrast: %s: %.1f %%\n", what, 100.0 * count / NR_SIMS);
}

/* 0 < x < 1, so that every quantile of it is finite. */
static inline double uniform(uint64_t *random)
{
	return ((double)(random__next(random) >> 12) + 0.5) / 0x1p52;
}

static inline double normal(uint64_t *random)
{
	return stats__normal_quantile(uniform(random));
}

static inline struct observation run(double log_value, int boot, int block)
{
	return (struct observation){.value = 100 * exp(log_value), .boot = boot, .block = block};
}

static inline void judge_arms(const struct arm *before, const struct arm *after,
			      const struct judge_options *o, struct judgement *ret)
{
	if (verdict__judge(before, after, o, ret)) {
		printf("Bail out! no memory\n");
		exit(EXIT_FAILURE);
	}
}

static inline void judge(const struct experiment *e, const struct judge_options *o,
			 struct judgement *ret)
{
	judge_arms(&(struct arm){e->before, e->nr}, &(struct arm){e->after, e->nr}, o, ret);
}

static inline bool is_change(const struct judgement *j)
{
	return j->verdict == VERDICT_REGRESSED || j->verdict == VERDICT_IMPROVED;
}

static inline bool is_called(const struct experiment *e, const struct judge_options *o)
{
	struct judgement j;

	judge(e, o, &j);
	return j.p <= VERDICT_ALPHA;
}

/* The plan of TAP, and the exit status. */
static inline int end(void)
{
	printf("1..%d\n", nr_figures);
	return nr_failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
