// SPDX-License-Identifier: GPL-2.0-only
#include "tracepoints/rcu_tasks_trace_probe.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <math.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/clock.h"
#include "lib/thread.h"

/* Kernels before early 2025 did not wait here: then a close takes microseconds. */
#define SHORTEST_WAIT_NS 1000000

struct wait {
	uint64_t end_ns, ns;
};

struct rtt_probe {
	int prog_fd, event_fd, wake_fd;
	uint64_t interval_ns;
	pthread_t thread;
	struct wait *waits;
	size_t nr, room;
	int err;
};

static int tracepoint_id(void)
{
	static const char *const paths[] = {
		"/sys/kernel/tracing/events/sched/sched_process_hang/id",
		"/sys/kernel/debug/tracing/events/sched/sched_process_hang/id",
	};
	int id = -ENOENT;

	for (size_t i = 0; id < 0 && i < sizeof(paths) / sizeof(paths[0]); i++) {
		FILE *file = fopen(paths[i], "re");

		if (file && fscanf(file, "%d", &id) != 1)
			id = -ENOENT;
		if (file)
			fclose(file);
	}
	return id;
}

/* Not through perf/: nothing is counted, the event is only somewhere to hang a program. */
static int open_event(void)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_TRACEPOINT, .size = sizeof(attr)};
	int id = tracepoint_id(), fd;

	if (id < 0)
		return id;
	attr.config = id;
	fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static int note(struct rtt_probe *probe, uint64_t start_ns)
{
	uint64_t end_ns = clock__now();

	if (probe->nr == probe->room) {
		size_t room = probe->room ? 2 * probe->room : 64;
		struct wait *waits = reallocarray(probe->waits, room, sizeof(*waits));

		if (!waits)
			return -ENOMEM;
		probe->waits = waits;
		probe->room = room;
	}
	probe->waits[probe->nr++] = (struct wait){end_ns, end_ns - start_ns};
	return 0;
}

static int wait_once(struct rtt_probe *probe)
{
	int link = bpf_link_create(probe->prog_fd, probe->event_fd, BPF_PERF_EVENT, NULL);
	uint64_t start_ns = clock__now();

	if (link < 0)
		return link;
	close(link);
	return note(probe, start_ns);
}

static void *probe_main(void *arg)
{
	struct rtt_probe *probe = arg;
	struct pollfd wake = {.fd = probe->wake_fd, .events = POLLIN};

	while (!probe->err && poll(&wake, 1, probe->interval_ns / 1000000) == 0)
		probe->err = wait_once(probe);
	return NULL;
}

static int start(struct rtt_probe *probe)
{
	probe->event_fd = open_event();
	if (probe->event_fd < 0)
		return probe->event_fd;
	probe->wake_fd = eventfd(0, EFD_CLOEXEC);
	if (probe->wake_fd < 0)
		return -errno;
	return thread__start(&probe->thread, "rcu-probe", -1, probe_main, probe);
}

struct rtt_probe *rtt_probe__start(struct rtt_source *source, uint64_t interval_ns, struct why *why)
{
	struct rtt_probe *probe = calloc(1, sizeof(*probe));
	int err;

	if (!probe || source->blocker_fd < 0) {
		free(probe);
		why__set(why, -ENOTSUP, "not supported: this path brings no probe");
		return NULL;
	}
	*probe = (struct rtt_probe){.prog_fd = source->blocker_fd,
				    .event_fd = -1,
				    .wake_fd = -1,
				    .interval_ns = interval_ns};
	err = start(probe);
	if (!err)
		return probe;
	if (err == -ENOENT)
		why__set(why, err, "needs tracefs (mount -t tracefs nodev /sys/kernel/tracing)");
	else
		why__errno(why, err, "cannot open the event sched:sched_process_hang");
	rtt_probe__free(probe);
	return NULL;
}

void rtt_probe__stop(struct rtt_probe *probe)
{
	eventfd_write(probe->wake_fd, 1);
	pthread_join(probe->thread, NULL);
}

void rtt_probe__free(struct rtt_probe *probe)
{
	if (!probe)
		return;
	if (probe->event_fd >= 0)
		close(probe->event_fd);
	if (probe->wake_fd >= 0)
		close(probe->wake_fd);
	free(probe->waits);
	free(probe);
}

static int ascending(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static json_t *absent(const char *reason)
{
	return json_pack("{s:i, s:n, s:s}", "n", 0, "mean_ns", "reason", reason);
}

json_t *rtt_probe__json(const struct rtt_probe *probe, uint64_t from_ns, uint64_t to_ns)
{
	uint64_t *ns = calloc(probe->nr + 1, sizeof(*ns));
	double sum = 0;
	size_t nr = 0;
	json_t *doc;

	for (size_t i = 0; ns && i < probe->nr; i++) {
		if (probe->waits[i].end_ns <= from_ns || probe->waits[i].end_ns > to_ns)
			continue;
		ns[nr++] = probe->waits[i].ns;
		sum += probe->waits[i].ns;
	}
	if (!nr) {
		doc = absent(probe->err ? errno_text(probe->err) : "no wait ended in this time");
		free(ns);
		return doc;
	}
	qsort(ns, nr, sizeof(*ns), ascending);
	if (ns[nr - 1] < SHORTEST_WAIT_NS)
		doc = absent("this kernel does not wait when a program is taken off a perf event");
	else
		doc = json_pack("{s:I, s:f, s:I, s:I, s:I, s:f, s:n}", "n", (json_int_t)nr,
				"mean_ns", sum / nr, "median_ns", (json_int_t)ns[(nr - 1) / 2],
				"p99_ns", (json_int_t)ns[(size_t)ceil(0.99 * nr) - 1], "max_ns",
				(json_int_t)ns[nr - 1], "interval_ns", (double)probe->interval_ns,
				"reason");
	free(ns);
	return doc;
}
