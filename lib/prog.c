// SPDX-License-Identifier: GPL-2.0-only
#include "lib/prog.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>

int prog__enroll(const struct bpf_object *obj, uint32_t slot)
{
	struct bpf_program *prog = bpf_object__find_program_by_name(obj, "enroll");
	__u64 args[] = {slot};
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = args, .ctx_size_in = sizeof(args));
	int err = bpf_prog_test_run_opts(bpf_program__fd(prog), &opts);

	return err ? err : opts.retval ? -ENOSPC : 0;
}

json_t *prog__cost(const struct bpf_object *obj)
{
	json_int_t runs = 0, run_ns = 0, missed = 0;
	struct bpf_program *prog;

	bpf_object__for_each_program(prog, obj) {
		struct bpf_prog_info info = {0};
		__u32 size = sizeof(info);

		if (bpf_program__fd(prog) < 0 ||
		    bpf_obj_get_info_by_fd(bpf_program__fd(prog), &info, &size))
			continue;
		runs += info.run_cnt;
		run_ns += info.run_time_ns;
		missed += info.recursion_misses;
	}
	return json_pack("{s:o, s:o, s:I}", "runs", runs ? json_integer(runs) : json_null(),
			 "run_ns", runs ? json_integer(run_ns) : json_null(), "recursion_misses",
			 missed);
}
