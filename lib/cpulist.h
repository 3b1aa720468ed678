/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_CPULIST_H
#define BPFPERF_LIB_CPULIST_H

#include <stdbool.h>
#include <stddef.h>

struct why;

/* The highest number a list may name: the kernel's largest CONFIG_NR_CPUS is 8192. */
#define CPULIST_MAX_CPU 8191

/* Room for the text of any list: "0-1,3-4,...,8190-8191" is the longest, of 26,568 characters. */
#define CPULIST_TEXT_SIZE 32768

/* A set of CPUs, or of NUMA nodes: ascending, each once. Zeroed is the empty set. */
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
/*
 * A file of the kernel with such a list; here an empty one is the empty set, as a node without
 * CPUs has it. The path is a printf format, as in lib/sysfs.h. On failure *ret is left alone.
 */
__attribute__((format(printf, 3, 4))) int cpulist__read(struct cpulist *ret, struct why *why,
							const char *fmt, ...);
void cpulist__free(struct cpulist *list);

/* Adds a number greater than all that are in it. 0, or -ENOMEM. */
int cpulist__append(struct cpulist *list, int cpu);

/* The same form back, as short as it gets. Its length, or -ENOSPC (and the empty string). */
int cpulist__format(const struct cpulist *list, char *buf, size_t size);
bool cpulist__contains(const struct cpulist *list, int cpu);
/* 0, or -ENOMEM. The result may be empty. */
int cpulist__intersect(const struct cpulist *a, const struct cpulist *b, struct cpulist *ret);

#endif
