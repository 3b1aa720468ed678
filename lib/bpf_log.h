/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_BPF_LOG_H
#define BPFPERF_LIB_BPF_LOG_H

#include "lib/why.h"

/*
 * libbpf explains a failure in several lines on stderr. They are kept instead (and shown with
 * -v), and the one that tells most goes into the reason.
 */
void bpf_log__init(void);
void bpf_log__clear(void);

/*
 * Fills `why` with "WHAT 'NAME': CAUSE", where the cause is told apart: a missing capability, a
 * bpf(2) that is not there or hidden by a seccomp filter, something the kernel was built without, a
 * tracefs that is not mounted, a kernel that refuses, or the verifier's last line. `needs` names capabilities beyond CAP_BPF, or
 * is NULL. Returns err.
 */
int bpf_log__why(struct why *why, int err, const char *what, const char *name, const char *needs);

#endif
