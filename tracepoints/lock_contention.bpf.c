// SPDX-License-Identifier: GPL-2.0-only
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <stdbool.h>

#include "lib/prog.bpf.h"
#include "tracepoints/lock_contention.h"

char LICENSE[] SEC("license") = "GPL";

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct lock_task);
} waits SEC(".maps");

static __always_inline struct lock_task *own_task(void)
{
	__u32 *slot = enrolled_slot();

	return slot ? bpf_map_lookup_elem(&waits, slot) : (void *)0;
}

/* FNV-1a over words; 0 means free, so never that. */
static __always_inline __u64 hash_stack(const struct lock_task *t, __u32 nr, __u32 flags)
{
	__u64 hash = 0xcbf29ce484222325ULL ^ flags;

	for (__u32 i = 0; i < LOCK_FRAMES; i++)
		if (i < nr)
			hash = (hash ^ t->stack[i]) * 0x100000001b3ULL;
	return hash | 1;
}

static __always_inline void fill_site(struct lock_site *site, const struct lock_task *t, __u64 hash,
				      __u32 nr, __u32 flags)
{
	site->hash = hash;
	site->flags = flags;
	site->nr_frames = nr;
	for (__u32 i = 0; i < LOCK_FRAMES; i++)
		site->stack[i] = i < nr ? t->stack[i] : 0;
}

/* The site of the current call stack; LOCK_SITES when there is none or no room. */
static __always_inline __u32 find_site(void *ctx, struct lock_task *t, __u32 flags)
{
	/* The first frames are the tracer's own: see lock_class.c, which skips what is left. */
	long size = bpf_get_stack(ctx, t->stack, sizeof(t->stack), 2);
	__u32 nr = size / sizeof(__u64);
	__u64 hash;

	if (size <= 0) {
		t->lost[LOST_STACK]++;
		return LOCK_SITES;
	}
	hash = hash_stack(t, nr, flags);
	for (__u32 n = 0; n < LOCK_SITES; n++) {
		__u32 i = ((hash >> 32) + n) & (LOCK_SITES - 1);

		if (t->sites[i].hash == hash)
			return i;
		if (!t->sites[i].hash) {
			fill_site(&t->sites[i], t, hash, nr, flags);
			return i;
		}
	}
	t->lost[LOST_SITES]++;
	return LOCK_SITES;
}

static __always_inline struct lock_pending *find_pending(struct lock_task *t, __u64 lock)
{
	for (__u32 i = 0; i < LOCK_NESTING; i++)
		if (t->pending[i].lock == lock)
			return &t->pending[i];
	return (void *)0;
}

/*
 * A mutex begins twice, spinning and then sleeping, and ends once: the second begin of one that is
 * waited for already belongs to the same wait. Of other locks it means that an end was not shown:
 * the kernel skips a program that an interrupt finds at work. Taken for one wait, they would last
 * as long as the time between them.
 */
static __always_inline int begin(__u64 lock, __u32 flags)
{
	struct lock_task *t = own_task();
	struct lock_pending *p;

	if (!t)
		return 0;
	p = find_pending(t, lock);
	if (p && flags & LCB_F_MUTEX)
		return 0;
	if (p)
		t->lost[LOST_END]++;
	else
		p = find_pending(t, 0);
	if (!p) {
		t->lost[LOST_NESTING]++;
		return 0;
	}
	p->flags = flags;
	p->lock = lock;
	p->since_ns = bpf_ktime_get_ns();
	return 0;
}

static __always_inline __u32 log2_of(__u64 value)
{
	__u32 log = 0;

#pragma unroll
	for (int shift = 32; shift; shift >>= 1) {
		if (value >> shift) {
			value >>= shift;
			log += shift;
		}
	}
	return log;
}

/* The inverse stands in hist.h. */
static __always_inline __u32 bin_of(__u64 ns)
{
	__u32 log = log2_of(ns | 1), bin;

	if (log < LOCK_SUB_BITS)
		return ns;
	bin = ((log - LOCK_SUB_BITS + 1) << LOCK_SUB_BITS) +
	      ((ns >> (log - LOCK_SUB_BITS)) & ((1 << LOCK_SUB_BITS) - 1));
	return bin < LOCK_BINS ? bin : LOCK_BINS - 1;
}

/* Is it the longest of its kind so far? */
static __always_inline bool add_to_kind(struct lock_task *t, __u32 flags, __u64 ns)
{
	struct lock_kind *kind = &t->kinds[flags & (LOCK_KINDS - 1)];

	kind->waits++;
	kind->total_ns += ns;
	if (ns <= kind->max_ns)
		return false;
	kind->max_ns = ns;
	return true;
}

static __always_inline void add_wait(struct lock_site *site, __u64 ns, bool record)
{
	__u32 bin = bin_of(ns);

	if (record) {
		site->records++;
		site->records_ns += ns;
	} else {
		site->waits++;
		site->total_ns += ns;
	}
	if (ns > site->max_ns)
		site->max_ns = ns;
	if (bin < LOCK_BINS)
		site->bins[bin]++;
}

/*
 * The stack is taken at the end of a wait, whose time is known by then: at its beginning the walk
 * would be a part of the wait, and half of a short one would pass in it.
 */
static __always_inline void sample_site(void *ctx, struct lock_task *t, __u32 flags, __u64 now,
					__u64 ns, int ret, bool record)
{
	__u64 after;
	__u32 site;

	if (!record && now < t->next_stack_ns)
		return;
	site = find_site(ctx, t, flags);
	after = bpf_ktime_get_ns();
	t->next_stack_ns = after + (after - now) * LOCK_STACK_PERIOD;
	if (site >= LOCK_SITES)
		return;
	if (ret)
		t->sites[site].failed++;
	else
		add_wait(&t->sites[site], ns, record);
}

static __always_inline int end(void *ctx, __u64 lock, int ret)
{
	__u64 now = bpf_ktime_get_ns();
	struct lock_task *t = own_task();
	struct lock_pending *p;
	bool record = false;

	if (!t)
		return 0;
	p = find_pending(t, lock);
	if (!p || !lock) {
		t->lost[LOST_BEGIN]++;
		return 0;
	}
	p->lock = 0;
	if (now < p->since_ns) {
		t->lost[LOST_CLOCK]++;
		return 0;
	}
	if (ret)
		t->failed++;
	else
		record = add_to_kind(t, p->flags, now - p->since_ns);
	sample_site(ctx, t, p->flags, now, now - p->since_ns, ret, record);
	return 0;
}

SEC("tp_btf/contention_begin")
int lock_begin_btf(__u64 *ctx)
{
	return begin(ctx[0], ctx[1]);
}

SEC("tp_btf/contention_end")
int lock_end_btf(__u64 *ctx)
{
	return end(ctx, ctx[0], ctx[1]);
}

SEC("raw_tp/contention_begin")
int lock_begin_raw(struct bpf_raw_tracepoint_args *ctx)
{
	return begin(ctx->args[0], ctx->args[1]);
}

SEC("raw_tp/contention_end")
int lock_end_raw(struct bpf_raw_tracepoint_args *ctx)
{
	return end(ctx, ctx->args[0], ctx->args[1]);
}
