/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_TRACEPOINTS_RCU_TASKS_TRACE_CONFIG_H
#define BPFPERF_TRACEPOINTS_RCU_TASKS_TRACE_CONFIG_H

#include <stdint.h>

#include "lib/why.h"

/* How grace periods are seen. RTT_AUTO takes the first that works. */
enum rtt_path { RTT_AUTO, RTT_FENTRY, RTT_KPROBE, RTT_SCHED, RTT_SRCU, NR_RTT_PATHS };

struct rtt_config {
	enum rtt_path path;
	uint64_t probe_ns; /* between two blocking operations; 0: none is made */
	char filter[64]; /* of RTT_SRCU: a symbol, or its address as 0x...; "": the kernel's own */
};

/*
 * Words after `-T rcu-tasks-trace:`, separated by commas: path=fentry|kprobe|sched|srcu, probe,
 * probe=MS, filter=SYMBOL|0xADDRESS. -EINVAL and `why`.
 */
int rtt_config__parse(const char *spec, struct rtt_config *ret, struct why *why);

const char *rtt_path__name(enum rtt_path path);

#endif
