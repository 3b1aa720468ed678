// SPDX-License-Identifier: GPL-2.0-only
#include "bpf/bench.bpf.h"
#include "bpf/map/hashmap_lookup.h"

const volatile __u32 unrolled;
const volatile __u32 sequence_mask; /* keys of a producer, less one */

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__uint(key_size, 4);
	__uint(value_size, 8);
} map SEC(".maps");

/* The keys that each producer looks up, in this order, over and over: one part for each. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__uint(key_size, 4);
	__uint(value_size, 4);
} keys SEC(".maps");

/* In registers for one turn: counting in memory would chain independent lookups to each other. */
struct found {
	__u64 hits, misses, values;
};

static __always_inline __u32 *key_at(const struct bench_op *o, __u64 n)
{
	__u32 i = o->slot * (sequence_mask + 1) + ((__u32)n & sequence_mask);

	return bpf_map_lookup_elem(&keys, &i);
}

static __always_inline void lookup(const struct bench_op *o, __u64 n, struct found *found)
{
	__u32 *key = key_at(o, n);
	__u64 *value;

	if (!key)
		return; /* and neither count goes up, which fails the check */
	value = bpf_map_lookup_elem(&map, key);
	if (value) {
		found->hits++;
		found->values += *value;
	} else {
		found->misses++;
	}
}

static __always_inline void lookup_4(const struct bench_op *o, __u64 n, struct found *found)
{
	lookup(o, n, found);
	lookup(o, n + 1, found);
	lookup(o, n + 2, found);
	lookup(o, n + 3, found);
}

static __always_inline int op(struct bench_op *o)
{
	struct found found = {0};
	__u64 n = bench_seq(o);

	if (unrolled) {
		lookup_4(o, n * UNROLLED_LOOKUPS, &found);
		lookup_4(o, n * UNROLLED_LOOKUPS + 4, &found);
		o->count[BENCH_OPS] += UNROLLED_LOOKUPS - 1;
	} else {
		lookup(o, n, &found);
	}
	o->count[COUNT_HITS] += found.hits;
	o->count[COUNT_MISSES] += found.misses;
	o->count[COUNT_VALUES] += found.values;
	return 0;
}

static __always_inline __u64 read_key(const struct bench_op *o, __u64 n)
{
	__u32 *key = key_at(o, n);

	return key ? *key : 0;
}

static __always_inline __u64 read_4_keys(const struct bench_op *o, __u64 n)
{
	return read_key(o, n) + read_key(o, n + 1) + read_key(o, n + 2) + read_key(o, n + 3);
}

/* All of a turn but the lookups. */
static __always_inline __u64 make_keys(const struct bench_op *o)
{
	__u64 n = bench_seq(o);

	if (!unrolled)
		return read_key(o, n);
	n *= UNROLLED_LOOKUPS;
	return read_4_keys(o, n) + read_4_keys(o, n + 4);
}

BENCH_OP_KEYED(op, make_keys);
