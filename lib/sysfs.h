/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_SYSFS_H
#define BPFPERF_LIB_SYSFS_H

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

#endif
