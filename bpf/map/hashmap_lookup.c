// SPDX-License-Identifier: GPL-2.0-only
#include "bpf/map/hashmap_lookup.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "bpf/map/hashmap_lookup.skel.h"
#include "bpf/map/map_args.h"
#include "lib/bench.h"
#include "lib/map.h"
#include "lib/memory.h"
#include "lib/plural.h"
#include "lib/random.h"

enum { LOOP_CALLBACK, LOOP_UNROLLED };

struct lookup_args {
	uint64_t entries, max_entries, key_size, hit_pct, loop, map, prealloc, hash_seed;
};

static const struct param params[] = {
	PARAM_NUMBER(struct lookup_args, entries, 500, 1, 1 << 24, "keys that are in the map"),
	PARAM_NUMBER(struct lookup_args, max_entries, 1000, 1, 1 << 24,
		     "size of the map, which decides the number of its buckets"),
	PARAM_NUMBER(struct lookup_args, key_size, 4, 4, 1024, "bytes of a key"),
	PARAM_NUMBER(struct lookup_args, hit_pct, 100, 0, 100,
		     "share of the lookups that find their key, in percent; evenly spread"),
	PARAM_WORD(struct lookup_args, loop, "callback|unrolled",
		   "callback: one lookup per turn of the loop; unrolled: 8, which overlap"),
	PARAM_MAP(struct lookup_args),
	PARAM_PREALLOC(struct lookup_args),
	PARAM_HASH_SEED(struct lookup_args),
	{0},
};

static const struct bench_count counts[] = {
	{"hits", "lookups that found their key"},
	{"misses", "lookups that did not"},
	{0},
};

/* With fewer keys hit_pct could not be kept to within a tenth of a percent. */
#define SEQUENCE_MIN 512
#define MISS	     UINT32_MAX

/* A producer's keys, a power of two so that the program needs no division to wrap around. */
static uint64_t sequence_length(const struct lookup_args *args)
{
	uint64_t length = SEQUENCE_MIN;

	while (length < args->entries)
		length *= 2;
	return length;
}

static uint64_t hits_per_sequence(const struct lookup_args *args)
{
	return (sequence_length(args) * args->hit_pct + 50) / 100;
}

static uint64_t lookups_per_turn(const struct lookup_args *args)
{
	return args->loop == LOOP_UNROLLED ? UNROLLED_LOOKUPS : 1;
}

static const char *loop_form(const void *args)
{
	return ((const struct lookup_args *)args)->loop == LOOP_UNROLLED ? "unrolled" : "callback";
}

static int validate(const void *args, int nr_producers, struct why *why)
{
	const struct lookup_args *a = args;

	if (a->entries > a->max_entries)
		return why__set(why, -EINVAL,
				"entries=%" PRIu64 " do not fit in max_entries=%" PRIu64,
				a->entries, a->max_entries);
	/* The keys of misses count down from 2^32 and must not meet those of the entries. */
	if (sequence_length(a) * nr_producers > 1ULL << 31)
		return why__set(why, -EINVAL,
				"%d producer%s with %" PRIu64 " keys each are more than 2^31 keys",
				nr_producers, plural(nr_producers), sequence_length(a));
	return 0;
}

static int check_room(struct run *run, uint64_t nr_keys)
{
	const struct lookup_args *args = run->args;
	int nr_cpus = args->map == MAP_PERCPU_HASH ? libbpf_num_possible_cpus() : 0;
	uint64_t bytes = map__hash_bytes(args->max_entries, args->key_size, nr_cpus);

	bytes += map__array_bytes(nr_keys, args->key_size) + nr_keys * sizeof(uint32_t);
	return memory__check("/proc", bytes, "the map and the keys to look up", &run->why);
}

static int open_lookup(struct run *run)
{
	const struct lookup_args *args = run->args;
	uint64_t nr_keys = sequence_length(args) * run->nr_workers;
	int err = check_room(run, nr_keys);
	struct hashmap_lookup_bpf *skel;

	if (err)
		return err;
	skel = RUN_OPEN(run, hashmap_lookup);
	if (!skel)
		return -errno;
	skel->rodata->unrolled = args->loop == LOOP_UNROLLED;
	skel->rodata->sequence_mask = sequence_length(args) - 1;
	err = map_args__apply(run, skel->maps.map, args->map, args->prealloc, args->hash_seed,
			      args->max_entries);
	err = err ?: bpf_map__set_key_size(skel->maps.map, args->key_size);
	err = err ?: bpf_map__set_value_size(skel->maps.keys, args->key_size);
	return err ?: bpf_map__set_max_entries(skel->maps.keys, nr_keys);
}

/* The number first, and a rest that all keys have in common: the longest possible comparison. */
static void make_key(uint32_t number, char *key, const struct lookup_args *args)
{
	memcpy(key, &number, sizeof(number));
	for (uint64_t i = sizeof(number); i < args->key_size; i++)
		key[i] = i * 37 + 11;
}

static uint64_t value_of(uint32_t entry)
{
	return entry + 1ULL;
}

static void make_element(uint64_t i, void *key, uint64_t *value, const void *args)
{
	make_key(i, key, args);
	*value = value_of(i);
}

