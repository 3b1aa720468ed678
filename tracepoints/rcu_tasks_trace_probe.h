/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_TRACEPOINTS_RCU_TASKS_TRACE_PROBE_H
#define BPFPERF_TRACEPOINTS_RCU_TASKS_TRACE_PROBE_H

#include <jansson.h>
#include <stdint.h>

#include "tracepoints/rcu_tasks_trace_source.h"

/*
 * A thread that does, again and again, what waits for RCU Tasks Trace in the kernel: it takes a
 * BPF program off a perf event. That is a figure of its own, and it changes the others: callbacks
 * that could wait are hurried along as soon as somebody waits in earnest.
 */
struct rtt_probe;

/* NULL and `why` when there is nothing to take a program off. */
struct rtt_probe *rtt_probe__start(struct rtt_source *source, uint64_t interval_ns,
				   struct why *why);
void rtt_probe__stop(struct rtt_probe *probe);
void rtt_probe__free(struct rtt_probe *probe);

/* After the stop: the waits that ended in (from_ns, to_ns]. */
json_t *rtt_probe__json(const struct rtt_probe *probe, uint64_t from_ns, uint64_t to_ns);

#endif
