/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_PERF_EVENT_PARSE_H
#define BPFPERF_PERF_EVENT_PARSE_H

#include "perf/event.h"
#include "perf/event_names.h"
#include "perf/pmu.h"

/*
 * Shared by the files of the parser, and by nobody else.
 *
 *	list:	item { ',' item }
 *	item:	event | '{' event { ',' event } '}' [ ':' modifiers ]
 *	event:	word [ ':' word ] [ '/' [ term { ',' term } ] '/' [ modifiers ] ] [ ':' modifiers ]
 *	term:	word [ '=' value ]
 *
 * Each parse_ function takes its part from `pos` and leaves it behind that part. An event of the
 * text may become several of the list: one per kind of core, or one per tracepoint of a pattern.
 */

struct names;

#define MODIFIERS_SIZE 20

/* What is known of an event until its item ends. */
struct pending {
	char modifiers[MODIFIERS_SIZE]; /* its own and its group's, each letter once but 'p' */
	bool named;			/* by a term, which is the last word on the name */
};

/* One item may be more events than the list takes: they may all be there already. */
#define PENDING_MAX (2 * EVENT_LIST_MAX)

struct parser {
	const char *text;
	const char *pos;
	const struct event_env *env;
	struct event_list *list;
	struct why *why;
	struct pending pending[PENDING_MAX];
	struct pmu cores[PMU_CORES_MAX];
	int nr_cores;
	int group; /* of the events that are parsed now; 0: none */
	int nr_groups;
};

#define DELIMITERS ",:/{}"

/* event_error.c */

/* A word of the user's for a message: safe for a terminal, and cut. */
struct quoted {
	char text[4 * EVENT_NAME_SIZE + 3];
};

struct quoted quote(const char *word, size_t len);

/* -EINVAL, and the text with a caret under `at`. */
__attribute__((format(printf, 3, 4))) int parser__fail(const struct parser *p, const char *at,
						       const char *fmt, ...);
/* "unknown KIND 'WORD', did you mean ...?", or with `otherwise` where nothing is near. */
int parser__fail_unknown(const struct parser *p, const char *at, const char *kind, const char *word,
			 const struct names *names, const char *otherwise);
/* The same for an event by name: perf's names, and those of the cores' PMUs. */
int parser__fail_unknown_event(const struct parser *p, const char *at, const char *word);

/* event.c */

/* A new event of the list, to be filled in, with a name for it to own. */
int parser__add(struct parser *p, const char *at, char *name, struct event **ret_event);
/* From its row of the names; what it is, and nothing about where. */
int event__fill(struct event *event, const struct event_name *name);

/* event_word.c: everything up to the modifiers */
int parse_word(struct parser *p);
size_t word_len(const char *text);
bool parser__is_raw(const char *word, const char **ret_digits);
/* A generic event on one kind of core of several. */
int event__bind(struct event *event, const struct pmu *pmu);

/* event_terms.c: behind the first '/'; one PMU, or NULL for an event that has terms of perf's. */
int parse_terms(struct parser *p, const struct pmu *pmu, struct event *event,
		struct pending *pending);
/* The terms of an alias of the PMU; `at` is where the user wrote it. */
int parser__apply_alias(const struct parser *p, const char *at, const struct pmu *pmu,
			const char *word, struct event *event);

/* event_modifiers.c */

/* Whether the text up to the next delimiter is one; a tracepoint's second half is told so. */
bool looks_like_modifiers(const char *text);
/* Those at `pos`, for the events from `first` on. */
int parse_modifiers(struct parser *p, int first);
void event__apply_modifiers(struct event *event, const char *modifiers);

#endif
