// SPDX-License-Identifier: GPL-2.0-only
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "lib/bpf_log.h"
#include "tests/unit/unit.h"
#include "tracepoints/lock_contention.h"
#include "tracepoints/lock_contention.skel.h"
#include "tracepoints/rcu_tasks_trace.h"
#include "tracepoints/rcu_tasks_trace.skel.h"

/* The tracer's BPF programs themselves, called as their tracepoints would call them. */

#define LOCK_A 0xffff888000001000ULL
#define LOCK_B 0xffff888000002000ULL

static struct lock_contention_bpf *skel;
static struct lock_task task;

static __u32 call(const struct bpf_program *prog, __u64 first, __u64 second)
{
	__u64 args[] = {first, second};
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = args, .ctx_size_in = sizeof(args));

	ck_assert_int_eq(bpf_prog_test_run_opts(bpf_program__fd(prog), &opts), 0);
	return opts.retval;
}

static void begin(__u64 lock)
{
	call(skel->progs.lock_begin_raw, lock, LCB_F_SPIN);
}

/* And what the tracer knows after it. */
static void end(__u64 lock)
{
	const __u32 slot = 0;

	call(skel->progs.lock_end_raw, lock, 0);
	ck_assert_int_eq(bpf_map_lookup_elem(bpf_map__fd(skel->maps.waits), &slot, &task), 0);
}

/* Moves the begin of the wait in progress by so many ns. */
static void shift_begin(__s64 ns)
{
	const __u32 slot = 0;
	int fd = bpf_map__fd(skel->maps.waits);

	ck_assert_int_eq(bpf_map_lookup_elem(fd, &slot, &task), 0);
	task.pending[0].since_ns += ns;
	ck_assert_int_eq(bpf_map_update_elem(fd, &slot, &task, BPF_ANY), 0);
}

/* This thread as the only producer. False where BPF programs cannot be loaded. */
static bool watch(void)
{
	int err;

	bpf_log__init();
	skel = lock_contention_bpf__open();
	ck_assert_ptr_nonnull(skel);
	bpf_program__set_autoload(skel->progs.lock_begin_btf, false);
	bpf_program__set_autoload(skel->progs.lock_end_btf, false);
	err = lock_contention_bpf__load(skel);
	if (err == -EPERM || err == -EACCES || err == -ENOSYS) {
		printf("ok - the lock tracer # skip no BPF program may be loaded here: %s\n",
		       strerror(-err));
		fflush(stdout);
		lock_contention_bpf__destroy(skel);
		return false;
	}
	ck_assert_int_eq(err, 0);
	ck_assert_uint_eq(call(skel->progs.enroll, 0, 0), 0);
	return true;
}

static __u64 nr_lost(void)
{
	__u64 sum = 0;

	for (int i = 0; i < NR_LOST; i++)
		if (i != LOST_STACK)
			sum += task.lost[i];
	return sum;
}

/* What a wait is, so that the tests below can tell that there is none. */
START_TEST(test_wait)
{
	if (!watch())
		return;
	begin(LOCK_A);
	shift_begin(-1000000);
	end(LOCK_A);
	ck_assert_uint_eq(task.kinds[LCB_F_SPIN].waits, 1);
	ck_assert_uint_ge(task.kinds[LCB_F_SPIN].total_ns, 1000000);
	ck_assert_uint_lt(task.kinds[LCB_F_SPIN].total_ns, 60000000000ULL);
	ck_assert_uint_eq(nr_lost(), 0);
	ck_assert_uint_eq(task.pending[0].lock, 0);
	lock_contention_bpf__destroy(skel);
}
END_TEST

/*
 * After a call stack none is taken for a while, but for a wait that is longer than all before it:
 * else the longest of all would be in no row.
 */
START_TEST(test_longest_wait_has_its_stack)
{
	__u64 waits = 0, records = 0, longest = 0;

	if (!watch())
		return;
	for (int i = 0; i < 4; i++) {
		begin(LOCK_A);
		/* 1 min, 2 min, and twice one that is shorter than these. */
		shift_begin(i < 2 ? -60000000000LL * (i + 1) : -1000000LL);
		end(LOCK_A);
	}
	for (int i = 0; i < LOCK_SITES; i++) {
		waits += task.sites[i].waits;
		records += task.sites[i].records;
		if (task.sites[i].max_ns > longest)
			longest = task.sites[i].max_ns;
	}
	ck_assert_uint_eq(task.lost[LOST_STACK], 0);
	ck_assert_uint_eq(task.kinds[LCB_F_SPIN].waits, 4);
	ck_assert_uint_eq(records, 2);
	ck_assert_uint_le(waits, 2);
	ck_assert_uint_eq(longest, task.kinds[LCB_F_SPIN].max_ns);
	lock_contention_bpf__destroy(skel);
}
END_TEST

/* Subtracted, it would be 1.8e19 ns: it is dropped, and counted. */
START_TEST(report_bcc_704_negative_waits_are_dropped_and_counted)
{
	if (!watch())
		return;
	begin(LOCK_A);
	shift_begin(3600000000000LL);
	end(LOCK_A);
	ck_assert_uint_eq(task.lost[LOST_CLOCK], 1);
	ck_assert_uint_eq(nr_lost(), 1);
	ck_assert_uint_eq(task.kinds[LCB_F_SPIN].waits, 0);
	ck_assert_uint_eq(task.kinds[LCB_F_SPIN].total_ns, 0);
	for (int i = 0; i < LOCK_SITES; i++)
		ck_assert_uint_eq(task.sites[i].waits + task.sites[i].total_ns, 0);
	/* It is over all the same: the next wait is one. */
	begin(LOCK_A);
	end(LOCK_A);
	ck_assert_uint_eq(task.kinds[LCB_F_SPIN].waits, 1);
	lock_contention_bpf__destroy(skel);
}
END_TEST

