// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>

#include "lib/bench.h"

static struct {
	uint64_t value;
} __attribute__((aligned(128))) counter;

static void count(struct worker *worker, uint64_t iters)
{
	for (uint64_t i = 0; i < iters; i++)
		__atomic_fetch_add(&counter.value, 1, __ATOMIC_RELAXED);
	worker->io->count[BENCH_OPS] += iters;
}

static int check_counter(struct run *run)
{
	if (counter.value == run__total(run, BENCH_OPS))
		return 0;
	return why__set(&run->why, -EIO, "counted %" PRIu64 " in %" PRIu64 " operations",
			counter.value, run__total(run, BENCH_OPS));
}

BENCH(count_global, .name = "count-global",
      .summary = "atomic additions in user space, all producers to one counter",
      .op = "one atomic addition", .checked = "every addition is in the counter", .work = count,
      .check = check_counter);
