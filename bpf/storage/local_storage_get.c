// SPDX-License-Identifier: GPL-2.0-only
#include "bpf/storage/local_storage_get.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "bpf/storage/local_storage_get.skel.h"
#include "lib/bench.h"
#include "lib/map.h"

struct get_args {
	uint64_t nr_maps, order;
};

static const struct param params[] = {
	PARAM_NUMBER(struct get_args, nr_maps, 1, 1, 1000,
		     "task storage maps, each with a value for the producer"),
	PARAM_WORD(struct get_args, order, "sequential|interleaved",
		   "sequential: map after map; interleaved: after every third the first once more"),
	{0},
};

static const struct bench_count counts[] = {
	{"important", "gets from the first map, which interleaved order visits most often"},
	{"errors", "gets that returned nothing; the check wants none"},
	{0},
};

static int open_get(struct run *run)
{
	const struct get_args *args = run->args;
	struct local_storage_get_bpf *skel = RUN_OPEN(run, local_storage_get);

	if (!skel)
		return -errno;
	run->user_data = malloc(sizeof(struct map_inner));
	if (!run->user_data)
		return -ENOMEM;
	map__note_inner(skel->maps.storages, run->user_data);
	skel->rodata->order = args->order;
	skel->rodata->nr_maps = args->nr_maps;
	/* The first get of each map makes the value, and all later ones have longer to search. */
	run->prime = args->nr_maps;
	return bpf_map__set_max_entries(skel->maps.storages, args->nr_maps);
}

static int arm_get(struct run *run)
{
	const struct get_args *args = run->args;
	struct local_storage_get_bpf *skel = run->skel;

	return map__add_inner(run->obj, skel->maps.storages, run->user_data, 0, args->nr_maps, NULL,
			      NULL);
}

/* Of the numbers below `n`, those that leave `i` after a division by `divisor`. */
static uint64_t with_remainder(uint64_t n, uint64_t i, uint64_t divisor)
{
	return n / divisor + (i < n % divisor);
}

/* How often the program came to map `i` in its own turn; it sees 32 bits of the turn's number. */
static uint64_t visits(uint64_t turns, uint64_t i, uint64_t nr_maps)
{
	return (turns >> 32) * with_remainder(1ULL << 32, i, nr_maps) +
	       with_remainder((uint32_t)turns, i, nr_maps);
}

/* 1 + 2 + ... + n, modulo 2^64 as the program adds. */
static uint64_t sum_to(uint64_t n)
{
	return n % 2 ? (n + 1) / 2 * n : n / 2 * (n + 1);
}

struct expected {
	uint64_t gets, important, values;
};

static struct expected expect(const struct get_args *args, uint64_t turns)
{
	struct expected expected = {.important = visits(turns, 0, args->nr_maps)};

	if (args->order == ORDER_INTERLEAVED)
		for (uint64_t i = 0; i < args->nr_maps; i += INTERLEAVE)
			expected.important += visits(turns, i, args->nr_maps);
	expected.gets = expected.important;
	expected.values = sum_to(expected.important);
	for (uint64_t i = 1; i < args->nr_maps; i++) {
		uint64_t gets = visits(turns, i, args->nr_maps);

		expected.gets += gets;
		expected.values += sum_to(gets);
	}
	return expected;
}

static int check_producer(struct run *run, const struct worker *worker)
{
	struct expected expected = expect(run->args, worker->turns);
	uint64_t gets = worker->io->count[BENCH_OPS];
	uint64_t important = worker->io->count[COUNT_IMPORTANT];
	uint64_t errors = worker->io->count[COUNT_ERRORS];

	if (errors)
		return why__set(&run->why, -EIO, "producer %d: %" PRIu64 " gets returned nothing",
				worker->index, errors);
	if (gets != expected.gets || important != expected.important)
		return why__set(&run->why, -EIO,
				"producer %d: %" PRIu64 " gets, %" PRIu64
				" of the important map; expected %" PRIu64 " and %" PRIu64,
				worker->index, gets, important, expected.gets, expected.important);
	if (worker->io->count[COUNT_VALUES] != expected.values)
		return why__set(&run->why, -EIO,
				"producer %d: the values do not count its gets of each map",
				worker->index);
	return 0;
}

static int check_get(struct run *run)
{
	int err = 0;

	for (int i = 0; !err && i < run->nr_workers; i++)
		err = check_producer(run, &run->workers[i]);
	return err;
}

static void close_get(struct run *run)
{
	free(run->user_data);
}

BENCH(local_storage_get, .name = "local-storage-get",
      .summary = "get a task's own value from many task storage maps in turn",
      .op = "one bpf_task_storage_get(), and the value raised by one",
      .aliases = (const struct bench_alias[]){{"local-storage-cache-seq-get",
					       "order=sequential nr_maps=1000"},
					      {"local-storage-cache-int-get",
					       "order=interleaved nr_maps=1000"},
					      {0}},
      .params = params, .args_size = sizeof(struct get_args), .counts = counts,
      .checked = "every value counts its gets", .next = "nr_maps=1,10,16,17,24,32 (the cliff)",
      .keyed = true, .open = open_get, .arm = arm_get, .check = check_get, .close = close_get);
