// SPDX-License-Identifier: GPL-2.0-only
#include "lib/worker.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/bench.h"
#include "lib/clock.h"
#include "lib/plan.h"
#include "lib/plural.h"
#include "lib/sensor.h"
#include "lib/stats.h"
#include "lib/thread.h"
#include "lib/trigger.h"

/*
 * A trigger costs 1.5 to 2.2 us, so 2 ms keep it under 0.1 % of a batch. raw_tp programs run with
 * preemption off, which sets the upper end; an interval of 100 ms wants some dozens of batches.
 */
#define CONTROL_BATCHES	  20
#define CONTROL_BUDGET_NS 40000000ULL
#define TRIGGER_SAMPLES	  255
#define MAX_ITERS	  (1ULL << 22) /* bpf_loop() takes twice that */
#define MAX_MISSED	  1000

/* Attempts at a size before the last one is taken. */
#define CALIBRATIONS 32

/* The batch that shows whether a trigger works at all, and with which calibration begins. */
#define FIRST_ITERS 64

/* One trigger of `iters` turns; -EAGAIN: the kernel did not run the program this time. */
static int fire(struct worker *worker, enum bench_mode mode, uint64_t iters)
{
	const struct run *run = worker->run;
	uint64_t runs = worker->io->runs;
	int err;

	worker->io->iters = iters;
	worker->io->mode = mode;
	worker->io->slot = worker->index;
	if (!run->trigger) {
		run->bench->work(worker, iters);
		worker->io->seq += iters;
	} else {
		err = run->trigger->fire(worker);
		if (err)
			return err;
		if (worker->io->runs == runs)
			return -EAGAIN;
	}
	if (mode == BENCH_MODE_OP) {
		worker->turns += iters;
		worker->batches++;
		if (run->bench->after_batch)
			run->bench->after_batch(worker);
	}
	return 0;
}

/*
 * Programs on a tracepoint, kprobe or perf event are skipped silently while another one runs on
 * this CPU: such a trigger is counted and made again.
 */
static int batch(struct worker *worker, enum bench_mode mode, uint64_t iters)
{
	int err;

	while ((err = fire(worker, mode, iters)) == -EAGAIN) {
		worker->missed++;
		if (worker->missed > MAX_MISSED && !worker->io->runs)
			break;
	}
	if (err && !worker->err) {
		/* It was tried often enough: nothing that would go away. */
		worker->err = err == -EAGAIN ? -EOPNOTSUPP : err;
		worker->failed = err == -EAGAIN ? "the kernel never ran the program"
						: "a trigger failed";
	}
	return err;
}

/* Time per turn of a control loop, in ns of the program's own clock; NaN on failure. */
static double control_ns(struct worker *worker, enum bench_mode mode)
{
	uint64_t deadline = clock__now() + CONTROL_BUDGET_NS;
	uint64_t iters = 200000, turns = 0, ns;

	/* The first batch warms up and sizes the others to 1 ms. */
	ns = worker->io->ns;
	if (batch(worker, mode, iters))
		return NAN;
	ns = worker->io->ns - ns;
	if (ns)
		iters = fmax(1000, fmin(MAX_ITERS, 1e6 * iters / ns));
	ns = worker->io->ns;
	for (int i = 0; i < CONTROL_BATCHES && clock__now() < deadline; i++) {
		if (batch(worker, mode, iters))
			return NAN;
		turns += iters;
	}
	return turns ? (double)(worker->io->ns - ns) / turns : NAN;
}

/* Wall time of a trigger that loops once, less the time inside: the median, so that an interrupt
 * does not count. */
static double trigger_ns(struct worker *worker)
{
	double cost[TRIGGER_SAMPLES], median;

	for (int i = 0; i < TRIGGER_SAMPLES; i++) {
		uint64_t inside = worker->io->ns, start = clock__now();

		if (batch(worker, BENCH_MODE_EMPTY, 1))
			return NAN;
		cost[i] = clock__now() - start;
		cost[i] -= worker->io->ns - inside;
	}
	return stats__median(cost, TRIGGER_SAMPLES, &median) ? NAN : fmax(0, median);
}

static void measure_control(struct worker *worker)
{
	const struct run *run = worker->run;
	struct control *control = &worker->control;

	*control = (struct control){NAN, NAN, NAN};
	if (!run->trigger || run->probe)
		return;
	control->empty_ns = control_ns(worker, BENCH_MODE_EMPTY);
	if (run->bench->keyed)
		control->keygen_ns = control_ns(worker, BENCH_MODE_KEYGEN);
	control->trigger_ns = trigger_ns(worker);
}

static uint64_t cap(const struct run *run, uint64_t iters)
{
	uint64_t max = run->batch_max ? run->batch_max : MAX_ITERS;

	return iters < 1 ? 1 : iters > max ? max : iters;
}

