/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_SUGGEST_H
#define BPFPERF_LIB_SUGGEST_H

#include <stddef.h>

/*
 * Names that a mistyped word may have meant. Candidates are offered one by one, from whatever
 * table or iterator the caller has:
 *
 *	struct suggest suggest = {.word = "hashmap-fill"};
 *
 *	for_each_bench(b)
 *		suggest__offer(&suggest, (*b)->name);
 *	suggest__format(&suggest, text, sizeof(text));
 *
 * Near is a Damerau-Levenshtein distance (case apart, neighbours swapped count once) of about a
 * third of the word, or a candidate that begins with the word or contains it.
 */
#define SUGGEST_MAX 3

struct suggest_hit {
	const char *name; /* not owned */
	int score;	  /* small is near */
};

struct suggest {
	const char *word; /* not owned; set by the caller, everything else starts as 0 */
	int nr;
	struct suggest_hit hit[SUGGEST_MAX]; /* the nearest first, else in the order offered */
};

/* `name` must live as long as `suggest`. A name offered twice counts once. */
void suggest__offer(struct suggest *suggest, const char *name);

/* "did you mean 'a', 'b' or 'c'?"; the empty string if nothing is near, or if it does not fit. */
void suggest__format(const struct suggest *suggest, char *buf, size_t size);

#endif
