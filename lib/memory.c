// SPDX-License-Identifier: GPL-2.0-only
#include "lib/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/sysfs.h"

#define MEMINFO_SIZE 8192

/*
 * The kernel allocates what a map asks for and lets the OOM killer sort it out: a benchmark has
 * taken hosts down that way. Half, since the estimate leaves out what the kernel adds per element.
 */
int memory__check(const char *proc, uint64_t bytes, const char *what, struct why *why)
{
	char meminfo[MEMINFO_SIZE];
	const char *line;
	uint64_t available;

	if (sysfs__read(meminfo, sizeof(meminfo), "%s/meminfo", proc) < 0)
		return 0;
	line = strstr(meminfo, "MemAvailable:");
	if (!line)
		return 0;
	available = strtoull(line + strlen("MemAvailable:"), NULL, 10) * 1024;
	if (bytes <= available / 2)
		return 0;
	return why__set(why, -ENOMEM,
			"%s would take %.0f MB, more than half of the %.0f MB that are available",
			what, bytes / 1e6, available / 1e6);
}
