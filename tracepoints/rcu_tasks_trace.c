// SPDX-License-Identifier: GPL-2.0-only
#include <bpf/libbpf.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/clock.h"
#include "lib/need.h"
#include "lib/plan.h"
#include "lib/prog.h"
#include "lib/run.h"
#include "lib/sensor.h"
#include "lib/thread.h"
#include "tracepoints/rcu_tasks_trace_metric.h"
#include "tracepoints/rcu_tasks_trace_probe.h"
#include "tracepoints/rcu_tasks_trace_report.h"
#include "tracepoints/rcu_tasks_trace_source.h"

/* The ring holds ten seconds; looking twenty times a second costs nothing that can be measured. */
#define READ_US 50000

/* What a slice did shows when the kthread leaves the CPU, which invoking callbacks puts off. */
#define LAST_SLICE_NS 500000000ULL

struct rtt_state {
	const struct rtt_config *config;
	struct rtt_source source;
	struct rtt_proc proc;
	struct rtt_probe *probe;
	struct why why_no_probe;

	struct ring_buffer *ring;
	struct gp_feed feed; /* of the reader until it was joined */
	pthread_t reader;
	atomic_bool stop;
	int feed_err;

	struct rtt_row *rows;
	int first_row;
};

static int parse(const char *spec, void **ret_config, struct why *why)
{
	struct rtt_config *config = malloc(sizeof(*config));
	int err;

	if (!config)
		return why__errno(why, -ENOMEM, "rcu-tasks-trace");
	err = rtt_config__parse(spec, config, why);
	if (err)
		free(config);
	else
		*ret_config = config;
	return err;
}

/* By starting it: whether a path works is known by nothing less. */
static int probe(const void *config, struct why *why)
{
	struct rtt_source source;
	struct rtt_proc proc;
	char missing[128];
	int err;

	need__missing(NEED_BPF, missing, sizeof(missing));
	if (missing[0])
		return why__set(why, -EPERM, "no permission: needs %s", missing);
	rtt_proc__open(&proc, "/proc");
	err = rtt_source__start(config, proc.pid, &source, why);
	rtt_proc__close(&proc);
	if (!err)
		rtt_source__free(&source);
	return err;
}

static int on_event(void *arg, void *data, size_t size)
{
	struct rtt_state *state = arg;
	int err = size < sizeof(struct rtt_event) ? -EPROTO : gp_feed__add(&state->feed, data);

	if (err)
		state->feed_err = err;
	return 0;
}

static void *reader_main(void *arg)
{
	struct rtt_state *state = arg;
	uint64_t deadline = 0;

	for (;;) {
		bool stop = atomic_load(&state->stop);

		ring_buffer__consume(state->ring);
		if (stop && !deadline)
			deadline = clock__now() + LAST_SLICE_NS;
		if (stop && (!state->feed.on_cpu || clock__now() >= deadline))
			return NULL;
		usleep(stop ? READ_US / 10 : READ_US);
	}
}

static void free_state(struct rtt_state *state)
{
	rtt_probe__free(state->probe);
	ring_buffer__free(state->ring);
	rtt_source__free(&state->source);
	rtt_proc__close(&state->proc);
	gp_feed__free(&state->feed);
	free(state->rows);
	free(state);
}

static int start_reader(struct rtt_state *state, struct why *why)
{
	int err;

	state->ring = ring_buffer__new(state->source.ring_fd, on_event, state, NULL);
	if (!state->ring)
		return why__errno(why, -errno, "cannot read the events of rcu-tasks-trace");
	err = thread__start(&state->reader, "rcu-reader", -1, reader_main, state);
	return err ? why__errno(why, err, "cannot start the reader of rcu-tasks-trace") : 0;
}

static int open_rtt(struct run *run, const void *config, void **ret_state, struct why *why)
{
	struct rtt_state *state = calloc(1, sizeof(*state));
	int err = -ENOMEM;

	if (!state)
		return why__errno(why, -ENOMEM, "rcu-tasks-trace");
	state->config = config;
	state->first_row = run->nr_warmup;
	rtt_proc__open(&state->proc, "/proc");
	state->rows = calloc(run->nr_ticks, sizeof(*state->rows));
	if (!state->rows)
		why__errno(why, err, "rcu-tasks-trace");
	else
		err = rtt_source__start(config, state->proc.pid, &state->source, why);
	if (err)
		goto out;
	state->feed.hooked = state->source.path != RTT_SCHED;
	if (state->source.path == RTT_SRCU) {
		rtt_proc__close(&state->proc);
		rtt_proc__none(&state->proc, "workqueues do the work of an SRCU");
	}
	err = start_reader(state, why);
	if (err)
		goto out;
	if (state->config->probe_ns)
		state->probe = rtt_probe__start(&state->source, state->config->probe_ns,
						&state->why_no_probe);
	*ret_state = state;
	return 0;
out:
	free_state(state);
	return err;
}

