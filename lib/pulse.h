/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_PULSE_H
#define BPFPERF_LIB_PULSE_H

#include <stdatomic.h>
#include <stdint.h>

/*
 * How a run's process tells the one that waits for it that it is alive, and what it is doing: in
 * memory that both share. A run hangs when it gave no sign for PULSE_GRACE_NS; filling a map of
 * 16 million entries, or on an emulated CPU, may rightly take longer than that as a whole.
 */
#define PULSE_GRACE_NS 180000000000ULL

enum pulse_phase {
	PULSE_LOAD,
	PULSE_FILL,
	PULSE_OPEN, /* the sensors */
	PULSE_CALIBRATE,
	PULSE_MEASURE,
	PULSE_CHECK,
};

struct pulse {
	_Atomic uint64_t beat_ns; /* CLOCK_MONOTONIC */
	_Atomic int phase;
};

/* For the parent, before it forks; beats once, in PULSE_LOAD. NULL: no memory. */
struct pulse *pulse__new(void);
void pulse__free(struct pulse *pulse);

/* For the child: the pulse of this process. Without one the two below do nothing. */
void pulse__adopt(struct pulse *pulse);
void pulse__enter(enum pulse_phase phase);
/* From within whatever grows with the size of a map; costs a reading of the clock. */
void pulse__beat(void);

/* When to give up unless it beats again. `measured_ns` is what PULSE_MEASURE takes by plan. */
uint64_t pulse__deadline(const struct pulse *pulse, uint64_t measured_ns);

/* "filling its maps": goes behind "the run hung while ". */
const char *pulse__doing(const struct pulse *pulse);

#endif
