// SPDX-License-Identifier: GPL-2.0-only
#include "perf/libperf.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <perf/core.h>
#include <perf/evlist.h>
#include <perf/evsel.h>
#include <perf/threadmap.h>

#include "lib/log.h"
#include "perf/event.h"

/* There is no struct behind the name: a counter is an evsel with one thread and any CPU. */
static struct perf_evsel *evsel_of(const struct counter *counter)
{
	return (struct perf_evsel *)(uintptr_t)counter;
}

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
	perf_evlist__add(list, evsel_of(leader));
	perf_evlist__add(list, evsel);
	perf_evlist__set_leader(list);
	perf_evlist__remove(list, evsel);
	perf_evlist__remove(list, evsel_of(leader));
	perf_evlist__delete(list);
	return 0;
}

int counter__open(struct counter **ret_counter, const struct event *event, pid_t tid,
		  const struct counter *leader)
{
	struct perf_evsel *evsel = new_evsel(event);
	struct perf_thread_map *threads;
	int err;

	*ret_counter = NULL;
	if (!evsel)
		return -ENOMEM;
	err = leader ? set_leader(evsel, leader) : 0;
	threads = err ? NULL : perf_thread_map__new_array(1, &tid);
	if (!threads) {
		perf_evsel__delete(evsel);
		return -ENOMEM;
	}
	/* An evsel borrows the map for the call, where an evlist would take a reference. */
	err = perf_evsel__open(evsel, NULL, threads);
	perf_thread_map__put(threads);
	if (err) {
		perf_evsel__delete(evsel);
		return err;
	}
	*ret_counter = (struct counter *)evsel;
	return 0;
}

int counter__read(const struct counter *counter, struct counter_value *ret_value)
{
	struct perf_counts_values values;
	int err;

	/* The library answers with -errno for a read() of 0 bytes too, which leaves errno alone. */
	errno = ENODATA;
	err = perf_evsel__read(evsel_of(counter), 0, 0, &values);
	if (err)
		return err;
	*ret_value =
		(struct counter_value){.val = values.val, .ena = values.ena, .run = values.run};
	return 0;
}

void counter__close(struct counter *counter)
{
	if (!counter)
		return;
	perf_evsel__close(evsel_of(counter));
	perf_evsel__delete(evsel_of(counter));
}

static bool is_perf_event(int dir_fd, const char *name)
{
	static const char target[] = "anon_inode:[perf_event]";
	char link[sizeof(target)];
	ssize_t len = readlinkat(dir_fd, name, link, sizeof(link));

	return len == (ssize_t)strlen(target) && !memcmp(link, target, len);
}

int counters__set_cloexec(void)
{
	struct dirent *entry;
	DIR *dir = opendir("/proc/self/fd");

	if (!dir)
		return -errno;
	while ((entry = readdir(dir)))
		if (is_perf_event(dirfd(dir), entry->d_name))
			fcntl(atoi(entry->d_name), F_SETFD, FD_CLOEXEC);
	closedir(dir);
	return 0;
}
