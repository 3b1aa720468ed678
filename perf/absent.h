/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_PERF_ABSENT_H
#define BPFPERF_PERF_ABSENT_H

#include <stdbool.h>

#include "lib/why.h"

struct event;
struct event_env;

/*
 * Why an event is not counted, in the words that stand where its number would: "not supported:
 * ...", "no permission: ..." or "not counted: ...".
 */

/*
 * False when sysfs can be read and shows no PMU of the CPU cores, by the rule that perf has for
 * one.
 */
bool absent__has_core_pmu(const struct event_env *env);

/* The words for `err`, a -errno of perf_event_open(2). The caller knows more about -EMFILE. */
void absent__explain(const struct event *event, int err, const struct event_env *env,
		     struct why *why);

/* "kernel.perf_event_paranoid is 2"; what it is, or that it cannot be read. */
void absent__paranoid(const struct event_env *env, char *buf, unsigned int size);

#endif
