/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_EXECUTE_H
#define BPFPERF_LIB_EXECUTE_H

#include <jansson.h>
#include <stdbool.h>

struct plan;
struct step;

/*
 * One run in a forked child, with everything it loads; nothing of it outlives this call, whatever
 * happens to the child. Returns the run's object; a child that died or hung is "failed", and the
 * reason says how.
 */
json_t *execute__run(const struct plan *plan, const struct step *step);

/*
 * Finds for every point a trigger that works on this kernel, by trying one small batch: sets
 * point->trigger, or point->skip with the reason of the first that was tried. One that failed and
 * was not skipped is taken, and point->failure has the reason. Points that differ in
 * parameters only share the answer.
 */
void execute__probe(struct plan *plan);

#endif
