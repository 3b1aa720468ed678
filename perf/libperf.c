// SPDX-License-Identifier: GPL-2.0-only
#include "perf/libperf.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include <perf/core.h>
#include <perf/evlist.h>
#include <perf/evsel.h>
#include <perf/threadmap.h>

#include "lib/log.h"
#include "perf/event.h"
#include "perf/libperf_fd.h"

__attribute__((format(printf, 2, 0))) static int print(enum libperf_print_level level,
						       const char *fmt, va_list args)
{
	static const enum log_level levels[] = {
		[LIBPERF_ERR] = LOG_ERROR,    [LIBPERF_WARN] = LOG_WARNING,
		[LIBPERF_INFO] = LOG_INFO,    [LIBPERF_DEBUG] = LOG_DEBUG,
		[LIBPERF_DEBUG2] = LOG_DEBUG, [LIBPERF_DEBUG3] = LOG_DEBUG,
	};

	log__vprint(levels[level], "bpfperf: libperf: ", fmt, args);
	return 0;
}

void libperf__init(void)
{
	libperf_init(print);
}

/* Where config3 is, and the size of a perf_event_attr that has it (PERF_ATTR_SIZE_VER8). */
#define CONFIG3_OFFSET 128
#define CONFIG3_SIZE   136

static struct perf_evsel *new_evsel(const struct event *event)
{
	/*
	 * The library copies a perf_event_attr of the size that its own kernel headers give, which
	 * may be larger than ours: 136 bytes in 6.12, 128 in 6.1. attr->size still says how many
	 * of them count.
	 */
	union {
		struct perf_event_attr attr;
		char room[4 * CONFIG3_SIZE];
	} copy;

	memset(&copy, 0, sizeof(copy));
	copy.attr = event->attr;
	if (event->config3) {
		memcpy(copy.room + CONFIG3_OFFSET, &event->config3, sizeof(event->config3));
		if (copy.attr.size < CONFIG3_SIZE)
			copy.attr.size = CONFIG3_SIZE;
	}
	return perf_evsel__new(&copy.attr);
}

/* The library knows leaders by the list that both are on; that one may go when it is said. */
static int set_leader(struct perf_evsel *evsel, const struct counter *leader)
{
	struct perf_evlist *list = perf_evlist__new();

	if (!list)
		return -ENOMEM;
	perf_evlist__add(list, leader->evsel);
	perf_evlist__add(list, evsel);
	perf_evlist__set_leader(list);
	perf_evlist__remove(list, evsel);
	perf_evlist__remove(list, leader->evsel);
	perf_evlist__delete(list);
	return 0;
}

static int open_evsel(struct perf_evsel *evsel, pid_t tid, const struct counter *leader)
{
	struct perf_thread_map *threads;
	int err = leader ? set_leader(evsel, leader) : 0;

	threads = err ? NULL : perf_thread_map__new_array(1, &tid);
	if (!threads)
		return -ENOMEM;
	/* An evsel borrows the map for the call, where an evlist would take a reference. */
	err = perf_evsel__open(evsel, NULL, threads);
	perf_thread_map__put(threads);
	return err;
}

int counter__open(struct counter **ret_counter, const struct event *event, pid_t tid,
		  const struct counter *leader)
{
	struct counter *counter = malloc(sizeof(*counter));
	int err = -ENOMEM;

	*ret_counter = NULL;
	if (!counter)
		return err;
	counter->evsel = new_evsel(event);
	if (counter->evsel)
		err = open_evsel(counter->evsel, tid, leader);
	if (err) {
		if (counter->evsel)
			perf_evsel__delete(counter->evsel);
		free(counter);
		return err;
	}
	counter->fd = libperf__fd(counter->evsel);
	/* The library opens without PERF_FLAG_FD_CLOEXEC. */
	fcntl(counter->fd, F_SETFD, FD_CLOEXEC);
	*ret_counter = counter;
	return 0;
}

void counter__close(struct counter *counter)
{
	if (!counter)
		return;
	perf_evsel__close(counter->evsel);
	perf_evsel__delete(counter->evsel);
	free(counter);
}
