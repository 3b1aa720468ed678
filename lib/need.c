// SPDX-License-Identifier: GPL-2.0-only
#include "lib/need.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/capability.h>
#include <unistd.h>

/* Inode number of /proc/self/ns/user in the first user namespace: PROC_USER_INIT_INO. */
#define INITIAL_USER_NAMESPACE "user:[4026531837]"

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

/*
 * setcap replaces what a file has: the two that nearly everything here needs, those of `list`, which
 * is "CAP_A, CAP_B", and of others that are of use those that the process has.
 */
static void list_for_setcap(const char *list, char *buf, size_t size)
{
	static const char *const used[] = {"CAP_BPF",	    "CAP_PERFMON", "CAP_NET_ADMIN",
					   "CAP_SYS_ADMIN", "CAP_SYSLOG",  "CAP_DAC_READ_SEARCH"};
	size_t len = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < sizeof(used) / sizeof(used[0]); i++) {
		cap_value_t cap;

		if (cap_from_name(used[i], &cap) ||
		    (i > 1 && !strstr(list, used[i]) && !is_effective(cap)))
			continue;
		len += snprintf(buf + len, size - len, "%s%s", len ? "," : "", used[i]);
	}
	for (char *c = buf; *c; c++)
		*c = tolower((unsigned char)*c);
}

bool need__in_user_namespace(void)
{
	char link[64] = "";

	return readlink("/proc/self/ns/user", link, sizeof(link) - 1) > 0 &&
	       strcmp(link, INITIAL_USER_NAMESPACE) != 0;
}

void need__remedy(const char *list, char *buf, size_t size)
{
	char caps[128], program[PATH_MAX] = "";

	if (need__in_user_namespace()) {
		snprintf(buf, size, "run it as root of the first user namespace");
		return;
	}
	if (!geteuid()) {
		snprintf(buf, size, "let root keep %s (of a container: --cap-add)", list);
		return;
	}
	list_for_setcap(list, caps, sizeof(caps));
	if (readlink("/proc/self/exe", program, sizeof(program) - 1) < 0)
		program[0] = '\0';
	snprintf(buf, size, "run it as root, or once: sudo setcap %s+ep %s", caps,
		 program[0] ? program : "bpfperf");
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
