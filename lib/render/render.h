/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_RENDER_RENDER_H
#define BPFPERF_LIB_RENDER_RENDER_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/*
 * Renderers read nothing but the result document, and write to the FILE they are given. Strings
 * of the document are a stranger's: nothing of them reaches a terminal unescaped.
 */

/* The first screen of `stat`. */
void render__stat(const json_t *result, FILE *out);

/* What `list` prints of lib/inventory.h; `details` adds parameters and metrics. */
void render__list(const json_t *inventory, bool details, FILE *out);

/* What `doctor` prints of lib/doctor.h. */
void render__doctor(const json_t *report, FILE *out);

/* What `compare` prints of lib/compare.h: the verdict in the first two lines, and once more in the
 * last one, for scripts. */
void render__compare(const json_t *comparison, FILE *out);
/* Parts of it: three and more sides; differences of the machines; what moved beside the verdict. */
void render__matrix(const json_t *comparison, FILE *out);
void render__differences(const json_t *comparison, FILE *out);
void render__blocking(const json_t *comparison, FILE *out);
void render__beside(const json_t *comparison, FILE *out);
const char *render__side(const json_t *comparison, size_t i);
/* What the arms of one document came to: the first two lines, and how to see more of `file`. */
void render__arms(const json_t *comparison, const char *file, FILE *out);
/* A ratio as "+3.1 %" or "x 12.5". */
void render__change(char *buf, size_t size, double ratio);
/* `ratio` of a row, and the interval of two of its keys: all in one notation. "-" is not known. */
struct change {
	char text[32], interval[80];
};
struct change render__change_of(const json_t *row, const char *lo_key, const char *hi_key);
/* The first 40 bytes. */
void render__short(const char *text, FILE *out);
/* A value in the unit of its metric: "12.31 M", "95.9 ns", "0.125". */
void render__value(char *buf, size_t size, double value, const char *unit);

/* A sweep: one line for each point, in the order of the plan. */
void render__sweep(const json_t *result, FILE *out);

/* Parts that the two have in common. */
struct run_tally;
int render__producers(const json_t *benchmark);
size_t render__boots(const json_t *result);
/*
 * What each point was measured with: "5 runs x 1 s", "2 to 4 runs x 1 s each in 1 to 2 boots". Of
 * one document it is the plan; of several that were joined, what is there.
 */
void render__extent(const json_t *result, FILE *out);
void render__params(const json_t *benchmark, const char *separator, FILE *out);
/* What did not go well, as lines; `role` is "" of the clean runs, or as "evidence ". */
void render__tally(const struct run_tally *tally, const char *role, FILE *out);
/* The same of those that are not clean, where it is something else. */
void render__other_runs(const json_t *benchmark, FILE *out);
/* ns/op, gross and net, to be put into the line of the rate. */
void render__cost(const json_t *result, const json_t *benchmark, FILE *out);
/* What the benchmark itself counted and made of it. */
void render__values(const json_t *result, const json_t *benchmark, FILE *out);
/* What the points advise, each thing once; nothing for points without a run that counts. */
void render__next(const json_t *result, FILE *out);
struct counter_total;
void render__part_of_runs(const struct counter_total *sum, size_t runs, FILE *out);
/* What tells a point from the others, to the end of the line. */
void render__point(const json_t *benchmark, FILE *out);

/* Lock waits of the evidence runs of one benchmark; nothing when there were no such runs. */
void render__locks(const json_t *result, const json_t *benchmark, FILE *out);
/* The same for the points of a sweep: a line for each that has waits. */
void render__locks_of_points(const json_t *result, FILE *out);

/* Grace periods of RCU Tasks Trace; nothing when no evidence run has any. */
void render__grace(const json_t *benchmark, FILE *out);
/* The same for the points of a sweep: a line for each that has any. */
void render__grace_of_points(const json_t *result, FILE *out);

/* -I, --per-thread */
void render__intervals(const json_t *result, FILE *out);
void render__per_thread(const json_t *result, FILE *out);

/*
 * -x: one row for each point and metric, eleven columns, RFC 4180 quoting; counters are per op. The
 * last two say what the interval is made of: 3 boots, 5 runs.
 */
void render__csv(const json_t *result, const char *separator, FILE *out);

/* Printable UTF-8; control characters, those of the direction of text, and other bytes become '?'. */
void render__string(FILE *out, const char *text);
/* Its first `size` bytes, where a character ends. */
void render__part(FILE *out, const char *text, size_t size);

/* The same, filled up with blanks to `width` columns, one blank at least. */
void render__column(FILE *out, const char *text, int width);

/* "12.31 M" with three to four digits, for op/s; "-" for NaN. */
void render__si(char *buf, size_t size, double value);

/* Several values in the unit of the first: "12.31", "12.24" and " M" for all of them. */
struct si {
	double divisor;
	const char *unit; /* " M", with its blank; "" */
};
struct si render__si_unit(double value);
void render__si_in(char *buf, size_t size, double value, const struct si *si);
/* Three significant digits, "-" for NaN: 162, 6.70, 0.35. */
void render__number(char *buf, size_t size, double value);
/* "162 ns", "20.0 ms": a time in the unit that suits it. */
void render__time(char *buf, size_t size, double ns);
/* "1,234,567" */
void render__grouped(char *buf, size_t size, double value);

#endif
