// SPDX-License-Identifier: GPL-2.0-only
#include "perf/counters.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "lib/run.h"
#include "lib/cpulist.h"
#include "lib/worker.h"
#include "perf/absent.h"

/* What opening one event on one worker needs. */
struct opening {
	const struct counters *counters;
	const struct event_env *env;
	const struct event *event;
	struct thread_counter *thread;
	const struct worker *worker;
	/* The first of the event's group that is open on this worker, or NULL. */
	const struct thread_counter *leader;
	const char *leader_name;
};

/* Some PMUs cannot leave guests out and say so with either error; perf drops the wish as well. */
static int open_with_guests(const struct opening *o, struct event *event,
			    const struct counter *leader)
{
	int err = counter__open(&o->thread->counter, event, o->worker->tid, leader);

	if ((err != -EINVAL && err != -EOPNOTSUPP) || !event->attr.exclude_guest)
		return err;
	event->attr.exclude_guest = 0;
	return counter__open(&o->thread->counter, event, o->worker->tid, leader);
}

/*
 * Without permission for the kernel, user space can still be counted. Not when it was the kernel
 * that was asked for, and not what only the kernel does: that would count 0 and call it a number.
 * `refused` is the errno of the first try, which tells a sysctl from a seccomp filter.
 */
static int open_user_only(const struct opening *o, struct event *event,
			  const struct counter *leader, int refused)
{
	char paranoid[64], note[96];
	int err;

	if (event->attr.exclude_kernel || event->attr.exclude_user || event->kernel_only)
		return refused;
	event->attr.exclude_kernel = 1;
	event->attr.exclude_hv = 1;
	err = open_with_guests(o, event, leader);
	/* A PMU that cannot tell the two apart, msr for one: the permission is what is missing. */
	if (err == -EINVAL)
		return refused;
	if (err || event->clock)
		return err;
	absent__paranoid(o->env, paranoid, sizeof(paranoid));
	snprintf(note, sizeof(note), "user space only, as with ':u': %s", paranoid);
	o->thread->note = strdup(note);
	return 0;
}

static int try_open(const struct opening *o, const struct counter *leader)
{
	struct event event = *o->event; /* to be changed, nothing of it to be freed */
	int err;

	/* The kernel takes these from a leader only, and they hold for its group. */
	if (leader)
		event.attr.pinned = event.attr.exclusive = 0;
	err = open_with_guests(o, &event, leader);
	if (err == -EACCES || err == -EPERM)
		err = open_user_only(o, &event, leader, err);
	return err;
}

static void explain(const struct opening *o, int err, struct why *why)
{
	const struct counters *counters = o->counters;
	struct rlimit limit = {0};

	if (err != -EMFILE) {
		absent__explain(o->event, err, o->env, why);
		return;
	}
	getrlimit(RLIMIT_NOFILE, &limit);
	why__set(why, err,
		 "not counted: too many open files: %d events x %d threads need %d, "
		 "the limit is %llu (ulimit -n)",
		 counters->list->nr, counters->nr_workers,
		 counters->list->nr * counters->nr_workers, (unsigned long long)limit.rlim_cur);
}

/*
 * The kernel refuses a member that cannot be on the hardware together with the others with the same
 * -EINVAL as an event that it does not know; alone, it accepts the first.
 */
static int open_outside(const struct opening *o, struct why *why)
{
	int err = try_open(o, NULL);

	if (err)
		return err;
	if (o->event->weak) {
		free(o->thread->note);
		o->thread->note = strdup("counted outside its group, where it does not fit");
		return 0;
	}
	counter__close(o->thread->counter);
	o->thread->counter = NULL;
	free(o->thread->note);
	o->thread->note = NULL;
	return why__set(why, -ENOSPC, "not counted: cannot be counted together with '%s'",
			o->leader_name);
}

static void open_one(const struct opening *o)
{
	struct why why = {0};
	int err = try_open(o, o->leader ? o->leader->counter : NULL);

	if (o->leader && (err == -EINVAL || err == -ENOSPC))
		err = open_outside(o, &why);
	if (!err) {
		/* The kernel's times do not tell another kind of core from a counter in use. */
		if (o->event->cpus && o->worker->cpu < 0 && !o->thread->note)
			o->thread->note = strdup("time on other kinds of core is scaled over as "
						 "if it were multiplexing: pin the threads");
		return;
	}
	if (!why.text[0])
		explain(o, err, &why);
	o->thread->reason = strdup(why.text);
}

/* Whether the worker stays on CPUs that the event's PMU does not count. */
static bool is_elsewhere(const struct event *event, const struct worker *worker)
{
	struct cpulist cpus;
	bool elsewhere;

	if (!event->cpus || worker->cpu < 0 || cpulist__parse(event->cpus, &cpus, NULL))
		return false;
	elsewhere = !cpulist__contains(&cpus, worker->cpu);
	cpulist__free(&cpus);
	return elsewhere;
}

/* What needs no try. False: that is not known. */
static bool is_absent(const struct opening *o)
{
	const struct event *event = o->event;
	char reason[384];

	if (event->absent) {
		snprintf(reason, sizeof(reason), "%s", event->absent);
	} else if (is_elsewhere(event, o->worker)) {
		snprintf(reason, sizeof(reason),
			 "not counted: the thread is pinned to CPU %d, the event is of CPUs %s",
			 o->worker->cpu, event->cpus);
		o->thread->elsewhere = true;
	} else if (event->kernel_only && event->attr.exclude_kernel) {
		snprintf(reason, sizeof(reason),
			 "not observable: it happens in the kernel, which ':u' leaves out");
	} else {
		return false;
	}
	o->thread->reason = strdup(reason);
	return true;
}

static void find_leader(struct opening *o, int worker, int event)
{
	const struct event *events = o->counters->list->events;

	for (int i = 0; events[event].group && !o->leader && i < event; i++) {
		const struct thread_counter *thread = counters__thread(o->counters, worker, i);

		if (events[i].group != events[event].group || !thread->counter)
			continue;
		o->leader = thread;
		o->leader_name = events[i].name;
	}
}

static void open_worker(const struct counters *counters, const struct worker *worker, int index,
			const struct event_env *env)
{
	for (int i = 0; i < counters->list->nr; i++) {
		struct opening o = {
			.counters = counters,
			.env = env,
			.event = &counters->list->events[i],
			.thread = counters__thread(counters, index, i),
			.worker = worker,
		};

		find_leader(&o, index, i);
		if (!is_absent(&o))
			open_one(&o);
	}
}

void counters__open(struct counters *counters, const struct run *run, const struct event_env *env)
{
	libperf__init();
	for (int i = 0; i < counters->nr_workers; i++)
		open_worker(counters, &run->workers[i], i, env);
}
