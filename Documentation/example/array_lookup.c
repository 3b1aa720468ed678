// SPDX-License-Identifier: GPL-2.0-only
#include <bpf/bpf.h>
#include <errno.h>
#include <inttypes.h>

#include "bpf/map/array_lookup.skel.h"
#include "lib/bench.h"

enum { COUNT_RIGHT = 1 };

struct lookup_args {
	uint64_t max_entries;
};

static const struct param params[] = {
	PARAM_NUMBER(struct lookup_args, max_entries, 1024, 1, 1 << 24,
		     "elements of the array, read in a scattered order"),
	{0},
};

static const struct bench_count counts[] = {
	{"right", "lookups that found the value of their key"},
	{0},
};

static int open_lookup(struct run *run)
{
	const struct lookup_args *args = run->args;
	struct array_lookup_bpf *skel = RUN_OPEN(run, array_lookup);

	if (!skel)
		return -errno;
	skel->rodata->max_entries = args->max_entries;
	return bpf_map__set_max_entries(skel->maps.array, args->max_entries);
}

/* Never 0: an element that nobody wrote would pass for a right one. */
static int fill_array(struct run *run)
{
	const struct lookup_args *args = run->args;
	struct array_lookup_bpf *skel = run->skel;
	int err = 0;

	for (uint32_t key = 0; !err && key < args->max_entries; key++) {
		uint64_t value = key + 1ULL;

		err = bpf_map_update_elem(bpf_map__fd(skel->maps.array), &key, &value, BPF_ANY);
	}
	return err;
}

static int check_lookup(struct run *run)
{
	uint64_t ops = run__total(run, BENCH_OPS), right = run__total(run, COUNT_RIGHT);

	if (ops == run__turns(run) && right == ops)
		return 0;
	return why__set(&run->why, -EIO,
			"%" PRIu64 " turns, %" PRIu64 " operations, %" PRIu64 " right values",
			run__turns(run), ops, right);
}

BENCH(array_lookup, .name = "array-lookup", .summary = "look up elements of a BPF array",
      .op = "one bpf_map_lookup_elem() and a comparison of the value", .params = params,
      .args_size = sizeof(struct lookup_args), .counts = counts,
      .checked = "every lookup found its value", .next = "max_entries=1k,1M,16M (caches)",
      .keyed = true, .open = open_lookup, .arm = fill_array, .check = check_lookup);
