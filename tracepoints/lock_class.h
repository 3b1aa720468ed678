/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_TRACEPOINTS_LOCK_CLASS_H
#define BPFPERF_TRACEPOINTS_LOCK_CLASS_H

#include <stddef.h>

/*
 * What a lock is, told from the call stack that waits for it: names of functions, leaf first, NULL
 * for an address without one. "other" for a stack that no rule knows, "unresolved" for one without
 * names, so that shares add up to all.
 */
const char *lock_class__of(const char *const *frames, size_t nr);

/* The first function that is neither the tracer's nor a lock's own; NULL: there is none. */
const char *lock_class__caller(const char *const *frames, size_t nr);

#endif
