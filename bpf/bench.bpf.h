/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_BPF_BENCH_BPF_H
#define BPFPERF_BPF_BENCH_BPF_H

/*
 * The kernel half of the harness. A benchmark writes its operation once:
 *
 *	static __always_inline int op(struct bench_op *o) { ...; return 0; }
 *	BENCH_OP(op);
 *
 * and gets an entry program for every trigger; all but the chosen one are not loaded. An operation
 * returns 0; anything else ends the batch early. BENCH_OP_KEYED(op, keygen) adds the control that
 * makes the keys of the operation and nothing more (struct bench.keyed says so to user space).
 *
 * The loop form is `callback`: bpf_loop() with the operation in the callback, one at a time. The
 * verifier inlines the loop and with it zero-extends an error: its result stays in an int.
 */
#include <linux/bpf.h>
#include <linux/errno.h>
#include <asm/unistd.h>
#include <bpf/bpf_helpers.h>

#include "bpf/bench_io.h"
#include "lib/prog.bpf.h"

#ifndef NULL
#define NULL ((void *)0)
#endif

char LICENSE[] SEC("license") = "GPL";

/* What an operation sees of its batch; on the BPF stack, so private to it. */
struct bench_op {
	__u64 base; /* operations of this producer before this batch */
	__u32 turn; /* number of this operation within the batch */
	__u32 slot; /* number of the producer */
	__u64 sink; /* carried from operation to operation; keeps a computed value alive */
	__u64 count[BENCH_NR_COUNTS];
};

/* Number of this operation within its producer, from 0. */
static __always_inline __u64 bench_seq(const struct bench_op *o)
{
	return o->base + o->turn;
}

/* One element per producer, sized and mapped by user space. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct bench_io);
} bench_slots SEC(".maps");

static __always_inline struct bench_io *bench_slot(__u32 slot)
{
	return bpf_map_lookup_elem(&bench_slots, &slot);
}

/* The slot of the current task, or NULL: somebody else made this system call. */
static __always_inline struct bench_io *bench_own_slot(void)
{
	__u32 *slot = enrolled_slot();

	return slot ? bench_slot(*slot) : NULL;
}

static int bench_empty_turn(__u32 turn, struct bench_op *o)
{
	o->turn = turn;
	return 0;
}

/*
 * Different text behind each call keeps clang from merging them into one whose callback is a
 * variable: the verifier would not inline that, and a turn then costs 15 ns instead of 1.4.
 */
#define BENCH_KEEP_APART(done, n) asm volatile("# " #n : "+r"(done))

#define BENCH_OP(op) BENCH_OP_KEYED(op, bench_seq)

#define BENCH_OP_KEYED(op, keygen)                                                         \
	static int bench_op_turn(__u32 turn, struct bench_op *o)                           \
	{                                                                                  \
		o->turn = turn;                                                            \
		return op(o);                                                              \
	}                                                                                  \
	static int bench_keygen_turn(__u32 turn, struct bench_op *o)                       \
	{                                                                                  \
		o->turn = turn;                                                            \
		o->sink += keygen(o);                                                      \
		return 0;                                                                  \
	}                                                                                  \
	static __always_inline int bench_loop(__u32 mode, __u32 iters, struct bench_op *o) \
	{                                                                                  \
		int done;                                                                  \
                                                                                           \
		if (mode == BENCH_MODE_OP) {                                               \
			done = bpf_loop(iters, bench_op_turn, o, 0);                       \
			BENCH_KEEP_APART(done, 1);                                         \
		} else if (mode == BENCH_MODE_KEYGEN) {                                    \
			done = bpf_loop(iters, bench_keygen_turn, o, 0);                   \
			BENCH_KEEP_APART(done, 2);                                         \
		} else {                                                                   \
			done = bpf_loop(iters, bench_empty_turn, o, 0);                    \
			BENCH_KEEP_APART(done, 3);                                         \
		}                                                                          \
		return done;                                                               \
	}                                                                                  \
	BENCH_ENTRIES

static __always_inline int bench_loop(__u32 mode, __u32 iters, struct bench_op *o);

static __always_inline int bench_batch(struct bench_io *io)
{
	struct bench_op o = {.base = io->seq, .slot = io->slot};
	__u32 mode = io->mode;
	__u64 start = bpf_ktime_get_ns();
	int done = bench_loop(mode, io->iters, &o);

	io->ns += bpf_ktime_get_ns() - start;
	io->runs++;
	io->sink += o.sink;
	if (mode != BENCH_MODE_OP || done < 0)
		return 0;
	io->seq += done;
	io->count[BENCH_OPS] += done;
#pragma unroll
	for (int i = 0; i < BENCH_NR_COUNTS; i++)
		io->count[i] += o.count[i];
	return 0;
}

static __always_inline int bench_batch_of(struct bench_io *io)
{
	return io ? bench_batch(io) : 0;
}

static __always_inline int bench_packet(void *data, void *end)
{
	__u32 *slot = data + BENCH_PACKET_SLOT;

	return (void *)(slot + 1) <= end ? bench_batch_of(bench_slot(*slot)) : 0;
}

/*
 * prog-run: bench_syscall has the io as its context, bench_raw_tp the slot as its first argument,
 * bench_tc and bench_xdp find it in the packet. The others hook a system call that the producers
 * make for this purpose and return at once for everybody else.
 */
#define BENCH_ENTRIES                                                                       \
	SEC("syscall") int bench_syscall(struct bench_io *ctx)                              \
	{                                                                                   \
		return bench_batch(ctx);                                                    \
	}                                                                                   \
	SEC("raw_tp/bench_raw_tp") int bench_raw_tp(struct bpf_raw_tracepoint_args *ctx)    \
	{                                                                                   \
		return bench_batch_of(bench_slot(ctx->args[0]));                            \
	}                                                                                   \
	SEC("tc") int bench_tc(struct __sk_buff *ctx)                                       \
	{                                                                                   \
		return bench_packet((void *)(long)ctx->data, (void *)(long)ctx->data_end);  \
	}                                                                                   \
	SEC("xdp") int bench_xdp(struct xdp_md *ctx)                                        \
	{                                                                                   \
		return bench_packet((void *)(long)ctx->data, (void *)(long)ctx->data_end);  \
	}                                                                                   \
	SEC("fentry/bench") int bench_fentry(void *ctx)                                     \
	{                                                                                   \
		return bench_batch_of(bench_own_slot());                                    \
	}                                                                                   \
	SEC("kprobe/bench") int bench_kprobe(void *ctx)                                     \
	{                                                                                   \
		return bench_batch_of(bench_own_slot());                                    \
	}                                                                                   \
	SEC("tp_btf/sys_enter") int bench_tp_btf(__u64 *ctx)                                \
	{                                                                                   \
		return ctx[1] == __NR_getpgid ? bench_batch_of(bench_own_slot()) : 0;       \
	}                                                                                   \
	SEC("raw_tp/sys_enter") int bench_raw_tp_hook(struct bpf_raw_tracepoint_args *ctx)  \
	{                                                                                   \
		return ctx->args[1] == __NR_getpgid ? bench_batch_of(bench_own_slot()) : 0; \
	}                                                                                   \
	SEC("tp/syscalls/sys_enter_getpgid") int bench_tp(void *ctx)                        \
	{                                                                                   \
		return bench_batch_of(bench_own_slot());                                    \
	}

#endif