/* Wall time of one batch; 0 on failure. */
static uint64_t timed_batch(struct worker *worker, uint64_t iters)
{
	uint64_t start = clock__now();

	if (batch(worker, BENCH_MODE_OP, iters))
		return 0;
	return clock__now() - start + 1;
}

uint64_t worker__batch_limit_ns(const struct run *run)
{
	uint64_t duration = run->plan->duration_ns;

	return duration > WORKER_BATCH_LIMIT_NS ? duration : WORKER_BATCH_LIMIT_NS;
}

/* Producers that have one CPU between them. */
static uint64_t sharers(const struct run *run)
{
	const struct plan *plan = run->plan;
	uint64_t cpus = plan->affinity ? plan->prod_cpus.nr : plan->allowed.nr;

	return (run->nr_workers + cpus - 1) / cpus;
}

/* What the fixed batch would take, by one of `iters` turns; 0: that failed. */
static uint64_t estimate(struct worker *worker, uint64_t iters, uint64_t *ret_cpu_ns)
{
	uint64_t start = clock__ns(CLOCK_THREAD_CPUTIME_ID);

	if (batch(worker, BENCH_MODE_OP, iters))
		return 0;
	*ret_cpu_ns = clock__ns(CLOCK_THREAD_CPUTIME_ID) - start;
	return (double)*ret_cpu_ns / iters * worker->batch * sharers(worker->run);
}

/*
 * What a large fixed batch takes is not known before, and too late afterwards: smaller ones are
 * tried until their time says something. They count as turns like any others, and those who want
 * exact repetition ask for less than is trusted. CPU time, since another program is no reason; the
 * least of three, since an interrupt or a stall of the host is none either.
 */
static void try_fixed_batch(struct worker *worker)
{
	uint64_t limit_ns = worker__batch_limit_ns(worker->run);
	uint64_t iters = WORKER_TRUSTED_BATCH / 16, cpu_ns = 0, expected_ns = 0;

	for (; iters < worker->batch / 4 && cpu_ns < WORKER_BATCH_NS; iters *= 2)
		expected_ns = estimate(worker, iters, &cpu_ns);
	for (int i = 0; i < 2 && expected_ns > limit_ns; i++) {
		uint64_t again_ns = estimate(worker, iters / 2, &cpu_ns);

		expected_ns = again_ns < expected_ns ? again_ns : expected_ns;
	}
	if (expected_ns <= limit_ns)
		return;
	worker->refused_ns = expected_ns;
	worker->err = -E2BIG;
	atomic_store(&worker->run->stop, true);
}

int worker__explain_refusal(struct run *run)
{
	uint64_t longest = 0, fits;

	for (int i = 0; i < run->nr_workers; i++)
		if (run->workers[i].refused_ns > longest)
			longest = run->workers[i].refused_ns;
	if (!longest)
		return 0;
	fits = (double)run->batch * worker__batch_limit_ns(run) / longest;
	return why__set(&run->why, -E2BIG,
			"batch=%" PRIu64 " would take some %.1f s with %d producer%s, which nobody "
			"could interrupt: at most batch=%" PRIu64 ", or batch=0",
			run->batch, longest / 1e9, run->nr_workers, plural(run->nr_workers), fits);
}

/*
 * All producers calibrate at once: what a batch takes depends on who else works. A size is taken
 * when a batch of about that size took about as long as it should: one that was preempted once
 * had made the answer a thousandth of the right one.
 */
static void calibrate(struct worker *worker)
{
	uint64_t iters = cap(worker->run, FIRST_ITERS), took, next;

	worker->batch = worker->run->batch;
	if (worker->run->probe) {
		batch(worker, BENCH_MODE_OP, iters);
		return;
	}
	if (worker->run->prime && batch(worker, BENCH_MODE_OP, worker->run->prime))
		return;
	if (worker->batch > WORKER_TRUSTED_BATCH)
		try_fixed_batch(worker);
	for (int i = 0; !worker->batch; i++) {
		took = timed_batch(worker, iters);
		if (!took)
			return;
		/* Short times say little: approach from below. */
		next = took < WORKER_BATCH_NS / 40 ? iters * 8 : iters * WORKER_BATCH_NS / took;
		next = cap(worker->run, next);
		if ((next <= iters * 2 && next >= iters / 2) || i == CALIBRATIONS)
			worker->batch = next;
		iters = next;
	}
}

static void take_sample(const struct worker *worker, struct sample *sample)
{
	/* Nothing between these two: a turn of somebody else's there would be in one of them. */
	sample->t_ns = clock__now();
	sample->wait_ns = thread__wait_ns(worker->schedstat_fd);
	sample->cpu_ns = clock__ns(CLOCK_THREAD_CPUTIME_ID);
	sample->bpf_ns = worker->io->ns;
	sample->turns = worker->turns;
	sample->batches = worker->batches;
	memcpy(sample->count, worker->io->count, sizeof(sample->count));
}

