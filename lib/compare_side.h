/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_COMPARE_SIDE_H
#define BPFPERF_LIB_COMPARE_SIDE_H

#include "lib/compare.h"
#include "lib/compare_runs.h"

/* The benchmarks of one side, in the order of its document. */
struct entries {
	struct entry *entries;
	size_t nr;
	json_t *index; /* {key: number} */
	int *hosts;    /* of the document's boots */
};

/* `hosts` is common to all sides: see hosts__number(). -ENOMEM */
int entries__collect(const struct compare_side *side, struct name_index *hosts,
		     struct entries *ret);
void entries__free(struct entries *entries);
/* NULL: this side has none of that key. */
const struct entry *entries__find(const struct entries *entries, const char *key);

#endif
