// SPDX-License-Identifier: GPL-2.0-only
#include "lib/lock_selftest.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "lib/bpf_log.h"
#include "lib/clock.h"
#include "lib/lock_selftest.skel.h"
#include "lib/thread.h"
#include "lib/topology.h"

#define MAX_THREADS 4
#define BATCH	    2000
/* Enough to be sure; the guests tried had 150 to 480 in 100 ms, or none at all. */
#define ENOUGH_EVENTS 10
/* One event in so many updates, at least, where every wait is seen. */
#define MIN_EVENT_SHARE 20

struct selftest {
	struct lock_selftest_bpf *skel;
	uint64_t deadline;
	atomic_bool stop;
	pthread_t spinners[MAX_THREADS];
};

static uint64_t read_once(const __u64 *counter)
{
	return *(const volatile __u64 *)counter;
}

static void *spin(void *arg)
{
	struct selftest *test = arg;
	__u32 args[2] = {BATCH};
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = args, .ctx_size_in = sizeof(args));
	int fd = bpf_program__fd(test->skel->progs.selftest_batch);

	while (!atomic_load(&test->stop) && clock__now() < test->deadline) {
		if (bpf_prog_test_run_opts(fd, &opts))
			break;
		if (read_once(&test->skel->bss->events) >= ENOUGH_EVENTS)
			atomic_store(&test->stop, true);
	}
	return NULL;
}

static int spin_all(struct selftest *test, const struct cpulist *cpus, int threads)
{
	int started = 0, err = 0;

	for (; !err && started < threads; started += !err)
		err = thread__start(&test->spinners[started], "selftest", cpus->cpu[started], spin,
				    test);
	if (err)
		atomic_store(&test->stop, true);
	for (int i = 0; i < started; i++)
		pthread_join(test->spinners[i], NULL);
	return err;
}

#if defined(__x86_64__)
#define KVM_PV_UNHALT	 (1u << 7)
#define CPUID_HYPERVISOR (1u << 31)

/* arch/x86/kernel/cpu/hypervisor.c and kvm.c: who offers paravirtual spinlocks to a guest. */
static void look_at_hypervisor(bool *ret_virtual, bool *ret_pv)
{
	unsigned int eax, ebx, ecx, edx, name[3];

	*ret_virtual = *ret_pv = false;
	if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx) || !(ecx & CPUID_HYPERVISOR))
		return;
	__cpuid(0x40000000, eax, name[0], name[1], name[2]);
	if (!memcmp(name, "KVMKVMKVM\0\0\0", sizeof(name))) {
		__cpuid(0x40000001, eax, ebx, ecx, edx);
		*ret_pv = eax & KVM_PV_UNHALT;
	} else {
		*ret_pv = !memcmp(name, "XenVMMXenVMM", sizeof(name)) ||
			  !memcmp(name, "Microsoft Hv", sizeof(name));
	}
	*ret_virtual = !*ret_pv;
}
#else
static void look_at_hypervisor(bool *ret_virtual, bool *ret_pv)
{
	*ret_virtual = *ret_pv = false;
}
#endif

static void set(struct lock_verdict *verdict, enum lock_observability status, const char *detail)
{
	verdict->status = status;
	snprintf(verdict->detail, sizeof(verdict->detail), "%s", detail);
}

void lock_verdict__judge(struct lock_verdict *verdict, int cpus, bool virtual_spinlock,
			 bool pv_spinlock)
{
	verdict->lower_bound = false;
	if (verdict->events) {
		/*
		 * Paravirtual spinlocks have no pending bit, but since 6.15 maps take rqspinlocks,
		 * which have one even then: believe it when threads that do nothing but fight
		 * for a lock are seen to wait often.
		 */
		verdict->lower_bound = !pv_spinlock ||
				       verdict->events * MIN_EVENT_SHARE < verdict->updates;
		set(verdict, LOCKS_OBSERVABLE,
		    verdict->lower_bound ? "a lower bound: the first waiter spins unseen"
					 : "every wait");
	} else if (cpus < 2) {
		set(verdict, LOCKS_NOT_OBSERVABLE, "one CPU");
	} else if (virtual_spinlock) {
		set(verdict, LOCKS_NOT_OBSERVABLE, "virtual spinlock in this guest");
	} else if (!verdict->updates) {
		set(verdict, LOCKS_UNDECIDED, "no update was made in the time of the self-test");
	} else if (cpus > 2) {
		set(verdict, LOCKS_NOT_OBSERVABLE, "no event although threads fought for one lock");
	} else {
		set(verdict, LOCKS_UNDECIDED, "two CPUs: one waiter at a time, which spins unseen");
	}
}

int lock_selftest__run(struct lock_verdict *ret, struct why *why)
{
	struct selftest test = {0};
	struct cpulist cpus = {0};
	bool virtual_spinlock, pv;
	int err = topology__allowed("/sys", &cpus, why);

	memset(ret, 0, sizeof(*ret));
	if (err)
		return err;
	ret->threads = cpus.nr < MAX_THREADS ? cpus.nr : MAX_THREADS;
	bpf_log__clear();
	test.skel = lock_selftest_bpf__open_and_load();
	err = test.skel ? 0 : -errno;
	if (!err) {
		test.skel->links.selftest_begin =
			bpf_program__attach(test.skel->progs.selftest_begin);
		err = test.skel->links.selftest_begin ? 0 : -errno;
	}
	if (err)
		bpf_log__why(why, err, "cannot run self-test", "locks", "CAP_PERFMON");
	/* The load is not in it: 100 ms in an emulated guest. */
	test.deadline = clock__now() + LOCK_SELFTEST_MS * (NSEC_PER_SEC / 1000);
	if (!err)
		err = spin_all(&test, &cpus, ret->threads);
	if (!err) {
		ret->events = test.skel->bss->events;
		ret->updates = test.skel->bss->updates;
		look_at_hypervisor(&virtual_spinlock, &pv);
		lock_verdict__judge(ret, cpus.nr, virtual_spinlock, pv);
	}
	lock_selftest_bpf__destroy(test.skel);
	cpulist__free(&cpus);
	return err;
}

json_t *lock_verdict__json(const struct lock_verdict *verdict)
{
	static const char *const status[] = {"observable", "undecided", "not observable"};

	return json_pack("{s:s, s:b, s:I, s:I, s:i, s:s}", "status", status[verdict->status],
			 "lower_bound", verdict->lower_bound, "events", (json_int_t)verdict->events,
			 "updates", (json_int_t)verdict->updates, "threads", verdict->threads,
			 "detail", verdict->detail);
}
