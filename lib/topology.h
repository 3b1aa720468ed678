/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_TOPOLOGY_H
#define BPFPERF_LIB_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>

struct why;

/* The highest CPU number a list may name: the kernel's largest CONFIG_NR_CPUS is 8192. */
#define CPULIST_MAX_CPU 8191

/* A set of CPUs, ascending, each once. Zeroed is the empty set. */
struct cpulist {
	int nr;
	int *cpu;
};

/*
 * "0-3,8,10-11", the form of sysfs and of `taskset -c`, in any order and overlapping as it likes.
 * The whole string and nothing but: -EINVAL for blanks, signs, empty parts, ranges that run
 * backwards; -ERANGE above CPULIST_MAX_CPU; -ENOMEM. `why` quotes the text.
 */
int cpulist__parse(const char *text, struct cpulist *ret, struct why *why);
void cpulist__free(struct cpulist *list);

/* The same form back, as short as it gets. Its length, or -ENOSPC (and the empty string). */
int cpulist__format(const struct cpulist *list, char *buf, size_t size);
bool cpulist__contains(const struct cpulist *list, int cpu);
/* 0, or -ENOMEM. The result may be empty. */
int cpulist__intersect(const struct cpulist *a, const struct cpulist *b, struct cpulist *ret);

/*
 * `sysfs_root` is "/sys", but for tests. Lists are for the caller to free; on failure they are
 * left alone.
 */
int topology__online(const char *sysfs_root, struct cpulist *ret, struct why *why);
/* What this thread inherited: taskset, a cpuset, a service manager. */
int topology__affinity(struct cpulist *ret, struct why *why);
/* Both at once: where a worker may be pinned. Never empty: that is -ENODEV. */
int topology__allowed(const char *sysfs_root, struct cpulist *ret, struct why *why);

/*
 * Where a CPU sits. -1 is unknown: the CPU is offline, or the kernel has no such notion (`node`
 * without CONFIG_NUMA). Cores are numbered within their socket, and with gaps.
 */
struct cpu_place {
	int thread; /* 0 for the first CPU of a core, 1 for its SMT sibling, ... */
	int core;
	int socket;
	int node;
};

struct cpu_place topology__place(const char *sysfs_root, int cpu);

#endif
