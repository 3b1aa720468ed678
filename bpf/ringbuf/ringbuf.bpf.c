// SPDX-License-Identifier: GPL-2.0-only
#include "bpf/bench.bpf.h"
#include "bpf/ringbuf/ringbuf.h"

const volatile __u32 put_with;
const volatile __u32 sample_rate;

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} ring SEC(".maps");

/* Counted over what was tried: a wake-up whose record was dropped does not come later. */
static __always_inline __u64 wakeup_flags(const struct bench_op *o)
{
	if (sample_rate <= 1)
		return 0;
	return ((__u32)bench_seq(o) + 1) % sample_rate ? BPF_RB_NO_WAKEUP : BPF_RB_FORCE_WAKEUP;
}

static __always_inline long put(ringbuf_record value, __u64 flags)
{
	ringbuf_record *record;

	if (put_with == RINGBUF_OUTPUT)
		return bpf_ringbuf_output(&ring, &value, sizeof(value), flags);
	record = bpf_ringbuf_reserve(&ring, sizeof(*record), 0);
	if (!record)
		return -EAGAIN;
	*record = value;
	bpf_ringbuf_submit(record, flags);
	return 0;
}

/* The sum of what was put in must come out again. A record that was dropped is no operation. */
static __always_inline int op(struct bench_op *o)
{
	ringbuf_record value = ((__u64)o->slot << 48) + bench_seq(o) + 1;

	if (put(value, wakeup_flags(o))) {
		o->count[COUNT_DROPPED]++;
		o->count[BENCH_OPS]--;
	} else {
		o->sink += value;
	}
	return 0;
}

BENCH_OP(op);
