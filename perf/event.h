/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_PERF_EVENT_H
#define BPFPERF_PERF_EVENT_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/metric.h"
#include "lib/why.h"

/*
 * So begins what is said of words that are no events: two lines, of which the second points at the
 * place in the first.
 */
#define EVENT_SYNTAX_ERROR "event syntax error: "

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
	uint64_t config3; /* of 6.3 and newer: the C library's perf_event_attr may end before it */
	uint64_t period;  /* term period=, for sampling; 0: none given */
	char *unit;	  /* plural, or "ns" */
	double scale;	  /* units per count, 1 but for some events of sysfs */
	enum metric_better better;
	enum metric_class class;
	bool kernel_only; /* see struct event_name */
	bool clock;	  /* the same */

	/*
	 * Events of one group are on the hardware together or not at all; 0: alone. The first that
	 * can be opened leads. On a hybrid machine {a,b} is one group per kind of core.
	 */
	int group;
	bool weak; /* group member that may be opened alone when it does not fit (modifier W) */

	char *cpus; /* of one kind of core: a kernel list of the CPUs that can count it, or NULL */
	char *absent; /* why it cannot be had here, known without trying; or NULL */
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
 * Parses the argument of -e, a comma list in perf's syntax, or "none", the empty list:
 *
 *	cycles, task-clock, LLC-load-misses, mem-loads	names, perf's and those of sysfs
 *	r1a8, 4:0x1a8					raw events, TYPE:CONFIG
 *	cpu/event=0x3c,umask=1,name=x/			terms of a PMU
 *	sched:sched_switch, sched:sched_*		tracepoints
 *	{cycles,instructions}				a group
 *
 * each with modifiers :ukhGHpDIeW as perf has them. On a hybrid machine a hardware event becomes
 * one per kind of core, named PMU/EVENT/. A name written twice counts once; two spellings of an
 * event stay two.
 *
 * 0, -ENOMEM, or -EINVAL with perf's two-line message in `why`, a caret under the column that is
 * wrong; it wants a terminal line of its own, without a prefix. What is right but cannot be had
 * here is no error. `ret_list` is the caller's to event_list__free(), and is empty after an error.
 */
int event_list__parse(const char *spec, const struct event_env *env, struct event_list *ret_list,
		      struct why *why);
void event_list__free(struct event_list *list);

#endif
