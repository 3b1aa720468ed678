/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_SWEEP_AXES_H
#define BPFPERF_LIB_SWEEP_AXES_H

#include <stdint.h>

#include "lib/plan.h"

/* The values that each parameter of one benchmark takes; lib/sweep.c makes points of them. */

/* Which struct of a point a parameter lives in. */
enum axis_home { HOME_BENCH, HOME_COMMON, HOME_THREADS };

/* The values of one parameter. */
struct axis {
	const struct param *param;
	enum axis_home home;
	uint64_t *values;
	int nr;
};

/* Everything that is known about one benchmark before its points are made. */
struct sweep {
	struct plan *plan;
	const struct plan_request *request;
	const struct bench *bench;
	struct axis *axes;
	int nr_axes;
	char *trigger_list;
	struct axis *vs; /* the one that has two values for --vs; NULL */
	char **triggers; /* names within trigger_list; one NULL where the choice is free */
	int nr_triggers;
};

struct threads {
	uint64_t producers, consumers;
};

/* Every axis with its default; then words, in the order in which they count. */
int sweep__init_axes(struct sweep *sweep, struct why *why);
/* "keys=one,random", or "bench:keys=one", which is only for that benchmark. -EINVAL and `why`. */
int sweep__apply_word(struct sweep *sweep, const char *word, struct why *why);
/* "keys=one churn=100" of an alias; NULL: none. */
int sweep__apply_settings(struct sweep *sweep, const char *settings, struct why *why);
/* --vs param=value: a second value of a parameter that has one. */
int sweep__apply_vs(struct sweep *sweep, const char *word, struct why *why);

#endif
