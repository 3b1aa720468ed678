// SPDX-License-Identifier: GPL-2.0-only
#include "lib/bpf_log.h"

#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "lib/log.h"
#include "lib/need.h"
#include "lib/refusal.h"
#include "lib/shortage.h"

/* Load and attach happen on one thread, before the workers exist. */
static char kept[16384];

void bpf_log__clear(void)
{
	kept[0] = '\0';
}

__attribute__((format(printf, 2, 0))) static int keep(enum libbpf_print_level level,
						      const char *fmt, va_list args)
{
	size_t len = strlen(kept);
	va_list copy;

	va_copy(copy, args);
	log__vprint(LOG_DEBUG, "libbpf: ", fmt, copy);
	va_end(copy);
	if (level == LIBBPF_WARN)
		vsnprintf(kept + len, sizeof(kept) - len, fmt, args);
	return 0;
}

void bpf_log__init(void)
{
	libbpf_set_print(keep);
}

/*
 * The verifier ends with its complaint, then with lines of statistics; a map that could not be
 * made has a line of its own.
 */
static void telling_line(char *buf, size_t size)
{
	static const char *const noise[] = {"processed ",	 "-- END",
					    "-- BEGIN",		 "libbpf: failed to load",
					    "verification time", "stack depth",
					    "libbpf: prog "};
	char *line, *save = NULL;

	buf[0] = '\0';
	for (line = strtok_r(kept, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		bool telling = *line;

		for (size_t i = 0; i < sizeof(noise) / sizeof(noise[0]); i++)
			telling = telling && strncmp(line, noise[i], strlen(noise[i]));
		/* Right in general, wrong here: memory is accounted by cgroup since 5.11. */
		telling = telling && !strstr(line, "ulimit -l") && !strstr(line, "RLIMIT_MEMLOCK");
		if (telling)
			snprintf(buf, size, "%.200s",
				 strncmp(line, "libbpf: ", 8) ? line : line + 8);
	}
}

/* The kernel shows this sysctl when it has bpf(2): then somebody hides the call. */
static const char *no_bpf(void)
{
	return access("/proc/sys/kernel/unprivileged_bpf_disabled", F_OK)
		       ? "this kernel was built without BPF (CONFIG_BPF_SYSCALL)"
		       : "bpf(2) gives ENOSYS, and yet this kernel has it: a seccomp filter (a "
			 "container's) hides it";
}

/*
 * libbpf's errno says little about what this kernel was built without: ESRCH for its BTF, and
 * ENOENT for a kprobe, after it has tried the older way through tracefs. `buf` is empty if nothing
 * is known to be missing.
 */
static void missing_part(int err, char *buf, size_t size)
{
	struct utsname name = {0};
	const char *text = "";

	uname(&name);
	buf[0] = '\0';
	if (err == -ENOSYS)
		text = no_bpf();
	else if (err == -ENOENT && strstr(kept, "failed to add legacy kprobe event"))
		text = "this kernel was built without kprobes (CONFIG_KPROBE_EVENTS)";
	else if (err == -ENOENT && strstr(kept, "failed to add legacy uprobe event"))
		text = "this kernel was built without uprobes (CONFIG_UPROBE_EVENTS)";
	snprintf(buf, size, "%s", text);
	if (strstr(kept, "failed to find valid kernel BTF") ||
	    strstr(kept, "Error loading vmlinux BTF"))
		snprintf(buf, size,
			 "this kernel's BTF cannot be read (/sys/kernel/btf/vmlinux, Linux %s, "
			 "CONFIG_DEBUG_INFO_BTF)",
			 name.release);
}

int bpf_log__why(struct why *why, int err, const char *what, const char *name, const char *needs)
{
	char missing[128], all[128], line[256], part[256];
	struct refusal refusal;

	snprintf(all, sizeof(all), "CAP_BPF%s%s", needs ? ", " : "", needs ? needs : "");
	need__missing(all, missing, sizeof(missing));
	if ((err == -EPERM || err == -EACCES) && missing[0])
		return why__set(why, err, "%s '%s': permission denied (needs %s)", what, name,
				missing);
	/* Of bpf(2): the verifier gives up when a signal is pending, and no thread is involved. */
	if (err == -EAGAIN)
		err = -EINTR;
	if (shortage__is(err))
		return why__errno(why, err, "%s '%s'", what, name);
	missing_part(err, part, sizeof(part));
	if (part[0])
		return why__set(why, err, "%s '%s': %s", what, name, part);
	telling_line(line, sizeof(line));
	refusal__read("/proc", &refusal);
	if (err == -EPERM)
		return why__set(why, err, "%s '%s': %s (%s)", what, name,
				refusal.filtered ? "refused by this kernel, or by the seccomp "
						   "filter of this process (a container's)"
						 : "this kernel refuses it",
				errno_text(err));
	if (needs && strstr(needs, "tracefs") && (err == -ENOENT || err == -EACCES))
		return why__set(why, err,
				"%s '%s': no readable tracefs with this event (mount -t tracefs "
				"nodev /sys/kernel/tracing)",
				what, name);
	if (!line[0])
		return why__errno(why, err, "%s '%s'", what, name);
	return why__set(why, err, "%s '%s': %s (%s)", what, name, errno_text(err), line);
}
