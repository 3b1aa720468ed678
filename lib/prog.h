/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_PROG_H
#define BPFPERF_LIB_PROG_H

#include <jansson.h>
#include <stdint.h>

struct bpf_object;

/*
 * Makes the programs of `obj`, which have lib/prog.bpf.h, know the calling thread as number `slot`.
 * 0, -ENOSPC if there was no room in the map `enrolled`, or -errno.
 */
int prog__enroll(const struct bpf_object *obj, uint32_t slot);

/*
 * What the kernel counted of all loaded programs of `obj` together: "runs" and "run_ns", null
 * without BPF statistics (kernel.bpf_stats_enabled), and "recursion_misses", the calls that it
 * skipped.
 */
json_t *prog__cost(const struct bpf_object *obj);

#endif
