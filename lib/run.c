// SPDX-License-Identifier: GPL-2.0-only
#include "lib/run.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/bench.h"
#include "lib/clock.h"
#include "lib/interrupt.h"
#include "lib/outcome.h"
#include "lib/plan.h"
#include "lib/pulse.h"
#include "lib/sensor.h"
#include "lib/shortage.h"
#include "lib/trigger.h"
#include "lib/worker.h"

void run__adopt(struct run *run, void *skel, struct bpf_object_skeleton *skeleton,
		struct bpf_object *obj)
{
	run->skel = skel;
	run->skeleton = skeleton;
	run->obj = obj;
}

const char *run_role__name(enum run_role role)
{
	static const char *const names[] = {"clean", "evidence", "bare", "probe"};

	return names[role];
}

uint64_t run__total(const struct run *run, int i)
{
	uint64_t total = 0;

	for (int w = 0; w < run->nr_workers; w++)
		total += run->workers[w].io->count[i];
	return total;
}

uint64_t run__turns(const struct run *run)
{
	uint64_t total = 0;

	for (int w = 0; w < run->nr_workers; w++)
		total += run->workers[w].turns;
	return total;
}

uint64_t run__delta(const struct run *run, int i, int first, int last)
{
	uint64_t total = 0;

	for (int w = 0; w < run->nr_workers; w++)
		total += run->workers[w].samples[last].count[i] -
			 run->workers[w].samples[first].count[i];
	return total;
}

uint64_t run__consumed(const struct run *run)
{
	uint64_t total = 0;

	for (int i = 0; i < run->nr_consumers; i++)
		total += run->consumers[i].consumed;
	return total;
}

uint64_t run__sink(const struct run *run)
{
	uint64_t total = 0;

	for (int w = 0; w < run->nr_workers; w++)
		total += run->workers[w].io->sink;
	return total;
}

const struct sensor *sensor__find(const char *name)
{
	const struct sensor *const *pos;

	for_each_sensor(pos)
		if (!strcmp((*pos)->name, name))
			return *pos;
	return NULL;
}

/* The words of a callback that failed without any. */
static int explain(struct run *run, int err, const char *what)
{
	if (err && !run->why.text[0])
		why__errno(&run->why, err, "%s", what);
	return err;
}

static int open_bench(struct run *run)
{
	return run->bench->open ? explain(run, run->bench->open(run), "cannot open the benchmark")
				: 0;
}

static int load_and_arm(struct run *run)
{
	int err = bench__is_user(run->bench) ? 0 : trigger__load(run);

	if (err || !run->bench->arm)
		return err;
	pulse__enter(PULSE_FILL);
	return explain(run, run->bench->arm(run), "cannot fill the benchmark's maps");
}

/*
 * "skipped" is what this kernel, machine or user cannot do: no such type of map, a program that is
 * too much for this verifier, no permission. The kernel says so in EINVAL, E2BIG and EPERM alike,
 * and means nothing else, since the tables of parameters bound every size to what all kernels take.
 * bench.open() asks no kernel: its EINVAL and E2BIG are settings that contradict each other, which
 * no other machine would take either, and "failed". So is a shortage of the moment.
 */
static bool contradicts(int open_err)
{
	return open_err == -EINVAL || open_err == -E2BIG;
}

static const char *status_of(int err)
{
	return shortage__is(err) ? "failed" : "skipped";
}

static json_t *set_up(struct run *run)
{
	int err = open_bench(run);

	if (contradicts(err))
		return outcome__absent("failed", run->why.text);
	err = err ?: load_and_arm(run);
	return err ? outcome__absent(status_of(err), run->why.text) : NULL;
}

static int open_sensors(struct run *run)
{
	int err = 0;

	for (int i = 0; !err && i < run->nr_sensors; i++) {
		struct run_sensor *sensor = &run->sensors[i];

		err = sensor->ops->open(run, sensor->config, &sensor->state, &run->why);
		err = explain(run, err, "cannot open a sensor");
	}
	return err;
}

/* False when the user wants it to end. */
static bool sleep_until(uint64_t deadline)
{
	struct pollfd fd = {.fd = interrupt__fd(), .events = POLLIN};
	uint64_t now;

	while ((now = clock__now()) < deadline) {
		struct timespec left = {(deadline - now) / NSEC_PER_SEC,
					(deadline - now) % NSEC_PER_SEC};

		if (ppoll(&fd, 1, &left, NULL) > 0)
			return false;
	}
	return true;
}

#define POLL_NS 1000000

/*
 * The last tick comes at its time, or once every producer has a batch and an operation: where one is
 * slow, or a producer stood still all the while, there would be no rate. All go on until then.
 */
static bool sleep_until_tick(struct run *run, int tick)
{
	bool go_on = sleep_until(run->start_ns + plan__tick_ns(run->plan, tick));

	while (go_on && tick == run->nr_ticks - 1 && atomic_load(&run->unread))
		go_on = sleep_until(clock__now() + POLL_NS);
	return go_on;
}

/* Ctrl-C makes the tick that is running the last one: what was measured is kept. */
static void tick(struct run *run)
{
	int last = run->nr_ticks - 1;

	run->start_ns = clock__now();
	for (int i = 1; i <= last; i++) {
		if (!sleep_until_tick(run, i)) {
			run->interrupted = true;
			last = i;
		}
		atomic_store(&run->tick, i);
	}
	run->last_tick = last;
	atomic_store(&run->stop, true);
}

