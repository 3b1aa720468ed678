// SPDX-License-Identifier: GPL-2.0-only
#include "tracepoints/rcu_tasks_trace.bpf.h"

/* Of the kernel's, the fields that are read here. */
struct delayed_work {
	struct work_struct work;
} __attribute__((preserve_access_index));

struct srcu_struct;

struct srcu_usage {
	unsigned long srcu_gp_seq;
	unsigned long srcu_last_gp_end;
	struct delayed_work work;
	struct srcu_struct *srcu_ssp;
} __attribute__((preserve_access_index));

struct srcu_struct {
	struct srcu_usage *srcu_sup;
} __attribute__((preserve_access_index));

struct srcu_data {
	struct work_struct work;
	struct srcu_struct *ssp;
} __attribute__((preserve_access_index));

/* Addresses of process_srcu() and srcu_invoke_callbacks(). */
const volatile __u64 process_func, invoke_func;
/* Is there a hook on srcu_gp_start()? Else a start is when its first work is queued. */
const volatile __u32 hooked;

/* The one that is watched; 0: the first that is seen at work. */
__u64 srcu;

/*
 * By the lowest bit of its number: a grace period may begin before the work that ended the one
 * before it returns, and no further one can.
 */
struct {
	__u64 number, t_ns;
} started[2];
__u64 last_number;

static __always_inline int is_watched(struct srcu_struct *ssp)
{
	/* Two CPUs may each see a first one. */
	if (!srcu)
		__sync_val_compare_and_swap(&srcu, 0, (__u64)ssp);
	return ssp && (__u64)ssp == srcu;
}

static __always_inline struct srcu_usage *usage_of(struct work_struct *work)
{
	return (void *)work - bpf_core_field_offset(struct srcu_usage, work);
}

static __always_inline struct srcu_struct *processed(struct work_struct *work)
{
	return BPF_CORE_READ(usage_of(work), srcu_ssp);
}

static __always_inline void emit(enum rtt_kind kind, __u64 t_ns, __u64 number)
{
	struct rtt_event event = {.t_ns = t_ns, .callbacks = -1, .kind = kind};

	event.seq = number << RTT_SEQ_SHIFT | 1;
	send(&event);
}

static __always_inline void start(__u64 number)
{
	__u64 i = number & 1;

	started[i].number = number;
	started[i].t_ns = bpf_ktime_get_ns();
}

/* Called with the lock held, before the sequence moves. */
SEC("fentry/srcu_gp_start")
int srcu_start(__u64 *ctx)
{
	struct srcu_struct *ssp = (void *)ctx[0];

	if (is_watched(ssp))
		start(BPF_CORE_READ(ssp, srcu_sup, srcu_gp_seq) >> RTT_SEQ_SHIFT);
	return 0;
}

SEC("raw_tp/workqueue_queue_work")
int srcu_queue(struct bpf_raw_tracepoint_args *ctx)
{
	struct work_struct *work = (void *)ctx->args[2];
	__u64 seq, number;

	if (hooked || (__u64)BPF_CORE_READ(work, func) != process_func ||
	    !is_watched(processed(work)))
		return 0;
	seq = BPF_CORE_READ(usage_of(work), srcu_gp_seq);
	number = seq >> RTT_SEQ_SHIFT;
	if (seq & RTT_SEQ_PHASE && started[number & 1].number != number)
		start(number);
	return 0;
}

/* Start and end are told together, so that they are in order whatever began meanwhile. */
static __always_inline void finish(struct srcu_usage *usage)
{
	__u64 number = BPF_CORE_READ(usage, srcu_gp_seq) >> RTT_SEQ_SHIFT;
	__u64 ended = number - 1;

	if (last_number && number > last_number) {
		if (started[ended & 1].number == ended)
			emit(RTT_START, started[ended & 1].t_ns, ended);
		emit(RTT_END, BPF_CORE_READ(usage, srcu_last_gp_end), ended);
	}
	last_number = number;
}

static __always_inline int is_ours(struct work_struct *work)
{
	__u64 func = (__u64)BPF_CORE_READ(work, func);

	if (func == process_func)
		return is_watched(processed(work));
	if (func == invoke_func) {
		struct srcu_data *data =
			(void *)work - bpf_core_field_offset(struct srcu_data, work);

		return (__u64)BPF_CORE_READ(data, ssp) == srcu;
	}
	return 0;
}

SEC("raw_tp/workqueue_execute_start")
int srcu_work_start(struct bpf_raw_tracepoint_args *ctx)
{
	struct work_struct *work = (void *)ctx->args[0];

	if (is_ours(work))
		begin_work((__u64)work);
	return 0;
}

SEC("raw_tp/workqueue_execute_end")
int srcu_work_end(struct bpf_raw_tracepoint_args *ctx)
{
	struct work_struct *work = (void *)ctx->args[0];

	/* Not by reading the work: one that has returned may be gone, this one is part of the srcu. */
	if (end_work((__u64)work) && ctx->args[1] == process_func)
		finish(usage_of(work));
	return 0;
}

SEC("raw_tp/rtt_read")
int rtt_read(void *ctx)
{
	struct srcu_struct *ssp = (void *)srcu;

	now.seq = ssp ? BPF_CORE_READ(ssp, srcu_sup, srcu_gp_seq) : 0;
	now.t_ns = bpf_ktime_get_ns();
	return 0;
}
