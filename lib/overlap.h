/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_OVERLAP_H
#define BPFPERF_LIB_OVERLAP_H

#include <jansson.h>
#include <stddef.h>

#include "lib/compare_runs.h"

/*
 * Runs that two documents have in common: a document and its copy, a joined one and what it was
 * joined from. Such sides are no two samples, and have no error to compare by.
 *
 * A run is known by its boot, its start (`t0_mono_ns`) and its values, so that neither the name of a
 * file nor the id of a document matters; one that has no start, by the document's id and its number.
 */
enum overlap {
	OVERLAP_NONE,
	OVERLAP_SOME, /* of which benchmarks, overlap__count() says */
	OVERLAP_ALL,  /* one document, twice */
};

/* Of all runs that have values, whatever their role. */
enum overlap overlap__find(const json_t *before, const json_t *after);

/* One benchmark of a document. */
struct overlap_side {
	const json_t *document;
	const struct entry *entry;
};

/* How many clean runs both have: what the benchmark's verdict would be made of. */
size_t overlap__count(const struct overlap_side *before, const struct overlap_side *after);

/* For a verdict of the whole; the empty string, unless it is OVERLAP_ALL. */
const char *overlap__text(enum overlap overlap);

#endif
