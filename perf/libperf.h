/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_PERF_LIBPERF_H
#define BPFPERF_PERF_LIBPERF_H

#include <stdint.h>
#include <sys/types.h>

struct counter;
struct event;

/*
 * All that the program uses of libperf. The library renames functions between versions under one
 * version node, so its headers are included in libperf.c and nowhere else.
 */

/* A reading: events seen, ns the counter was enabled, ns of these that it was on the hardware. */
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
 * counter; it stays readable when the thread has ended.
 */
int counter__open(struct counter **ret_counter, const struct event *event, pid_t tid,
		  const struct counter *leader);

/* One read(2). -ENODATA at end of file: an event in error state. `ret_value` is set on success. */
int counter__read(const struct counter *counter, struct counter_value *ret_value);

/* NULL is fine. */
void counter__close(struct counter *counter);

/*
 * Marks every open perf event of this process close-on-exec: the library opens them without
 * PERF_FLAG_FD_CLOEXEC. 0 or -errno; call it after a round of counter__open().
 */
int counters__set_cloexec(void);

#endif
