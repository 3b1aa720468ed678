// SPDX-License-Identifier: GPL-2.0-only
#include "bpf/map/bloom.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "bpf/map/bloom.skel.h"
#include "bpf/map/map_args.h"
#include "lib/bench.h"
#include "lib/memory.h"
#include "lib/pulse.h"
#include "lib/random.h"

#define MAX_VALUE_SIZE 256

struct bloom_args {
	uint64_t op, nr_hash, value_size, entries, hash_seed;
};

static const struct param params[] = {
	PARAM_WORD(struct bloom_args, op, "lookup|update|false-positive",
		   "lookup: values that are in; update: add values; false-positive: values that "
		   "were never added"),
	PARAM_NUMBER(struct bloom_args, nr_hash, 3, 1, 15, "hash functions"),
	PARAM_NUMBER(struct bloom_args, value_size, 8, 2, MAX_VALUE_SIZE, "bytes of a value"),
	PARAM_NUMBER(struct bloom_args, entries, 1000, 1, 1 << 23,
		     "values added, and size of the filter"),
	PARAM_HASH_SEED(struct bloom_args),
	{0},
};

static const struct bench_count counts[] = {
	{"found", "lookups that found their value, rightly or not"},
	{"errors", "values that could not be added; the check wants none"},
	{0},
};

static const struct metric metrics[] = {
	{"false_positive", "ratio", BETTER_LOWER, "scalar", METRIC_REPEATABLE,
	 "values found although they were never added / lookups; with op=false-positive",
	 .absent = METRIC_UNASKED ": needs op=false-positive"},
	{0},
};

/* Values that are never added: they go by in some 10 ms, and resolve a rate of 0.01 %. */
static uint64_t nr_absent(const struct bloom_args *args)
{
	if (args->op != BLOOM_FALSE_POSITIVE)
		return 0;
	return args->value_size == 2 ? 1 << 15 : 1 << 16;
}

/* A power of two, so that an input is chosen without a division; some values are there twice. */
static uint64_t nr_rows(const struct bloom_args *args)
{
	uint64_t rows = nr_absent(args) ?: 1;

	while (!nr_absent(args) && rows < args->entries)
		rows *= 2;
	return rows;
}

static size_t stride(const struct bloom_args *args)
{
	return (args->value_size + 7) / 8 * 8;
}

static int validate(const void *args, int nr_producers, struct why *why)
{
	const struct bloom_args *a = args;
	uint64_t values = a->entries + nr_absent(a);

	(void)nr_producers;
	if (a->value_size < 4 && values > 1ULL << (8 * a->value_size))
		return why__set(why, -EINVAL,
				"there are no %" PRIu64 " different values of %" PRIu64 " bytes",
				values, a->value_size);
	return 0;
}

/* As the kernel sizes it: the next power of two from entries x functions / ln 2 on, in bits. */
static uint64_t filter_bytes(const struct bloom_args *args)
{
	uint64_t wanted = args->entries * args->nr_hash * 7 / 5, bits = 64;

	while (bits < wanted)
		bits *= 2;
	return bits / 8;
}

static int open_bloom(struct run *run)
{
	const struct bloom_args *args = run->args;
	uint64_t rows = nr_rows(args);
	struct bloom_bpf *skel = RUN_OPEN(run, bloom);
	int err;

	if (!skel)
		return -errno;
	skel->rodata->what = args->op;
	skel->rodata->mask = rows - 1;
	skel->rodata->spread = rows / run->nr_workers;
	err = memory__check("/proc", filter_bytes(args) + rows * stride(args),
			    "the filter and its values", &run->why);
	err = err ?: bpf_map__set_value_size(skel->maps.inputs, args->value_size);
	err = err ?: bpf_map__set_max_entries(skel->maps.inputs, rows);
	err = err ?: bpf_map__set_value_size(skel->maps.bloom, args->value_size);
	err = err ?: bpf_map__set_map_extra(skel->maps.bloom, args->nr_hash);
	return err
		       ?: map_args__apply(run, skel->maps.bloom, MAP_HASH, 1, args->hash_seed,
					  args->entries);
}

/*
 * Value number n. An odd factor maps the numbers below 2^8k one to one to k bytes: no two values
 * are equal. The bytes after the fourth only have to look like something.
 */
static void make_value(uint8_t *value, size_t size, uint32_t n)
{
	uint32_t start = n * 0x9e3779b1U;
	uint64_t state = n, more = 0;

	for (size_t i = 0; i < size; i++) {
		if (i >= 4 && i % 8 == 4)
			more = random__next(&state);
		value[i] = i < 4 ? start >> (8 * i) : more >> (8 * ((i - 4) % 8));
	}
}

/* Rows hold the values that are added, again and again, or those that never are. */
static void fill_inputs(const struct bloom_args *args, uint8_t *inputs)
{
	for (uint64_t row = 0; row < nr_rows(args); row++)
		make_value(inputs + row * stride(args), args->value_size,
			   nr_absent(args) ? args->entries + row : row % args->entries);
}

