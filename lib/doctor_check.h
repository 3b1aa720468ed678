/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_DOCTOR_CHECK_H
#define BPFPERF_LIB_DOCTOR_CHECK_H

#include <jansson.h>
#include <stdbool.h>

#include "lib/doctor.h"
#include "lib/host.h"

/* Between doctor.c, which has the table of checks, and the files that have the checks. */

enum finding_status { FINDING_OK, FINDING_GAP, FINDING_UNKNOWN, FINDING_INFO };

/* Fixed buffers: it crosses from the child to its parent in shared memory. Empty is null. */
struct finding {
	enum finding_status status;
	char value[192];
	char detail[640];
	char remedy[512];
};

struct doctor {
	const struct host_roots *roots;
	json_t *host; /* host__describe() */
	doctor_count_fn *count;
};

#define FINDING_PRINTF(n) __attribute__((format(printf, n, n + 1)))

FINDING_PRINTF(2) void finding__value(struct finding *finding, const char *fmt, ...);
FINDING_PRINTF(2) void finding__detail(struct finding *finding, const char *fmt, ...);
FINDING_PRINTF(2) void finding__remedy(struct finding *finding, const char *fmt, ...);

/* Sets the status, and the detail from `fmt`; `remedy` may be NULL. */
FINDING_PRINTF(3)
void finding__gap(struct finding *finding, const char *remedy, const char *fmt, ...);
FINDING_PRINTF(3)
void finding__unknown(struct finding *finding, const char *remedy, const char *fmt, ...);

/* Not tried for want of these capabilities, and how the caller at hand gets them. */
FINDING_PRINTF(3)
void finding__no_capability(struct finding *finding, const char *missing, const char *fmt, ...);

/* A field of the host by its dotted path, NULL when it is null; and the reason why it is null. */
json_t *doctor__host(const struct doctor *doctor, const char *path);
const char *doctor__host_absent(const struct doctor *doctor, const char *path);

/* True also when that cannot be told. */
bool doctor__is_guest(const struct doctor *doctor);

/*
 * Those of "CAP_A, CAP_B" that the kernel would not grant; all of them in a user namespace, where
 * being root means nothing to bpf(2). Empty: none.
 */
void doctor__missing(const char *needs, char *buf, size_t size);

/* A check. `finding` is zeroed, that is ok. On its own in a child: what it opens need not be closed. */
typedef void doctor_probe_fn(const struct doctor *doctor, struct finding *finding);

/* doctor_kernel.c */
doctor_probe_fn doctor__kernel, doctor__btf, doctor__jit, doctor__lockdown, doctor__kptr_restrict,
	doctor__tracefs;
/* doctor_limits.c */
doctor_probe_fn doctor__capabilities, doctor__paranoid, doctor__pmu, doctor__memory,
	doctor__open_files;
/* doctor_bpf.c */
doctor_probe_fn doctor__fentry, doctor__kprobe, doctor__tp_btf, doctor__uprobe, doctor__prog_run,
	doctor__spinlocks;
/* doctor_cpu.c */
doctor_probe_fn doctor__governor, doctor__turbo, doctor__smt, doctor__mitigations, doctor__steal;

/* Of doctor_bpf.c, for the others. Does the kernel compile programs? 1, 0 or -errno. */
int doctor__try_jit(void);
/* May a program read kernel memory? 0, or -errno with -EINVAL for no. */
int doctor__try_kernel_read(void);
/* Makes a map of so many bytes. 0 or -errno. */
int doctor__try_map(unsigned int bytes);

#endif
