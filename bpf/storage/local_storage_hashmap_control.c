// SPDX-License-Identifier: GPL-2.0-only
#include "bpf/storage/local_storage_hashmap_control.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bpf/map/map_args.h"
#include "bpf/storage/local_storage_hashmap_control.skel.h"
#include "lib/bench.h"
#include "lib/map.h"
#include "lib/memory.h"
#include "lib/plural.h"

struct control_args {
	uint64_t keys, nr_maps, max_entries, hash_seed;
};

#define KEYS_MAX 4194304

static const struct param params[] = {
	PARAM_NUMBER(struct control_args, keys, 1000, 1, KEYS_MAX,
		     "keys that are looked up, in no visible order"),
	PARAM_NUMBER(struct control_args, nr_maps, 1, 1, 1000, "hash maps, visited in turn"),
	PARAM_NUMBER(struct control_args, max_entries, 0, 0, KEYS_MAX,
		     "size of each map, all of it filled; 0: as many as keys"),
	PARAM_HASH_SEED(struct control_args),
	{0},
};

static const struct bench_count counts[] = {
	{"important", "lookups in the first map"},
	{"errors", "lookups that did not find the value of their key; the check wants none"},
	{0},
};

static uint64_t entries(const struct control_args *args)
{
	return args->max_entries ? args->max_entries : args->keys;
}

static int validate(const void *args, int nr_producers, struct why *why)
{
	const struct control_args *a = args;

	(void)nr_producers;
	if (a->keys <= entries(a))
		return 0;
	return why__set(why, -EINVAL, "keys=%" PRIu64 " are more than max_entries=%" PRIu64,
			a->keys, a->max_entries);
}

/* Insertion takes up to a microsecond each where memory is far: half a minute before each run. */
#define FILL_MAX (1ULL << 25)

static int check_size(struct run *run)
{
	const struct control_args *args = run->args;
	uint64_t bytes = args->nr_maps * map__hash_bytes(entries(args), sizeof(uint32_t), 0);
	char what[64];
	int err;

	snprintf(what, sizeof(what), "%" PRIu64 " map%s with %" PRIu64 " entries", args->nr_maps,
		 plural(args->nr_maps), entries(args));
	err = memory__check("/proc", bytes, what, &run->why);
	if (err || args->nr_maps * entries(args) <= FILL_MAX)
		return err;
	return why__set(&run->why, -E2BIG,
			"%s would take too long to fill: at most %llu elements in all", what,
			FILL_MAX);
}

static int set_up_maps(struct run *run, struct bpf_map *outer)
{
	const struct control_args *args = run->args;
	uint32_t flags = 0;
	int err = map_args__flags(run, true, args->hash_seed, &flags);

	/* The model that is loaded with the outer map must have its inner maps' flags. */
	err = err ?: bpf_map__set_map_flags(bpf_map__inner_map(outer), flags);
	map__note_inner(outer, run->user_data);
	return err ?: bpf_map__set_max_entries(outer, args->nr_maps);
}

static int open_control(struct run *run)
{
	const struct control_args *args = run->args;
	struct local_storage_hashmap_control_bpf *skel;
	int err = check_size(run);

	if (err)
		return err;
	skel = RUN_OPEN(run, local_storage_hashmap_control);
	if (!skel)
		return -errno;
	run->user_data = malloc(sizeof(struct map_inner));
	if (!run->user_data)
		return -ENOMEM;
	skel->rodata->nr_maps = args->nr_maps;
	skel->rodata->keys = args->keys;
	return set_up_maps(run, skel->maps.outer);
}

static void make_element(uint64_t i, void *key, uint64_t *value, const void *arg)
{
	uint32_t number = i;

	(void)arg;
	memcpy(key, &number, sizeof(number));
	*value = number;
}

static int fill_inner(int fd, const void *args)
{
	return map__fill(fd, entries(args), make_element, NULL);
}

static int arm_control(struct run *run)
{
	const struct control_args *args = run->args;
	struct local_storage_hashmap_control_bpf *skel = run->skel;

	return map__add_inner(run->obj, skel->maps.outer, run->user_data, entries(args),
			      args->nr_maps, fill_inner, args);
}

/* The program sees 32 bits of a turn's number, and begins again with map 0 when they wrap. */
static uint64_t visits_of_first(uint64_t turns, uint64_t nr_maps)
{
	uint64_t in_32_bits = ((1ULL << 32) + nr_maps - 1) / nr_maps;

	return (turns >> 32) * in_32_bits + ((uint32_t)turns + nr_maps - 1) / nr_maps;
}

static int check_control(struct run *run)
{
	const struct control_args *args = run->args;
	uint64_t errors = run__total(run, COUNT_ERRORS), important = 0;

	if (errors)
		return why__set(&run->why, -EIO,
				"%" PRIu64 " lookups did not find the value of their key", errors);
	if (run__total(run, BENCH_OPS) != run__turns(run))
		return why__set(&run->why, -EIO, "%" PRIu64 " lookups in %" PRIu64 " turns",
				run__total(run, BENCH_OPS), run__turns(run));
	for (int i = 0; i < run->nr_workers; i++)
		important += visits_of_first(run->workers[i].turns, args->nr_maps);
	if (run__total(run, COUNT_IMPORTANT) != important)
		return why__set(&run->why, -EIO,
				"%" PRIu64 " lookups in the first map, expected %" PRIu64,
				run__total(run, COUNT_IMPORTANT), important);
	return 0;
}

static void close_control(struct run *run)
{
	free(run->user_data);
}

BENCH(local_storage_hashmap_control, .name = "local-storage-hashmap-control",
      .summary = "what local-storage-get does, with hash maps in the place of task storage",
      .op = "one bpf_map_lookup_elem() in a hash map, and a look at the value",
      .aliases = (const struct bench_alias[]){{"local-storage-cache-hashmap-control",
					       "max_entries=4194304"},
					      {0}},
      .params = params, .args_size = sizeof(struct control_args), .counts = counts,
      .checked = "every lookup found its value",
      .next = "keys=10,1000,10000,100000,4194304 (beyond the caches)", .keyed = true,
      .validate = validate, .open = open_control, .arm = arm_control, .check = check_control,
      .close = close_control);
