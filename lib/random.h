/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_RANDOM_H
#define BPFPERF_LIB_RANDOM_H

#include <stdint.h>

/* A sequence that its seed decides: what was drawn can be drawn again from a stored document. */
uint64_t random__next(uint64_t *state);

/* Evenly from 0..bound-1; bound > 0. */
uint64_t random__below(uint64_t *state, uint64_t bound);

/* A seed from the kernel; below 2^53, so that any JSON reader keeps it. */
uint64_t random__seed(void);

#endif
