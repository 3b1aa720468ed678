/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_MEMORY_H
#define BPFPERF_LIB_MEMORY_H

#include <stdint.h>

#include "lib/why.h"

/*
 * Would maps of this size leave the machine usable? 0, or -ENOMEM and `why` when they take more
 * than half of what <proc>/meminfo says is available; 0 as well when it does not say.
 */
int memory__check(const char *proc, uint64_t bytes, struct why *why);

#endif
