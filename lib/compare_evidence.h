/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_COMPARE_EVIDENCE_H
#define BPFPERF_LIB_COMPARE_EVIDENCE_H

#include "lib/compare_runs.h"

/* A figure of a tracer, one value for each evidence run of either side. */
struct evidence {
	char *name; /* "lock wait, htab bucket (spinlock) in htab_map_update_elem", "gp_ns" */
	const char *unit;
	const char *better; /* "lower", "higher", "none" */
	double floor;	    /* the least difference that matters; 0: any */
	struct series before, after;
};

/*
 * What the tracers of both sides saw: the metrics that only evidence runs have, and lock classes.
 * A lock class that a traced run does not have was not waited for: its value is 0 there. A run
 * whose tracer could not see is no value. What is beyond some hundred figures is not taken. -ENOMEM.
 */
int evidence__collect(const struct entry *before, const struct entry *after,
		      struct evidence **ret_list, size_t *ret_nr);
void evidence__free(struct evidence *list, size_t nr);

#endif