static int worker_error(struct run *run)
{
	int err = worker__explain_refusal(run);

	if (err)
		return err;
	for (int i = 0; i < run->nr_workers; i++) {
		const struct worker *worker = &run->workers[i];

		if (worker->err)
			return why__errno(&run->why, worker->err, "producer %d: %s", i,
					  worker->failed);
	}
	return 0;
}

static int measure(struct run *run)
{
	int err = consumer__start_all(run);

	err = err ?: worker__start_all(run);
	if (err)
		return err;
	pthread_barrier_wait(&run->barrier); /* WORKER_KNOWN */
	pulse__enter(PULSE_OPEN);
	err = open_sensors(run);
	if (err)
		return err;
	pulse__enter(PULSE_CALIBRATE);
	atomic_store(&run->unread, run->nr_workers);
	pthread_barrier_wait(&run->barrier); /* WORKER_WATCHED */
	pthread_barrier_wait(&run->barrier); /* WORKER_GO */
	pulse__enter(PULSE_MEASURE);
	if (!run->probe && !atomic_load(&run->stop))
		tick(run);
	worker__join_all(run);
	err = consumer__join_all(run);
	for (int i = 0; i < run->nr_sensors; i++)
		if (run->sensors[i].ops->stop)
			run->sensors[i].ops->stop(run->sensors[i].state);
	return err ?: worker_error(run);
}

static void tear_down(struct run *run)
{
	for (int i = 0; i < run->nr_sensors; i++)
		if (run->sensors[i].state && run->sensors[i].ops->close)
			run->sensors[i].ops->close(run->sensors[i].state);
	if (run->bench->close)
		run->bench->close(run);
	trigger__detach(run);
	bpf_object__destroy_skeleton(run->skeleton);
	free(run->skel);
	for (int i = 0; run->workers && i < run->nr_workers; i++)
		free(run->workers[i].samples);
	free(run->workers);
	free(run->consumers);
	free(run->sensors);
	json_decref(run->resolved);
}

static int copy_sensors(struct run *run, const struct run_sensor *sensors, int nr)
{
	struct run_sensor *all = reallocarray(run->sensors, run->nr_sensors + nr + 1, sizeof(*all));

	if (!all)
		return why__errno(&run->why, -ENOMEM, "cannot start the sensors");
	run->sensors = all;
	for (int i = 0; i < nr; i++)
		all[run->nr_sensors++] = sensors[i];
	return 0;
}

static int init(struct run *run, const struct plan *plan, const struct point *point,
		enum run_role role)
{
	int err = 0;

	run->plan = plan;
	run->point = point;
	run->bench = point->bench;
	run->args = point->args;
	run->trigger = point->trigger;
	run->probe = role == ROLE_PROBE;
	run->batch = point->common.batch;
	run->nr_workers = run->probe ? 1 : point->nr_producers;
	run->nr_consumers = point->nr_consumers;
	run->nr_ticks = plan__ticks(plan);
	run->nr_warmup = plan__warmup_ticks(plan);
	run->resolved = json_object();
	if (role == ROLE_CLEAN || role == ROLE_EVIDENCE)
		err = copy_sensors(run, plan->sensors, plan->nr_sensors);
	if (!err && role == ROLE_EVIDENCE)
		err = copy_sensors(run, plan->evidence, plan->nr_evidence);
	return err;
}

static bool any_turn(const struct run *run)
{
	for (int i = 0; i < run->nr_workers; i++) {
		const struct sample *samples = run->workers[i].samples;

		if (samples[run->last_tick].turns > samples[run->nr_warmup].turns)
			return true;
	}
	return false;
}

/*
 * A rate of 0 is no reading: it was interrupted before a batch ended, or nothing of what was tried
 * became an operation (a ring whose reader got no CPU drops every record). NULL: there is one.
 */
static const char *nothing_measured(const struct run *run)
{
	if (run->probe)
		return NULL;
	if (!any_turn(run))
		return "no batch ended";
	if (!run__delta(run, BENCH_OPS, run->nr_warmup, run->last_tick))
		return "nothing that was tried in the measured time became an operation";
	return NULL;
}

json_t *run__execute(const struct plan *plan, const struct point *point, enum run_role role)
{
	struct run *run = calloc(1, sizeof(*run));
	const char *status = "ok", *nothing;
	json_t *doc;
	int err;

	if (!run)
		return outcome__absent("failed", "out of memory");
	/* Threads of a half-started run may still use it: the caller ends the process. */
	err = init(run, plan, point, role);
	if (err)
		return outcome__absent(status_of(err), run->why.text);
	doc = set_up(run);
	if (doc)
		return doc;
	/* What stops a probe is the trigger that it tries; a run that got so far should have worked. */
	err = measure(run);
	if (err)
		return outcome__absent(run->probe ? status_of(err) : "failed", run->why.text);
	pulse__enter(PULSE_CHECK);
	if (explain(run, run->bench->check(run), "the check failed"))
		status = "failed";
	nothing = nothing_measured(run);
	if (run->interrupted && (run->last_tick <= run->nr_warmup || nothing))
		doc = outcome__absent("skipped", "interrupted before the measurement began");
	else if (!run->why.text[0] && nothing)
		doc = outcome__absent("failed", nothing);
	else
		doc = outcome__describe(run, status);
	tear_down(run);
	free(run);
	return doc;
}
