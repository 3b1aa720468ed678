// SPDX-License-Identifier: GPL-2.0-only
#include "bpf/ringbuf/ringbuf.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "bpf/ringbuf/ringbuf.skel.h"
#include "lib/bench.h"
#include "lib/memory.h"
#include "lib/plan.h"
#include "lib/plural.h"

enum { CONSUMER_LIBBPF, CONSUMER_NONE };

struct ringbuf_args {
	uint64_t consumer, op, sample_rate, ring_size;
};

static const struct param params[] = {
	PARAM_WORD(struct ringbuf_args, consumer, "libbpf|none",
		   "libbpf: a thread reads the ring; none: emptied unread between the batches"),
	PARAM_WORD(struct ringbuf_args, op, "reserve|output",
		   "reserve: bpf_ringbuf_reserve() and _submit(); output: bpf_ringbuf_output()"),
	PARAM_NUMBER(struct ringbuf_args, sample_rate, 0, 0, 1 << 20,
		     "wake the consumer at every Nth record; 0, 1: when the kernel thinks best"),
	PARAM_NUMBER(struct ringbuf_args, ring_size, 512 << 10, 4096, 1 << 30,
		     "bytes of the ring, a power of two; a record takes 16"),
	{0},
};

static const struct bench_count counts[] = {
	{"dropped", "records for which there was no room; they are no operations"},
	{0},
};

static const struct metric metrics[] = {
	{"dropped_share", "ratio", BETTER_LOWER, "scalar", METRIC_NOISY,
	 "records for which there was no room / records tried"},
	{"wakeups_per_op", "1/op", BETTER_NONE, "scalar", METRIC_NOISY,
	 "times that the consumer slept and was woken / records it read",
	 .absent = METRIC_UNASKED ": needs consumer=libbpf"},
	{0},
};

/*
 * Records per trigger with a reader, as in the kernel's bench. More would say less: a batch of the
 * whole ring has lost some before the reader is awake.
 */
#define READ_BATCH 500

/* The reader returns to the harness after so many, and when nothing came for so long. */
#define READ_MAX     65536
#define READ_WAIT_MS 10

/* Without a reader there is room for every record, unless a producer was stopped within one. */
#define DROPPED_PERCENT_MAX 1

/* What the reader had done by a tick. */
struct read_row {
	uint64_t consumed, wakeups;
};

struct ring {
	unsigned long *consumer_pos;
	unsigned long *producer_pos; /* mapped read-only */
	size_t page;

	/* the consumer's own, until it was joined; NULL and 0 without one */
	struct ring_buffer *reader;
	uint64_t sum, consumed, timeouts;
	int got; /* by this call */
	struct read_row *rows;
	int row;
};

static int validate(const void *args, int nr_producers, struct why *why)
{
	const struct ringbuf_args *a = args;
	uint64_t page = sysconf(_SC_PAGESIZE), room = a->ring_size / RINGBUF_RECORD_BYTES - 1;

	if (a->ring_size & (a->ring_size - 1) || a->ring_size < page)
		return why__set(why, -EINVAL,
				"ring_size=%" PRIu64 " is no power of two from %" PRIu64 " on",
				a->ring_size, page);
	if (a->consumer == CONSUMER_LIBBPF && a->sample_rate * nr_producers > room)
		return why__set(why, -EINVAL,
				"sample_rate=%" PRIu64 ": the ring is full with %" PRIu64
				" records, before the consumer is woken",
				a->sample_rate, room);
	return 0;
}

/* A ring has one reader's position: two threads would read each record twice. */
static int nr_consumers(const void *args)
{
	const struct ringbuf_args *a = args;

	return a->consumer == CONSUMER_LIBBPF;
}

static int limit_batch(struct run *run)
{
	const struct ringbuf_args *args = run->args;

	if (args->consumer == CONSUMER_LIBBPF) {
		run->batch = run->batch ?: READ_BATCH;
		json_object_set_new(run->resolved, "batch", json_integer(run->batch));
		return 0;
	}
	run->batch_max = (args->ring_size / RINGBUF_RECORD_BYTES - 1) / run->point->nr_producers;
	if (!run->batch_max || run->batch > run->batch_max)
		return why__set(&run->why, -EINVAL,
				"nobody reads the ring during a batch, and it has room for %" PRIu64
				" records of each of %d producer%s",
				run->batch_max, run->point->nr_producers,
				plural(run->point->nr_producers));
	return 0;
}

