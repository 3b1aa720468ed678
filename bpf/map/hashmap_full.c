// SPDX-License-Identifier: GPL-2.0-only
#include "bpf/map/hashmap_full.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "bpf/map/hashmap_full.skel.h"
#include "bpf/map/map_args.h"
#include "lib/bench.h"
#include "lib/pulse.h"

struct full_args {
	uint64_t keys, max_entries, map, prealloc, hash_seed, churn;
};

static const struct param params[] = {
	PARAM_WORD(
		struct full_args, keys, "absent|one|random",
		"absent: 4096 per producer, none in the map; one: a key per producer; random: any u32"),
	PARAM_NUMBER(struct full_args, max_entries, 1000, 1, 1 << 24,
		     "size of the map, all of it filled"),
	PARAM_MAP(struct full_args),
	PARAM_PREALLOC(struct full_args),
	PARAM_HASH_SEED(struct full_args),
	PARAM_NUMBER(struct full_args, churn, 0, 0, 1000,
		     "oldest own keys that each producer deletes per 1,000 attempts"),
	{0},
};

static const struct bench_count counts[] = {
	{"failed", "updates that failed with -E2BIG"},
	{"inserted", "updates that made a new element"},
	{"hits", "updates of a key that was there"},
	{"deleted", "deletes, with churn"},
	{"other", "updates and deletes with any other result; the check wants none"},
	{0},
};

/* A map that frees while it is measured holds its RCU reader open for a whole batch. */
#define FREEING_BATCH 64

static int validate(const void *args, int nr_producers, struct why *why)
{
	const struct full_args *a = args;
	uint64_t keys = a->keys == KEYS_ONE ? 1 : KEYS_PER_PRODUCER;

	if (a->churn && a->keys == KEYS_ONE)
		return why__set(why, -EINVAL,
				"churn with keys=one would empty the map: a producer has "
				"one key to insert, and deletes others");
	if (a->churn && a->keys == KEYS_ABSENT && keys * nr_producers <= a->max_entries)
		return why__set(why, -EINVAL,
				"churn needs more keys than entries: %d producers have %" PRIu64
				" keys (keys=random has 2^32)",
				nr_producers, keys * nr_producers);
	return 0;
}

/* Room for all the entries, since one producer may come to own them all. */
static uint64_t queue_size(const struct full_args *args)
{
	uint64_t size = 1;

	while (size <= args->max_entries)
		size *= 2;
	return args->churn ? size : 1;
}

static int open_full(struct run *run)
{
	const struct full_args *args = run->args;
	struct hashmap_full_bpf *skel = RUN_OPEN(run, hashmap_full);
	uint64_t size = queue_size(args);
	int err;

	if (!skel)
		return -errno;
	skel->rodata->keys = args->keys;
	skel->rodata->first_absent = args->max_entries;
	skel->rodata->churn = args->churn;
	skel->rodata->queue_mask = size - 1;
	if (args->churn && !args->prealloc)
		run->batch_max = FREEING_BATCH;
	if (size * run->nr_workers > UINT32_MAX)
		return why__set(&run->why, -E2BIG, "%d queues of %" PRIu64 " keys are too many",
				run->nr_workers, size);
	err = map_args__check_room(run, args->map, args->max_entries,
				   map__array_bytes(size * run->nr_workers, sizeof(uint32_t)));
	err = err
		      ?: map_args__apply(run, skel->maps.full, args->map, args->prealloc,
					 args->hash_seed, args->max_entries);
	err = err ?: bpf_map__set_max_entries(skel->maps.producers, run->nr_workers);
	return err ?: bpf_map__set_max_entries(skel->maps.queues, size * run->nr_workers);
}

/* With churn the prefilled keys are dealt out like cards, so that every producer has old ones. */
static int deal(struct hashmap_full_bpf *skel, const struct run *run, uint32_t key,
		struct hashmap_full_queue *queues)
{
	uint32_t owner = key % run->nr_workers;
	uint32_t place = owner * queue_size(run->args) + queues[owner].tail++;

	return bpf_map_update_elem(bpf_map__fd(skel->maps.queues), &place, &key, BPF_ANY);
}

