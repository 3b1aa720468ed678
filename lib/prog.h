/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_PROG_H
#define BPFPERF_LIB_PROG_H

#include <jansson.h>
#include <stdint.h>

struct bpf_object;

/*
 * Makes a program know the calling thread as number `slot`: runs `fd`, a raw_tp program, here and
 * once, with `slot` as its first argument; it returns 0 once it has noted the current task. 0,
 * -ENOSPC if it could not, or -errno.
 */
int prog__enroll(int fd, uint32_t slot);

/*
 * What the kernel counted of all loaded programs of `obj` together: "runs" and "run_ns", null
 * without BPF statistics (kernel.bpf_stats_enabled), and "recursion_misses", the calls that it
 * skipped.
 */
json_t *prog__cost(const struct bpf_object *obj);

#endif
