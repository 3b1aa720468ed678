// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/cpulist.h"
#include "lib/host_part.h"
#include "lib/sysfs.h"

#define MAX_GROUPS 8
#define MAX_STATES 16

static const char no_cpufreq[] = "no cpufreq driver";

/* CPUs that share a value. */
struct group {
	char value[64];
	struct cpulist cpus;
};

static void free_groups(struct group groups[MAX_GROUPS])
{
	for (int i = 0; i < MAX_GROUPS; i++)
		cpulist__free(&groups[i].cpus);
}

/*
 * CPUs without the file are in no group. Returns the number of groups or -errno; `groups`, empty
 * before, are for the caller to free.
 */
static int group_cpus(const struct host_roots *roots, const struct cpulist *online,
		      const char *file, struct group groups[MAX_GROUPS])
{
	int nr = 0, len, i;
	char value[64];

	for (int at = 0; at < online->nr; at++) {
		len = sysfs__read(value, sizeof(value), "%s/devices/system/cpu/cpu%d/cpufreq/%s",
				  roots->sys, online->cpu[at], file);
		if (len == -ENOENT || len == 0)
			continue;
		if (len < 0)
			return len;
		for (i = 0; i < nr && strcmp(groups[i].value, value); i++)
			;
		if (i == MAX_GROUPS)
			return -E2BIG;
		if (i == nr)
			strcpy(groups[nr++].value, value);
		if (cpulist__append(&groups[i].cpus, online->cpu[at]))
			return -ENOMEM;
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

static void describe_governor(const struct host_part *part, const struct cpulist *online)
{
	struct group groups[MAX_GROUPS] = {0};
	int nr = group_cpus(part->roots, online, "scaling_governor", groups);
	char list[CPULIST_TEXT_SIZE];
	json_t *governor;

	if (nr < 0) {
		groups_absent(part, "governor", nr, no_cpufreq);
	} else {
		governor = json_object();
		for (int i = 0; i < nr; i++) {
			cpulist__format(&groups[i].cpus, list, sizeof(list));
			json_object_set_new(governor, list, host_part__json_text(groups[i].value));
		}
		host_part__set(part, "governor", governor);
	}
	free_groups(groups);
}

/* A single value cannot describe CPUs that differ. */
static void describe_same(const struct host_part *part, const struct cpulist *online,
			  const char *key, const char *file, const char *missing)
{
	struct group groups[MAX_GROUPS] = {0};
	int nr = group_cpus(part->roots, online, file, groups);

	if (nr < 0)
		groups_absent(part, key, nr, missing);
	else if (nr > 1)
		host_part__absent(part, key, "not the same on all CPUs: '%s' and '%s'",
				  groups[0].value, groups[1].value);
	else
		host_part__set_text(part, key, groups[0].value);
	free_groups(groups);
}

/* The least (sign 1) or the greatest (sign -1) value of all CPUs. */
static void describe_extreme(const struct host_part *part, const struct cpulist *online,
			     const char *key, const char *file, int sign)
{
	long long extreme = 0, khz;
	bool found = false;
	int err;

	for (int i = 0; i < online->nr; i++) {
		err = sysfs__read_int(&khz, "%s/devices/system/cpu/cpu%d/cpufreq/%s",
				      part->roots->sys, online->cpu[i], file);
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

static void describe_cstate(const struct host_part *part, const struct cpulist *online)
{
	char state[SYSFS_PATH_SIZE / 2], name[64], deepest[64] = "";
	int nr;
	long long disabled;

	for (nr = 0; online->nr && nr < MAX_STATES; nr++) {
		snprintf(state, sizeof(state), "%s/devices/system/cpu/cpu%d/cpuidle/state%d",
			 part->roots->sys, online->cpu[0], nr);
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

void host__describe_power(const struct host_part *top, const struct cpulist *online)
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
