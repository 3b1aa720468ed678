/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_RUN_H
#define BPFPERF_LIB_RUN_H

#include <jansson.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/why.h"
#include "lib/worker.h"

struct bench;
struct bpf_link;
struct bpf_object;
struct bpf_object_skeleton;
struct consumer;
struct plan;
struct point;
struct sensor;
struct trigger;

/*
 * Clean runs make the headline and are only counted; evidence runs have tracers too, bare runs not
 * even counters, and neither is ever in a mean. A probe is one small batch.
 */
enum run_role { ROLE_CLEAN, ROLE_EVIDENCE, ROLE_BARE, ROLE_PROBE };
const char *run_role__name(enum run_role role);

/* A sensor taking part in a run. */
struct run_sensor {
	const struct sensor *ops;
	void *config; /* what sensor.parse returned; owned by the plan */
	void *state;  /* what sensor.open returned; owned by the run */
};

/*
 * One execution of one point of the plan, alive only in its forked child. Time is cut by ticks:
 * tick 0 is the start, the last one the end of the measurement; rows of `worker.samples` and of
 * the sensors are numbered by them. A worker takes the reading of a tick itself, at the end of the
 * batch in which the tick fell, so that operations and counters of a row belong together.
 */
struct run {
	const struct plan *plan;
	const struct point *point;
	const struct bench *bench;
	const void *args; /* parameters, of the benchmark's own type */

	/* set by bench.open with RUN_OPEN() */
	void *skel;
	struct bpf_object_skeleton *skeleton;
	struct bpf_object *obj;

	const struct trigger *trigger; /* NULL in user-space benchmarks */
	struct bpf_link *link;
	int prog_fd;
	void *user_data;	/* the benchmark's own; freed by bench.close */
	struct bench_io *slots; /* mmap of bench_slots, one per producer */

	uint64_t batch;	    /* fixed iterations per batch; 0: calibrate */
	uint64_t batch_max; /* bench.open may lower it; 0: no limit */
	uint64_t prime;	    /* bench.open: turns before calibration, for what first use makes */
	json_t *resolved;   /* bench.open: what "auto" came to, for the document */

	int nr_workers;
	struct worker *workers;
	struct run_sensor *sensors;
	int nr_sensors;

	int nr_consumers;
	struct consumer *consumers;

	bool probe;	   /* one small batch, to see whether it works */
	int nr_ticks;	   /* rows there is room for */
	int nr_warmup;	   /* the row with which the measurement begins */
	int last_tick;	   /* the one with which it ended; an earlier one if interrupted */
	uint64_t start_ns; /* of tick 0, CLOCK_MONOTONIC */
	atomic_int tick;   /* the newest tick */
	atomic_int unread; /* producers without an operation since the warm-up */
	atomic_bool stop;
	atomic_bool producers_ended; /* for consumers */
	pthread_barrier_t barrier;
	bool interrupted;
	struct why why; /* why this run failed or was skipped */
};

/* Opens a skeleton of type T##_bpf and hands it to the run; NULL with errno set on failure. */
#define RUN_OPEN(run, T)                                                     \
	({                                                                   \
		struct T##_bpf *skel_ = T##_bpf__open();                     \
		if (skel_)                                                   \
			run__adopt(run, skel_, skel_->skeleton, skel_->obj); \
		skel_;                                                       \
	})
void run__adopt(struct run *run, void *skel, struct bpf_object_skeleton *skeleton,
		struct bpf_object *obj);

/*
 * Sums over all producers from the first batch to the last, calibration and warm-up included; for
 * bench.check: of count[i], of loop turns, and of what the operations left in bench_op.sink.
 */
uint64_t run__total(const struct run *run, int i);
uint64_t run__turns(const struct run *run);
/* What was consumed, the rest after the producers' end included. */
uint64_t run__consumed(const struct run *run);
/* Of the measurement alone: count[i] between two rows, over all producers. */
uint64_t run__delta(const struct run *run, int i, int first, int last);
uint64_t run__sink(const struct run *run);

/* In the run's own process: makes the run and returns its object for the document. */
json_t *run__execute(const struct plan *plan, const struct point *point, enum run_role role);

#endif
