// SPDX-License-Identifier: GPL-2.0-only
#include "perf/absent.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/refusal.h"
#include "lib/sysfs.h"
#include "perf/event.h"
#include "perf/pmu.h"

bool absent__has_core_pmu(const struct event_env *env)
{
	char path[SYSFS_PATH_SIZE];
	struct dirent *entry;
	bool found = false;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/bus/event_source/devices", env->sysfs);
	dir = opendir(path);
	if (!dir)
		return true;
	while (!found && (entry = readdir(dir)))
		found = entry->d_name[0] != '.' && pmu__is_core(dirfd(dir), entry->d_name);
	closedir(dir);
	return found;
}

static int read_paranoid(const struct event_env *env, long long *ret_level)
{
	return sysfs__read_int(ret_level, "%s/sys/kernel/perf_event_paranoid", env->procfs);
}

void absent__paranoid(const struct event_env *env, char *buf, unsigned int size)
{
	long long level;

	if (read_paranoid(env, &level))
		snprintf(buf, size, "kernel.perf_event_paranoid cannot be read");
	else
		snprintf(buf, size, "kernel.perf_event_paranoid is %lld", level);
}

/*
 * The sysctl answers EACCES, and only to those without the capability. What else refuses are a
 * seccomp filter, for long with EPERM also where the capability was given, and security modules.
 */
static void explain_permission(int err, const struct event_env *env, struct why *why)
{
	struct refusal refusal;
	char paranoid[64], caps[32];
	long long level;
	bool is_known;

	absent__paranoid(env, paranoid, sizeof(paranoid));
	refusal__read(env->procfs, &refusal);
	refusal__capabilities(&refusal, caps, sizeof(caps));
	is_known = !read_paranoid(env, &level);
	if (err == -EACCES && !(is_known && level <= 1) && !refusal__may_perfmon(&refusal))
		why__set(why, err,
			 "no permission: %s, %s (sysctl kernel.perf_event_paranoid=1, or "
			 "CAP_PERFMON)",
			 paranoid, caps);
	else
		why__set(why, err, "no permission: perf_event_open gives %s where %s, %s: %s",
			 err == -EPERM ? "EPERM" : "EACCES", paranoid, caps,
			 refusal__suspects(&refusal));
}

/* A kernel without perf events has no such sysctl either; some filters hide the call like this. */
static void explain_missing_call(int err, const struct event_env *env, struct why *why)
{
	struct refusal refusal;
	char paranoid[64], caps[32];
	long long level;

	if (read_paranoid(env, &level)) {
		why__set(why, err,
			 "not supported: this kernel has no perf events (CONFIG_PERF_EVENTS)");
		return;
	}
	absent__paranoid(env, paranoid, sizeof(paranoid));
	refusal__read(env->procfs, &refusal);
	refusal__capabilities(&refusal, caps, sizeof(caps));
	why__set(why, err,
		 "no permission: perf_event_open gives ENOSYS, and yet this kernel has it (%s, "
		 "%s): %s",
		 paranoid, caps,
		 refusal.known && !refusal.filtered ? "a sandbox that emulates system calls"
						    : refusal__suspects(&refusal));
}

static void explain_support(const struct event *event, int err, const struct event_env *env,
			    struct why *why)
{
	if (event->attr.type == PERF_TYPE_SOFTWARE)
		why__set(why, err, "not supported: no such event in this kernel");
	else if (event->attr.type == PERF_TYPE_TRACEPOINT)
		why__set(why, err, "not supported: no such tracepoint in this kernel");
	else if (event->attr.type > PERF_TYPE_BREAKPOINT && err == -EINVAL)
		why__set(why, err, "not supported: the PMU refuses this event or its modifiers");
	else if (!absent__has_core_pmu(env))
		why__set(why, err, "not supported: no PMU in this machine");
	else if (event->attr.precise_ip)
		why__set(
			why, err,
			"not supported: no such counter on this CPU, or none that is precise (':p')");
	else
		why__set(why, err, "not supported: no such counter on this CPU");
}

void absent__explain(const struct event *event, int err, const struct event_env *env,
		     struct why *why)
{
	switch (err) {
	case -EACCES:
	case -EPERM: explain_permission(err, env, why); break;
	case -ENOENT:
	case -ENXIO:
	case -ENODEV:
	case -EINVAL:
	case -EOPNOTSUPP: explain_support(event, err, env, why); break;
	case -ENOSYS: explain_missing_call(err, env, why); break;
	case -EBUSY: why__set(why, err, "not counted: the counters are in use by another"); break;
	case -ESRCH: why__set(why, err, "not counted: the thread has ended"); break;
	default: why__errno(why, err, "not counted: cannot open the event"); break;
	}
}
