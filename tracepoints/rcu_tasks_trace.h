/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_TRACEPOINTS_RCU_TASKS_TRACE_H
#define BPFPERF_TRACEPOINTS_RCU_TASKS_TRACE_H

#include <linux/types.h>

/* What the BPF half tells user space, in the order in which it happened. */
enum rtt_kind {
	RTT_IN,	   /* the grace-period kthread came onto a CPU */
	RTT_OUT,   /* it left: asleep, or `preempted` */
	RTT_START, /* a hook saw a grace period begin */
	RTT_END,   /* and end */
};

struct rtt_event {
	__u64 t_ns;	 /* CLOCK_MONOTONIC */
	__u64 seq;	 /* the kernel's: RTT_SEQ_SHIFT bits of phase below the number; 0: unread */
	__s64 callbacks; /* that were queued; -1: not readable */
	__u32 gp_state;	 /* of struct rcu_tasks, see RTGS_* */
	__u8 kind, preempted, pad[2];
};

/* include/linux/rcupdate.h calls the idle phase 0; every other one is a running grace period. */
#define RTT_SEQ_SHIFT 2
#define RTT_SEQ_PHASE ((1 << RTT_SEQ_SHIFT) - 1)

/* kernel/rcu/tasks.h: #defines, so not in BTF; the same from 5.13 to 6.18. */
enum {
	RTGS_POST_SCAN_TASKLIST = 5,
	RTGS_WAIT_SCAN_HOLDOUTS = 6,
	RTGS_INVOKE_CBS = 10,
	RTGS_WAIT_CBS = 11,
};

/* A reading of the kernel's counters, made by a program that user space runs. */
struct rtt_now {
	__u64 t_ns;
	__u64 seq;	      /* 0: unread */
	__u64 wq_ns, wq_runs; /* callbacks that workqueues invoked, wall time */
	__u64 wq_lost;	      /* works that are in neither: too many at once */
};

/* 40 bytes and the header of 8 an event, some 1,600 a second at most: over ten seconds. */
#define RTT_RING_BYTES (1 << 20)

#endif
