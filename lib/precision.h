/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_PRECISION_H
#define BPFPERF_LIB_PRECISION_H

#include <jansson.h>
#include <stdint.h>

struct plan;

/* Runs of each point before the number of runs is computed. */
#define PRECISION_PILOT 5

/*
 * Two stages: the runs that `result` has are the pilot, which took `pilot_ns`. Adds to the plan
 * what the noisiest point needs, and no more than precision.max_ns allows, and writes into the
 * document how that was decided. Nobody looks at the results in between: stopping as soon as they
 * please makes a fifth of all comparisons of equals a finding.
 */
void precision__extend(struct plan *plan, json_t *result, uint64_t pilot_ns);

#endif
