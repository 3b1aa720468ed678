// SPDX-License-Identifier: GPL-2.0-only
#include "bpf/bench.bpf.h"
#include "bpf/map/bloom.h"

const volatile __u32 what;
const volatile __u32 mask;   /* rows of `inputs`, less one */
const volatile __u32 spread; /* rows between the first ones of two producers */

struct {
	__uint(type, BPF_MAP_TYPE_BLOOM_FILTER);
	__uint(max_entries, 1);
	__uint(value_size, 8);
} bloom SEC(".maps");

/* Values made beforehand: what is measured is the filter. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, 8);
} inputs SEC(".maps");

static __always_inline void *next_input(const struct bench_op *o)
{
	__u32 row = (o->slot * spread + bench_seq(o)) & mask;

	return bpf_map_lookup_elem(&inputs, &row);
}

/* Reads it as well: the hash functions would, and a cache miss here is none of the filter's. */
static __always_inline __u64 make_key(const struct bench_op *o)
{
	__u8 *value = next_input(o);

	return value ? *value : 0;
}

static __always_inline int op(struct bench_op *o)
{
	void *value = next_input(o);

	if (!value)
		return 1;
	if (what == BLOOM_UPDATE) {
		if (bpf_map_push_elem(&bloom, value, BPF_ANY))
			o->count[COUNT_ERRORS]++;
	} else if (!bpf_map_peek_elem(&bloom, value)) {
		o->count[COUNT_FOUND]++;
	}
	return 0;
}

BENCH_OP_KEYED(op, make_key);
