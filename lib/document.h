/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_DOCUMENT_H
#define BPFPERF_LIB_DOCUMENT_H

#include <jansson.h>
#include <stddef.h>

struct why;

/*
 * A result document that somebody else may have written. It is read whole and checked before
 * anybody looks into it: after a load every field that Documentation/bpfperf-result.rst promises is
 * there and of its type, and every number that a renderer counts with has a bound.
 */

/* 1,000 points with 10 runs and a dozen counters on two CPUs are 120 MB. */
#define DOCUMENT_MAX_BYTES (256UL << 20)

/* A thousandth of it is what a result of an hour takes; the largest that is promised, half a GB. */
#define DOCUMENT_MAX_MEMORY (1536UL << 20)

/*
 * Bounds of what is multiplied with each other, or counted up to. A plan keeps those that are its
 * own matter: what `stat` writes can be read back.
 */
#define DOCUMENT_MAX_PRODUCERS	1024
#define DOCUMENT_MAX_BENCHMARKS 10000
#define DOCUMENT_MAX_BOOTS	1000
#define DOCUMENT_MAX_METRICS	4096
#define DOCUMENT_MAX_RUNS	40000 /* a plan has 10,000 at most, two arms, and evidence beside */
#define DOCUMENT_MAX_THREADS	4000000 /* producers x runs of a benchmark */
#define DOCUMENT_MAX_INTERVALS	1000000 /* of all runs: 220 bytes each with the default events */
#define DOCUMENT_MAX_CELLS	8000000 /* names of figures x runs, summed over benchmarks */
#define DOCUMENT_MAX_FIGURES	256	/* in `values` */
#define DOCUMENT_MAX_COUNTERS	65536	/* 64 events of so many producers */
#define DOCUMENT_MAX_COLUMNS	128	/* of intervals: one for each event, and a few more */
#define DOCUMENT_MAX_LOCKS	4096
#define DOCUMENT_MAX_TRACERS	16  /* grace_periods of a run */
#define DOCUMENT_MAX_PROGS	256 /* of a benchmark */
#define DOCUMENT_MAX_WARNINGS	1000
#define DOCUMENT_MAX_INDEX	1000000000 /* block, order, n: numbers that grow when joined */

/* Of any number and of any text, known or not: sums stay finite, and a line stays a line. */
#define DOCUMENT_MAX_NUMBER 1e30
#define DOCUMENT_MAX_TEXT   131072 /* the kernel's bound of one word of a command line */

/*
 * Called for each benchmark once it was checked, and before the next one is parsed: a caller that
 * needs little of it drops the rest, and memory stays that of the text. NULL keeps everything.
 */
typedef void (*document_trim)(json_t *benchmark);

/*
 * -EINVAL and `why` on anything that is no document: "'x.json': line 3, column 7: duplicate key
 * 'runs'", or the path of the field: "'x.json': benchmarks[0].runs[2].boot: ...". A newer minor
 * version is read, a newer major one refused. `name` is for messages.
 */
int document__parse(const char *name, const char *data, size_t len, document_trim trim,
		    json_t **ret, struct why *why);

/* From a regular file, or from standard input: "-". Errors as above, and -errno. */
int document__load(const char *path, document_trim trim, json_t **ret, struct why *why);

/*
 * The same for one that is there already: what a merge made, what stat is about to compare.
 * `why` has the path without a name.
 */
int document__check(json_t *document, struct why *why);
/* One element of `benchmarks`; `index` is for messages. */
int document__check_benchmark(json_t *benchmark, size_t index, struct why *why);

#endif
