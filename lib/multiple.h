/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_MULTIPLE_H
#define BPFPERF_LIB_MULTIPLE_H

#include <stddef.h>

/*
 * Probabilities of a family of tests, adjusted for their number, in the order they came in. Of 20
 * counters that did not change, one has p < 0.05 in two comparisons of three. NAN was not tested:
 * it stays NAN and is not counted. `ret` may be `p`. -EINVAL outside 0..1, -ENOMEM.
 */

/* Holm: the chance of any false change. */
int multiple__holm(const double *p, size_t n, double *ret);
/* Benjamini and Hochberg: the share of false changes among those called. */
int multiple__benjamini_hochberg(const double *p, size_t n, double *ret);

#endif
