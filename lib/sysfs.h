/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_SYSFS_H
#define BPFPERF_LIB_SYSFS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Small files of sysfs and procfs. Paths are printf formats, so that the root (an argument
 * everywhere, for the tests) and a CPU's number go in without a buffer in every caller.
 */
#define SYSFS_PATH_SIZE 512

/*
 * Reads a file into `buf`, NUL-terminated, white space at the end removed; what does not fit is
 * left out. Returns the length, or -errno: -EISDIR and -ENAMETOOLONG included.
 */
__attribute__((format(printf, 3, 4))) int sysfs__read(char *buf, size_t size, const char *fmt, ...);

/* A decimal integer that is the whole content. 0 or -errno; -EINVAL: it is something else. */
__attribute__((format(printf, 2, 3))) int sysfs__read_int(long long *ret, const char *fmt, ...);

/* NR_CPUS of the kernel is at most this. */
#define CPUS_MAX 8192

/* A set of CPUs or of NUMA nodes. */
struct cpus {
	bool has[CPUS_MAX];
};

/*
 * Adds the numbers of a kernel list, "0-3,8", to `cpus`. An empty list is valid. Returns 0, or
 * -EINVAL with `cpus` undefined.
 */
int cpus__parse(struct cpus *cpus, const char *list);

/* The set as a kernel list. Cut at `size`, which is enough from 6 * CPUS_MAX on. */
void cpus__format(const struct cpus *cpus, char *buf, size_t size);

/* The least member greater than `after` (-1: of all), or -1. */
int cpus__next(const struct cpus *cpus, int after);

#endif
