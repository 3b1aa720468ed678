/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_THREAD_H
#define BPFPERF_LIB_THREAD_H

#include <pthread.h>

/*
 * Starts a thread that is pinned before it runs, so that nothing it does happens elsewhere;
 * cpu -1: wherever this process may run. `name` is cut to 15 characters. 0 or -errno.
 */
int thread__start(pthread_t *ret, const char *name, int cpu, void *(*main)(void *), void *arg);

#endif
