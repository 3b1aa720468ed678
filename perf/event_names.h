/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_PERF_EVENT_NAMES_H
#define BPFPERF_PERF_EVENT_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/metric.h"

/*
 * The events that perf knows by a generic name: hardware, software and cache events. What each
 * means is told once, here: the number of the kernel's ABI (include/uapi/linux/perf_event.h) and
 * how to read the count.
 */
struct event_name {
	const char *name;
	const char *alias; /* another spelling, or NULL */
	uint32_t type;	   /* enum perf_type_id */
	uint64_t config;
	const char *unit;	   /* plural */
	enum metric_better better; /* of the count per operation */
	enum metric_class class;
	bool kernel_only; /* happens in the kernel only: counting user space gives 0, always */
	bool clock;	  /* time of user space and kernel alike, whatever the modifiers say */
};

/* A hardware or software event; NULL when there is none of that name or alias. */
const struct event_name *event_name__find(const char *name);

/*
 * A cache event, CACHE[-OP[-RESULT]] with perf's spellings, in any case. 0, -ENOENT when `name`
 * does not begin with a cache, -EINVAL when the rest makes no sense for that cache.
 */
int event_name__parse_cache(const char *name, struct event_name *ret_event);

/* Name number `i` of all that can be had, for lists and near names; false past the last. */
bool event_name__nth(int i, char *buf, size_t size);

/* Enough for every name, with its terminator. */
#define EVENT_NAME_SIZE 32

#endif
