/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_PROG_BPF_H
#define BPFPERF_LIB_PROG_BPF_H

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

/*
 * Which tasks are producers, by the address of their task_struct: no PID namespace can confuse
 * that, and a task that is not listed costs one lookup in a small map. Each runs `enroll` on itself
 * with prog__enroll(), and before what is measured: a hash map that is written in the hot path
 * makes the very contention that a tracer looks for. User space sets the size.
 */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u64);
	__type(value, __u32);
} enrolled SEC(".maps");

SEC("raw_tp/enroll")
int enroll(struct bpf_raw_tracepoint_args *ctx)
{
	__u64 task = bpf_get_current_task();
	__u32 slot = ctx->args[0];

	return bpf_map_update_elem(&enrolled, &task, &slot, BPF_ANY) ? 1 : 0;
}

/* The number of the current task among them; NULL: it is none. */
static __always_inline __u32 *enrolled_slot(void)
{
	__u64 task = bpf_get_current_task();

	return bpf_map_lookup_elem(&enrolled, &task);
}

#endif
