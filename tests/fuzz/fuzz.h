/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_TESTS_FUZZ_FUZZ_H
#define BPFPERF_TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A promise of the code under test: the sanitizers do not know it. */
#define fuzz_assert(condition)    \
	do {                      \
		if (!(condition)) \
			abort();  \
	} while (0)

/* The input as a string of exactly its size, so that one byte beyond it is noticed. */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	fuzz_assert(text);
	for (size_t i = 0; i < size; i++)
		text[i] = (char)data[i];
	text[size] = '\0';
	return text;
}

#endif
