// SPDX-License-Identifier: GPL-2.0-only
#include "lib/need.h"

#include <stdio.h>
#include <string.h>
#include <sys/capability.h>

static bool is_effective(cap_value_t cap)
{
	cap_flag_value_t value = CAP_CLEAR;
	cap_t caps = cap_get_proc();

	if (caps) {
		cap_get_flag(caps, cap, CAP_EFFECTIVE, &value);
		cap_free(caps);
	}
	return value == CAP_SET;
}

bool need__capability(const char *name)
{
	cap_value_t cap;

	if (cap_from_name(name, &cap))
		return false;
	if (is_effective(cap))
		return true;
	return (!strcmp(name, "CAP_BPF") || !strcmp(name, "CAP_PERFMON")) &&
	       is_effective(CAP_SYS_ADMIN);
}

void need__missing(const char *needs, char *buf, size_t size)
{
	size_t used = 0;
	char word[64];

	buf[0] = '\0';
	while (needs && *needs) {
		size_t len = strcspn(needs, ", ");

		snprintf(word, sizeof(word), "%.*s", (int)len, needs);
		needs += len + strspn(needs + len, ", ");
		if (!strncmp(word, "CAP_", 4) && !need__capability(word) && used < size)
			used += snprintf(buf + used, size - used, "%s%s", used ? ", " : "", word);
	}
}
