// SPDX-License-Identifier: GPL-2.0-only
#include "lib/cpulist.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/file.h"
#include "lib/sysfs.h"
#include "lib/why.h"

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

int cpulist__append(struct cpulist *list, int cpu)
{
	int *longer = reallocarray(list->cpu, list->nr + 1, sizeof(*longer));

	if (!longer)
		return -ENOMEM;
	list->cpu = longer;
	longer[list->nr++] = cpu;
	return 0;
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

int cpulist__read(struct cpulist *ret, struct why *why, const char *fmt, ...)
{
	char path[SYSFS_PATH_SIZE], text[CPULIST_TEXT_SIZE];
	struct why cause;
	va_list args;
	int len, err;

	va_start(args, fmt);
	len = vsnprintf(path, sizeof(path), fmt, args);
	va_end(args);
	if (len >= (int)sizeof(path))
		return why__errno(why, -ENAMETOOLONG, "cannot read '%s'", path);
	err = file__read_line(path, text, sizeof(text), why);
	if (err)
		return err;
	if (!text[0])
		return cpulist__alloc(ret, 0);
	err = cpulist__parse(text, ret, &cause);
	if (err)
		why__set(why, err, "cannot read '%s': %s", path, cause.text);
	return err;
}
