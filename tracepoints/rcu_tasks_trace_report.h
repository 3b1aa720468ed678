/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_TRACEPOINTS_RCU_TASKS_TRACE_REPORT_H
#define BPFPERF_TRACEPOINTS_RCU_TASKS_TRACE_REPORT_H

#include <jansson.h>
#include <stdbool.h>

#include "tracepoints/rcu_tasks_trace_gp.h"
#include "tracepoints/rcu_tasks_trace_proc.h"

/* What is read at each tick. */
struct rtt_row {
	struct rtt_now now;
	struct rtt_cpu cpu;
	int cpu_err;
};

struct rtt_report {
	const struct gp_feed *feed;
	const struct rtt_row *rows;
	int first, last;
	const char *no_cpu, *no_workqueue; /* reasons; NULL: there is */
	double taken;			   /* see gp_delay__derive() */
	bool workqueue_only;		   /* there is no kthread whose time could be missing */
};

/* Adds count, times, breakdown, callbacks, cpu, delay, intervals and losses to `doc`. */
void rtt_report__add(const struct rtt_report *report, json_t *doc);

#endif
