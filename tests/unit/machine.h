/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_TESTS_UNIT_MACHINE_H
#define BPFPERF_TESTS_UNIT_MACHINE_H

#include <check.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/bench.h"
#include "lib/plan.h"

/*
 * What the tests of plans share: a machine with the CPUs 0-3 and 6, whatever the one they run on
 * has, and a benchmark that does nothing. One source of a program may include this.
 */
#define MACHINE_CPUS   "0-3,6"
#define MACHINE_NR_CPU 5

/* Takes the place of libc's. CPU 5 is in the mask, but not online. */
int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *mask)
{
	static const int cpus[] = {0, 1, 2, 3, 5, 6};

	(void)pid;
	CPU_ZERO_S(size, mask);
	for (size_t i = 0; i < sizeof(cpus) / sizeof(cpus[0]); i++)
		CPU_SET_S(cpus[i], size, mask);
	return 0;
}

static char machine_root[64];

static inline void machine_path(const char *name, char path[128])
{
	snprintf(path, 128, "%s/%s", machine_root, name);
}

/* The sysfs of the machine: all that a plan reads of it is which CPUs are online. */
static inline const char *machine__sysfs(void)
{
	static const char *const folders[] = {"devices", "devices/system", "devices/system/cpu"};
	char path[128];
	FILE *file;

	strcpy(machine_root, "/tmp/bpfperf-machine-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(machine_root));
	for (int i = 0; i < 3; i++) {
		machine_path(folders[i], path);
		ck_assert_int_eq(mkdir(path, 0700), 0);
	}
	machine_path("devices/system/cpu/online", path);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	fputs("0-4,6-7\n", file);
	ck_assert_int_eq(fclose(file), 0);
	return machine_root;
}

/* The memory of the process is enough for one plan, but the files outlive it. */
static inline void machine__remove(void)
{
	static const char *const names[] = {"devices/system/cpu/online", "devices/system/cpu",
					    "devices/system", "devices", ""};
	char path[128];

	for (int i = 0; i < 5; i++) {
		machine_path(names[i], path);
		ck_assert_int_eq(remove(path), 0);
	}
}

/* Asks for `words`, a list that ends with NULL, with the defaults of `bpfperf stat`. */
static inline struct plan_request machine__request(const char *const *words)
{
	struct plan_request request = {.words = words,
				       .affinity = true,
				       .repeats = 1,
				       .duration_s = 1,
				       .warmup_s = 0.2,
				       .interval_s = 0.1,
				       .seed = 1,
				       .timing = "native"};

	while (words[request.nr_words])
		request.nr_words++;
	return request;
}

/* plan__build() on that machine. */
static inline int machine__build(const struct plan_request *request, struct plan **ret_plan,
				 struct why *why)
{
	struct plan_request here = *request;
	int err;

	*why = (struct why){0};
	*ret_plan = NULL;
	here.sysfs = machine__sysfs();
	bench__init();
	err = plan__build(&here, ret_plan, why);
	machine__remove();
	return err;
}

/* For the tables of words in the tests. */
#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

static inline void idle_work(struct worker *worker, uint64_t iters)
{
	worker->io->count[BENCH_OPS] += iters;
}

static inline int idle_check(struct run *run)
{
	(void)run;
	return 0;
}

#endif