static int open_ringbuf(struct run *run)
{
	const struct ringbuf_args *args = run->args;
	struct ringbuf_bpf *skel = RUN_OPEN(run, ringbuf);
	int err;

	if (!skel)
		return -errno;
	skel->rodata->put_with = args->op;
	skel->rodata->sample_rate = args->sample_rate;
	err = limit_batch(run);
	err = err ?: memory__check("/proc", args->ring_size, "the ring", &run->why);
	return err ?: bpf_map__set_max_entries(skel->maps.ring, args->ring_size);
}

/* The two first pages of a ring hold the positions; that of the producers is read-only. */
static int map_positions(struct ring *ring, int map_fd)
{
	void *consumer, *producer;

	ring->page = sysconf(_SC_PAGESIZE);
	consumer = mmap(NULL, ring->page, PROT_READ | PROT_WRITE, MAP_SHARED, map_fd, 0);
	if (consumer == MAP_FAILED)
		return -errno;
	ring->consumer_pos = consumer;
	producer = mmap(NULL, ring->page, PROT_READ, MAP_SHARED, map_fd, ring->page);
	if (producer == MAP_FAILED)
		return -errno;
	ring->producer_pos = producer;
	return 0;
}

/* Returns to consume_ring() now and then, even if the producers are always faster. */
static int take_record(void *ctx, void *data, size_t size)
{
	struct ring *ring = ctx;

	if (size != sizeof(ringbuf_record))
		return -EBADMSG;
	ring->sum += *(ringbuf_record *)data;
	ring->got++;
	return ring->got < READ_MAX ? 0 : -ECANCELED;
}

static int arm_ringbuf(struct run *run)
{
	const struct ringbuf_args *args = run->args;
	struct ringbuf_bpf *skel = run->skel;
	int map_fd = bpf_map__fd(skel->maps.ring), err;
	struct ring *ring = calloc(1, sizeof(*ring));

	if (!ring)
		return -ENOMEM;
	run->user_data = ring;
	err = map_positions(ring, map_fd);
	if (err || args->consumer == CONSUMER_NONE)
		return err;
	ring->rows = calloc(run->nr_ticks, sizeof(*ring->rows));
	if (!ring->rows)
		return -ENOMEM;
	ring->reader = ring_buffer__new(map_fd, take_record, ring, NULL);
	return ring->reader ? 0 : -errno;
}

/*
 * Without a reader the ring must not fill up: a reservation that fails is fast. Its position is set
 * to that of the producers, never backwards. Each of them has a batch under way at most, and all
 * batches fit into the ring together.
 */
