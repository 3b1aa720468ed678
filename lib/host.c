// SPDX-License-Identifier: GPL-2.0-only
#include "lib/host.h"

#include <bpf/bpf.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/host_part.h"
#include "lib/sysfs.h"
#include "lib/topology.h"

/* For scandir(); the order makes two documents comparable as text. */
static int is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static void describe_mitigations(const struct host_part *top)
{
	const char *folder = "devices/system/cpu/vulnerabilities";
	char path[SYSFS_PATH_SIZE], file[SYSFS_PATH_SIZE];
	struct dirent **names;
	struct host_part part;
	int nr;

	snprintf(path, sizeof(path), "%s/%s", top->roots->sys, folder);
	nr = scandir(path, &names, is_visible, alphasort);
	if (nr < 0) {
		host_part__unreadable(top, "mitigations", -errno,
				      "this kernel does not list vulnerabilities of the CPU");
		return;
	}
	part = host_part__open(top, "mitigations", "mitigations.");
	for (int i = 0; i < nr; i++) {
		snprintf(file, sizeof(file), "%s/%s", folder, names[i]->d_name);
		host_part__file_text(&part, names[i]->d_name, NULL, part.roots->sys, file);
		free(names[i]);
	}
	free(names);
}

static void describe_lsm(const struct host_part *part)
{
	char text[512], *save;
	json_t *names;
	int len;

	len = sysfs__read(text, sizeof(text), "%s/kernel/security/lsm", part->roots->sys);
	if (len < 0) {
		host_part__unreadable(part, "lsm", len,
				      "securityfs is not mounted or not in this kernel");
		return;
	}
	names = json_array();
	for (char *name = strtok_r(text, ",", &save); name; name = strtok_r(NULL, ",", &save))
		json_array_append_new(names, host_part__json_text(name));
	host_part__set(part, "lsm", names);
}

static void count_progs(const struct host_part *part)
{
	const char *key = "loaded_progs_before";
	__u32 id = 0;
	int nr = 0;

	while (!bpf_prog_get_next_id(id, &id))
		nr++;
	if (errno == ENOENT)
		host_part__set(part, key, json_integer(nr));
	else if (errno == EPERM)
		host_part__absent(part, key, "permission denied (needs CAP_SYS_ADMIN)");
	else
		host_part__unreadable(part, key, -errno, NULL);
}

static void describe_bpf(const struct host_part *top)
{
	static const char no_jit[] = "this kernel has no BPF JIT";
	struct host_part part = host_part__open(top, "bpf", "bpf.");
	const char *proc = top->roots->proc;

	host_part__file_int(&part, "jit_enable", no_jit, proc, "sys/net/core/bpf_jit_enable");
	host_part__file_int(&part, "jit_harden", no_jit, proc, "sys/net/core/bpf_jit_harden");
	host_part__file_int(&part, "jit_kallsyms", no_jit, proc, "sys/net/core/bpf_jit_kallsyms");
	host_part__file_int(&part, "stats_enabled", NULL, proc, "sys/kernel/bpf_stats_enabled");
	host_part__file_int(&part, "unprivileged_disabled", NULL, proc,
			    "sys/kernel/unprivileged_bpf_disabled");
	describe_lsm(&part);
	count_progs(&part);
}

static void describe_uptime(const struct host_part *top)
{
	char text[64], *end;
	long long seconds;
	int len = sysfs__read(text, sizeof(text), "%s/uptime", top->roots->proc);

	if (len < 0) {
		host_part__unreadable(top, "uptime_s", len, "/proc/uptime does not exist");
		return;
	}
	seconds = strtoll(text, &end, 10);
	if (end == text)
		host_part__absent(top, "uptime_s", "/proc/uptime holds no number");
	else
		host_part__set(top, "uptime_s", json_integer(seconds));
}

static void describe(const struct host_part *top, const char *timing)
{
	const char *proc = top->roots->proc;
	struct cpulist online = {0};

	/* Without it the parts say that they know no CPU. */
	topology__online(top->roots->sys, &online, NULL);
	host_part__file_text(top, "boot_id", NULL, proc, "sys/kernel/random/boot_id");
	host_part__file_text(top, "host", NULL, proc, "sys/kernel/hostname");
	host_part__set_text(top, "timing", timing);
	host__describe_kernel(top);
	describe_mitigations(top);
	describe_bpf(top);
	host__describe_cpu(top, &online);
	host__describe_power(top, &online);
	cpulist__free(&online);
	host__describe_memory(top);
	host_part__file_int(top, "aslr", NULL, proc, "sys/kernel/randomize_va_space");
	host__describe_virt(top);
	host_part__file_text(top, "clocksource", NULL, top->roots->sys,
			     "devices/system/clocksource/clocksource0/current_clocksource");
	host_part__file_int(top, "perf_event_paranoid", "this kernel has no perf events", proc,
			    "sys/kernel/perf_event_paranoid");
	describe_uptime(top);
}

json_t *host__describe(const struct host_roots *roots, const char *timing)
{
	struct host_part top = {
		.roots = roots,
		.absent = json_object(),
		.object = json_object(),
		.prefix = "",
	};

	if (!top.absent || !top.object)
		goto fail;
	describe(&top, timing);
	if (json_object_set(top.object, "absent", top.absent))
		goto fail;
	json_decref(top.absent);
	return top.object;
fail:
	json_decref(top.absent);
	json_decref(top.object);
	return NULL;
}
