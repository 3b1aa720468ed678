// SPDX-License-Identifier: GPL-2.0-only
#include "bpf/bench.bpf.h"
#include "bpf/map/hashmap_full.h"

const volatile __u32 keys;
const volatile __u32 first_absent; /* the map was filled with the keys below */
const volatile __u32 churn;	   /* deletes per 1,000 attempts; 0 < churn <= 1000 */
const volatile __u32 queue_mask;   /* size of a producer's queue, less one */

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} full SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct hashmap_full_queue);
} producers SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} queues SEC(".maps");

static __always_inline __u64 make_key(struct bench_op *o)
{
	if (keys == KEYS_RANDOM)
		return bpf_get_prandom_u32();
	if (keys == KEYS_ONE)
		return first_absent + o->slot;
	return first_absent + o->slot * KEYS_PER_PRODUCER + bench_seq(o) % KEYS_PER_PRODUCER;
}

/* Element number `n` of this producer's queue, which wraps. */
static __always_inline __u32 *queue_at(const struct bench_op *o, __u64 n)
{
	__u32 i = o->slot * (queue_mask + 1) + (n & queue_mask);

	return bpf_map_lookup_elem(&queues, &i);
}

static __always_inline void remember(struct bench_op *o, struct hashmap_full_queue *q, __u32 key)
{
	__u32 *place = queue_at(o, q->tail);

	if (place) {
		*place = key;
		q->tail++;
	}
}

/* Every 1,000 attempts earn `churn` deletes, evenly spread, of the oldest keys. */
static __always_inline void delete_oldest(struct bench_op *o, struct hashmap_full_queue *q)
{
	__u32 *oldest;

	q->credit += churn;
	if (q->credit < 1000)
		return;
	q->credit -= 1000;
	oldest = q->head < q->tail ? queue_at(o, q->head) : NULL;
	if (!oldest)
		return;
	q->head++;
	o->count[BENCH_OPS]++;
	if (bpf_map_delete_elem(&full, oldest))
		o->count[COUNT_OTHER]++;
	else
		o->count[COUNT_DELETED]++;
}

static __always_inline int attempt_with_churn(struct bench_op *o)
{
	struct hashmap_full_queue *q = bpf_map_lookup_elem(&producers, &o->slot);
	__u32 key = make_key(o);
	__u64 value = 1;
	int err;

	if (!q)
		return 1;
	/* BPF_NOEXIST tells a key that is there from one that was inserted. */
	err = bpf_map_update_elem(&full, &key, &value, BPF_NOEXIST);
	if (!err) {
		o->count[COUNT_INSERTED]++;
		remember(o, q, key);
	} else if (err == -E2BIG) {
		o->count[COUNT_FAILED]++;
	} else if (err == -EEXIST) {
		o->count[COUNT_HITS]++;
	} else {
		o->count[COUNT_OTHER]++;
	}
	delete_oldest(o, q);
	return 0;
}

static __always_inline int attempt(struct bench_op *o)
{
	__u32 key = make_key(o);
	__u64 value = 1;
	/* No long: up to 6.3 the verifier calls a function that returns int, and -E2BIG is 2^32 - 7. */
	int err = bpf_map_update_elem(&full, &key, &value, BPF_ANY);

	/* Nothing is ever deleted: what does not fail replaced the value of a key that is there. */
	if (err == -E2BIG)
		o->count[COUNT_FAILED]++;
	else if (!err)
		o->count[COUNT_HITS]++;
	else
		o->count[COUNT_OTHER]++;
	return 0;
}

static __always_inline int op(struct bench_op *o)
{
	return churn ? attempt_with_churn(o) : attempt(o);
}

BENCH_OP_KEYED(op, make_key);
