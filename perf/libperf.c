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
#include <perf/evsel.h>
#include <perf/threadmap.h>

#include "lib/log.h"

/* There is no struct behind the name: a counter is an evsel with one thread and any CPU. */
static struct perf_evsel *evsel_of(const struct counter *counter)
{
	return (struct perf_evsel *)(uintptr_t)counter;
}

static int print(enum libperf_print_level level, const char *fmt, va_list args)
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

static struct perf_evsel *new_evsel(const struct perf_event_attr *attr)
{
	/*
	 * The library copies a perf_event_attr of the size that its own kernel headers give, which
	 * may be larger than ours: 136 bytes in 6.12, 128 in 6.1. attr->size still says how many
	 * of them count.
	 */
	union {
		struct perf_event_attr attr;
		char room[4 * PERF_ATTR_SIZE_VER7];
	} copy;

	memset(&copy, 0, sizeof(copy));
	copy.attr = *attr;
	return perf_evsel__new(&copy.attr);
}

int counter__open(struct counter **ret_counter, const struct perf_event_attr *attr, pid_t tid)
{
	struct perf_thread_map *threads;
	struct perf_evsel *evsel;
	int err;

	*ret_counter = NULL;
	evsel = new_evsel(attr);
	if (!evsel)
		return -ENOMEM;
	threads = perf_thread_map__new_array(1, &tid);
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
