// SPDX-License-Identifier: GPL-2.0-only
#include "lib/refusal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/capability.h>

#include "lib/sysfs.h"

/* The groups of a user stand before what is wanted, and there may be 65,536 of ten digits. */
#define STATUS_SIZE (1 << 20)

/* SECCOMP_MODE_FILTER of linux/seccomp.h. */
#define MODE_FILTER 2

static const char *field(const char *status, const char *name)
{
	const char *line = strstr(status, name);

	return line ? line + strlen(name) : "";
}

void refusal__read(const char *proc, struct refusal *ret)
{
	char *status = malloc(STATUS_SIZE);

	*ret = (struct refusal){0};
	if (status && sysfs__read(status, STATUS_SIZE, "%s/self/status", proc) >= 0 &&
	    strstr(status, "\nCapEff:")) {
		ret->known = true;
		ret->cap_eff = strtoull(field(status, "\nCapEff:"), NULL, 16);
		ret->filtered = strtol(field(status, "\nSeccomp:"), NULL, 10) == MODE_FILTER;
	}
	free(status);
}

bool refusal__may_perfmon(const struct refusal *refusal)
{
	return refusal->cap_eff & ((1ULL << CAP_PERFMON) | (1ULL << CAP_SYS_ADMIN));
}

void refusal__capabilities(const struct refusal *refusal, char *buf, size_t size)
{
	if (refusal->known)
		snprintf(buf, size, "CapEff %016" PRIx64, refusal->cap_eff);
	else
		snprintf(buf, size, "CapEff unknown");
}

const char *refusal__suspects(const struct refusal *refusal)
{
	if (!refusal->known)
		return "a container's seccomp filter, or a security module";
	if (refusal->filtered)
		return "the seccomp filter of this process (a container's), or a security module";
	return "a security module, or a user namespace, where capabilities do not count";
}
