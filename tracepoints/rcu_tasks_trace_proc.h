/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_TRACEPOINTS_RCU_TASKS_TRACE_PROC_H
#define BPFPERF_TRACEPOINTS_RCU_TASKS_TRACE_PROC_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "lib/why.h"

/* What /proc knows of the grace-period kthread; its root is an argument for tests. */

struct rtt_proc {
	int schedstat_fd, stat_fd; /* -1: not open */
	pid_t pid;		   /* 0: not found */
	struct why why;		   /* then, or when a file cannot be read */
};

struct rtt_cpu {
	uint64_t ns;	/* -> schedstat; on the CPU */
	uint64_t ticks; /* -> stat; system time in units of 10 ms */
};

/* Finds the kthread and keeps its files open. Never fails: `why` says what there is not. */
void rtt_proc__open(struct rtt_proc *proc, const char *root);
/* For where there is no kthread to look for. */
void rtt_proc__none(struct rtt_proc *proc, const char *reason);
void rtt_proc__close(struct rtt_proc *proc);
/* 0 or -errno. */
int rtt_proc__read(const struct rtt_proc *proc, struct rtt_cpu *ret);

/* Address of a function in a file like /proc/kallsyms; 0: not there, or not shown. */
uint64_t rtt_proc__symbol(const char *kallsyms, const char *name);

#endif