static int fill(struct run *run, struct hashmap_full_queue *queues)
{
	const struct full_args *args = run->args;
	struct hashmap_full_bpf *skel = run->skel;
	int nr_cpus = libbpf_num_possible_cpus();
	uint64_t *value = nr_cpus > 0 ? calloc(nr_cpus, sizeof(*value)) : NULL;
	int err = value ? 0 : nr_cpus > 0 ? -ENOMEM : nr_cpus;

	for (uint32_t key = 0; !err && key < args->max_entries; key++) {
		err = bpf_map_update_elem(bpf_map__fd(skel->maps.full), &key, value, BPF_NOEXIST);
		pulse__beat();
		if (!err && args->churn)
			err = deal(skel, run, key, queues);
	}
	free(value);
	return err;
}

static int arm_full(struct run *run)
{
	struct hashmap_full_bpf *skel = run->skel;
	size_t size = run->nr_workers * sizeof(struct hashmap_full_queue);
	struct hashmap_full_queue *queues =
		aligned_alloc(_Alignof(struct hashmap_full_queue), size);
	int err;

	if (!queues)
		return -ENOMEM;
	for (int i = 0; i < run->nr_workers; i++)
		queues[i] = (struct hashmap_full_queue){0};
	err = fill(run, queues);
	for (uint32_t i = 0; !err && i < (uint32_t)run->nr_workers; i++)
		err = bpf_map_update_elem(bpf_map__fd(skel->maps.producers), &i, &queues[i],
					  BPF_ANY);
	free(queues);
	return err;
}

static int64_t count_entries(int map_fd)
{
	uint32_t key, *previous = NULL;
	int64_t entries = 0;

	while (!bpf_map_get_next_key(map_fd, previous, &key)) {
		previous = &key;
		entries++;
		pulse__beat();
	}
	return entries;
}

/* Random keys hit each entry with probability 2^-32: binomial, so six sigma either way. */
static int check_hits(struct run *run, uint64_t attempts, uint64_t hits)
{
	const struct full_args *args = run->args;
	double mean = args->keys == KEYS_RANDOM ? attempts * (args->max_entries / 0x1p32) : 0;

	if (fabs(hits - mean) <= 6 * sqrt(mean) + (mean > 0))
		return 0;
	return why__set(&run->why, -EIO, "%" PRIu64 " hits in %" PRIu64 " attempts, expected %.1f",
			hits, attempts, mean);
}

static int check_full(struct run *run)
{
	const struct full_args *args = run->args;
	struct hashmap_full_bpf *skel = run->skel;
	uint64_t failed = run__total(run, COUNT_FAILED), inserted = run__total(run, COUNT_INSERTED);
	uint64_t hits = run__total(run, COUNT_HITS), deleted = run__total(run, COUNT_DELETED);
	uint64_t attempts = run__turns(run), entries = count_entries(bpf_map__fd(skel->maps.full));

	if (run__total(run, COUNT_OTHER))
		return why__set(&run->why, -EIO, "%" PRIu64 " operations had an unexpected result",
				run__total(run, COUNT_OTHER));
	if (failed + inserted + hits != attempts)
		return why__set(&run->why, -EIO,
				"%" PRIu64 " failed + %" PRIu64 " inserted + %" PRIu64
				" hits are not %" PRIu64 " attempts",
				failed, inserted, hits, attempts);
	if (run__total(run, BENCH_OPS) != attempts + deleted)
		return why__set(&run->why, -EIO,
				"%" PRIu64 " operations, but %" PRIu64 " attempts and %" PRIu64
				" deletes",
				run__total(run, BENCH_OPS), attempts, deleted);
	if (args->max_entries + inserted - deleted != entries)
		return why__set(&run->why, -EIO,
				"%" PRIu64 " entries in the map, expected %" PRIu64, entries,
				args->max_entries + inserted - deleted);
	return args->churn ? 0 : check_hits(run, attempts, hits);
}

BENCH(hashmap_full, .name = "hashmap-full",
      .summary = "update a BPF hash map that is full, so that the updates must fail",
      .op = "one bpf_map_update_elem(), and with churn one bpf_map_delete_elem()",
      .aliases = (const struct bench_alias[]){{"bpf-hashmap-full-update", "keys=one"},
					      {"bpf-hashmap-ful-update", "keys=one"},
					      {0}},
      .params = params, .args_size = sizeof(struct full_args), .counts = counts,
      .checked = "updates and map agree", .next = "churn=100 (the production case)",
      .every_cpu = true, .keyed = true, .validate = validate, .open = open_full, .arm = arm_full,
      .check = check_full);
