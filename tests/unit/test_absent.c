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

START_TEST(test_fake_sysfs)
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

START_TEST(test_fake_paranoid)
{
	char root[] = "/tmp/bpfperf-test-XXXXXX";
	struct event_env env = {.sysfs = root, .tracefs = root, .procfs = root};

	ck_assert_ptr_nonnull(mkdtemp(root));
	explains("cycles", -EACCES, &env,
		 "no permission: kernel.perf_event_paranoid cannot be read (sysctl "
		 "kernel.perf_event_paranoid=1, or CAP_PERFMON)");
	make(root, "sys/kernel/perf_event_paranoid", "3\n");
	/* Permission is asked before support is: it is the reason, with or without a PMU. */
	explains("cycles", -EACCES, &env,
		 "no permission: kernel.perf_event_paranoid is 3 (sysctl "
		 "kernel.perf_event_paranoid=1, or CAP_PERFMON)");
	make(root, "sys/kernel/perf_event_paranoid", "-1\n");
	explains("cs", -EPERM, &env,
		 "no permission: perf_event_open is refused although kernel.perf_event_paranoid is "
		 "-1 (a container's seccomp filter, or a security module)");
	explains("cs", -EBUSY, &env, "not counted: the counters are in use by another");
	explains("cs", -ENOSYS, &env, "not supported: this kernel has no perf events");
	explains("cs", -ENOMEM, &env, "not counted: cannot open the event: Cannot allocate memory");
	remove_tree(root);
}
END_TEST

UNIT_MAIN("absent", test_fake_sysfs, test_fake_paranoid)