/* Ticks that passed during one batch share its end: their rows are equal, but for the last. */
static void take_rows(struct worker *worker, int tick)
{
	const struct run *run = worker->run;

	while (worker->row < tick) {
		worker->row++;
		take_sample(worker, &worker->samples[worker->row]);
		for (int i = 0; i < run->nr_sensors; i++)
			if (run->sensors[i].ops->snapshot_worker)
				run->sensors[i].ops->snapshot_worker(run->sensors[i].state, worker,
								     worker->row);
	}
}

/* How much later than planned an operation may come, where others decide on that. */
#define PATIENCE_NS 1000000000ULL

static bool is_overdue(const struct worker *worker)
{
	const struct run *run = worker->run;
	uint64_t planned_ns = plan__tick_ns(run->plan, run->nr_ticks - 1);

	return clock__now() > worker->samples[0].t_ns + planned_ns + PATIENCE_NS;
}

/*
 * A batch has ended since the warm-up did, and brought an operation: from here on there is something
 * to read. A ring whose reader waits for a CPU drops all that comes: one run of 50 ms in 25, where
 * others took more than 90 % of the CPUs.
 */
static bool has_a_reading(const struct worker *worker)
{
	const struct run *run = worker->run;
	const struct sample *begin = &worker->samples[run->nr_warmup];

	if (worker->row < run->nr_warmup || worker->batches == begin->batches)
		return false;
	return worker->io->count[BENCH_OPS] > begin->count[BENCH_OPS] || is_overdue(worker);
}

static void set_read(struct worker *worker)
{
	worker->unread = false;
	atomic_fetch_sub(&worker->run->unread, 1);
}

static void measure(struct worker *worker)
{
	struct run *run = worker->run;
	bool stop = false;

	take_rows(worker, 0);
	while (!stop && !worker->err) {
		batch(worker, BENCH_MODE_OP, worker->batch);
		/* Before the tick: the last tick is set before `stop` is. */
		stop = atomic_load(&run->stop);
		if (worker->unread && has_a_reading(worker))
			set_read(worker);
		take_rows(worker, atomic_load(&run->tick));
	}
}

static void *worker_main(void *arg)
{
	struct worker *worker = arg;
	struct run *run = worker->run;

	worker->tid = gettid();
	worker->schedstat_fd = thread__open_schedstat();
	worker->err = trigger__enroll(worker);
	if (worker->err)
		worker->failed = "cannot make the hooked program know this thread";
	pthread_barrier_wait(&run->barrier); /* WORKER_KNOWN */
	pthread_barrier_wait(&run->barrier); /* WORKER_WATCHED */
	if (!worker->err)
		measure_control(worker);
	if (!worker->err)
		calibrate(worker);
	pthread_barrier_wait(&run->barrier); /* WORKER_GO */
	if (!worker->err && !run->probe && !atomic_load(&run->stop))
		measure(worker);
	if (worker->schedstat_fd >= 0)
		close(worker->schedstat_fd);
	/* One that failed has nothing to wait for. */
	if (worker->unread)
		set_read(worker);
	return NULL;
}

static int init(struct run *run, struct worker *worker, int index)
{
	worker->run = run;
	worker->index = index;
	worker->cpu = plan__cpu(run->plan, index);
	worker->row = -1;
	worker->unread = true;
	worker->io = run->slots ? &run->slots[index] : &worker->own_io;
	worker->samples = calloc(run->nr_ticks, sizeof(*worker->samples));
	return worker->samples ? 0 : -ENOMEM;
}

int worker__start_all(struct run *run)
{
	size_t size = run->nr_workers * sizeof(struct worker);
	char name[32];
	int err;

	run->workers = aligned_alloc(_Alignof(struct worker), size);
	if (!run->workers)
		return why__errno(&run->why, -ENOMEM, "cannot start the producers");
	memset(run->workers, 0, size);
	pthread_barrier_init(&run->barrier, NULL, run->nr_workers + 1);
	for (int i = 0; i < run->nr_workers; i++) {
		struct worker *worker = &run->workers[i];

		err = init(run, worker, i);
		snprintf(name, sizeof(name), "producer/%d", i);
		err = err ?: thread__start(&worker->thread, name, worker->cpu, worker_main, worker);
		/* The others wait for good: the caller has to end this process. */
		if (err)
			return why__errno(&run->why, err, "cannot start producer %d on CPU %d", i,
					  worker->cpu);
	}
	return 0;
}

void worker__join_all(struct run *run)
{
	for (int i = 0; i < run->nr_workers; i++)
		pthread_join(run->workers[i].thread, NULL);
}
