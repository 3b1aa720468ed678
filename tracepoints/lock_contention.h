/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_TRACEPOINTS_LOCK_CONTENTION_H
#define BPFPERF_TRACEPOINTS_LOCK_CONTENTION_H

#include <linux/types.h>

/* Enough for slow path, lock function, the map's own functions and who called them. */
#define LOCK_FRAMES 12
#define LOCK_SITES  32 /* a power of two */

/* A wait may hold another: an interrupt's spinlock inside a semaphore's. */
#define LOCK_NESTING 4

/* Bins of a log2-linear histogram: 8 per octave, so 12.5 % wide; 2^34 ns is 17 s. */
#define LOCK_SUB_BITS 3
#define LOCK_OCTAVES  34
#define LOCK_BINS     ((LOCK_OCTAVES - LOCK_SUB_BITS + 1) << LOCK_SUB_BITS)

/* Why an event did not become a wait. */
enum lock_lost {
	LOST_NESTING, /* more than LOCK_NESTING waits at once */
	LOST_SITES,   /* more than LOCK_SITES call stacks */
	LOST_STACK,   /* no call stack */
	LOST_BEGIN,   /* an end whose begin was not seen */
	LOST_END,     /* a begin whose end was not seen */
	LOST_CLOCK,   /* an end before its begin */
	NR_LOST,
};

/* include/trace/events/lock.h of the kernel; they have not changed since 5.19. */
enum {
	LCB_F_SPIN = 1,
	LCB_F_READ = 2,
	LCB_F_WRITE = 4,
	LCB_F_RT = 8,
	LCB_F_PERCPU = 16,
	LCB_F_MUTEX = 32
};

/* A wait that has begun. */
struct lock_pending {
	__u64 lock; /* 0: free */
	__u64 since_ns;
	__u64 flags;
};

/* The waits whose call stack was taken, by that. */
struct lock_site {
	__u64 hash; /* 0: free */
	__u32 flags;
	__u32 nr_frames;
	__u64 stack[LOCK_FRAMES];
	__u64 waits, failed, total_ns, max_ns; /* max_ns and the bins: the records' too */
	__u64 records, records_ns;	       /* each longer than all of its kind before it */
	__u32 bins[LOCK_BINS];
};

/* The flags are six bits. */
#define LOCK_KINDS 64

/* All waits of one kind of lock: exact, where the sites are a sample. */
struct lock_kind {
	__u64 waits, total_ns, max_ns;
};

/*
 * A call stack costs 2 us, ten times the rest, and with 40,000 waits a second that was 13 % of the
 * producers' time: after one the next may be taken when this many times its cost has passed. The
 * longest wait must not be missed, so each that is longer than all before it has its stack taken;
 * of n waits in random order those are ln n. They are kept apart: among the sample they would count
 * for many that nobody saw.
 */
#define LOCK_STACK_PERIOD 100

/* Everything about one producer, written by its own events only: nothing is shared or locked. */
struct lock_task {
	struct lock_pending pending[LOCK_NESTING];
	__u64 lost[NR_LOST];
	__u64 failed; /* ends with an error: no waits */
	__u64 next_stack_ns;
	__u64 stack[LOCK_FRAMES]; /* scratch */
	struct lock_kind kinds[LOCK_KINDS];
	struct lock_site sites[LOCK_SITES];
};

#endif
