// SPDX-License-Identifier: GPL-2.0-only
#include "lib/topology.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/file.h"
#include "lib/why.h"

/* "0,2,4,...,8190" is the longest that the kernel can write. */
#define MAX_LIST_TEXT 32768

/* Digits only: strtol() would take blanks, signs and "0x". */
static int parse_number(const char **text, int *ret)
{
	const char *p = *text;
	int number = 0;

	if (*p < '0' || *p > '9')
		return -EINVAL;
	for (; *p >= '0' && *p <= '9'; p++) {
		number = number * 10 + (*p - '0');
		if (number > CPULIST_MAX_CPU)
			return -ERANGE;
	}
	*text = p;
	*ret = number;
	return 0;
}

/* "3" or "3-5". */
static int parse_range(const char **text, bool *seen)
{
	int first, last;
	int err;

	err = parse_number(text, &first);
	if (err)
		return err;
	last = first;
	if (**text == '-') {
		(*text)++;
		err = parse_number(text, &last);
		if (err)
			return err;
	}
	if (last < first)
		return -EINVAL;
	memset(seen + first, true, last - first + 1);
	return 0;
}

static int parse_ranges(const char *text, bool *seen)
{
	for (;;) {
		int err = parse_range(&text, seen);

		if (err)
			return err;
		if (!*text)
			return 0;
		if (*text++ != ',')
			return -EINVAL;
	}
}

/* Room for `nr` CPUs in an empty list; never NULL, so that an empty set is no failure. */
static int cpulist__alloc(struct cpulist *list, int nr)
{
	list->nr = 0;
	list->cpu = calloc(nr ? nr : 1, sizeof(*list->cpu));
	return list->cpu ? 0 : -ENOMEM;
}

int cpulist__parse(const char *text, struct cpulist *ret, struct why *why)
{
	bool seen[CPULIST_MAX_CPU + 1] = {false};
	struct cpulist list;
	int nr = 0, err;

	err = parse_ranges(text, seen);
	if (err == -ERANGE)
		return why__set(why, err, "bad CPU list '%s': a number is above %d", text,
				CPULIST_MAX_CPU);
	if (err)
		return why__set(why, err, "bad CPU list '%s': expected the form '0-3,8'", text);
	for (int cpu = 0; cpu <= CPULIST_MAX_CPU; cpu++)
		nr += seen[cpu];
	err = cpulist__alloc(&list, nr);
	if (err)
		return why__errno(why, err, "cannot keep CPU list '%s'", text);
	for (int cpu = 0; cpu <= CPULIST_MAX_CPU; cpu++)
		if (seen[cpu])
			list.cpu[list.nr++] = cpu;
	*ret = list;
	return 0;
}

void cpulist__free(struct cpulist *list)
{
	free(list->cpu);
	*list = (struct cpulist){0};
}

int cpulist__format(const struct cpulist *list, char *buf, size_t size)
{
	size_t len = 0;
	int last;

	if (!size)
		return -ENOSPC;
	buf[0] = '\0';
	for (int i = 0; i < list->nr; i = last + 1) {
		for (last = i; last + 1 < list->nr; last++)
			if (list->cpu[last + 1] != list->cpu[last] + 1)
				break;
		len += snprintf(buf + len, size - len, "%s%d", i ? "," : "", list->cpu[i]);
		if (last > i && len < size)
			len += snprintf(buf + len, size - len, "-%d", list->cpu[last]);
		if (len >= size) {
			/* Cut short it would name other CPUs. */
			buf[0] = '\0';
			return -ENOSPC;
		}
	}
	return len;
}

bool cpulist__contains(const struct cpulist *list, int cpu)
{
	for (int i = 0; i < list->nr; i++)
		if (list->cpu[i] == cpu)
			return true;
	return false;
}

int cpulist__intersect(const struct cpulist *a, const struct cpulist *b, struct cpulist *ret)
{
	struct cpulist list;
	int err = cpulist__alloc(&list, a->nr);

	if (err)
		return err;
	for (int i = 0, j = 0; i < a->nr && j < b->nr;) {
		if (a->cpu[i] == b->cpu[j])
			list.cpu[list.nr++] = a->cpu[i];
		if (a->cpu[i] <= b->cpu[j])
			i++;
		else
			j++;
	}
	*ret = list;
	return 0;
}

