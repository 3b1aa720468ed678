/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_KSYMS_H
#define BPFPERF_LIB_KSYMS_H

#include <stdint.h>

#include "lib/why.h"

/* Names of kernel addresses, from a file like /proc/kallsyms; BPF programs are in it too. */
struct ksyms;

/*
 * -EPERM and `why` when the kernel shows no addresses to this process (kptr_restrict, no
 * CAP_SYSLOG); -errno otherwise.
 */
int ksyms__load(const char *path, struct ksyms **ret, struct why *why);
void ksyms__free(struct ksyms *ksyms);

/*
 * The function that holds this address, without the suffixes that compilers add (.isra.0,
 * .constprop.1, .part.2, .cold, .llvm.3); NULL below the first one. Lives as long as `ksyms`.
 */
const char *ksyms__name(const struct ksyms *ksyms, uint64_t address);

#endif
