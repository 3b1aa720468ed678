// SPDX-License-Identifier: GPL-2.0-only
#include "bpf/bench.bpf.h"
#include "bpf/storage/local_storage_get.h"

const volatile __u32 order;
const volatile __u32 nr_maps = 1;

/* A thousand maps are too many to declare: user space makes them. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 1);
	__type(key, __u32);
	__array(
		values, struct {
			__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
			__uint(map_flags, BPF_F_NO_PREALLOC);
			__type(key, int);
			__type(value, __u64);
		});
} storages SEC(".maps");

static __always_inline void get(struct bench_op *o, __u32 i)
{
	void *storage = bpf_map_lookup_elem(&storages, &i);
	__u64 *value = NULL;

	if (storage)
		value = bpf_task_storage_get(storage, bpf_get_current_task_btf(), NULL,
					     BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (value)
		o->count[COUNT_VALUES] += ++*value;
	else
		o->count[COUNT_ERRORS]++;
}

/* 32 bits of the number: dividing 64 takes some CPUs longer than the get. */
static __always_inline __u32 next_map(const struct bench_op *o)
{
	return (__u32)bench_seq(o) % nr_maps;
}

static __always_inline int is_interleaved(__u32 i)
{
	return order == ORDER_INTERLEAVED && i % INTERLEAVE == 0;
}

static __always_inline int op(struct bench_op *o)
{
	__u32 i = next_map(o);

	get(o, i);
	if (!i)
		o->count[COUNT_IMPORTANT]++;
	if (is_interleaved(i)) {
		get(o, 0);
		o->count[COUNT_IMPORTANT]++;
		o->count[BENCH_OPS]++;
	}
	return 0;
}

static __always_inline __u64 find(__u32 i)
{
	void *storage = bpf_map_lookup_elem(&storages, &i);

	return (storage ? 1 : 0) + bpf_get_current_task();
}

/* All of a turn but the gets: the number of the map, the map and the task. */
static __always_inline __u64 find_all(const struct bench_op *o)
{
	__u32 i = next_map(o);

	return find(i) + (is_interleaved(i) ? find(0) : 0);
}

BENCH_OP_KEYED(op, find_all);
