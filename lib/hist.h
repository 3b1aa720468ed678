/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_HIST_H
#define BPFPERF_LIB_HIST_H

#include <jansson.h>
#include <stdint.h>

/*
 * Log2-linear histograms: 2^sub_bits bins of equal width in each octave, so a bin is at most
 * 2^-sub_bits of its value wide. Values below 2^sub_bits have a bin each. Mergeable by addition.
 */

/* The smallest value of a bin; hist__low(bin + 1) is the first value that is not in it. */
uint64_t hist__low(unsigned int bin, unsigned int sub_bits);

/* The bin of a value: what BPF programs compute, for tests and user space. */
unsigned int hist__bin(uint64_t value, unsigned int sub_bits);

/* The document's form: {"enc":"log2lin","sub_bits":3,"unit":"ns","bins":[[index,count]...]}. */
json_t *hist__json(const uint64_t *bins, unsigned int nr, unsigned int sub_bits, const char *unit);

#endif
