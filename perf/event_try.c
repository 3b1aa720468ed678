// SPDX-License-Identifier: GPL-2.0-only
#include "perf/event_try.h"

#include <errno.h>
#include <stdio.h>
#include <time.h>

#include "lib/host.h"
#include "lib/sysfs.h"
#include "lib/why.h"
#include "perf/absent.h"
#include "perf/event.h"
#include "perf/libperf.h"

#define BUSY_NS 1000000

static void stay_busy(void)
{
	struct timespec start, now;

	clock_gettime(CLOCK_MONOTONIC, &start);
	do {
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while ((now.tv_sec - start.tv_sec) * 1000000000ll + now.tv_nsec - start.tv_nsec <
		 BUSY_NS);
}

static int try(const struct event *event, const struct event_env *env, uint64_t *ret_count,
	       struct why *why)
{
	struct counter_value value;
	struct counter *counter;
	int err;

	err = counter__open(&counter, event, 0, NULL);
	if (err) {
		absent__explain(event, err, env, why);
		return err;
	}
	stay_busy();
	err = counter__read(counter, &value);
	counter__close(counter);
	if (err)
		return why__errno(why, err, "not counted: cannot read '%s'", event->name);
	*ret_count = value.val;
	return 0;
}

int event__try(const char *event, const struct host_roots *roots, uint64_t *ret_count,
	       struct why *why)
{
	char tracefs[SYSFS_PATH_SIZE];
	struct event_env env = {.sysfs = roots->sys, .tracefs = tracefs, .procfs = roots->proc};
	struct event_list list;
	int err;

	snprintf(tracefs, sizeof(tracefs), "%s/kernel/tracing", roots->sys);
	libperf__init();
	err = event_list__parse(event, &env, &list, why);
	if (err)
		return err;
	err = try(&list.events[0], &env, ret_count, why);
	event_list__free(&list);
	return err;
}
