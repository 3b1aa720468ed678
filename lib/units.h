/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_UNITS_H
#define BPFPERF_LIB_UNITS_H

#include "lib/verdict.h"

/* What is counted as one observation, after verdict__judge() has chosen the level. */
struct units {
	const char *name;	/* "run", "pair", "boot", "host", "host pair" */
	bool paired;		/* before[i] and after[i] belong together */
	double *before, *after; /* of logs: relative to that of `unit` */
	double unit;		/* 0: plain values */
	size_t nr_before, nr_after;
	size_t boots_before, boots_after; /* 0 of pairs of runs, whose boots are common to both */
	size_t hosts_before, hosts_after; /* the same */
	size_t nr_alone;		  /* runs without a partner, which a pair has no use for */
	size_t hosts_alone, boots_alone;  /* hosts without one, and how many boots they have */
	bool few_common; /* several hosts, and fewer than two of them on both sides: no error */
};

/*
 * Several runs of one unit become their mean: of logs if `logs` is set, when all values must be
 * above 0. Units come in the order of their boot or block. -ENOMEM.
 */
int units__build(const struct arm *before, const struct arm *after, const struct judge_options *o,
		 bool logs, struct units *ret);
/* So many of them on each side are the least for a verdict on a noisy metric. */
size_t units__least(const struct units *units);
/* The means that the ratio is one of, each of its own side's units. -ENOMEM. */
int units__estimate(const struct units *units, struct estimate *ret_before,
		    struct estimate *ret_after);
void units__free(struct units *units);

#endif
