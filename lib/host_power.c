// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/host_part.h"
#include "lib/sysfs.h"

#define MAX_GROUPS 8
#define MAX_STATES 16

static const char no_cpufreq[] = "no cpufreq driver";

/* CPUs that share a value. */
struct group {
	char value[64];
	struct cpus cpus;
};

/* CPUs without the file are in no group. Returns the number of groups or -errno. */
static int group_cpus(const struct host_roots *roots, const struct cpus *online, const char *file,
		      struct group groups[MAX_GROUPS])
{
	int nr = 0, cpu, len, i;
	char value[64];

	for (cpu = cpus__next(online, -1); cpu >= 0; cpu = cpus__next(online, cpu)) {
		len = sysfs__read(value, sizeof(value), "%s/devices/system/cpu/cpu%d/cpufreq/%s",
				  roots->sys, cpu, file);
		if (len == -ENOENT || len == 0)
			continue;
		if (len < 0)
			return len;
		for (i = 0; i < nr && strcmp(groups[i].value, value); i++)
			;
		if (i == MAX_GROUPS)
			return -E2BIG;
		if (i == nr) {
			memset(&groups[nr], 0, sizeof(groups[nr]));
			strcpy(groups[nr++].value, value);
		}
		groups[i].cpus.has[cpu] = true;
	}
	return nr ? nr : -ENOENT;
}

static void groups_absent(const struct host_part *part, const char *key, int err,
			  const char *missing)
{
	if (err == -E2BIG)
		host_part__absent(part, key, "more than %d different values", MAX_GROUPS);
	else
		host_part__unreadable(part, key, err, missing);
}

static void describe_governor(const struct host_part *part, const struct cpus *online)
{
	struct group groups[MAX_GROUPS];
	char list[16384];
	json_t *governor;
	int nr;

	nr = group_cpus(part->roots, online, "scaling_governor", groups);
	if (nr < 0) {
		groups_absent(part, "governor", nr, no_cpufreq);
		return;
	}
	governor = json_object();
	for (int i = 0; i < nr; i++) {
		cpus__format(&groups[i].cpus, list, sizeof(list));
		json_object_set_new(governor, list, host_part__json_text(groups[i].value));
	}
	host_part__set(part, "governor", governor);
}

/* A single value cannot describe CPUs that differ. */
static void describe_same(const struct host_part *part, const struct cpus *online, const char *key,
			  const char *file, const char *missing)
{
	struct group groups[MAX_GROUPS];
	int nr = group_cpus(part->roots, online, file, groups);

	if (nr < 0)
		groups_absent(part, key, nr, missing);
	else if (nr > 1)
		host_part__absent(part, key, "not the same on all CPUs: '%s' and '%s'",
				  groups[0].value, groups[1].value);
	else
		host_part__set_text(part, key, groups[0].value);
}

/* The least (sign 1) or the greatest (sign -1) value of all CPUs. */
static void describe_extreme(const struct host_part *part, const struct cpus *online,
			     const char *key, const char *file, int sign)
{
	long long extreme = 0, khz;
	bool found = false;
	int cpu, err;

	for (cpu = cpus__next(online, -1); cpu >= 0; cpu = cpus__next(online, cpu)) {
		err = sysfs__read_int(&khz, "%s/devices/system/cpu/cpu%d/cpufreq/%s",
				      part->roots->sys, cpu, file);
		if (err == -ENOENT)
			continue;
		if (err) {
			host_part__unreadable(part, key, err, NULL);
			return;
		}
		if (!found || sign * khz < sign * extreme)
			extreme = khz;
		found = true;
	}
	if (found)
		host_part__set(part, key, json_integer(extreme));
	else
		host_part__absent(part, key, "%s", no_cpufreq);
}

static void describe_turbo(const struct host_part *part)
{
	const char *cpu = "devices/system/cpu";
	long long value;
	int err;

	err = sysfs__read_int(&value, "%s/%s/intel_pstate/no_turbo", part->roots->sys, cpu);
	if (!err)
		value = !value;
	else
		err = sysfs__read_int(&value, "%s/%s/cpufreq/boost", part->roots->sys, cpu);
	if (err)
		host_part__unreadable(part, "turbo", err,
				      "neither intel_pstate/no_turbo nor cpufreq/boost exists");
	else
		host_part__set(part, "turbo", json_boolean(value));
}

static void describe_cstate(const struct host_part *part, const struct cpus *online)
{
	char state[SYSFS_PATH_SIZE / 2], name[64], deepest[64] = "";
	int cpu = cpus__next(online, -1), nr;
	long long disabled;

	for (nr = 0; cpu >= 0 && nr < MAX_STATES; nr++) {
		snprintf(state, sizeof(state), "%s/devices/system/cpu/cpu%d/cpuidle/state%d",
			 part->roots->sys, cpu, nr);
		if (sysfs__read(name, sizeof(name), "%s/name", state) <= 0)
			break;
		if (!sysfs__read_int(&disabled, "%s/disable", state) && !disabled)
			strcpy(deepest, name);
	}
	if (deepest[0])
		host_part__set_text(part, "cstate_max", deepest);
	else
		host_part__absent(part, "cstate_max", "%s",
				  nr ? "every idle state is disabled" : "no cpuidle driver");
}

void host__describe_power(const struct host_part *top, const struct cpus *online)
{
	struct host_part part = host_part__open(top, "power", "power.");

	describe_same(&part, online, "driver", "scaling_driver", no_cpufreq);
	describe_governor(&part, online);
	describe_same(&part, online, "epp", "energy_performance_preference",
		      "no cpufreq driver with energy preferences");
	describe_turbo(&part);
	describe_extreme(&part, online, "min_khz", "scaling_min_freq", 1);
	describe_extreme(&part, online, "max_khz", "scaling_max_freq", -1);
	describe_cstate(&part, online);
}
