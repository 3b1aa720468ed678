/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_PERF_LIBPERF_H
#define BPFPERF_PERF_LIBPERF_H

#include <errno.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

struct event;
struct perf_evsel;

/*
 * All that the program uses of libperf. The library renames functions between versions under one
 * version node, so its headers are included in libperf.c and libperf_fd.c and nowhere else.
 */

/* One event on one thread, open; to be had from counter__open(). */
struct counter {
	int fd;
	struct perf_evsel *evsel;
};

/*
 * A reading: events seen, ns the counter was enabled, ns of these that it was on the hardware. As
 * the kernel writes it for a read_format of TOTAL_TIME_ENABLED | TOTAL_TIME_RUNNING.
 */
struct counter_value {
	uint64_t val;
	uint64_t ena;
	uint64_t run;
};

/* Sends the library's messages to the log; call it before anything else here. */
void libperf__init(void);

/*
 * One event on one thread, on whatever CPU that runs; its attr.read_format must be
 * TOTAL_TIME_ENABLED | TOTAL_TIME_RUNNING. With a `leader`, an open counter on the same thread, it
 * is on the hardware when that one is; each is still read by itself, since the library's read of a
 * group gives the leader's count only. 0 or the -errno of perf_event_open. The caller owns the
 * counter, which is closed on exec; it stays readable when the thread has ended.
 */
int counter__open(struct counter **ret_counter, const struct event *event, pid_t tid,
		  const struct counter *leader);

/*
 * One read(2), and as little else as can be: what stands between two of them is counted. The
 * library's own takes some 350 instructions, and the C library's read() of a process with threads
 * prepares for being cancelled. 0, -errno, or -ENODATA at end of file: an event in error state.
 * `ret_value` is set on success, and not touched otherwise.
 */
static inline int counter__read(const struct counter *counter, struct counter_value *ret_value)
{
	long nr = syscall(SYS_read, counter->fd, ret_value, sizeof(*ret_value));

	if (nr == sizeof(*ret_value))
		return 0;
	return nr < 0 ? -errno : -ENODATA;
}

/* NULL is fine. */
void counter__close(struct counter *counter);

#endif
