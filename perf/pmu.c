// SPDX-License-Identifier: GPL-2.0-only
#include "perf/pmu.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/sysfs.h"
#include "perf/event.h"
#include "perf/event_dir.h"

#define DEVICES "bus/event_source/devices"

/*
 * x86, RISC-V and others have one named "cpu", s390 "cpum_cf"; hybrid x86 (cpu_core, cpu_atom) and
 * Arm (armv8_pmuv3_0, apple_icestorm_pmu, ...) have a file `cpus` instead of a fixed name.
 */
bool pmu__is_core(int dir_fd, const char *name)
{
	char path[NAME_MAX + sizeof("/cpus")];

	if (!strcmp(name, "cpu") || !strcmp(name, "cpum_cf"))
		return true;
	snprintf(path, sizeof(path), "%s/cpus", name);
	return !faccessat(dir_fd, path, F_OK, 0);
}

int pmu__find(struct pmu *ret_pmu, const char *name, const struct event_env *env)
{
	char cpumask[8], path[SYSFS_PATH_SIZE];
	struct pmu pmu = {0};
	long long type;
	int dir_fd;

	if (!names__is_entry(name) || strlen(name) >= sizeof(pmu.name))
		return -ENOENT;
	if (sysfs__read_int(&type, "%s/" DEVICES "/%s/type", env->sysfs, name) || type < 0 ||
	    type > UINT32_MAX)
		return -ENOENT;
	strcpy(pmu.name, name);
	pmu.type = type;
	snprintf(path, sizeof(path), "%s/" DEVICES, env->sysfs);
	dir_fd = open(path, O_PATH | O_CLOEXEC);
	if (dir_fd < 0)
		return -ENOENT;
	pmu.core = pmu__is_core(dir_fd, name);
	close(dir_fd);
	if (sysfs__read(pmu.cpus, sizeof(pmu.cpus), "%s/" DEVICES "/%s/cpus", env->sysfs, name) < 0)
		pmu.cpus[0] = '\0';
	pmu.per_die = !pmu.core && sysfs__read(cpumask, sizeof(cpumask),
					       "%s/" DEVICES "/%s/cpumask", env->sysfs, name) >= 0;
	*ret_pmu = pmu;
	return 0;
}

void pmu__names(struct names *names, const struct event_env *env)
{
	names__read(names, "%s/" DEVICES, env->sysfs);
}

int pmu__find_type(struct pmu *ret_pmu, uint32_t type, const struct event_env *env)
{
	struct names names;
	int err = -ENOENT;

	pmu__names(&names, env);
	for (int i = 0; err && i < names.nr; i++)
		if (!pmu__find(ret_pmu, names.name[i], env) && ret_pmu->type == type)
			err = 0;
	names__free(&names);
	return err;
}

static int by_type(const void *a, const void *b)
{
	const struct pmu *left = a, *right = b;

	return (left->type > right->type) - (left->type < right->type);
}

int pmu__cores(struct pmu cores[PMU_CORES_MAX], const struct event_env *env)
{
	struct names names;
	int nr = 0;

	pmu__names(&names, env);
	for (int i = 0; i < names.nr && nr < PMU_CORES_MAX; i++)
		if (!pmu__find(&cores[nr], names.name[i], env) && cores[nr].core)
			nr++;
	names__free(&names);
	qsort(cores, nr, sizeof(cores[0]), by_type);
	return nr;
}

/* A bit number at *text, which moves behind it; -1: none below 64. */
static int take_bit(const char **text)
{
	int bit = 0;

	if (**text < '0' || **text > '9')
		return -1;
	for (; **text >= '0' && **text <= '9' && bit < 64; (*text)++)
		bit = 10 * bit + **text - '0';
	return bit < 64 ? bit : -1;
}

static int parse_bits(uint64_t *ret_mask, const char *text)
{
	uint64_t mask = 0;

	for (;; text++) {
		int first = take_bit(&text), last = first;

		if (*text == '-') {
			text++;
			last = take_bit(&text);
		}
		if (first < 0 || last < first)
			return -EINVAL;
		mask |= UINT64_MAX >> (63 - last) & UINT64_MAX << first;
		if (!*text)
			break;
		if (*text != ',')
			return -EINVAL;
	}
	*ret_mask = mask;
	return 0;
}

int pmu_format__parse(struct pmu_format *ret_format, const char *text)
{
	int word = 0;

	if (strncmp(text, "config", 6))
		return -EINVAL;
	text += 6;
	if (*text >= '1' && *text < '0' + PMU_WORDS)
		word = *text++ - '0';
	if (*text++ != ':')
		return -EINVAL;
	ret_format->word = word;
	return parse_bits(&ret_format->mask, text);
}

uint64_t pmu_format__max(const struct pmu_format *format)
{
	return UINT64_MAX >> (64 - __builtin_popcountll(format->mask));
}

uint64_t pmu_format__put(const struct pmu_format *format, uint64_t word, uint64_t value)
{
	word &= ~format->mask;
	for (uint64_t left = format->mask; left; left &= left - 1, value >>= 1)
		if (value & 1)
			word |= left & -left;
	return word;
}

int pmu__format(const struct pmu *pmu, const char *term, struct pmu_format *ret_format,
		const struct event_env *env)
{
	char text[PMU_TEXT_SIZE];

	if (!names__is_entry(term) || sysfs__read(text, sizeof(text), "%s/" DEVICES "/%s/format/%s",
						  env->sysfs, pmu->name, term) < 0)
		return -ENOENT;
	return pmu_format__parse(ret_format, text);
}

void pmu__terms(const struct pmu *pmu, struct names *names, const struct event_env *env)
{
	names__read(names, "%s/" DEVICES "/%s/format", env->sysfs, pmu->name);
}

void pmu__aliases(const struct pmu *pmu, struct names *names, const struct event_env *env)
{
	names__read(names, "%s/" DEVICES "/%s/events", env->sysfs, pmu->name);
}

int pmu__alias(const struct pmu *pmu, const char *event, struct pmu_alias *ret_alias,
	       const struct event_env *env)
{
	struct pmu_alias alias = {.scale = 1};
	char text[64], *end;
	double scale;

	if (!names__is_entry(event) || names__is_note(event) ||
	    sysfs__read(alias.terms, sizeof(alias.terms), "%s/" DEVICES "/%s/events/%s", env->sysfs,
			pmu->name, event) < 0)
		return -ENOENT;
	if (sysfs__read(alias.unit, sizeof(alias.unit), "%s/" DEVICES "/%s/events/%s.unit",
			env->sysfs, pmu->name, event) < 0)
		alias.unit[0] = '\0';
	if (sysfs__read(text, sizeof(text), "%s/" DEVICES "/%s/events/%s.scale", env->sysfs,
			pmu->name, event) > 0) {
		scale = strtod(text, &end);
		if (end > text && !*end && isfinite(scale) && scale > 0)
			alias.scale = scale;
	}
	alias.snapshot = sysfs__read(text, sizeof(text), "%s/" DEVICES "/%s/events/%s.snapshot",
				     env->sysfs, pmu->name, event) > 0 &&
			 !strcmp(text, "1");
	*ret_alias = alias;
	return 0;
}
