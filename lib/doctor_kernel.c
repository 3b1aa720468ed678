// SPDX-License-Identifier: GPL-2.0-only
#include <bpf/btf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "lib/bpf_log.h"
#include "lib/doctor_check.h"
#include "lib/need.h"
#include "lib/sysfs.h"
#include "lib/why.h"

#define OLDEST_MAJOR 6
#define OLDEST_MINOR 1

void doctor__kernel(const struct doctor *doctor, struct finding *finding)
{
	const char *release = json_string_value(doctor__host(doctor, "kernel.release"));
	struct utsname name = {0};
	int major, minor;

	if (!release) {
		finding__unknown(finding, "mount -t proc proc /proc", "%s",
				 doctor__host_absent(doctor, "kernel.release"));
		return;
	}
	uname(&name);
	finding__value(finding, "%s, %s", release, name.machine);
	if (sscanf(release, "%d.%d", &major, &minor) != 2)
		finding__unknown(finding, NULL, "'%s' does not begin with a version", release);
	else if (major < OLDEST_MAJOR || (major == OLDEST_MAJOR && minor < OLDEST_MINOR))
		finding__gap(finding, "nothing but a newer kernel", "older than %d.%d",
			     OLDEST_MAJOR, OLDEST_MINOR);
}

/* Does this kernel's configuration have the option? 1, 0, or -1 when it cannot be told. */
static int has_option(const struct doctor *doctor, const char *option)
{
	const json_t *options = doctor__host(doctor, "kernel.config_selected");
	const char *value = json_string_value(json_object_get(options, option));

	return value ? strcmp(value, "n") != 0 : -1;
}

static void explain_btf(const struct doctor *doctor, const char *path, int err,
			struct finding *finding)
{
	const char *nothing = "nothing on this kernel; the triggers prog-run and raw-tp work "
			      "without it";

	if (has_option(doctor, "CONFIG_DEBUG_INFO_BTF") == 0)
		finding__gap(finding, nothing,
			     "this kernel was built without BTF (CONFIG_DEBUG_INFO_BTF)");
	else if (err == -ENOENT)
		finding__gap(finding, nothing, "'%s' does not exist (CONFIG_DEBUG_INFO_BTF)", path);
	else
		finding__gap(finding, nothing, "'%s' holds no BTF: %s", path, errno_text(err));
}

void doctor__btf(const struct doctor *doctor, struct finding *finding)
{
	char path[SYSFS_PATH_SIZE];
	struct btf *btf;
	uint32_t size;

	snprintf(path, sizeof(path), "%s/kernel/btf/vmlinux", doctor->roots->sys);
	bpf_log__clear();
	btf = btf__parse(path, NULL);
	if (!btf) {
		explain_btf(doctor, path, -errno, finding);
		return;
	}
	btf__raw_data(btf, &size);
	finding__value(finding, "%u types, %.1f MB", btf__type_cnt(btf) - 1, size / 1e6);
}

static long long host_int(const struct doctor *doctor, const char *path, long long absent)
{
	const json_t *value = doctor__host(doctor, path);

	return value ? json_integer_value(value) : absent;
}

void doctor__jit(const struct doctor *doctor, struct finding *finding)
{
	long long enable = host_int(doctor, "bpf.jit_enable", -1);
	long long harden = host_int(doctor, "bpf.jit_harden", 0);
	int jited = doctor__try_jit();

	/* Without the right to load a program, the setting has to do. */
	if (jited < 0 && enable < 0) {
		finding__unknown(finding, NULL, "%s",
				 doctor__host_absent(doctor, "bpf.jit_enable"));
		return;
	}
	if (jited < 0)
		finding__detail(finding, "as net.core.bpf_jit_enable=%lld says; not tried: %s",
				enable, errno_text(jited));
	finding__value(finding, "%s", (jited < 0 ? enable > 0 : jited) ? "on" : "off");
	if (jited == 0 || (jited < 0 && enable == 0))
		finding__gap(finding, "sysctl net.core.bpf_jit_enable=1",
			     "programs are interpreted, several times slower");
	else if (harden == 2)
		finding__gap(finding, "sysctl net.core.bpf_jit_harden=1",
			     "constants are blinded in everybody's programs, which slows them");
}

/* The mode in force stands in brackets: "none [integrity] confidentiality". NULL: none does. */
static const char *lockdown_mode(char *text)
{
	char *mode = strchr(text, '[');

	if (mode)
		mode[strcspn(mode, "]")] = '\0';
	return mode ? mode + 1 : NULL;
}

/*
 * The file says what was asked for, and a trial what the kernel does: others have told users of a
 * lockdown that was none. Without the right to try, the file has to do.
 */
static void judge_lockdown(char *text, struct finding *finding)
{
	const char *mode = lockdown_mode(text);

	if (!mode) {
		finding__unknown(finding, NULL, "no mode in force in '%s'", text);
		return;
	}
	finding__value(finding, "%s", mode);
	if (strcmp(mode, "confidentiality"))
		return;
	if (!doctor__try_kernel_read())
		finding__detail(finding, "tried: a program may read kernel memory all the same");
	else
		finding__gap(finding,
			     "reboot with lockdown=integrity on the kernel command line: it is "
			     "never lowered in a running kernel",
			     "no program reads kernel memory, no kprobes, no tracefs");
}