static int fill_filter(const struct bloom_args *args, int map_fd)
{
	uint8_t value[MAX_VALUE_SIZE];
	int err = 0;

	for (uint32_t n = 0; !err && n < args->entries; n++) {
		make_value(value, args->value_size, n);
		err = bpf_map_update_elem(map_fd, NULL, value, BPF_ANY);
		pulse__beat();
	}
	return err;
}

/* With op=update the filter is empty at first: that its bits are set is then this run's work. */
static int arm_bloom(struct run *run)
{
	const struct bloom_args *args = run->args;
	struct bloom_bpf *skel = run->skel;
	void *inputs = mmap(NULL, nr_rows(args) * stride(args), PROT_READ | PROT_WRITE, MAP_SHARED,
			    bpf_map__fd(skel->maps.inputs), 0);

	if (inputs == MAP_FAILED)
		return -errno;
	run->user_data = inputs;
	fill_inputs(args, inputs);
	return args->op == BLOOM_UPDATE ? 0 : fill_filter(args, bpf_map__fd(skel->maps.bloom));
}

static bool in_filter(const struct run *run, uint64_t row)
{
	const struct bloom_bpf *skel = run->skel;
	uint8_t *inputs = run->user_data;

	return !bpf_map_lookup_elem(bpf_map__fd(skel->maps.bloom), NULL,
				    inputs + row * stride(run->args));
}

/* How many turns of this producer had this row as their input. */
static uint64_t visits(const struct run *run, const struct worker *worker, uint64_t row)
{
	uint64_t rows = nr_rows(run->args), first = worker->index * (rows / run->nr_workers);
	uint64_t turn = (row - first) & (rows - 1);

	return turn < worker->turns ? (worker->turns - turn - 1) / rows + 1 : 0;
}

static int check_update(struct run *run)
{
	for (uint64_t row = 0; row < nr_rows(run->args); row++) {
		uint64_t added = 0;

		for (int i = 0; !added && i < run->nr_workers; i++)
			added = visits(run, &run->workers[i], row);
		if (added && !in_filter(run, row))
			return why__set(&run->why, -EIO,
					"value %" PRIu64 " was added and is not found", row);
	}
	return 0;
}

/* The filter no longer changes: user space finds the same values, and knows how often each went by. */
static int check_false_positive(struct run *run)
{
	uint64_t expected = 0, found = run__total(run, COUNT_FOUND);

	for (uint64_t row = 0; row < nr_rows(run->args); row++)
		for (int i = 0; in_filter(run, row) && i < run->nr_workers; i++)
			expected += visits(run, &run->workers[i], row);
	if (found != expected)
		return why__set(&run->why, -EIO,
				"%" PRIu64 " false positives, but by user space's lookups %" PRIu64,
				found, expected);
	return 0;
}

static int check_bloom(struct run *run)
{
	const struct bloom_args *args = run->args;
	uint64_t ops = run__total(run, BENCH_OPS), found = run__total(run, COUNT_FOUND);

	if (ops != run__turns(run) || run__total(run, COUNT_ERRORS))
		return why__set(&run->why, -EIO,
				"%" PRIu64 " operations and %" PRIu64 " errors in %" PRIu64
				" turns",
				ops, run__total(run, COUNT_ERRORS), run__turns(run));
	if (args->op == BLOOM_UPDATE)
		return check_update(run);
	if (args->op == BLOOM_FALSE_POSITIVE)
		return check_false_positive(run);
	if (found != ops)
		return why__set(&run->why, -EIO, "%" PRIu64 " false negatives", ops - found);
	return 0;
}

static void bloom_values(const struct run *run, int first, int last, json_t *values)
{
	const struct bloom_args *args = run->args;
	double found = run__delta(run, COUNT_FOUND, first, last);
	double ops = run__delta(run, BENCH_OPS, first, last);
	bool defined = args->op == BLOOM_FALSE_POSITIVE && ops;

	json_object_set_new(values, "false_positive",
			    defined ? json_real(found / ops) : json_null());
}

static void close_bloom(struct run *run)
{
	if (run->user_data)
		munmap(run->user_data, nr_rows(run->args) * stride(run->args));
}

BENCH(bloom, .name = "bloom", .summary = "look up and add values of a BPF bloom filter",
      .op = "one bpf_map_peek_elem() or bpf_map_push_elem()",
      .aliases = (const struct bench_alias[]){{"bloom-lookup", "op=lookup"},
					      {"bloom-update", "op=update"},
					      {"bloom-false-positive", "op=false-positive"},
					      {0}},
      .params = params, .args_size = sizeof(struct bloom_args), .counts = counts,
      .checked = "no false negative, no unexplained positive", .metrics = metrics,
      .values = bloom_values, .keyed = true,
      .next = "op=false-positive nr_hash=1,3,5,10 (what a hash function buys)",
      .validate = validate, .open = open_bloom, .arm = arm_bloom, .check = check_bloom,
      .close = close_bloom);
