/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_TOPOLOGY_H
#define BPFPERF_LIB_TOPOLOGY_H

#include "lib/cpulist.h"

struct why;

/*
 * `sysfs_root` is "/sys", but for tests. Lists are for the caller to free; on failure they are
 * left alone.
 */
int topology__online(const char *sysfs_root, struct cpulist *ret, struct why *why);
/* What this thread inherited: taskset, a cpuset, a service manager. */
int topology__affinity(struct cpulist *ret, struct why *why);
/* Both at once: where a worker may be pinned. Never empty: that is -ENODEV. */
int topology__allowed(const char *sysfs_root, struct cpulist *ret, struct why *why);

#endif
