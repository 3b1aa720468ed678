// SPDX-License-Identifier: GPL-2.0-only
#include "tracepoints/rcu_tasks_trace_source.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/bpf_log.h"
#include "tracepoints/rcu_tasks_trace_proc.h"
#include "tracepoints/rcu_tasks_trace.skel.h"
#include "tracepoints/rcu_tasks_trace_srcu.h"

#define START_FUNCTION	"rcu_tasks_trace_pregp_step"
#define INVOKE_FUNCTION "rcu_tasks_invoke_cbs_wq"

static void select_path(struct rcu_tasks_trace_bpf *skel, const struct rtt_config *config,
			enum rtt_path path, bool workqueue)
{
	bpf_program__set_autoload(skel->progs.rtt_start_fentry, path == RTT_FENTRY);
	bpf_program__set_autoload(skel->progs.rtt_end_fentry, path == RTT_FENTRY);
	bpf_program__set_autoload(skel->progs.rtt_start_kprobe, path == RTT_KPROBE);
	bpf_program__set_autoload(skel->progs.rtt_end_kprobe, path == RTT_KPROBE);
	bpf_program__set_autoload(skel->progs.rtt_work_start, workqueue);
	bpf_program__set_autoload(skel->progs.rtt_work_end, workqueue);
	bpf_program__set_autoload(skel->progs.rtt_blocker, config->probe_ns);
	bpf_program__set_autoattach(skel->progs.rtt_blocker, false);
	bpf_program__set_autoattach(skel->progs.rtt_find, false);
	bpf_program__set_autoattach(skel->progs.rtt_read, false);
}

/* Runs the iterator over the kthread alone; without one its first event will do. */
static void find_kthread(struct rcu_tasks_trace_bpf *skel, pid_t pid)
{
	union bpf_iter_link_info info = {.task.tid = pid};
	LIBBPF_OPTS(bpf_iter_attach_opts, opts, .link_info = &info, .link_info_len = sizeof(info));
	struct bpf_link *link;
	char nothing[8];
	int fd;

	if (!pid)
		return;
	link = bpf_program__attach_iter(skel->progs.rtt_find, &opts);
	if (!link)
		return;
	fd = bpf_iter_create(bpf_link__fd(link));
	if (fd >= 0) {
		while (read(fd, nothing, sizeof(nothing)) > 0)
			;
		close(fd);
	}
	bpf_link__destroy(link);
}

void rtt_source__adopt(struct rtt_source *source, void *skel, struct bpf_object_skeleton *skeleton,
		       struct rtt_now *now, __u64 *lost)
{
	source->obj = *skeleton->obj;
	source->ring_fd = bpf_object__find_map_fd_by_name(source->obj, "events");
	source->read_fd =
		bpf_program__fd(bpf_object__find_program_by_name(source->obj, "rtt_read"));
	source->skel = skel;
	source->skeleton = skeleton;
	source->now = now;
	source->lost = lost;
}

static int start_kthread(const struct rtt_config *config, enum rtt_path path, pid_t pid,
			 struct rtt_source *ret, struct why *why)
{
	uint64_t invoke = rtt_proc__symbol("/proc/kallsyms", INVOKE_FUNCTION);
	struct rcu_tasks_trace_bpf *skel = rcu_tasks_trace_bpf__open();
	int err;

	if (!skel)
		return why__errno(why, -errno, "rcu-tasks-trace");
	select_path(skel, config, path, invoke);
	skel->rodata->invoke_func = invoke;
	bpf_log__clear();
	err = rcu_tasks_trace_bpf__load(skel);
	if (!err) {
		find_kthread(skel, pid);
		err = rcu_tasks_trace_bpf__attach(skel);
	}
	if (err) {
		rcu_tasks_trace_bpf__destroy(skel);
		return bpf_log__why(why, err, "cannot start tracer 'rcu-tasks-trace', path",
				    rtt_path__name(path), "CAP_PERFMON");
	}
	rtt_source__adopt(ret, skel, skel->skeleton, &skel->bss->now, &skel->bss->lost);
	ret->blocker_fd = bpf_program__fd(skel->progs.rtt_blocker);
	if (!invoke)
		why__set(&ret->workqueue, 0,
			 "not observable: /proc/kallsyms does not show " INVOKE_FUNCTION);
	return 0;
}

/* From 7.0 on RCU Tasks Trace is an SRCU: neither its functions nor its kthread are there. */
static bool has_kthread(void)
{
	struct btf *btf = btf__load_vmlinux_btf();
	bool has = btf && btf__find_by_name_kind(btf, START_FUNCTION, BTF_KIND_FUNC) > 0;

	btf__free(btf);
	return has;
}

static int start_path(const struct rtt_config *config, enum rtt_path path, pid_t pid,
		      struct rtt_source *ret, struct why *why)
{
	*ret = (struct rtt_source){.path = path, .ring_fd = -1, .blocker_fd = -1, .read_fd = -1};
	if (path == RTT_SRCU)
		return rtt_srcu__start(config, ret, why);
	if (!pid && !has_kthread())
		return why__set(
			why, -ENOENT,
			"tracer 'rcu-tasks-trace', path '%s': this kernel has no function " START_FUNCTION
			" (from 7.0 on: path=srcu)",
			rtt_path__name(path));
	return start_kthread(config, path, pid, ret, why);
}

/* A refusal of one path is nothing to report when another one works. */
static int start_first(const struct rtt_config *config, pid_t pid, struct rtt_source *ret,
		       struct why *why)
{
	static const enum rtt_path order[] = {RTT_FENTRY, RTT_KPROBE, RTT_SCHED};
	int err = -ENOENT;

	if (!pid && !has_kthread())
		return start_path(config, RTT_SRCU, pid, ret, why);
	for (size_t i = 0; err && i < sizeof(order) / sizeof(order[0]); i++)
		err = start_path(config, order[i], pid, ret, why);
	return err;
}

int rtt_source__start(const struct rtt_config *config, pid_t pid, struct rtt_source *ret,
		      struct why *why)
{
	struct why refused;
	int err;

	if (config->path == RTT_AUTO)
		err = start_first(config, pid, ret, &refused);
	else
		err = start_path(config, config->path, pid, ret, &refused);
	if (err && why)
		*why = refused;
	return err;
}

void rtt_source__detach(struct rtt_source *source)
{
	bpf_object__detach_skeleton(source->skeleton);
}

void rtt_source__free(struct rtt_source *source)
{
	if (source->skel)
		bpf_object__destroy_skeleton(source->skeleton);
	free(source->skel);
	source->skel = NULL;
}

int rtt_source__read(struct rtt_source *source, struct rtt_now *ret)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts);
	int err = bpf_prog_test_run_opts(source->read_fd, &opts);

	*ret = *source->now;
	return err;
}
