/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_THREAD_H
#define BPFPERF_LIB_THREAD_H

#include <pthread.h>
#include <stdint.h>

/*
 * Starts a thread that is pinned before it runs, so that nothing it does happens elsewhere;
 * cpu -1: wherever this process may run. `name` is cut to 15 characters. 0 or -errno.
 */
int thread__start(pthread_t *ret, const char *name, int cpu, void *(*main)(void *), void *arg);

/*
 * How long a thread could have run and did not, since others had its CPU: the kernel's own count
 * in ns, which at each switch may be up to a tick too long (see methodology.rst). The file is the
 * calling thread's; closed by whoever opened it. -1: not told (no /proc, or a kernel without
 * CONFIG_SCHED_INFO).
 */
int thread__open_schedstat(void);
int64_t thread__wait_ns(int schedstat_fd);

#endif
