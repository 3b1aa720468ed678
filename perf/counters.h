/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_PERF_COUNTERS_H
#define BPFPERF_PERF_COUNTERS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/why.h"
#include "perf/event.h"
#include "perf/libperf.h"

struct run;
struct worker;

/*
 * The sensor "counters": perf events on every worker thread, read by the thread itself at each
 * tick. Counters run from `open` on, and what is reported is the difference of two rows.
 */

/* One event on one worker. */
struct thread_counter {
	struct counter *counter; /* NULL: not counted, see `reason` */
	char *reason;		 /* why there is no number; NULL: there is one */
	char *note;		 /* what to know about the number, or NULL */
	bool elsewhere;		 /* no number, since the thread is pinned where there is none: the
				    event's total is whole without it */
};

struct counters {
	const struct event_list *list; /* borrowed */
	int nr_workers;
	int nr_rows;
	struct thread_counter *threads; /* [worker][event] */
	struct counter_value **values;	/* of a worker: [row][event] */
	const struct worker *workers;	/* borrowed for counters__emit(); NULL: no clocks */
};

/* A value that was not read; in `ena`, which no counter reaches in 584 years. */
#define COUNTER_NOT_READ UINT64_MAX

/* All memory for `nr_rows` readings, touched. 0 or -ENOMEM; the caller frees it. */
int counters__new(struct counters **ret_counters, const struct event_list *list, int nr_workers,
		  int nr_rows);
/*
 * counters_open.c: opens what can be opened, on the tids of run->workers; the rest gets its reason.
 */
void counters__open(struct counters *counters, const struct run *run, const struct event_env *env);
void counters__free(struct counters *counters);

struct thread_counter *counters__thread(const struct counters *counters, int worker, int event);
struct counter_value *counters__value(const struct counters *counters, int worker, int row,
				      int event);

/* What was counted between two rows. False: one of them was not read, or they do not fit. */
bool counters__delta(const struct counters *counters, int worker, int event, int first, int last,
		     struct counter_value *ret_delta);

/*
 * sensor.emit: one object per event and thread into "counters" of the run's object `doc`, with
 * the raw difference and the multiplexing-corrected one of rows [first, last]; and a column per
 * event into its "intervals": row i is the sum over the threads from tick i to i + 1, or null when
 * one of them has no number. Counts beyond 2^63 are strings of digits. The corrected figure is in
 * the event's unit, the raw one is what the kernel counts: event->scale is between them. Where the
 * thread is pinned to a CPU whose kind of core has another PMU the object has "elsewhere": true,
 * and the total of the event leaves that thread out. Where the counter was enabled for less than
 * nine tenths of the time that the thread ran there is no number: its CPU went away for a while.
 */
void counters__emit(const struct counters *counters, int first, int last, json_t *doc);

#endif
