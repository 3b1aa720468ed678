/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_TRACEPOINTS_RCU_TASKS_TRACE_METRIC_H
#define BPFPERF_TRACEPOINTS_RCU_TASKS_TRACE_METRIC_H

#include <jansson.h>

/*
 * The figures of a run that two results are compared by, one number each: everything else about
 * grace periods is in `grace_periods`.
 */

/* Adds their definitions to the document's `metrics`. */
void rtt_metric__describe(json_t *metrics);

/*
 * From an element of `grace_periods` into `values` of its run, and into `values_absent` why one of
 * them is null. Of a run that has the tracer twice the first keeps its figures.
 */
void rtt_metric__add(const json_t *grace, json_t *run);

#endif
