/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_COMPARABILITY_H
#define BPFPERF_LIB_COMPARABILITY_H

#include <jansson.h>
#include <stdbool.h>

/*
 * What differs between the machines of two documents, and what that means for a comparison. What
 * a benchmark itself is (parameters, trigger, loop form, metric) is judged row by row, in
 * lib/compare_row.h.
 */
enum difference_class {
	DIFFERENCE_BLOCK,    /* the figures mean something else: NOT COMPARABLE, but with --force */
	DIFFERENCE_WARN,     /* may explain a change by itself */
	DIFFERENCE_EXPECTED, /* what a comparison is made for: another kernel */
};

/*
 * An array of {"field", "class", "before", "after"}, blocking ones first. A field of several
 * boots has each of its values once, joined with ", ". One that only one side knows is a warning
 * at most.
 */
json_t *comparability__differences(const json_t *before, const json_t *after);

bool comparability__is_blocking(const json_t *difference);
/* Is any of them? */
bool comparability__blocks(const json_t *differences);

bool comparability__kernels_differ(const json_t *before, const json_t *after);
/* Do they share a boot? If not, what differs between boots is a source of error. */
bool comparability__same_boot(const json_t *before, const json_t *after);
/* Are all of them known, and none common to both? */
bool comparability__hosts_differ(const json_t *before, const json_t *after);

/* "native", "emulated", "icount"; "mixed" if boots of one document differ. */
const char *comparability__timing(const json_t *document);

/* The rows of the table, for the manual and its test; NULL past the last one. */
const char *comparability__field(size_t i, enum difference_class *ret_class);

#endif