/* Every order of the entries is as likely, and the same in each run. */
static void shuffle(uint32_t *entries, uint64_t nr, uint64_t seed)
{
	for (uint64_t i = 0; i < nr; i++)
		entries[i] = i;
	for (uint64_t i = nr - 1; i > 0; i--) {
		uint64_t j = random__below(&seed, i + 1);
		uint32_t entry = entries[i];

		entries[i] = entries[j];
		entries[j] = entry;
	}
}

/*
 * Which entry each lookup of one producer finds, or MISS. Hits are as evenly spread as they can be,
 * and go through all the entries in an order of this producer's own.
 */
static int draw_sequence(const struct lookup_args *args, int producer, uint32_t *sequence)
{
	uint64_t length = sequence_length(args), hits = hits_per_sequence(args), hit = 0;
	uint32_t *entries = malloc(args->entries * sizeof(*entries));

	if (!entries)
		return -ENOMEM;
	shuffle(entries, args->entries, producer);
	for (uint64_t i = 0; i < length; i++) {
		bool hits_now = (i + 1) * hits / length > i * hits / length;

		sequence[i] = hits_now ? entries[hit++ % args->entries] : MISS;
	}
	free(entries);
	return 0;
}

/* Key number `i` of all producers together; one that is not in the map is there only once. */
static uint32_t key_number(const uint32_t *sequences, uint64_t i)
{
	return sequences[i] == MISS ? UINT32_MAX - i : sequences[i];
}

static int write_keys(struct run *run, const uint32_t *sequences, uint64_t nr)
{
	const struct lookup_args *args = run->args;
	struct hashmap_lookup_bpf *skel = run->skel;
	uint64_t size = map__array_bytes(nr, args->key_size), stride = size / nr;
	char *keys = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED,
			  bpf_map__fd(skel->maps.keys), 0);

	if (keys == MAP_FAILED)
		return -errno;
	for (uint64_t i = 0; i < nr; i++)
		make_key(key_number(sequences, i), keys + i * stride, args);
	munmap(keys, size);
	return 0;
}

static int arm_lookup(struct run *run)
{
	const struct lookup_args *args = run->args;
	struct hashmap_lookup_bpf *skel = run->skel;
	uint64_t length = sequence_length(args);
	uint32_t *sequences = malloc(length * run->nr_workers * sizeof(*sequences));
	int err = sequences ? 0 : -ENOMEM;

	run->user_data = sequences;
	for (int i = 0; !err && i < run->nr_workers; i++)
		err = draw_sequence(args, i, sequences + i * length);
	err = err ?: write_keys(run, sequences, length * run->nr_workers);
	return err ?: map__fill(bpf_map__fd(skel->maps.map), args->entries, make_element, args);
}

struct found {
	uint64_t hits, values;
};

static void add_prefix(const uint32_t *sequence, uint64_t nr_keys, struct found *found)
{
	for (uint64_t i = 0; i < nr_keys; i++) {
		if (sequence[i] == MISS)
			continue;
		found->hits++;
		found->values += value_of(sequence[i]);
	}
}

/* What the keys say: whole passes, and the part of one. */
static struct found expect(const uint32_t *sequence, uint64_t length, uint64_t lookups)
{
	struct found found = {0};

	add_prefix(sequence, length, &found);
	found.hits *= lookups / length;
	found.values *= lookups / length;
	add_prefix(sequence, lookups % length, &found);
	return found;
}

static int check_producer(struct run *run, const struct worker *worker)
{
	const struct lookup_args *args = run->args;
	uint64_t length = sequence_length(args), lookups = worker->turns * lookups_per_turn(args);
	const uint32_t *sequence = (const uint32_t *)run->user_data + worker->index * length;
	uint64_t hits = worker->io->count[COUNT_HITS], misses = worker->io->count[COUNT_MISSES];
	struct found expected = expect(sequence, length, lookups);

	if (worker->io->count[BENCH_OPS] != lookups || hits + misses != lookups)
		return why__set(&run->why, -EIO,
				"producer %d: %" PRIu64 " hits + %" PRIu64
				" misses are not %" PRIu64 " lookups",
				worker->index, hits, misses, lookups);
	if (hits != expected.hits)
		return why__set(&run->why, -EIO,
				"producer %d: %" PRIu64 " hits, but its keys make %" PRIu64,
				worker->index, hits, expected.hits);
	if (worker->io->count[COUNT_VALUES] != expected.values)
		return why__set(&run->why, -EIO, "producer %d found values of other keys",
				worker->index);
	return 0;
}

static int check_lookup(struct run *run)
{
	int err = 0;

	for (int i = 0; !err && i < run->nr_workers; i++)
		err = check_producer(run, &run->workers[i]);
	return err;
}

static void close_lookup(struct run *run)
{
	free(run->user_data);
}

BENCH(hashmap_lookup, .name = "hashmap-lookup",
      .summary = "look up keys in a BPF hash map; a part of them may be absent",
      .op = "one bpf_map_lookup_elem() and a read of the value",
      .aliases = (const struct bench_alias[]){{"bpf-hashmap-lookup", NULL}, {0}}, .params = params,
      .args_size = sizeof(struct lookup_args), .counts = counts, .loop_form = loop_form,
      .checked = "hits and values are those of the keys",
      .next = "loop=callback,unrolled (latency against throughput)", .every_cpu = true,
      .keyed = true, .validate = validate, .open = open_lookup, .arm = arm_lookup,
      .check = check_lookup, .close = close_lookup);
