// SPDX-License-Identifier: GPL-2.0-only
#include "bpf/map/hashmap_update.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "bpf/map/hashmap_update.skel.h"
#include "bpf/map/map_args.h"
#include "lib/bench.h"

struct update_args {
	uint64_t keys, max_entries, map, prealloc, hash_seed;
};

static const struct param params[] = {
	PARAM_WORD(
		struct update_args, keys, "own|shared",
		"own: update, lookup and delete of a producer's own key; shared: all update one key"),
	PARAM_NUMBER(struct update_args, max_entries, 1000, 1, 1 << 24,
		     "size of the map, which stays empty"),
	PARAM_MAP(struct update_args),
	PARAM_PREALLOC(struct update_args),
	PARAM_HASH_SEED(struct update_args),
	{0},
};

static const struct bench_count counts[] = {
	{"errors", "map operations with a wrong result; the check wants none"},
	{0},
};

/* Deletes of elements that were allocated free them: see hashmap_full.c. */
#define FREEING_BATCH 64

static int validate(const void *args, int nr_producers, struct why *why)
{
	const struct update_args *a = args;

	if (a->keys == UPDATE_OWN && a->max_entries < (uint64_t)nr_producers)
		return why__set(why, -EINVAL,
				"max_entries=%" PRIu64 " has no room for %d producers",
				a->max_entries, nr_producers);
	return 0;
}

static int open_update(struct run *run)
{
	const struct update_args *args = run->args;
	struct hashmap_update_bpf *skel = RUN_OPEN(run, hashmap_update);
	int err;

	if (!skel)
		return -errno;
	skel->rodata->keys = args->keys;
	if (!args->prealloc)
		run->batch_max = FREEING_BATCH;
	/* The map stays empty: else it is its buckets alone. */
	err = args->prealloc ? map_args__check_room(run, args->map, args->max_entries, 0) : 0;
	return err
		       ?: map_args__apply(run, skel->maps.map, args->map, args->prealloc,
					  args->hash_seed, args->max_entries);
}

/* The shared key is there from the start: every update replaces. */
static int arm_update(struct run *run)
{
	const struct update_args *args = run->args;
	struct hashmap_update_bpf *skel = run->skel;
	int nr_cpus = libbpf_num_possible_cpus(), err;
	uint64_t *value;
	uint32_t key = 0;

	if (args->keys == UPDATE_OWN)
		return 0;
	if (nr_cpus < 0)
		return nr_cpus;
	value = calloc(nr_cpus, sizeof(*value));
	if (!value)
		return -ENOMEM;
	err = bpf_map_update_elem(bpf_map__fd(skel->maps.map), &key, value, BPF_NOEXIST);
	free(value);
	return err;
}

static int check_update(struct run *run)
{
	const struct update_args *args = run->args;
	struct hashmap_update_bpf *skel = run->skel;
	uint64_t turns = run__turns(run), per_turn = args->keys == UPDATE_OWN ? 3 : 1;
	uint32_t entries = 0, *previous = NULL, key;

	while (!bpf_map_get_next_key(bpf_map__fd(skel->maps.map), previous, &key)) {
		previous = &key;
		entries++;
	}
	if (run__total(run, COUNT_ERRORS))
		return why__set(&run->why, -EIO, "%" PRIu64 " map operations had a wrong result",
				run__total(run, COUNT_ERRORS));
	if (run__total(run, BENCH_OPS) != turns * per_turn)
		return why__set(&run->why, -EIO, "%" PRIu64 " operations in %" PRIu64 " turns",
				run__total(run, BENCH_OPS), turns);
	if (entries != (args->keys == UPDATE_SHARED))
		return why__set(&run->why, -EIO, "%u entries are left in the map", entries);
	return 0;
}

BENCH(hashmap_update, .name = "hashmap-update",
      .summary = "update a BPF hash map with room: own keys in a cycle, or all producers one key",
      .op = "one bpf_map_update_elem(), bpf_map_lookup_elem() or bpf_map_delete_elem()",
      .params = params, .args_size = sizeof(struct update_args), .counts = counts,
      .checked = "no operation went wrong", .next = "keys=shared (the bucket lock)",
      .every_cpu = true, .validate = validate, .open = open_update, .arm = arm_update,
      .check = check_update);
