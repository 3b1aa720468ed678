/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_WORKER_H
#define BPFPERF_LIB_WORKER_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "bpf/bench_io.h"

struct run;

/*
 * A reading of one worker at the end of a batch; every figure is cumulative since the start of
 * the thread, so that the difference of two readings is exact whatever time the batches took.
 */
struct sample {
	uint64_t t_ns;	 /* CLOCK_MONOTONIC */
	uint64_t bpf_ns; /* time inside the BPF program; 0 in user-space benchmarks */
	uint64_t cpu_ns; /* CPU time of the thread */
	int64_t wait_ns; /* for its CPU, see thread__wait_ns() */
	uint64_t turns;	 /* of the loop */
	uint64_t batches;
	uint64_t count[BENCH_NR_COUNTS];
};

/* What the harness itself costs, measured by each worker before the warm-up. */
struct control {
	double empty_ns;   /* per turn of the empty loop; NaN: not measured */
	double keygen_ns;  /* per turn of the loop that only makes keys; NaN: no keys are made */
	double trigger_ns; /* per trigger, beyond the time inside the program; NaN: not measured */
};

/* One producer thread. Fields are written by their thread only, and read after it was joined. */
struct worker {
	struct run *run;
	int index; /* from 0; the slot of the BPF side */
	int cpu;   /* pinned to; -1: floating */
	pid_t tid;
	pthread_t thread;
	int err;	    /* -errno of what failed on this thread */
	const char *failed; /* and what that was */

	struct bench_io *io; /* of the next batch */
	struct bench_io own_io;
	uint64_t batch; /* iterations per batch, once calibrated */
	struct control control;

	struct sample *samples; /* one row per tick, see struct run */
	int row;		/* the last one taken */
	int schedstat_fd;	/* of this thread; -1: none */
	uint64_t turns, batches;
	uint64_t refused_ns; /* what a fixed batch would take, where that is too long; else 0 */
	bool unread;	     /* no operation since the warm-up */
	uint64_t missed;     /* triggers whose program the kernel did not run */
};

/* What a batch should take; see worker.c for why. */
#define WORKER_BATCH_NS 2000000ULL

/*
 * Turns that are done without asking. At 10 us each, which is ten times what the slowest known
 * operation takes, they are 160 ms.
 */
#define WORKER_TRUSTED_BATCH 16384
/*
 * How long a batch may be: nothing ends one early, neither a signal nor, where the kernel does not
 * preempt itself, another thread on that CPU.
 */
#define WORKER_BATCH_LIMIT_NS 1000000000ULL

/* Allocates and starts run->nr_workers threads, which stop at the first of WORKER_BARRIERS. */
int worker__start_all(struct run *run);
void worker__join_all(struct run *run);

/* The limit of this run: a batch should not be longer than all that is to be measured. */
uint64_t worker__batch_limit_ns(const struct run *run);
/* -E2BIG and run->why, with the batch that would fit, if a producer refused; else 0. */
int worker__explain_refusal(struct run *run);

/*
 * The barriers that workers and the run's main thread pass together: every tid is known; the
 * sensors are open; control and calibration are done, and the clock starts.
 */
enum worker_barrier { WORKER_KNOWN, WORKER_WATCHED, WORKER_GO };

#endif