/* No securityfs to read: what the stricter mode takes away can be asked for. */
static void try_lockdown(struct finding *finding)
{
	const char *mount = "mount -t securityfs securityfs /sys/kernel/security";
	int err = doctor__try_kernel_read();

	if (!err)
		finding__value(finding, "none or integrity: a program may read kernel memory");
	else if (err == -EINVAL)
		finding__gap(finding, mount, "no program may read kernel memory");
	else
		finding__unknown(finding, mount, "no securityfs is mounted, and trying failed: %s",
				 errno_text(err));
}

void doctor__lockdown(const struct doctor *doctor, struct finding *finding)
{
	const json_t *lsm = doctor__host(doctor, "bpf.lsm");
	char text[128];
	int len;

	len = sysfs__read(text, sizeof(text), "%s/kernel/security/lockdown", doctor->roots->sys);
	if (len > 0)
		judge_lockdown(text, finding);
	else if (len == -ENOENT && lsm)
		finding__value(finding, "none: not among this kernel's security modules");
	else
		try_lockdown(finding);
}

/* 1: an address is there, 0: all are zero, or -errno. */
static int shows_addresses(const struct doctor *doctor)
{
	char text[4096];
	int len = sysfs__read(text, sizeof(text), "%s/kallsyms", doctor->roots->proc);

	if (len < 0)
		return len;
	/* The first symbols of some kernels are offsets into per-CPU memory, and one is 0. */
	for (const char *line = text; line; line = strchr(line, '\n')) {
		if (strtoull(line, NULL, 16))
			return 1;
		line += *line == '\n';
	}
	return 0;
}

void doctor__kptr_restrict(const struct doctor *doctor, struct finding *finding)
{
	char missing[64];
	long long level = -1;
	int shown = shows_addresses(doctor);

	sysfs__read_int(&level, "%s/sys/kernel/kptr_restrict", doctor->roots->proc);
	if (level >= 0)
		finding__value(finding, "%lld", level);
	doctor__missing("CAP_SYSLOG", missing, sizeof(missing));
	if (shown < 0)
		finding__gap(finding, "nothing on this kernel", "%s/kallsyms: %s%s",
			     doctor->roots->proc, errno_text(shown),
			     shown == -ENOENT ? " (CONFIG_KALLSYMS)" : "");
	else if (shown)
		finding__detail(finding, "/proc/kallsyms shows addresses");
	else if (level == 2)
		finding__gap(finding, "sysctl kernel.kptr_restrict=1",
			     "/proc/kallsyms shows no addresses, to nobody");
	else if (missing[0]) {
		char grant[384];

		need__remedy(missing, grant, sizeof(grant));
		finding__gap(finding, NULL, "/proc/kallsyms shows no addresses to you");
		finding__remedy(finding, "%s%s", grant,
				level ? "" : "; or sysctl kernel.perf_event_paranoid=1");
	} else
		finding__gap(finding, "nothing on this kernel",
			     "/proc/kallsyms shows no addresses, although kernel.kptr_restrict "
			     "is %lld",
			     level);
}

/* True also where procfs does not say. */
static bool has_tracefs(const struct doctor *doctor)
{
	char text[4096];

	return sysfs__read(text, sizeof(text), "%s/filesystems", doctor->roots->proc) < 0 ||
	       strstr(text, "\ttracefs");
}

static void explain_tracefs(const struct doctor *doctor, int err, struct finding *finding)
{
	char events[SYSFS_PATH_SIZE];

	snprintf(events, sizeof(events), "%s/kernel/tracing/events", doctor->roots->sys);
	if (!has_tracefs(doctor)) {
		finding__gap(finding, "nothing on this kernel; the trigger raw-tp works without it",
			     "this kernel was built without tracefs (CONFIG_TRACING)");
	} else if (err == -EACCES || err == -EPERM) {
		char grant[384];

		need__remedy("CAP_DAC_READ_SEARCH", grant, sizeof(grant));
		finding__gap(finding, NULL, "mounted, but not readable: permission denied");
		finding__remedy(finding, "%s", grant);
	} else if (access(events, F_OK)) {
		finding__gap(finding, NULL, "not mounted");
		finding__remedy(finding, "%smount -t tracefs nodev /sys/kernel/tracing",
				geteuid() ? "as root: " : "");
	} else {
		finding__gap(finding, "nothing on this kernel; the trigger raw-tp works without it",
			     "no events for system calls (CONFIG_FTRACE_SYSCALLS)");
	}
}

void doctor__tracefs(const struct doctor *doctor, struct finding *finding)
{
	static const char *const mounts[] = {"kernel/tracing", "kernel/debug/tracing"};
	long long id;
	int err = 0, first = 0;

	for (size_t i = 0; i < sizeof(mounts) / sizeof(mounts[0]); i++) {
		err = sysfs__read_int(&id, "%s/%s/events/syscalls/sys_enter_getpgid/id",
				      doctor->roots->sys, mounts[i]);
		if (!err) {
			finding__value(finding, "readable at %s/%s", doctor->roots->sys, mounts[i]);
			return;
		}
		if (i == 0)
			first = err;
	}
	explain_tracefs(doctor, first, finding);
}
