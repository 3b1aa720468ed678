/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_SWEEP_H
#define BPFPERF_LIB_SWEEP_H

#include "lib/document.h"
#include "lib/plan.h"

/*
 * Turns words and lists into plan->points: the product of all values given, benchmark by
 * benchmark. plan->allowed must be known. -EINVAL and `why` on anything that is not understood.
 */
int sweep__expand(struct plan *plan, const struct plan_request *request, struct why *why);

/* More points than anybody waits for; a typing error, or a script that forgot to stop. */
#define SWEEP_MAX_POINTS DOCUMENT_MAX_BENCHMARKS

#define SWEEP_MAX_PRODUCERS DOCUMENT_MAX_PRODUCERS

#endif
