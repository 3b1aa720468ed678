// SPDX-License-Identifier: GPL-2.0-only
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "bpf/bench_io.h"
#include "bpf/storage/local_storage_churn.h"
#include "bpf/storage/local_storage_churn.skel.h"
#include "lib/bpf_log.h"
#include "tests/unit/unit.h"

#define TURNS 16
#define ROOM  2

/* The benchmark's program with room for few samples. NULL where none can be loaded. */
static struct local_storage_churn_bpf *load(void)
{
	struct local_storage_churn_bpf *skel;
	struct bpf_program *prog;
	int err;

	bpf_log__init();
	skel = local_storage_churn_bpf__open();
	ck_assert_ptr_nonnull(skel);
	skel->rodata->observe = 1;
	bpf_map__set_max_entries(skel->maps.watched, ROOM);
	bpf_object__for_each_program(prog, skel->obj)
		bpf_program__set_autoload(prog, prog == skel->progs.bench_syscall);
	err = local_storage_churn_bpf__load(skel);
	if (!err)
		return skel;
	local_storage_churn_bpf__destroy(skel);
	ck_assert_msg(err == -EPERM || err == -EACCES || err == -ENOSYS, "%s", strerror(-err));
	printf("ok - samples without room # skip no BPF program may be loaded here: %s\n",
	       strerror(-err));
	fflush(stdout);
	return NULL;
}

/* Nothing takes a sample out again here: those for which there is no room are counted. */
START_TEST(test_samples_without_room)
{
	struct bench_io io = {.iters = TURNS, .mode = BENCH_MODE_OP};
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = &io, .ctx_size_in = sizeof(io));
	struct local_storage_churn_bpf *skel = load();
	__u64 sampled, dropped;

	if (!skel)
		return;
	ck_assert_int_eq(bpf_prog_test_run_opts(bpf_program__fd(skel->progs.bench_syscall), &opts),
			 0);
	sampled = skel->bss->observed.sampled;
	dropped = skel->bss->observed.dropped;
	/* An address that comes again needs no further room. */
	ck_assert_uint_ge(sampled, ROOM);
	ck_assert_uint_gt(dropped, 0);
	ck_assert_uint_eq(sampled + dropped, TURNS);
	local_storage_churn_bpf__destroy(skel);
}
END_TEST

UNIT_MAIN("churn-observed", test_samples_without_room)
