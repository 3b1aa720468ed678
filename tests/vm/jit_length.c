// SPDX-License-Identifier: GPL-2.0-only
/*
 * jit_length EXTRA...: bytes of machine code that this kernel makes of noop's program for
 * SEC("syscall"), one line for each value of `extra`.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/harness/noop.skel.h"

static int print_length(unsigned int extra)
{
	struct noop_bpf *skel = noop_bpf__open();
	struct bpf_prog_info info = {0};
	__u32 size = sizeof(info);
	struct bpf_program *prog;
	int err = skel ? 0 : -1;

	if (err)
		return err;
	skel->rodata->extra = extra;
	bpf_object__for_each_program(prog, skel->obj)
		bpf_program__set_autoload(prog, prog == skel->progs.bench_syscall);
	bpf_map__set_max_entries(skel->maps.bench_slots, 1);
	bpf_map__set_max_entries(skel->maps.enrolled, 1);
	err = noop_bpf__load(skel);
	if (!err)
		err = bpf_obj_get_info_by_fd(bpf_program__fd(skel->progs.bench_syscall), &info,
					     &size);
	if (!err)
		printf("%u\n", info.jited_prog_len);
	noop_bpf__destroy(skel);
	return err;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (print_length(strtoul(argv[i], NULL, 0)))
			return 2;
	return 0;
}
