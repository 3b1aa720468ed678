/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_PERF_EVENT_TRY_H
#define BPFPERF_PERF_EVENT_TRY_H

#include <stdint.h>

struct host_roots;
struct why;

/*
 * Opens one event on the calling thread, keeps it busy for a millisecond and reads: what can be
 * opened does not always count. 0, or -errno with the words of perf/absent.h; a doctor_count_fn.
 */
int event__try(const char *event, const struct host_roots *roots, uint64_t *ret_count,
	       struct why *why);

#endif
