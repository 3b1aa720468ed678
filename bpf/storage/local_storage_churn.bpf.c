// SPDX-License-Identifier: GPL-2.0-only
#include "bpf/bench.bpf.h"

#include <bpf/bpf_core_read.h>

#include "bpf/storage/local_storage_churn.h"

/* Every how many-th element's free is waited for; 0: none is. A power of two. */
const volatile __u32 observe;

struct churn_sleepers sleepers;
struct churn_observed observed;

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, __u64);
} storage SEC(".maps");

/* Deletion time by the address that will be freed. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, CHURN_WATCHED);
	__type(key, __u64);
	__type(value, __u64);
} watched SEC(".maps");

/* Of the kernel's; the value is `data`. */
struct bpf_local_storage_data {
	void *smap;
	unsigned char data[8] __attribute__((aligned(8)));
} __attribute__((preserve_access_index));

struct bpf_local_storage_elem {
	struct bpf_local_storage_data sdata;
} __attribute__((preserve_access_index));

/* Its elements come from the BPF allocator, which keeps a list node before each. */
struct bpf_local_storage_map {
	unsigned char bpf_ma;
} __attribute__((preserve_access_index));

#define LLIST_NODE_SIZE 8

/* What the kernel will free, from the value that it is part of. */
static __always_inline __u64 allocation_of(const void *value)
{
	__u64 address = (__u64)value - bpf_core_field_offset(struct bpf_local_storage_elem, sdata) -
			bpf_core_field_offset(struct bpf_local_storage_data, data);

	if (bpf_core_field_exists(((struct bpf_local_storage_map *)0)->bpf_ma))
		address -= LLIST_NODE_SIZE;
	return address;
}

static __always_inline void watch(const void *value)
{
	__u64 key = allocation_of(value), now = bpf_ktime_get_ns();

	if (bpf_map_update_elem(&watched, &key, &now, BPF_ANY))
		__sync_fetch_and_add(&observed.dropped, 1);
	else
		__sync_fetch_and_add(&observed.sampled, 1);
}

/*
 * An element that is not new was left by a delete that found its CPU busy: the kernel gives up
 * where another task of this CPU was preempted within the map.
 */
static __always_inline int op(struct bench_op *o)
{
	struct task_struct *task = bpf_get_current_task_btf();
	__u64 *value;

	value = bpf_task_storage_get(&storage, task, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!value) {
		o->count[COUNT_BUSY]++;
		return 0;
	}
	if (*value)
		o->count[COUNT_STALE]++;
	*value = 1;
	if (observe && !(bench_seq(o) & (observe - 1)))
		watch(value);
	if (bpf_task_storage_delete(&storage, task))
		o->count[COUNT_BUSY]++;
	else
		o->count[COUNT_DELETES]++;
	return 0;
}

BENCH_OP(op);

/* Once, for a task that has woken up. */
SEC("raw_tp/churn_sleeper")
int churn_sleeper(void *ctx)
{
	struct task_struct *task = bpf_get_current_task_btf();
	__u64 *value;

	__sync_fetch_and_add(&sleepers.turns, 1);
	value = bpf_task_storage_get(&storage, task, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (value && !bpf_task_storage_delete(&storage, task))
		__sync_fetch_and_add(&sleepers.deletes, 1);
	else
		__sync_fetch_and_add(&sleepers.busy, 1);
	return 0;
}

/* All frees of the system come by: what this costs is why observe= is not the default. */
SEC("raw_tp/kfree")
int churn_free(struct bpf_raw_tracepoint_args *ctx)
{
	__u64 key = ctx->args[1], now = bpf_ktime_get_ns();
	__u64 *deleted = bpf_map_lookup_elem(&watched, &key);

	if (!deleted)
		return 0;
	__sync_fetch_and_add(&observed.freed, 1);
	__sync_fetch_and_add(&observed.delay_ns, now - *deleted);
	bpf_map_delete_elem(&watched, &key);
	return 0;
}
