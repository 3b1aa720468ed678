/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_REFUSAL_H
#define BPFPERF_LIB_REFUSAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Who refuses a system call: an errno does not say. A sysctl and a missing capability can be seen,
 * and so can that a seccomp filter is on; what is left is a security module.
 */
struct refusal {
	bool known; /* PROC/self/status could be read */
	uint64_t cap_eff;
	bool filtered; /* by a seccomp filter */
};

void refusal__read(const char *proc, struct refusal *ret);

/* Is CAP_PERFMON, or CAP_SYS_ADMIN which stands for it, among the effective ones? */
bool refusal__may_perfmon(const struct refusal *refusal);

/* "CapEff 00000000000000ff", or that it is not known. */
void refusal__capabilities(const struct refusal *refusal, char *buf, size_t size);

/* Who it can be beside what is said by other means: "a seccomp filter, or a security module". */
const char *refusal__suspects(const struct refusal *refusal);

#endif
