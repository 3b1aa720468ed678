/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_COMPARE_MATRIX_H
#define BPFPERF_LIB_COMPARE_MATRIX_H

#include "lib/compare.h"
#include "lib/compare_row.h"

/* Three and more sides; `primaries` is an array of metrics, empty for each benchmark's own. */
json_t *compare__matrix(const struct compare_side *sides, size_t nr,
			const struct compare_options *options, const json_t *primaries);

/* Parts that a comparison of two has as well. */
json_t *compare__new(const struct compare_side *sides, size_t nr,
		     const struct compare_options *options);
json_t *compare__side_json(const struct compare_side *side);
json_t *compare__warnings(const struct compare_side *sides, size_t nr,
			  const struct compare_options *options);
void compare__pair(const struct compare_side *before, const struct compare_side *after,
		   const struct compare_options *options, bool blocked, struct pairing *ret);

#endif
