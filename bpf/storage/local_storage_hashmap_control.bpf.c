// SPDX-License-Identifier: GPL-2.0-only
#include "bpf/bench.bpf.h"
#include "bpf/storage/local_storage_hashmap_control.h"

const volatile __u32 nr_maps = 1;
const volatile __u32 keys = 1;

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 1);
	__type(key, __u32);
	__array(
		values, struct {
			__uint(type, BPF_MAP_TYPE_HASH);
			__uint(max_entries, 1);
			__type(key, __u32);
			__type(value, __u64);
		});
} outer SEC(".maps");

/* 32 bits of the number: dividing 64 takes some CPUs longer than the lookup. */
static __always_inline __u32 next_map(const struct bench_op *o)
{
	return (__u32)bench_seq(o) % nr_maps;
}

/*
 * A key in no visible order, the same in every run, and without a division: the finalizer of
 * MurmurHash3 spreads the number of the operation over 32 bits, and the upper half of the product
 * scales that to 0..keys-1.
 */
static __always_inline __u32 make_key(const struct bench_op *o)
{
	__u32 h = (__u32)bench_seq(o) + o->slot * 0x9e3779b9;

	h = (h ^ h >> 16) * 0x85ebca6b;
	h = (h ^ h >> 13) * 0xc2b2ae35;
	h ^= h >> 16;
	return (__u64)h * keys >> 32;
}

static __always_inline int op(struct bench_op *o)
{
	__u32 i = next_map(o), key = make_key(o);
	void *map = bpf_map_lookup_elem(&outer, &i);
	__u64 *value = map ? bpf_map_lookup_elem(map, &key) : NULL;

	if (!value || *value != key)
		o->count[COUNT_ERRORS]++;
	if (!i)
		o->count[COUNT_IMPORTANT]++;
	return 0;
}

/* All of a turn but the lookup: the number of the map, the map and the key. */
static __always_inline __u64 find(const struct bench_op *o)
{
	__u32 i = next_map(o);
	void *map = bpf_map_lookup_elem(&outer, &i);

	return (map ? 1 : 0) + make_key(o);
}

BENCH_OP_KEYED(op, find);
