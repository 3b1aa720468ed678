/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_TRACEPOINTS_RCU_TASKS_TRACE_SOURCE_H
#define BPFPERF_TRACEPOINTS_RCU_TASKS_TRACE_SOURCE_H

#include <stdint.h>
#include <sys/types.h>

#include "lib/why.h"
#include "tracepoints/rcu_tasks_trace.h"
#include "tracepoints/rcu_tasks_trace_config.h"

struct bpf_object;
struct bpf_object_skeleton;

/* The BPF half at work: whatever the path, events in a ring buffer and readings on demand. */
struct rtt_source {
	enum rtt_path path; /* never RTT_AUTO */
	struct bpf_object *obj;
	int ring_fd;
	int blocker_fd; /* program for rcu_tasks_trace_probe.h; -1: this path has none */
	struct why
		workqueue; /* why callbacks that a workqueue invokes are not seen; "": they are */

	/* the rest is its own */
	void *skel;
	struct bpf_object_skeleton *skeleton;
	int read_fd;
	struct rtt_now *now;
	__u64 *lost;
};

/*
 * Loads and attaches what config->path needs; `pid` of the kthread lets it be known before its
 * first event, 0 when it has none. -errno and `why`, which for RTT_AUTO is the last refusal.
 */
int rtt_source__start(const struct rtt_config *config, pid_t pid, struct rtt_source *ret,
		      struct why *why);
/* What the paths have in common: takes a loaded skeleton with its map `events` and `rtt_read`. */
void rtt_source__adopt(struct rtt_source *source, void *skel, struct bpf_object_skeleton *skeleton,
		       struct rtt_now *now, __u64 *lost);
void rtt_source__detach(struct rtt_source *source);
void rtt_source__free(struct rtt_source *source);

/* 0 or -errno. */
int rtt_source__read(struct rtt_source *source, struct rtt_now *ret);

#endif
