/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_CLOCK_H
#define BPFPERF_LIB_CLOCK_H

#include <stdint.h>
#include <time.h>

#define NSEC_PER_SEC 1000000000ULL

static inline uint64_t clock__ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * NSEC_PER_SEC + now.tv_nsec;
}

/* The clock that bpf_ktime_get_ns() reads too. */
static inline uint64_t clock__now(void)
{
	return clock__ns(CLOCK_MONOTONIC);
}

#endif
