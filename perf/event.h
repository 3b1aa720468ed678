/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_PERF_EVENT_H
#define BPFPERF_PERF_EVENT_H

#include <linux/perf_event.h>
#include <stdbool.h>

#include "lib/metric.h"
#include "lib/why.h"

/* Where the kernel's files are; a test gives its own roots. */
struct event_env {
	const char *sysfs;
	const char *tracefs;
	const char *procfs;
};

extern const struct event_env event_env_system;

struct event {
	char *name; /* as the user wrote it, modifiers included; the metric's key */
	struct perf_event_attr attr;
	const char *unit; /* plural, or "ns" */
	enum metric_better better;
	enum metric_class class;
	bool kernel_only; /* see struct event_name */
	bool clock;	  /* the same */
};

struct event_list {
	struct event *events;
	int nr;
};

#define EVENT_SPEC_MAX 4096 /* bytes */
#define EVENT_LIST_MAX 64   /* events */

/* What is counted when nobody says what. Those that the machine lacks are reported so. */
#define EVENT_DEFAULTS                                                              \
	"task-clock,context-switches,cpu-migrations,page-faults,"                   \
	"cycles,instructions,branches,branch-misses,cache-references,cache-misses," \
	"LLC-loads,LLC-load-misses"

/*
 * Parses the argument of -e: a comma list of perf's hardware, software and cache event names and
 * raw events (rHEX), each with the modifiers :u and :k as perf has them; or "none", the empty
 * list. A name written twice counts once; two spellings of an event stay two.
 *
 * 0, -ENOMEM, or -EINVAL with perf's two-line message in `why`, a caret under the column that is
 * wrong; it wants a terminal line of its own, without a prefix. `ret_list` is the caller's to
 * event_list__free(), and is empty after an error.
 */
int event_list__parse(const char *spec, const struct event_env *env, struct event_list *ret_list,
		      struct why *why);
void event_list__free(struct event_list *list);

#endif
