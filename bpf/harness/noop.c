// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>

#include "bpf/harness/noop.skel.h"
#include "lib/bench.h"

struct noop_args {
	uint64_t extra;
};

/* Any odd number: the sum then shows every instruction of the chain. */
#define STEP 0x10001ULL

static const struct param params[] = {
	PARAM_NUMBER(struct noop_args, extra, 0, 0, 2047,
		     "dependent instructions to add to each operation"),
	{0},
};

static int open_noop(struct run *run)
{
	const struct noop_args *args = run->args;
	struct noop_bpf *skel = RUN_OPEN(run, noop);

	if (!skel)
		return -errno;
	skel->rodata->extra = args->extra;
	skel->rodata->step = STEP;
	return 0;
}

/* The chain is carried through the operations of a batch and added up over the batches. */
static int check_noop(struct run *run)
{
	const struct noop_args *args = run->args;
	uint64_t expected = run__total(run, BENCH_OPS) * args->extra * STEP;

	if (run__total(run, BENCH_OPS) != run__turns(run))
		return why__set(&run->why, -EIO, "%" PRIu64 " operations in %" PRIu64 " turns",
				run__total(run, BENCH_OPS), run__turns(run));
	if (run__sink(run) != expected)
		return why__set(&run->why, -EIO, "the chain summed up to %" PRIu64 ", not %" PRIu64,
				run__sink(run), expected);
	return 0;
}

BENCH(noop, .name = "noop",
      .summary =
	      "nothing, to see what the harness costs; extra=N adds a known chain of instructions",
      .op = "one turn of the loop with N dependent additions", .params = params,
      .args_size = sizeof(struct noop_args), .checked = "the chain adds up",
      .next = "extra=0,100,200 (what an instruction costs)", .open = open_noop,
      .check = check_noop);
