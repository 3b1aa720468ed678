// SPDX-License-Identifier: GPL-2.0-only
#include "tracepoints/rcu_tasks_trace.bpf.h"

#define PF_KTHREAD 0x00200000
#define MAX_QUEUES 256

/* Of the kernel's, the fields that are read here. */
struct task_struct {
	int pid;
	unsigned int flags;
	char comm[16];
	void *worker_private;
} __attribute__((preserve_access_index));

struct kthread {
	void *data;
} __attribute__((preserve_access_index));

struct rcu_segcblist {
	long len;
} __attribute__((preserve_access_index));

/* With CONFIG_RCU_NOCB_CPU the length is an atomic_long_t. */
struct rcu_segcblist___nocb {
	struct {
		long counter;
	} len;
} __attribute__((preserve_access_index));

struct rcu_tasks_percpu {
	struct rcu_segcblist cblist;
} __attribute__((preserve_access_index));

struct rcu_tasks {
	int gp_state;
	unsigned long tasks_gp_seq;
	struct rcu_tasks_percpu **rtpcp_array;
	int percpu_dequeue_lim;
} __attribute__((preserve_access_index));

struct bpf_iter_meta {
	void *seq;
} __attribute__((preserve_access_index));

struct bpf_iter__task {
	struct bpf_iter_meta *meta;
	struct task_struct *task;
} __attribute__((preserve_access_index));

/* Address of rcu_tasks_invoke_cbs_wq(); 0: not known. */
const volatile __u64 invoke_func;

/* Found by name once: a PID namespace changes numbers, and no address. */
__u64 kthread_task, rcu_tasks_addr;

/* "rcu_tasks_trace_kthread", cut to what a comm holds; anybody may call himself that. */
static __always_inline int is_named(struct task_struct *task)
{
	static const char name[] = "rcu_tasks_trace";
	__u64 comm[2] = {0}, want[2];

	if (!(BPF_CORE_READ(task, flags) & PF_KTHREAD))
		return 0;
	bpf_core_read(comm, sizeof(comm), &task->comm);
	__builtin_memcpy(want, name, sizeof(want));
	return comm[0] == want[0] && comm[1] == want[1];
}

/* The struct rcu_tasks is the argument that its kthread was started with. */
static __always_inline void adopt(struct task_struct *task)
{
	struct kthread *kthread = BPF_CORE_READ(task, worker_private);

	rcu_tasks_addr = (__u64)BPF_CORE_READ(kthread, data);
	kthread_task = (__u64)task;
}

static __always_inline int is_kthread(struct task_struct *task)
{
	if (kthread_task)
		return (__u64)task == kthread_task;
	if (!is_named(task))
		return 0;
	adopt(task);
	return 1;
}

static __always_inline long queue_length(struct rcu_tasks_percpu *queue)
{
	struct rcu_segcblist___nocb *nocb = (void *)&queue->cblist;
	struct rcu_segcblist *list = &queue->cblist;
	long len = 0;

	if (bpf_core_field_exists(nocb->len.counter))
		bpf_core_read(&len, sizeof(len), &nocb->len.counter);
	else
		bpf_core_read(&len, sizeof(len), &list->len);
	return len;
}

/* Over the queues in use: one until call_rcu_tasks_trace() is contended. */
static __always_inline long count_callbacks(struct rcu_tasks *tasks)
{
	struct rcu_tasks_percpu **queues, *queue;
	long len = 0;
	int nr;

	if (!bpf_core_field_exists(tasks->rtpcp_array))
		return -1;
	queues = BPF_CORE_READ(tasks, rtpcp_array);
	nr = BPF_CORE_READ(tasks, percpu_dequeue_lim);
	for (int i = 0; i < MAX_QUEUES && i < nr; i++) {
		if (bpf_probe_read_kernel(&queue, sizeof(queue), &queues[i]) || !queue)
			break;
		len += queue_length(queue);
	}
	return len;
}

static __always_inline void emit(enum rtt_kind kind, int preempted, int with_callbacks)
{
	struct rcu_tasks *tasks = (void *)rcu_tasks_addr;
	struct rtt_event event = {.callbacks = -1, .kind = kind, .preempted = preempted};

	event.t_ns = bpf_ktime_get_ns();
	if (tasks) {
		event.seq = BPF_CORE_READ(tasks, tasks_gp_seq);
		event.gp_state = BPF_CORE_READ(tasks, gp_state);
		if (with_callbacks)
			event.callbacks = count_callbacks(tasks);
	}
	send(&event);
}

SEC("tp_btf/sched_switch")
int rtt_switch(__u64 *ctx)
{
	struct task_struct *prev = (void *)ctx[1], *next = (void *)ctx[2];

	if (is_kthread(prev))
		emit(RTT_OUT, ctx[0] & 1, 1);
	else if (is_kthread(next))
		emit(RTT_IN, 0, 0);
	return 0;
}

/* The hooks run on the kthread itself, which is how they learn of it. */
static __always_inline int hook(enum rtt_kind kind)
{
	if (!kthread_task)
		adopt((void *)bpf_get_current_task());
	emit(kind, 0, kind == RTT_START);
	return 0;
}

SEC("fentry/rcu_tasks_trace_pregp_step")
int rtt_start_fentry(void *ctx)
{
	return hook(RTT_START);
}

SEC("fentry/rcu_tasks_trace_postgp")
int rtt_end_fentry(void *ctx)
{
	return hook(RTT_END);
}

SEC("kprobe/rcu_tasks_trace_pregp_step")
int rtt_start_kprobe(void *ctx)
{
	return hook(RTT_START);
}

SEC("kprobe/rcu_tasks_trace_postgp")
int rtt_end_kprobe(void *ctx)
{
	return hook(RTT_END);
}

/* Before the first event: user space points the iterator at the kthread. */
SEC("iter/task")
int rtt_find(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;

	if (task && !kthread_task && is_named(task))
		adopt(task);
	return 0;
}

/* Time and sequence of one moment, for the edges of the measurement. */
SEC("raw_tp/rtt_read")
int rtt_read(void *ctx)
{
	struct rcu_tasks *tasks = (void *)rcu_tasks_addr;

	now.seq = tasks ? BPF_CORE_READ(tasks, tasks_gp_seq) : 0;
	now.t_ns = bpf_ktime_get_ns();
	return 0;
}

/* Callbacks that a workqueue invokes, once they are queued per CPU: no CPU time of the kthread. */
SEC("raw_tp/workqueue_execute_start")
int rtt_work_start(struct bpf_raw_tracepoint_args *ctx)
{
	struct work_struct *work = (void *)ctx->args[0];

	if (invoke_func && (__u64)BPF_CORE_READ(work, func) == invoke_func)
		begin_work((__u64)work);
	return 0;
}

SEC("raw_tp/workqueue_execute_end")
int rtt_work_end(struct bpf_raw_tracepoint_args *ctx)
{
	end_work(ctx->args[0]);
	return 0;
}

/* For the blocking probe: hung on an event that next to never happens, and taken off again. */
SEC("tp/sched/sched_process_hang")
int rtt_blocker(void *ctx)
{
	return 0;
}
