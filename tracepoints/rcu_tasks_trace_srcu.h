/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_TRACEPOINTS_RCU_TASKS_TRACE_SRCU_H
#define BPFPERF_TRACEPOINTS_RCU_TASKS_TRACE_SRCU_H

#include "tracepoints/rcu_tasks_trace_source.h"

/* The path for kernels in which RCU Tasks Trace is an SRCU; as rtt_source__start(). */
int rtt_srcu__start(const struct rtt_config *config, struct rtt_source *ret, struct why *why);

#endif
