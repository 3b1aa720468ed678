/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_SESSION_H
#define BPFPERF_LIB_SESSION_H

#include <jansson.h>

struct plan;

/*
 * Executes a plan whose points were probed: every step in its order, until the end or until the
 * user interrupts, into `result`. `on_step` is told before each step; NULL: nobody wants to know.
 * With a precision the steps of the plan are the pilot, and it grows by those that it needs.
 * The machine's state around each run goes into it, and warnings of all kinds into the document.
 */
void session__run(struct plan *plan, json_t *result, void (*on_step)(void *arg, int step),
		  void *arg);

/*
 * What the result suggests to try next, into `next` of each benchmark: a few words each, the most
 * telling first.
 */
void session__advise(const struct plan *plan, json_t *result);

#endif