static int read_list(const char *path, struct cpulist *ret, struct why *why)
{
	char text[MAX_LIST_TEXT];
	struct why cause;
	int err;

	err = file__read_line(path, text, sizeof(text), why);
	if (err)
		return err;
	err = cpulist__parse(text, ret, &cause);
	if (err)
		why__set(why, err, "cannot read '%s': %s", path, cause.text);
	return err;
}

int topology__online(const char *sysfs_root, struct cpulist *ret, struct why *why)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/devices/system/cpu/online", sysfs_root);
	return read_list(path, ret, why);
}

static int list_of_mask(const cpu_set_t *mask, size_t size, int nr, struct cpulist *ret)
{
	int err = cpulist__alloc(ret, CPU_COUNT_S(size, mask));

	for (int cpu = 0; !err && cpu < nr; cpu++)
		if (CPU_ISSET_S(cpu, size, mask))
			ret->cpu[ret->nr++] = cpu;
	return err;
}

/* -EINVAL if the kernel's own mask is longer than `nr` CPUs. */
static int get_affinity(int nr, struct cpulist *ret)
{
	cpu_set_t *mask = CPU_ALLOC(nr);
	size_t size = CPU_ALLOC_SIZE(nr);
	int err;

	if (!mask)
		return -ENOMEM;
	CPU_ZERO_S(size, mask);
	err = sched_getaffinity(0, size, mask) ? -errno : list_of_mask(mask, size, nr, ret);
	CPU_FREE(mask);
	return err;
}

int topology__affinity(struct cpulist *ret, struct why *why)
{
	struct cpulist list;
	int err = -EINVAL;

	/* A kernel built for more CPUs than cpu_set_t holds refuses the short mask. */
	for (int nr = CPU_SETSIZE; err == -EINVAL && nr <= 64 * CPU_SETSIZE; nr *= 2)
		err = get_affinity(nr, &list);
	if (err)
		return why__errno(why, err, "cannot read the CPU affinity");
	*ret = list;
	return 0;
}

int topology__allowed(const char *sysfs_root, struct cpulist *ret, struct why *why)
{
	struct cpulist online, affinity, list;
	int err;

	err = topology__online(sysfs_root, &online, why);
	if (err)
		return err;
	err = topology__affinity(&affinity, why);
	if (err)
		goto free_online;
	err = cpulist__intersect(&affinity, &online, &list);
	if (err) {
		why__errno(why, err, "cannot list the allowed CPUs");
	} else if (!list.nr) {
		cpulist__free(&list);
		err = why__set(why, -ENODEV, "no CPU of the affinity mask is online");
	} else {
		*ret = list;
	}
	cpulist__free(&affinity);
free_online:
	cpulist__free(&online);
	return err;
}

/* -1 if there is no such file, or no number in it. */
static int read_id(const char *dir, const char *name)
{
	char path[PATH_MAX], text[32];
	char *end;
	long id;

	snprintf(path, sizeof(path), "%s/topology/%s", dir, name);
	if (file__read_line(path, text, sizeof(text), NULL))
		return -1;
	errno = 0;
	id = strtol(text, &end, 10);
	return end == text || *end || errno || id < 0 || id > INT_MAX ? -1 : id;
}

/* The folder of a CPU has a link `nodeN` to its memory node. */
static int read_node(const char *dir)
{
	DIR *stream = opendir(dir);
	struct dirent *entry;
	int node = -1, end;

	if (!stream)
		return -1;
	while (node < 0 && (entry = readdir(stream))) {
		end = 0;
		if (sscanf(entry->d_name, "node%d%n", &node, &end) != 1 || entry->d_name[end])
			node = -1;
	}
	closedir(stream);
	return node;
}

/* How many CPUs of the same core come before this one. */
static int read_thread(const char *dir, int cpu)
{
	struct cpulist siblings;
	char path[PATH_MAX];
	int thread = 0;

	snprintf(path, sizeof(path), "%s/topology/thread_siblings_list", dir);
	if (read_list(path, &siblings, NULL))
		return -1;
	while (thread < siblings.nr && siblings.cpu[thread] != cpu)
		thread++;
	if (thread == siblings.nr)
		thread = -1;
	cpulist__free(&siblings);
	return thread;
}

struct cpu_place topology__place(const char *sysfs_root, int cpu)
{
	char dir[PATH_MAX - 64];

	snprintf(dir, sizeof(dir), "%s/devices/system/cpu/cpu%d", sysfs_root, cpu);
	return (struct cpu_place){
		.thread = read_thread(dir, cpu),
		.core = read_id(dir, "core_id"),
		.socket = read_id(dir, "physical_package_id"),
		.node = read_node(dir),
	};
}
