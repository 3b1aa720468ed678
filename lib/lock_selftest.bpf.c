// SPDX-License-Identifier: GPL-2.0-only
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

char LICENSE[] SEC("license") = "GPL";

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4);
	__type(key, __u32);
	__type(value, __u64);
} map SEC(".maps");

__u64 events, updates;

/* Of the kernel's; a bucket is a list head and its lock. */
struct bpf_htab {
	void *buckets;
	__u32 n_buckets;
} __attribute__((preserve_access_index));

#define MAX_BUCKET_SIZE 32

static int update(__u32 turn, void *ctx)
{
	__u32 key = 1;
	__u64 value = turn;

	bpf_map_update_elem(&map, &key, &value, BPF_ANY);
	return 0;
}

struct args {
	__u32 iters, unused;
};

SEC("syscall")
int selftest_batch(struct args *ctx)
{
	bpf_loop(ctx->iters, update, (void *)0, 0);
	__sync_fetch_and_add(&updates, ctx->iters);
	return 0;
}

/*
 * By the address of the lock: interrupts of these threads wait for locks too, and made one or two
 * events in a test where a single thread had nobody to wait for.
 */
SEC("raw_tp/contention_begin")
int selftest_begin(struct bpf_raw_tracepoint_args *ctx)
{
	struct bpf_htab *htab = (void *)&map;
	__u64 lock = ctx->args[0];
	__u64 first = (__u64)htab->buckets;
	__u64 size = (__u64)htab->n_buckets * MAX_BUCKET_SIZE;

	if (lock >= first && lock < first + size)
		__sync_fetch_and_add(&events, 1);
	return 0;
}
