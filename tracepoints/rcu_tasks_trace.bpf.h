/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_TRACEPOINTS_RCU_TASKS_TRACE_BPF_H
#define BPFPERF_TRACEPOINTS_RCU_TASKS_TRACE_BPF_H

#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "tracepoints/rcu_tasks_trace.h"

/* What the BPF halves of the tracer have in common: what they tell, and the time of works. */

char LICENSE[] SEC("license") = "GPL";

#define WORKS_AT_ONCE 1024

/* Of the kernel's, the field that is read here. */
struct work_struct {
	void *func;
} __attribute__((preserve_access_index));

__u64 lost; /* events */
struct rtt_now now;

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, RTT_RING_BYTES);
} events SEC(".maps");

/* When the works that are watched began, by their address. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, WORKS_AT_ONCE);
	__type(key, __u64);
	__type(value, __u64);
} works SEC(".maps");

/*
 * No wake-up: the reader looks by itself, and waking it from within a context switch would be one
 * more thing that happens to the kthread.
 */
static __always_inline void send(struct rtt_event *event)
{
	if (bpf_ringbuf_output(&events, event, sizeof(*event), BPF_RB_NO_WAKEUP))
		__sync_fetch_and_add(&lost, 1);
}

static __always_inline void begin_work(__u64 work)
{
	__u64 t_ns = bpf_ktime_get_ns();

	if (bpf_map_update_elem(&works, &work, &t_ns, BPF_ANY))
		__sync_fetch_and_add(&now.wq_lost, 1);
}

/* 1 if it was one of those that are watched. It may be gone by now: only its address is used. */
static __always_inline int end_work(__u64 work)
{
	__u64 *t_ns = bpf_map_lookup_elem(&works, &work);

	if (!t_ns)
		return 0;
	__sync_fetch_and_add(&now.wq_ns, bpf_ktime_get_ns() - *t_ns);
	__sync_fetch_and_add(&now.wq_runs, 1);
	bpf_map_delete_elem(&works, &work);
	return 1;
}

#endif
