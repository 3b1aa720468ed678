// SPDX-License-Identifier: GPL-2.0-only
#include "tracepoints/rcu_tasks_trace_srcu.h"

#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/bpf_log.h"
#include "tracepoints/rcu_tasks_trace_proc.h"
#include "tracepoints/rcu_tasks_trace_srcu.skel.h"

/* kernel/rcu/tasks.h from 7.0 on; a data symbol, which only CONFIG_KALLSYMS_ALL shows. */
#define KERNELS_OWN "rcu_tasks_trace_srcu_struct"
#define KALLSYMS    "/proc/kallsyms"

/* Takes the first SRCU that is seen at work, whichever that is. */
#define FIRST_SEEN "first"

static int find_srcu(const char *filter, __u64 *ret, struct why *why)
{
	const char *name = *filter ? filter : KERNELS_OWN;
	char *end = NULL;

	*ret = 0;
	if (!strcmp(name, FIRST_SEEN))
		return 0;
	errno = 0;
	*ret = strncmp(name, "0x", 2) ? rtt_proc__symbol(KALLSYMS, name) : strtoull(name, &end, 16);
	if (*ret && (!end || (!errno && !*end)))
		return 0;
	return why__set(why, -ENOENT,
			"tracer 'rcu-tasks-trace', path 'srcu': " KALLSYMS
			" does not show '%s' (filter=0xADDRESS gives its address)",
			name);
}

static struct rcu_tasks_trace_srcu_bpf *start(__u64 srcu, bool hooked, int *ret_err)
{
	struct rcu_tasks_trace_srcu_bpf *skel = rcu_tasks_trace_srcu_bpf__open();

	if (!skel) {
		*ret_err = -errno;
		return NULL;
	}
	skel->rodata->process_func = rtt_proc__symbol(KALLSYMS, "process_srcu");
	skel->rodata->invoke_func = rtt_proc__symbol(KALLSYMS, "srcu_invoke_callbacks");
	skel->rodata->hooked = hooked;
	skel->bss->srcu = srcu;
	bpf_program__set_autoload(skel->progs.srcu_start, hooked);
	bpf_program__set_autoload(skel->progs.srcu_queue, !hooked);
	bpf_program__set_autoattach(skel->progs.rtt_read, false);
	bpf_log__clear();
	*ret_err = rcu_tasks_trace_srcu_bpf__load(skel);
	*ret_err = *ret_err ?: rcu_tasks_trace_srcu_bpf__attach(skel);
	if (!*ret_err)
		return skel;
	rcu_tasks_trace_srcu_bpf__destroy(skel);
	return NULL;
}

int rtt_srcu__start(const struct rtt_config *config, struct rtt_source *ret, struct why *why)
{
	struct rcu_tasks_trace_srcu_bpf *skel;
	__u64 srcu;
	int err = find_srcu(config->filter, &srcu, why);

	if (err)
		return err;
	skel = start(srcu, true, &err);
	if (!skel)
		skel = start(srcu, false, &err);
	if (!skel)
		return bpf_log__why(why, err, "cannot start tracer 'rcu-tasks-trace', path", "srcu",
				    "CAP_PERFMON");
	rtt_source__adopt(ret, skel, skel->skeleton, &skel->bss->now, &skel->bss->lost);
	return 0;
}
