// SPDX-License-Identifier: GPL-2.0-only
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "bpf/storage/local_storage_create.h"
#include "lib/prog.bpf.h"

char LICENSE[] SEC("license") = "GPL";

/* Of the kernel's, what is touched here. */
struct sock;

struct socket {
	struct sock *sk;
} __attribute__((preserve_access_index));

struct bpf_iter__task_file {
	void *meta;
	struct task_struct *task;
	__u32 fd;
	struct file *file;
} __attribute__((preserve_access_index));

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, __u64);
} task_storage SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_SK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, __u64);
} sk_storage SEC(".maps");

/* What each producer did. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct create_slot);
} slots SEC(".maps");

static __always_inline struct create_slot *own_slot(void)
{
	__u32 *slot = enrolled_slot();

	return slot ? bpf_map_lookup_elem(&slots, slot) : (void *)0;
}

/* A value that is not zero was there before: nothing was created. */
static __always_inline void note(struct create_slot *slot, __u64 *value)
{
	slot->creating = 0;
	if (!value) {
		slot->failed++;
	} else if (!*value) {
		slot->created++;
		*value = 1;
	}
}

/* The new task is still on nobody's list, and in its parent's hands. */
SEC("tp_btf/sched_process_fork")
int create_task(__u64 *ctx)
{
	struct task_struct *child = (void *)ctx[1];
	struct create_slot *slot = own_slot();

	if (!slot)
		return 0;
	slot->creating = 1;
	note(slot, bpf_task_storage_get(&task_storage, child, 0, BPF_LOCAL_STORAGE_GET_F_CREATE));
	return 0;
}

/* Every open file of the producer, which has a file table of its own. */
SEC("iter/task_file")
int create_socket(struct bpf_iter__task_file *ctx)
{
	struct file *file = ctx->file;
	struct create_slot *slot;
	struct socket *socket;
	struct sock *sk;

	if (!file)
		return 0;
	socket = bpf_sock_from_file(file);
	slot = own_slot();
	if (!socket || !slot)
		return 0;
	sk = socket->sk;
	if (!sk)
		return 0;
	slot->creating = 1;
	note(slot, bpf_sk_storage_get(&sk_storage, sk, 0, BPF_SK_STORAGE_GET_F_CREATE));
	return 0;
}

static __always_inline int count_alloc(void)
{
	struct create_slot *slot = own_slot();

	if (slot && slot->creating)
		slot->allocs++;
	return 0;
}

SEC("raw_tp/kmalloc")
int create_kmalloc(void *ctx)
{
	return count_alloc();
}

SEC("raw_tp/kmem_cache_alloc")
int create_cache_alloc(void *ctx)
{
	return count_alloc();
}
