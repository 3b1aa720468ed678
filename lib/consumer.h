/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_CONSUMER_H
#define BPFPERF_LIB_CONSUMER_H

#include <pthread.h>
#include <stdint.h>

struct run;

/* A thread that takes what the producers make. Fields are its own until it was joined. */
struct consumer {
	struct run *run;
	int index; /* from 0 */
	int cpu;   /* -1: floating */
	pthread_t thread;
	uint64_t consumed;
	int err;	 /* -errno of bench.consume */
	void *user_data; /* the benchmark's own */
};

/* Before the producers start, and after they were joined; -errno with run->why. */
int consumer__start_all(struct run *run);
int consumer__join_all(struct run *run);

#endif