static void empty_ring(struct worker *worker)
{
	struct ring *ring = worker->run->user_data;
	unsigned long made, read;

	if (ring->reader)
		return;
	made = __atomic_load_n(ring->producer_pos, __ATOMIC_ACQUIRE);
	read = __atomic_load_n(ring->consumer_pos, __ATOMIC_RELAXED);
	while (read < made && !__atomic_compare_exchange_n(ring->consumer_pos, &read, made, false,
							   __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
}

/* The thread gives up its CPU only to wait for the ring, so each time was woken or timed out. */
static void take_rows(struct ring *ring, int tick)
{
	struct rusage usage;
	uint64_t sleeps;

	if (ring->row >= tick || getrusage(RUSAGE_THREAD, &usage))
		return;
	sleeps = usage.ru_nvcsw;
	while (ring->row < tick)
		ring->rows[++ring->row] = (struct read_row){
			.consumed = ring->consumed,
			.wakeups = sleeps > ring->timeouts ? sleeps - ring->timeouts : 0,
		};
}

/* With sample_rate the last records wake nobody: after a wait that was in vain it looks. */
static int consume_ring(struct consumer *consumer)
{
	struct ring *ring = consumer->run->user_data;
	int err;

	ring->got = 0;
	err = ring_buffer__poll(ring->reader, READ_WAIT_MS);
	if (err == 0 || err == -EINTR) {
		ring->timeouts += err == 0;
		err = ring_buffer__consume(ring->reader);
	}
	ring->consumed += ring->got;
	take_rows(ring, atomic_load(&consumer->run->tick));
	return err < 0 && err != -ECANCELED ? err : ring->got;
}

static void ringbuf_values(const struct run *run, int first, int last, json_t *values)
{
	const struct ring *ring = run->user_data;
	double dropped = run__delta(run, COUNT_DROPPED, first, last);
	double tried = dropped + run__delta(run, BENCH_OPS, first, last);
	double consumed = 0, wakeups = 0;

	if (ring->rows) {
		consumed = ring->rows[last].consumed - ring->rows[first].consumed;
		wakeups = ring->rows[last].wakeups - ring->rows[first].wakeups;
	}
	json_object_set_new(values, "dropped_share",
			    tried ? json_real(dropped / tried) : json_null());
	json_object_set_new(values, "wakeups_per_op",
			    consumed ? json_real(wakeups / consumed) : json_null());
}

/* What was read is what was put in, to the last record and bit. */
static int check_read(struct run *run, uint64_t ops)
{
	const struct ring *ring = run->user_data;
	uint64_t consumed = run__consumed(run);

	if (consumed != ops)
		return why__set(&run->why, -EIO,
				"%" PRIu64 " records went in, but %" PRIu64 " came out", ops,
				consumed);
	if (ring->sum != run__sink(run))
		return why__set(&run->why, -EIO, "the records add up to %" PRIu64 ", not %" PRIu64,
				ring->sum, run__sink(run));
	return 0;
}

static int check_ringbuf(struct run *run)
{
	const struct ringbuf_args *args = run->args;
	const struct ring *ring = run->user_data;
	uint64_t ops = run__total(run, BENCH_OPS), dropped = run__total(run, COUNT_DROPPED);
	uint64_t turns = run__turns(run);

	if (ops + dropped != turns)
		return why__set(&run->why, -EIO,
				"%" PRIu64 " records and %" PRIu64 " dropped in %" PRIu64 " turns",
				ops, dropped, turns);
	if (*ring->producer_pos != ops * RINGBUF_RECORD_BYTES)
		return why__set(&run->why, -EIO,
				"the ring took %lu bytes for %" PRIu64 " records of %d",
				*ring->producer_pos, ops, RINGBUF_RECORD_BYTES);
	if (*ring->consumer_pos != *ring->producer_pos)
		return why__set(&run->why, -EIO, "%lu bytes are left in the ring",
				*ring->producer_pos - *ring->consumer_pos);
	if (args->consumer == CONSUMER_LIBBPF)
		return check_read(run, ops);
	if (dropped * 100 > turns * DROPPED_PERCENT_MAX)
		return why__set(&run->why, -EIO,
				"the ring was full for %" PRIu64 " of %" PRIu64 " records", dropped,
				turns);
	return 0;
}

static void close_ringbuf(struct run *run)
{
	struct ring *ring = run->user_data;

	if (!ring)
		return;
	ring_buffer__free(ring->reader);
	free(ring->rows);
	if (ring->producer_pos)
		munmap(ring->producer_pos, ring->page);
	if (ring->consumer_pos)
		munmap(ring->consumer_pos, ring->page);
	free(ring);
}

BENCH(ringbuf, .name = "ringbuf",
      .summary = "put records of 8 bytes into a BPF ring buffer, with or without a reader",
      .op = "one record that went in",
      .aliases = (const struct bench_alias[]){{"rb-libbpf", "consumer=libbpf batch=500"}, {0}},
      .params = params, .args_size = sizeof(struct ringbuf_args), .counts = counts,
      .checked = "all that went in came out", .metrics = metrics, .values = ringbuf_values,
      .next = "consumer=none (the producers alone)",
      .hints = (const struct bench_hint[]){{"dropped_share", 0.001,
					    "ring_size=8M (records were dropped)"},
					   {"wakeups_per_op", 0.001,
					    "sample_rate=1,10,100,1000 (wake-ups)"},
					   {0}},
      .consumers = 1, .nr_consumers = nr_consumers, .validate = validate, .open = open_ringbuf,
      .arm = arm_ringbuf, .after_batch = empty_ring, .consume = consume_ring,
      .check = check_ringbuf, .close = close_ringbuf);
