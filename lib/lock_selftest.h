/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_LOCK_SELFTEST_H
#define BPFPERF_LIB_LOCK_SELFTEST_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/why.h"

/*
 * Can a wait for a spinlock be observed here? Two things make the tracepoint
 * lock:contention_begin silent: a guest without paravirtual spinlocks spins on a test-and-set
 * loop that has no tracepoint at all, and on bare metal the first waiter spins on the pending bit
 * before it. Kernel versions do not tell, so it is tried: some pinned threads update one key of a
 * BPF hash map, and the events of their bucket lock are counted.
 */
enum lock_observability { LOCKS_OBSERVABLE, LOCKS_UNDECIDED, LOCKS_NOT_OBSERVABLE };

struct lock_verdict {
	enum lock_observability status;
	bool lower_bound;	  /* events exist, but not for the first waiter */
	uint64_t events, updates; /* seen and made in the test */
	int threads;
	char detail[160]; /* one line, lower case */
};

/* At most LOCK_SELFTEST_MS after the load. -EPERM and others with `why`: could not be tried. */
int lock_selftest__run(struct lock_verdict *ret, struct why *why);
#define LOCK_SELFTEST_MS 100

/*
 * The judgement alone, from what was seen: `cpus` that threads were pinned to, and whether this
 * is a guest whose hypervisor offers no paravirtual spinlocks.
 */
void lock_verdict__judge(struct lock_verdict *verdict, int cpus, bool virtual_spinlock,
			 bool pv_spinlock);

/* {"status": "observable"|"undecided"|"not observable", "lower_bound", "events", "updates", "threads", "detail"} */
json_t *lock_verdict__json(const struct lock_verdict *verdict);

#endif
