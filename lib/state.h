/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_STATE_H
#define BPFPERF_LIB_STATE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/cpulist.h"

/* Where to look; arguments, so that tests can bring trees of their own. */
struct state_roots {
	const char *sys, *proc;
};

/*
 * What else the machine did during a run, and how fast its CPUs were allowed to be: read before
 * and after it, outside of the measurement. NaN is unknown.
 */
struct state {
	double load1;
	double busy_s, steal_s; /* of the CPUs watched, since boot */
	double own_s;		/* CPU time of this process and its ended children */
	double wall_s;
	double freq_khz; /* mean of the CPUs watched */
	double temp_c;	 /* the hottest zone */
	int nr_cpus;
};

void state__read(const struct state_roots *roots, const struct cpulist *cpus, struct state *ret);

/*
 * The run's `state` from the two readings: load1, steal_pct, foreign_cpu_pct (of all CPUs watched),
 * freq_khz and temp_c as [before, after]; null where unknown.
 */
json_t *state__json(const struct state *before, const struct state *after);

/*
 * Warnings of a finished run's `state`: more than 1 % stolen, more than 3 % taken by others, a
 * frequency that fell by more than 5 %. Calls `warn` for each.
 */
void state__warn(const json_t *state, void (*warn)(void *arg, const char *code, const char *text),
		 void *arg);

#endif