/* Ticks are the first producer's, so that the rows have one owner. */
static void snapshot_worker(void *arg, const struct worker *worker, int row)
{
	struct rtt_state *state = arg;

	if (worker->index || row < state->first_row)
		return;
	rtt_source__read(&state->source, &state->rows[row].now);
	state->rows[row].cpu_err = rtt_proc__read(&state->proc, &state->rows[row].cpu);
}

static void stop(void *arg)
{
	struct rtt_state *state = arg;

	if (state->probe)
		rtt_probe__stop(state->probe);
	atomic_store(&state->stop, true);
	pthread_join(state->reader, NULL);
	rtt_source__detach(&state->source);
}

static void add_probe(const struct rtt_state *state, int first, int last, json_t *doc)
{
	if (!state->config->probe_ns)
		return;
	if (state->probe)
		json_object_set_new(doc, "sync_wait",
				    rtt_probe__json(state->probe, state->rows[first].now.t_ns,
						    state->rows[last].now.t_ns));
	else
		json_object_set_new(doc, "sync_wait",
				    json_pack("{s:i, s:n, s:s}", "n", 0, "mean_ns", "reason",
					      state->why_no_probe.text));
}

static const char *reason_of(const struct why *why)
{
	return why->text[0] ? why->text : NULL;
}

/* With a producer on every CPU the kthread can only take theirs. */
static double share_taken(const struct run *run)
{
	long online = sysconf(_SC_NPROCESSORS_ONLN), taken = run->nr_workers;

	if (run->plan->affinity && taken > run->plan->prod_cpus.nr)
		taken = run->plan->prod_cpus.nr;
	return online > 0 && taken >= online ? 1.0 / online : 0;
}

/* The tracer may be in a run twice, with a path each: the key holds one object for each. */
static void emit(void *arg, const struct run *run, int first, int last, json_t *doc)
{
	struct rtt_state *state = arg;
	struct rtt_report report = {.feed = &state->feed,
				    .rows = state->rows,
				    .first = first,
				    .last = last,
				    .taken = share_taken(run),
				    .workqueue_only = state->source.path == RTT_SRCU,
				    .no_cpu = reason_of(&state->proc.why),
				    .no_workqueue = reason_of(&state->source.workqueue)};
	json_t *all = json_object_get(doc, "grace_periods"), *own = json_object();

	if (!all) {
		all = json_array();
		json_object_set_new(doc, "grace_periods", all);
	}
	json_object_set_new(own, "path", json_string(rtt_path__name(state->source.path)));
	json_object_set_new(own, "reason",
			    state->feed_err ? json_string(errno_text(state->feed_err))
					    : json_null());
	rtt_report__add(&report, own);
	json_object_set_new(json_object_get(own, "lost"), "ring",
			    json_integer(*state->source.lost));
	json_object_set_new(own, "tracer", prog__cost(state->source.obj));
	add_probe(state, first, last, own);
	json_array_append_new(all, own);
	rtt_metric__add(own, doc);
}

static void describe(const void *config, json_t *metrics)
{
	(void)config;
	rtt_metric__describe(metrics);
}

static void close_rtt(void *arg)
{
	free_state(arg);
}

static bool skippable(const void *config)
{
	const struct rtt_config *c = config;

	return c->path == RTT_KPROBE || c->probe_ns;
}

SENSOR(rcu_tasks_trace, .name = "rcu-tasks-trace",
       .summary = "grace periods of RCU Tasks Trace: how long, what they cost, what a delete waits",
       .parse = parse, .free_config = free, .probe = probe, .skippable = skippable,
       .describe = describe, .open = open_rtt, .snapshot_worker = snapshot_worker, .stop = stop,
       .emit = emit, .close = close_rtt);