/* An end takes no begin of another lock, and no empty place, as that of its own. */
START_TEST(report_linux_287bd5cf_no_wait_from_a_stale_begin)
{
	if (!watch())
		return;
	end(0);
	end(LOCK_B);
	ck_assert_uint_eq(task.lost[LOST_BEGIN], 2);
	begin(LOCK_A);
	shift_begin(-1000000000);
	end(LOCK_B);
	ck_assert_uint_eq(task.lost[LOST_BEGIN], 3);
	ck_assert_uint_eq(task.kinds[LCB_F_SPIN].waits, 0);
	ck_assert_uint_eq(task.kinds[LCB_F_SPIN].total_ns, 0);
	end(LOCK_A);
	ck_assert_uint_eq(task.kinds[LCB_F_SPIN].waits, 1);
	end(LOCK_A);
	ck_assert_uint_eq(task.kinds[LCB_F_SPIN].waits, 1);
	ck_assert_uint_eq(task.lost[LOST_BEGIN], 4);
	lock_contention_bpf__destroy(skel);
}
END_TEST

/* The first end was skipped: what begins anew is a wait of its own, but for the sleep of a mutex. */
START_TEST(test_wait_whose_end_was_skipped)
{
	if (!watch())
		return;
	begin(LOCK_A);
	shift_begin(-3600000000000LL);
	begin(LOCK_A);
	end(LOCK_A);
	ck_assert_uint_eq(task.lost[LOST_END], 1);
	ck_assert_uint_eq(nr_lost(), 1);
	ck_assert_uint_eq(task.kinds[LCB_F_SPIN].waits, 1);
	ck_assert_uint_lt(task.kinds[LCB_F_SPIN].max_ns, 3600000000000ULL);
	call(skel->progs.lock_begin_raw, LOCK_B, LCB_F_MUTEX | LCB_F_SPIN);
	shift_begin(-3600000000000LL);
	call(skel->progs.lock_begin_raw, LOCK_B, LCB_F_MUTEX);
	end(LOCK_B);
	ck_assert_uint_eq(nr_lost(), 1);
	ck_assert_uint_ge(task.kinds[LCB_F_MUTEX | LCB_F_SPIN].max_ns, 3600000000000ULL);
	lock_contention_bpf__destroy(skel);
}
END_TEST

/* Only these helpers are called: none writes, deletes or allocates an element of a map. */
static void calls_only(const struct bpf_program *prog, const __s32 *allowed, size_t nr_allowed)
{
	const struct bpf_insn *insns = bpf_program__insns(prog);
	size_t nr = bpf_program__insn_cnt(prog), nr_calls = 0;

	for (size_t i = 0; i < nr; i++) {
		bool is_allowed = false;

		if (insns[i].code != (BPF_JMP | BPF_CALL) || insns[i].src_reg == BPF_PSEUDO_CALL)
			continue;
		for (size_t j = 0; j < nr_allowed; j++)
			is_allowed |= insns[i].imm == allowed[j];
		ck_assert_msg(is_allowed, "%s calls helper %d", bpf_program__name(prog),
			      insns[i].imm);
		nr_calls++;
	}
	ck_assert_uint_gt(nr_calls, 0);
}

/*
 * A hash map that others write in their hot path makes contention for its own buckets. Here the one
 * that says who is a producer is filled before, and what is written belongs to one producer.
 */
START_TEST(report_bpftrace_2589_tracers_write_no_shared_map)
{
	static const __s32 of_locks[] = {BPF_FUNC_map_lookup_elem, BPF_FUNC_get_current_task,
					 BPF_FUNC_ktime_get_ns, BPF_FUNC_get_stack};
	static const __s32 of_switch[] = {BPF_FUNC_probe_read_kernel, BPF_FUNC_ktime_get_ns,
					  BPF_FUNC_ringbuf_output};
	struct rcu_tasks_trace_bpf *rcu = rcu_tasks_trace_bpf__open();
	const struct bpf_program *programs[4];

	skel = lock_contention_bpf__open();
	ck_assert(skel && rcu);
	programs[0] = skel->progs.lock_begin_btf;
	programs[1] = skel->progs.lock_end_btf;
	programs[2] = skel->progs.lock_begin_raw;
	programs[3] = skel->progs.lock_end_raw;
	for (int i = 0; i < 4; i++)
		calls_only(programs[i], of_locks, 4);
	ck_assert_int_eq(bpf_map__type(skel->maps.enrolled), BPF_MAP_TYPE_HASH);
	ck_assert_int_eq(bpf_map__type(skel->maps.waits), BPF_MAP_TYPE_ARRAY);
	ck_assert_uint_eq(bpf_map__value_size(skel->maps.waits), sizeof(struct lock_task));
	calls_only(rcu->progs.rtt_switch, of_switch, 3);
	lock_contention_bpf__destroy(skel);
	rcu_tasks_trace_bpf__destroy(rcu);
}
END_TEST

UNIT_MAIN("lock-tracer", test_wait, test_longest_wait_has_its_stack,
	  report_bcc_704_negative_waits_are_dropped_and_counted,
	  report_linux_287bd5cf_no_wait_from_a_stale_begin, test_wait_whose_end_was_skipped,
	  report_bpftrace_2589_tracers_write_no_shared_map)
