// SPDX-License-Identifier: GPL-2.0-only
#include "bpf/bench.bpf.h"
#include "bpf/map/hashmap_update.h"

const volatile __u32 keys;

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} map SEC(".maps");

static __always_inline int update_shared(struct bench_op *o)
{
	__u32 key = 0;
	__u64 value = o->turn;

	if (bpf_map_update_elem(&map, &key, &value, BPF_ANY))
		o->count[COUNT_ERRORS]++;
	return 0;
}

/* Three operations of the map in one turn; the value must come back. */
static __always_inline int cycle_own(struct bench_op *o)
{
	__u32 key = 1 + o->slot;
	__u64 value = bench_seq(o), *found;

	if (bpf_map_update_elem(&map, &key, &value, BPF_ANY))
		o->count[COUNT_ERRORS]++;
	found = bpf_map_lookup_elem(&map, &key);
	if (!found || *found != value)
		o->count[COUNT_ERRORS]++;
	if (bpf_map_delete_elem(&map, &key))
		o->count[COUNT_ERRORS]++;
	o->count[BENCH_OPS] += 2;
	return 0;
}

static __always_inline int op(struct bench_op *o)
{
	return keys == UPDATE_SHARED ? update_shared(o) : cycle_own(o);
}

BENCH_OP(op);
