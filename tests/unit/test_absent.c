// SPDX-License-Identifier: GPL-2.0-only
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "perf/absent.h"
#include "perf/event.h"
#include "tests/unit/unit.h"

/* Machines that this one is not. */

static void make(const char *root, const char *path, const char *content)
{
	char full[256];
	FILE *file;

	snprintf(full, sizeof(full), "%s/%s", root, path);
	for (char *slash = strchr(full + strlen(root) + 1, '/'); slash;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(full, 0755);
		*slash = '/';
	}
	file = fopen(full, "w");
	ck_assert_ptr_nonnull(file);
	fputs(content, file);
	fclose(file);
}

static void remove_tree(const char *root)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf '%s'", root);
	ck_assert_int_eq(system(command), 0);
}

static void explains(const char *spec, int err, const struct event_env *env, const char *text)
{
	struct event_list list;
	struct why why;

	ck_assert_int_eq(event_list__parse(spec, env, &list, NULL), 0);
	absent__explain(&list.events[0], err, env, &why);
	ck_assert_str_eq(why.text, text);
	event_list__free(&list);
}

#define DEVICES "bus/event_source/devices/"

START_TEST(report_poop_17_no_pmu_is_no_matter_of_permission)
{
	/* x86; hybrid x86; Arm; s390; and only PMUs that are not of a core */
	static const struct {
		const char *files[3];
		bool core;
	} machines[] = {
		{{DEVICES "cpu/type", DEVICES "software/type"}, true},
		{{DEVICES "cpu_core/cpus", DEVICES "cpu_atom/cpus"}, true},
		{{DEVICES "armv8_pmuv3_0/cpus", DEVICES "software/type"}, true},
		{{DEVICES "cpum_cf/type"}, true},
		{{DEVICES "software/type", DEVICES "uncore_imc/cpumask", DEVICES "msr/type"},
		 false},
	};

	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		char root[] = "/tmp/bpfperf-test-XXXXXX";
		struct event_env env = {.sysfs = root, .tracefs = root, .procfs = root};

		ck_assert_ptr_nonnull(mkdtemp(root));
		for (int j = 0; j < 3 && machines[i].files[j]; j++)
			make(root, machines[i].files[j], "0\n");
		ck_assert_int_eq(absent__has_core_pmu(&env), machines[i].core);
		explains("cycles", -ENOENT, &env,
			 machines[i].core ? "not supported: no such counter on this CPU"
					  : "not supported: no PMU in this machine");
		explains("LLC-loads", -EOPNOTSUPP, &env,
			 machines[i].core ? "not supported: no such counter on this CPU"
					  : "not supported: no PMU in this machine");
		explains("cgroup-switches", -ENOENT, &env,
			 "not supported: no such event in this kernel");
		remove_tree(root);
	}
}
END_TEST

#define CAPS_NONE    "0000000000000000"
#define CAPS_PERFMON "0000004000000000"
#define CAPS_ADMIN   "0000000000200000"

/* PROC/self/status of a process with these capabilities, under a seccomp filter or not. */
static void make_status(const char *root, const char *cap_eff, int seccomp)
{
	char text[128];

	snprintf(text, sizeof(text), "Name:\tx\nCapPrm:\tff\nCapEff:\t%s\nSeccomp:\t%d\n", cap_eff,
		 seccomp);
	make(root, "self/status", text);
}

#define MENDS	"(sysctl kernel.perf_event_paranoid=1, or CAP_PERFMON)"
#define FILTER	"the seccomp filter of this process (a container's), or a security module"
#define MODULE	"a security module, or a user namespace, where capabilities do not count"
#define REFUSED "no permission: perf_event_open gives "

/*
 * With CAP_PERFMON given and a seccomp filter in the way users were told to lower a sysctl that had
 * nothing to do with it.
 */
START_TEST(report_moby_43163_who_refuses)
{
	static const struct {
		const char *cap_eff;
		int seccomp, err;
		const char *paranoid, *text;
	} rows[] = {
		/* Permission is asked before support is: it is the reason, with or without a PMU. */
		{CAPS_NONE, 0, -EACCES, "3",
		 "no permission: kernel.perf_event_paranoid is 3, CapEff " CAPS_NONE " " MENDS},
		{CAPS_NONE, 2, -EACCES, "2",
		 "no permission: kernel.perf_event_paranoid is 2, CapEff " CAPS_NONE " " MENDS},
		{CAPS_NONE, 2, -EPERM, "2",
		 REFUSED "EPERM where kernel.perf_event_paranoid is 2, CapEff " CAPS_NONE
			 ": " FILTER},
		{CAPS_PERFMON, 2, -EPERM, "2",
		 REFUSED "EPERM where kernel.perf_event_paranoid is 2, CapEff " CAPS_PERFMON
			 ": " FILTER},
		{CAPS_ADMIN, 0, -EACCES, "2",
		 REFUSED "EACCES where kernel.perf_event_paranoid is 2, CapEff " CAPS_ADMIN
			 ": " MODULE},
		{CAPS_NONE, 2, -EACCES, "-1",
		 REFUSED "EACCES where kernel.perf_event_paranoid is -1, CapEff " CAPS_NONE
			 ": " FILTER},
		{CAPS_PERFMON, 2, -ENOSYS, "2",
		 REFUSED "ENOSYS, and yet this kernel has it (kernel.perf_event_paranoid is 2, "
			 "CapEff " CAPS_PERFMON "): " FILTER},
	};
	char root[] = "/tmp/bpfperf-test-XXXXXX";
	struct event_env env = {.sysfs = root, .tracefs = root, .procfs = root};

	ck_assert_ptr_nonnull(mkdtemp(root));
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		make(root, "sys/kernel/perf_event_paranoid", rows[i].paranoid);
		make_status(root, rows[i].cap_eff, rows[i].seccomp);
		explains("cycles", rows[i].err, &env, rows[i].text);
	}
	remove_tree(root);
}
END_TEST

START_TEST(test_nothing_to_read)
{
	const struct event_env env = {.sysfs = "/nonexistent", "/nonexistent", "/nonexistent"};

	explains("cycles", -EACCES, &env,
		 "no permission: kernel.perf_event_paranoid cannot be read, CapEff unknown " MENDS);
	explains("cycles", -EPERM, &env,
		 REFUSED "EPERM where kernel.perf_event_paranoid cannot be read, CapEff unknown: "
			 "a container's seccomp filter, or a security module");
	explains("cs", -ENOSYS, &env,
		 "not supported: this kernel has no perf events (CONFIG_PERF_EVENTS)");
	explains("cs", -EBUSY, &env, "not counted: the counters are in use by another");
	explains("cs", -ENOMEM, &env,
		 "not counted: cannot open the event: Cannot allocate memory (free some, or raise "
		 "memory.max of the cgroup)");
}
END_TEST

UNIT_MAIN("absent", report_poop_17_no_pmu_is_no_matter_of_permission, report_moby_43163_who_refuses,
	  test_nothing_to_read)
