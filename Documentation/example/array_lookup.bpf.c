// SPDX-License-Identifier: GPL-2.0-only
#include "bpf/bench.bpf.h"

/* Set before the load: the verifier sees a constant. */
const volatile __u32 max_entries = 1;

/* bench_io.count[], beside BENCH_OPS; as `counts` has them in user space. */
enum { COUNT_RIGHT = 1 };

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} array SEC(".maps");

/* Scattered, since a prefetcher would foresee the next element; Knuth's multiplicative hash. */
static __always_inline __u64 make_key(struct bench_op *o)
{
	return (__u32)(bench_seq(o) * 2654435761U) % max_entries;
}

static __always_inline int op(struct bench_op *o)
{
	__u32 key = make_key(o);
	__u64 *value = bpf_map_lookup_elem(&array, &key);

	if (value && *value == key + 1ULL)
		o->count[COUNT_RIGHT]++;
	return 0;
}

BENCH_OP_KEYED(op, make_key);
