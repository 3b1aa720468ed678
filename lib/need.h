/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_NEED_H
#define BPFPERF_LIB_NEED_H

#include <stdbool.h>
#include <stddef.h>

/* What all benchmarks of BPF and all tracers need. */
#define NEED_BPF "CAP_BPF, CAP_PERFMON"

/* Is this capability ("CAP_BPF") effective? CAP_SYS_ADMIN stands for BPF and PERFMON as in the kernel. */
bool need__capability(const char *name);

/*
 * Writes those of "CAP_A, CAP_B" that are not effective to `buf`, with the same commas; words that
 * are no capability are left out. An empty result: none is missing.
 */
void need__missing(const char *needs, char *buf, size_t size);

/* Is this one in which being root, or having a capability, means nothing to bpf(2)? */
bool need__in_user_namespace(void);

/*
 * How whoever runs this gets the capabilities of the list, "CAP_A, CAP_B", and keeps those that
 * there are: a sentence with a command.
 */
void need__remedy(const char *list, char *buf, size_t size);

#endif
