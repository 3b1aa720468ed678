/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_TRACEPOINTS_RCU_TASKS_TRACE_GP_H
#define BPFPERF_TRACEPOINTS_RCU_TASKS_TRACE_GP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tracepoints/rcu_tasks_trace.h"

/*
 * From events to grace periods, and from these to the delay of a callback. Nothing here knows
 * where events come from, so that tests can feed it orders that no kernel should produce.
 */

/* Where the kthread was during a grace period. */
enum gp_part {
	GP_RUNNING,
	GP_PREEMPTED, /* it could have run, and had no CPU */
	GP_POSTSCAN,  /* asleep in synchronize_rcu() */
	GP_HOLDOUTS,  /* asleep between two looks at readers that are not done */
	GP_OTHER,     /* asleep elsewhere */
	NR_GP_PARTS,
};

struct grace_period {
	uint64_t number;
	uint64_t start_ns; /* 0: not seen */
	uint64_t end_ns;
	uint64_t invoked_ns; /* its last callback had been called; 0: not seen */
	uint64_t calling_ns; /* from end_ns to invoked_ns the kthread was on a CPU for so long */
	int64_t callbacks;   /* queued when it started, -1: not readable */
	uint64_t part_ns[NR_GP_PARTS];
};

/* What cannot be, or could not be followed: counted, and no duration is made of it. */
struct gp_lost {
	uint64_t switches; /* context switches that the kernel did not show: seen on 6.18 */
	uint64_t order;	   /* an end without a start, two starts, a sequence that went back */
	uint64_t clock;	   /* an event earlier than the one before it */
	uint64_t skipped;  /* grace periods of which the sequence alone tells */
};

/* All zero but for `hooked` is an empty one. */
struct gp_feed {
	bool hooked; /* RTT_START and RTT_END decide, not the sequence at context switches */

	struct grace_period *gps; /* ended, in order */
	size_t nr, room;
	struct gp_lost lost;

	struct grace_period open; /* number, start and parts of the one that runs */
	bool is_open;
	bool seen_start, seen_end, seen_seq; /* hooks are attached one after the other */
	uint64_t last_ns, seq;
	uint64_t in_ns;	   /* begin of the slice; 0: not seen */
	enum gp_part part; /* since last_ns */
	bool on_cpu;
	size_t invoked; /* gps before this one have invoked_ns or never will */
};

/* 0, or -ENOMEM. */
int gp_feed__add(struct gp_feed *feed, const struct rtt_event *event);
void gp_feed__free(struct gp_feed *feed);

/*
 * Every grace period that ended within the window, by the kernel's own numbers where both edges
 * have a sequence, else by time.
 */
struct gp_window {
	const struct grace_period *gps;
	size_t nr;
};
struct gp_window gp_feed__window(const struct gp_feed *feed, const struct rtt_now *first,
				 const struct rtt_now *last);

/* Grace periods by the kernel's count between two readings; -1 without a sequence. */
int64_t rtt_now__delta(const struct rtt_now *first, const struct rtt_now *last);

/*
 * How long a callback waits from call_rcu_tasks_trace() to its invocation, for callbacks queued
 * evenly over the time that the producers had. One queued in (start of i-1, start of i] waits for
 * the end of i, and then for those queued before it, in order. `lo` is the wait to the end of the
 * grace period alone, `hi` the one to the end of the invocations.
 */
struct gp_delay {
	size_t nr; /* grace periods that could be used: seen from start to last callback */
	double mean_ns, median_ns, p99_ns, max_ns;
	double lo_mean_ns, hi_mean_ns;
};
/*
 * `taken` is the share of their CPUs that producers lose while the kthread is on one: 1 where there
 * is but one. False when there is nothing to derive it from.
 */
bool gp_delay__derive(const struct gp_window *window, double taken, struct gp_delay *ret);

/* Durations of the grace periods whose start was seen; all NaN without one. */
struct gp_times {
	size_t nr;
	double mean_ns, median_ns, p99_ns, min_ns, max_ns;
	double part_ns[NR_GP_PARTS]; /* mean */
	double callbacks;	     /* mean; NaN: not readable */
	double invoke_ns; /* mean time from the end to the last callback; NaN: not seen */
};
/* 0, or -ENOMEM. */
int gp_times__derive(const struct gp_window *window, struct gp_times *ret);

static inline double gp__duration(const struct grace_period *gp)
{
	return (double)gp->end_ns - (double)gp->start_ns;
}

#endif
