/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_COMPARE_ROW_H
#define BPFPERF_LIB_COMPARE_ROW_H

#include "lib/compare.h"
#include "lib/compare_runs.h"
#include "lib/overlap.h"
#include "lib/verdict.h"

/* Spread between boots, of logs, that is assumed where they are too few to know it. */
#define ASSUMED_BOOT_SD 0.02
/* The same between hosts that have in common what comparability.h lets block a comparison. */
#define ASSUMED_HOST_SD 0.05

/* What all rows of one pair of sides have in common. */
struct pairing {
	const struct compare_side *before, *after;
	const struct compare_options *options;
	bool paired;	       /* blocks are common to both sides */
	bool boots_differ;     /* and are a source of error */
	bool hosts_differ;     /* and are another one */
	bool blocked;	       /* the machines differ, and there is no --force */
	const char *timing[2]; /* of each side */
	enum overlap overlap;  /* rows of which they have runs in common do not compare */
};

enum row_state {
	ROW_JUDGED,
	ROW_BLOCKED, /* both sides ran, and cannot be compared, or one side's runs failed */
	ROW_ABSENT,  /* a side was skipped, or does not have this figure: nothing to judge */
};

/* A primary metric of a benchmark that both sides have. */
struct row {
	struct entry before, after;
	const char *metric;
	enum row_state state;
	struct judgement judgement;
	size_t excluded;
	bool kept;	  /* disturbed runs, since too few would be left */
	char reason[400]; /* of a state that is not ROW_JUDGED; a remark on one that is */
};

/* What differs between the two as benchmarks: false, and `reason` is set, if they are others. */
bool row__comparable(const struct pairing *pairing, const struct entry *before,
		     const struct entry *after, char *reason, size_t size);

/*
 * Leaves disturbed runs out of both sides, unless too few units would be left of what the verdict
 * counts: runs, pairs, boots, hosts. Sets `excluded`, or `kept` and `reason`. -ENOMEM.
 */
int row__exclude(const struct pairing *pairing, struct row *row);

/* -ENOMEM; every other trouble is a state of the row. */
int row__judge(const struct pairing *pairing, struct row *row);

/* Of a noisy metric of the pairing, by t; `better` as in the document. */
struct judge_options pairing__options(const struct pairing *pairing, const char *better);

/* Judges any figure of both sides, with the options of its metric. `metric` may be NULL. */
int row__judge_figure(const struct pairing *pairing, const struct row *row,
		      const struct figure *figure, const json_t *metric, struct judgement *ret);

/* Class of a metric in these documents: under icount the in-kernel time repeats. */
enum metric_class row__class(const struct pairing *pairing, const char *name, const json_t *metric);
/* Is it a noisy figure that an emulated machine cannot give? */
bool row__untimed(const struct pairing *pairing, enum metric_class class, char *reason,
		  size_t size);

/* `param` tells the sides apart, and is left out; NULL: none does. */
json_t *row__json(const struct row *row, const char *param);
/* ratio, interval, p, units, note: the part that other figures have as well. */
void judgement__json(const struct judgement *judgement, json_t *doc);

/* null where it is not finite: JSON has no NaN, and what is absent is not zero. */
json_t *compare__number(double value);
/* null for the empty string. */
json_t *compare__text(const char *text);
/* For "%.*s": at most so many bytes of a text, and no part of a character, which is no UTF-8. */
int compare__fit(const char *text, int max);

#endif
