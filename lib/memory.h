/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_MEMORY_H
#define BPFPERF_LIB_MEMORY_H

#include <stdint.h>

#include "lib/why.h"

/*
 * Would this leave the machine usable? Memory of a map cannot be swapped out, and an allocation that
 * is too large ends some other process or, on a small machine, everything. 0, or `why` when `what`
 * ("the map and its keys") takes more than half of what <proc>/meminfo says is available: -ENOSPC if
 * this machine has too little in all, else -ENOMEM, a shortage of the moment. 0 as well when it does
 * not say.
 */
int memory__check(const char *proc, uint64_t bytes, const char *what, struct why *why);

#endif
