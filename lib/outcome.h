/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_OUTCOME_H
#define BPFPERF_LIB_OUTCOME_H

#include <jansson.h>

struct run;

/*
 * From the readings of a finished run to its object in the document. `status` is "ok", or "failed"
 * with run->why; then the readings are there, and `values` is null.
 */
json_t *outcome__describe(const struct run *run, const char *status);

/* A run without readings: "skipped" or "failed", and why. */
json_t *outcome__absent(const char *status, const char *reason);

#endif
