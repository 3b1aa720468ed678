// SPDX-License-Identifier: GPL-2.0-only
#include "lib/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/sysfs.h"

#define MEMINFO_SIZE 8192

/* UINT64_MAX: it does not say. */
static uint64_t field(const char *meminfo, const char *name)
{
	const char *line = strstr(meminfo, name);

	return line ? strtoull(line + strlen(name), NULL, 10) * 1024 : UINT64_MAX;
}

/*
 * The kernel allocates what a map asks for and lets the OOM killer sort it out: a benchmark has
 * taken hosts down that way. Half, since the estimate leaves out what the kernel adds per element.
 */
int memory__check(const char *proc, uint64_t bytes, const char *what, struct why *why)
{
	char meminfo[MEMINFO_SIZE];
	uint64_t available, total;

	if (sysfs__read(meminfo, sizeof(meminfo), "%s/meminfo", proc) < 0)
		return 0;
	available = field(meminfo, "MemAvailable:");
	total = field(meminfo, "MemTotal:");
	if (available == UINT64_MAX || bytes <= available / 2)
		return 0;
	if (total != UINT64_MAX && bytes > total / 2)
		return why__set(why, -ENOSPC,
				"%s would take %.0f MB, more than half of the %.0f MB of this "
				"machine",
				what, bytes / 1e6, total / 1e6);
	return why__set(why, -ENOMEM,
			"%s would take %.0f MB, more than half of the %.0f MB that are available: "
			"free some",
			what, bytes / 1e6, available / 1e6);
}
