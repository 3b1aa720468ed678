// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "lib/bench.h"

enum { PAD_128, PAD_8 };

struct count_args {
	uint64_t pad;
};

static const struct param params[] = {
	PARAM_WORD(struct count_args, pad, "128|8",
		   "bytes from one counter to the next; 8 makes them share a cache line"),
	{0},
};

/* Bytes between the counters of two producers. */
static size_t stride(const struct run *run)
{
	const struct count_args *args = run->args;

	return args->pad == PAD_8 ? 8 : 128;
}

static int arm_counters(struct run *run)
{
	char *counters = aligned_alloc(128, 128UL * run->nr_workers);

	if (!counters)
		return -ENOMEM;
	for (int i = 0; i < run->nr_workers; i++)
		*(uint64_t *)(counters + i * stride(run)) = 0;
	run->user_data = counters;
	return 0;
}

static uint64_t *counter_of(const struct run *run, int i)
{
	return (uint64_t *)((char *)run->user_data + i * stride(run));
}

static void count(struct worker *worker, uint64_t iters)
{
	uint64_t *counter = counter_of(worker->run, worker->index);

	for (uint64_t i = 0; i < iters; i++)
		__atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
	worker->io->count[BENCH_OPS] += iters;
}

static int check_counters(struct run *run)
{
	for (int i = 0; i < run->nr_workers; i++) {
		uint64_t ops = run->workers[i].io->count[BENCH_OPS];

		if (*counter_of(run, i) != ops)
			return why__set(&run->why, -EIO,
					"producer %d counted %" PRIu64 " in %" PRIu64 " operations",
					i, *counter_of(run, i), ops);
	}
	return 0;
}

static void free_counters(struct run *run)
{
	free(run->user_data);
}

BENCH(count_local, .name = "count-local",
      .summary = "atomic additions in user space, each producer to its own counter",
      .op = "one atomic addition", .params = params, .args_size = sizeof(struct count_args),
      .checked = "every addition is in the counter", .next = "pad=128,8 (false sharing)",
      .arm = arm_counters, .work = count, .check = check_counters, .close = free_counters);
