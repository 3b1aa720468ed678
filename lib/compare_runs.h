/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_COMPARE_RUNS_H
#define BPFPERF_LIB_COMPARE_RUNS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "lib/headline.h"
#include "lib/name_index.h"
#include "lib/verdict.h"

/* One benchmark on one side of a comparison. */
struct entry {
	char *key; /* what joins the sides; owned by struct entries */
	const json_t *benchmark;
	const json_t *metrics; /* of its document, as */
	const json_t *boots;
	const int *hosts;    /* hosts__number(); NULL: each series numbers those it meets */
	int arm;	     /* only runs of this arm; -1: all */
	bool drop_disturbed; /* of the clean ones */
};

/* A figure of a run: one of `values`, or a counter per operation. */
struct figure {
	const char *name;
	bool per_op; /* a rate of counts, divided by the rate of operations */
};

/* One value per run; for the caller to free(). */
struct series {
	struct observation *runs;
	size_t nr;
};

/*
 * A document_trim: drops what compare does not read (intervals, threads, histograms), and turns
 * each run's counters into `per_op`, {metric: a number per operation or null}.
 */
void compare__trim(json_t *benchmark);

/*
 * For each boot the number of its host, from 0 on. `names` (of int) holds those that have a number,
 * and gets the new ones: of two documents that share it, a host has one number in both. For the
 * caller to free(); NULL: no memory.
 */
int *hosts__number(const json_t *boots, struct name_index *names);

/* Of this role and arm, and ok. */
bool entry__has(const struct entry *entry, const json_t *run, const char *role);

/* Why a run may be left out: a cause that was recorded, never its value. False: there is none. */
bool run__disturbed(const json_t *run, char *cause, size_t size);

/* Is this clean run of the entry's arm no part of its series? Then `cause` says why. */
bool entry__left_out(const struct entry *entry, const json_t *run, char *cause, size_t size);

/*
 * What this role's runs of the entry's arm have of a figure. Finite values only; the others have a
 * reason in the document. -ENOMEM.
 */
int entry__series(const struct entry *entry, const char *role, const struct figure *figure,
		  struct series *ret);
/* The same of anything else that a run has: NAN for nothing. `arg` is handed on to `value_of`. */
int entry__collect(const struct entry *entry, const char *role,
		   double (*value_of)(const json_t *run, const void *arg), const void *arg,
		   struct series *ret);
/* What it comes to. Errors as those of headline__make(). */
int series__headline(const struct series *series, struct headline *ret);

/*
 * Clean runs that are ok, how many of them were disturbed, and the cause of the one that was most:
 * the empty string if none was.
 */
size_t entry__count(const struct entry *entry, size_t *ret_disturbed, char *cause, size_t size);

/* Why there is no value at all: the first reason of a run. Never NULL. */
const char *entry__reason(const struct entry *entry, const char **ret_status);

#endif
