/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_BPF_RINGBUF_RINGBUF_H
#define BPFPERF_BPF_RINGBUF_RINGBUF_H

#include <linux/types.h>

enum { RINGBUF_RESERVE, RINGBUF_OUTPUT };

/* bench_io.count[], beside BENCH_OPS */
enum { COUNT_DROPPED = 1 };

/* A record, and what it takes of the ring with the kernel's header before it. */
typedef __u64 ringbuf_record;
#define RINGBUF_RECORD_BYTES 16

#endif
