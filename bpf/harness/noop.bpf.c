// SPDX-License-Identifier: GPL-2.0-only
#include "bpf/bench.bpf.h"

/* Instructions to add to the empty operation: bit n of it is a block of 2^n, below. */
const volatile __u32 extra;
const volatile __u64 step = 1;

/*
 * Register plus register, because no current CPU executes that ahead of time (an add of a small
 * constant is free on some), and one machine instruction in every JIT.
 */
#define CHAIN(n)          \
	if (blocks & (n)) \
	asm volatile(".rept " #n "; %0 += %1; .endr" : "+r"(acc) : "r"(add))

/* The verifier removes the blocks that `extra` does not name: what is left is exactly N. */
static __always_inline int op(struct bench_op *o)
{
	__u64 acc = o->sink;
	__u64 add = step;
	__u32 blocks = extra; /* one load: the verifier knows its value, but leaves it in */

	CHAIN(1);
	CHAIN(2);
	CHAIN(4);
	CHAIN(8);
	CHAIN(16);
	CHAIN(32);
	CHAIN(64);
	CHAIN(128);
	CHAIN(256);
	CHAIN(512);
	CHAIN(1024);
	o->sink = acc;
	return 0;
}

BENCH_OP(op);
