// SPDX-License-Identifier: GPL-2.0-only
#include "tracepoints/lock_contention.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/bpf_log.h"
#include "lib/need.h"
#include "lib/prog.h"
#include "lib/run.h"
#include "lib/sensor.h"
#include "tracepoints/lock_contention.skel.h"
#include "tracepoints/lock_report.h"

struct lock_state {
	struct lock_contention_bpf *skel;
	const char *path; /* "tp_btf" or "raw_tp" */
	int nr_workers;
	int first_row; /* with which producers are watched */
	int enroll_err;
};

static int parse(const char *spec, void **ret_config, struct why *why)
{
	*ret_config = NULL;
	if (spec && *spec)
		return why__set(why, -EINVAL,
				"tracer 'locks' has no options, but '%.80s' was given", spec);
	return 0;
}

static void select_path(struct lock_contention_bpf *skel, bool btf)
{
	bpf_program__set_autoload(skel->progs.lock_begin_btf, btf);
	bpf_program__set_autoload(skel->progs.lock_end_btf, btf);
	bpf_program__set_autoload(skel->progs.lock_begin_raw, !btf);
	bpf_program__set_autoload(skel->progs.lock_end_raw, !btf);
}

static int load_path(struct lock_state *state, bool btf)
{
	struct lock_contention_bpf *skel = lock_contention_bpf__open();
	int err;

	if (!skel)
		return -errno;
	select_path(skel, btf);
	bpf_program__set_autoattach(skel->progs.enroll, false);
	bpf_map__set_max_entries(skel->maps.enrolled, state->nr_workers);
	bpf_map__set_max_entries(skel->maps.waits, state->nr_workers);
	bpf_log__clear();
	err = lock_contention_bpf__load(skel);
	err = err ?: lock_contention_bpf__attach(skel);
	if (err) {
		lock_contention_bpf__destroy(skel);
		return err;
	}
	state->skel = skel;
	state->path = btf ? "tp_btf" : "raw_tp";
	return 0;
}

static int load(struct lock_state *state, struct why *why)
{
	int err = load_path(state, true);

	if (err)
		err = load_path(state, false);
	return err ? bpf_log__why(why, err, "cannot start tracer", "locks", "CAP_PERFMON") : 0;
}

/* Tried, since capabilities are not all: a filter or a lockdown would fail every evidence run. */
static int probe(const void *config, struct why *why)
{
	struct lock_state state = {.nr_workers = 1};
	char missing[128];
	int err;

	(void)config;
	need__missing(NEED_BPF, missing, sizeof(missing));
	if (missing[0])
		return why__set(why, -EPERM, "no permission: needs %s", missing);
	err = load(&state, why);
	if (!err)
		lock_contention_bpf__destroy(state.skel);
	return err;
}

static int open_locks(struct run *run, const void *config, void **ret_state, struct why *why)
{
	struct lock_state *state = calloc(1, sizeof(*state));
	int err;

	(void)config;
	if (!state)
		return why__errno(why, -ENOMEM, "lock tracer");
	state->nr_workers = run->nr_workers;
	state->first_row = run->nr_warmup;
	err = load(state, why);
	if (err) {
		free(state);
		return err;
	}
	*ret_state = state;
	return 0;
}

/* A producer is watched from the first measured row on. */
static void snapshot_worker(void *arg, const struct worker *worker, int row)
{
	struct lock_state *state = arg;
	int err;

	if (row != state->first_row)
		return;
	err = prog__enroll(state->skel->obj, worker->index);
	if (err)
		__atomic_store_n(&state->enroll_err, err, __ATOMIC_RELAXED);
}

static void stop(void *arg)
{
	struct lock_state *state = arg;

	lock_contention_bpf__detach(state->skel);
}

static json_t *describe_tracer(const struct lock_state *state)
{
	json_t *doc = prog__cost(state->skel->obj);

	json_object_set_new(doc, "path", json_string(state->path));
	return doc;
}

static void emit(void *arg, const struct run *run, int first, int last, json_t *doc)
{
	struct lock_state *state = arg;
	struct lock_task *task = malloc(sizeof(*task));
	struct lock_report report = {0};
	int fd = bpf_map__fd(state->skel->maps.waits);

	for (int i = 0; i < state->nr_workers; i++) {
		const struct worker *worker = &run->workers[i];

		if (task && !bpf_map_lookup_elem(fd, &i, task))
			lock_report__add(&report, task);
		report.wall_ns += worker->samples[last].t_ns - worker->samples[first].t_ns;
	}
	free(task);
	lock_report__resolve(&report, "/proc/kallsyms");
	json_object_set_new(doc, "locks", lock_report__json(&report));
	json_object_set_new(doc, "locks_kinds", lock_report__kinds(&report));
	json_object_set_new(doc, "locks_lost", lock_report__lost(&report));
	json_object_set_new(doc, "locks_tracer", describe_tracer(state));
	if (state->enroll_err)
		json_object_set_new(doc, "locks_reason",
				    json_string("not counted: a producer could not be enrolled"));
	else
		json_object_set_new(doc, "locks_reason",
				    report.why.text[0] ? json_string(report.why.text)
						       : json_null());
	lock_report__free(&report);
}

static void close_locks(void *arg)
{
	struct lock_state *state = arg;

	lock_contention_bpf__destroy(state->skel);
	free(state);
}

SENSOR(locks, .name = "locks", .summary = "waits for kernel locks, by class and caller",
       .parse = parse, .probe = probe, .open = open_locks, .snapshot_worker = snapshot_worker,
       .stop = stop, .emit = emit, .close = close_locks);
