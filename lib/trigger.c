// SPDX-License-Identifier: GPL-2.0-only
#include "lib/trigger.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/arch.h"
#include "lib/bpf_log.h"
#include "lib/prog.h"
#include "lib/run.h"
#include "lib/shortage.h"
#include "lib/suggest.h"

#define HOOKED_SYSCALL "getpgid"

static int run_prog(struct worker *worker, struct bpf_test_run_opts *opts)
{
	return bpf_prog_test_run_opts(worker->run->prog_fd, opts);
}

/* The kernel writes the context back into ctx_in; ctx_out and repeat would be EINVAL. */
static int fire_syscall(struct worker *worker)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = worker->io,
		    .ctx_size_in = sizeof(*worker->io));

	return run_prog(worker, &opts);
}

static int fire_raw_tp(struct worker *worker)
{
	__u64 args[] = {worker->index};
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = args, .ctx_size_in = sizeof(args));

	return run_prog(worker, &opts);
}

static int fire_packet(struct worker *worker)
{
	__u32 packet[BENCH_PACKET_SIZE / sizeof(__u32)] = {[BENCH_PACKET_SLOT / sizeof(__u32)] =
								   worker->index};
	LIBBPF_OPTS(bpf_test_run_opts, opts, .data_in = packet, .data_size_in = sizeof(packet),
		    .repeat = 1);

	return run_prog(worker, &opts);
}

static int fire_hook(struct worker *worker)
{
	(void)worker;
	syscall(SYS_getpgid, 0);
	return 0;
}

static int prepare_fentry(struct bpf_program *prog)
{
	return bpf_program__set_attach_target(prog, 0, ARCH_SYSCALL_FUNCTION(HOOKED_SYSCALL));
}

static int attach_auto(struct run *run, struct bpf_program *prog)
{
	run->link = bpf_program__attach(prog);
	return run->link ? 0 : -errno;
}

static int attach_kprobe(struct run *run, struct bpf_program *prog)
{
	run->link = bpf_program__attach_kprobe(prog, false, ARCH_SYSCALL_FUNCTION(HOOKED_SYSCALL));
	return run->link ? 0 : -errno;
}

/*
 * SEC("syscall") comes first: exact per-thread results through its own context, and no memory
 * shared with anybody. raw_tp takes every family but timers and kptrs, tc takes those.
 */
static const struct trigger triggers[] = {
	{"prog-run", "syscall", "bench_syscall", NULL, .own_io = true, .fire = fire_syscall},
	{"prog-run", "raw_tp", "bench_raw_tp", "CAP_PERFMON", .fire = fire_raw_tp},
	{"prog-run", "tc", "bench_tc", "CAP_NET_ADMIN", .fire = fire_packet},
	{"prog-run", "xdp", "bench_xdp", "CAP_NET_ADMIN", .fire = fire_packet},
	{"fentry", NULL, "bench_fentry", "CAP_PERFMON", .hooked = true, .prepare = prepare_fentry,
	 .attach = attach_auto, .fire = fire_hook},
	{"kprobe", NULL, "bench_kprobe", "CAP_PERFMON", .hooked = true, .skippable = true,
	 .attach = attach_kprobe, .fire = fire_hook},
	{"tp-btf", NULL, "bench_tp_btf", "CAP_PERFMON", .hooked = true, .attach = attach_auto,
	 .fire = fire_hook},
	{"raw-tp", NULL, "bench_raw_tp_hook", "CAP_PERFMON", .hooked = true, .attach = attach_auto,
	 .fire = fire_hook},
	{"tp", NULL, "bench_tp", "CAP_PERFMON, tracefs", .hooked = true, .skippable = true,
	 .attach = attach_auto, .fire = fire_hook},
};

#define NR_TRIGGERS (sizeof(triggers) / sizeof(triggers[0]))

size_t trigger__count(void)
{
	return NR_TRIGGERS;
}

const struct trigger *trigger__at(size_t i)
{
	return i < NR_TRIGGERS ? &triggers[i] : NULL;
}

void trigger__describe(const struct trigger *trigger, char *buf, size_t size)
{
	snprintf(buf, size, "%s%s%s", trigger->name, trigger->variant ? ":" : "",
		 trigger->variant ? trigger->variant : "");
}

bool trigger__matches(const struct trigger *trigger, const char *name)
{
	char full[64];

	trigger__describe(trigger, full, sizeof(full));
	return !strcmp(name, trigger->name) || !strcmp(name, full);
}

int trigger__check_name(const char *name, struct why *why)
{
	struct suggest suggest = {.word = name};
	char full[NR_TRIGGERS][64], near[160];

	for (size_t i = 0; i < NR_TRIGGERS; i++) {
		if (trigger__matches(&triggers[i], name))
			return 0;
		trigger__describe(&triggers[i], full[i], sizeof(full[i]));
		suggest__offer(&suggest, triggers[i].name);
		suggest__offer(&suggest, full[i]);
	}
	suggest__format(&suggest, near, sizeof(near));
	return why__set(why, -EINVAL, "unknown trigger '%s'%s%s ('bpfperf list' has them)", name,
			near[0] ? ": " : "", near);
}

static int size_map(struct run *run, const char *name)
{
	struct bpf_map *map = bpf_object__find_map_by_name(run->obj, name);

	return map ? bpf_map__set_max_entries(map, run->nr_workers) : -ENOENT;
}

static size_t slots_size(const struct run *run)
{
	return run->nr_workers * sizeof(struct bench_io);
}

static int map_slots(struct run *run)
{
	int fd = bpf_object__find_map_fd_by_name(run->obj, "bench_slots");
	void *slots = mmap(NULL, slots_size(run), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (slots == MAP_FAILED)
		return why__errno(&run->why, -errno, "cannot map the result slots");
	run->slots = slots;
	return 0;
}

/* Only the entry program of this trigger, and what it calls, reaches the kernel. */
static struct bpf_program *select_programs(struct run *run)
{
	struct bpf_program *prog, *entry = NULL;

	bpf_object__for_each_program(prog, run->obj) {
		const char *name = bpf_program__name(prog);
		bool wanted = !strcmp(name, run->trigger->prog);

		if (wanted)
			entry = prog;
		if (!strcmp(name, "enroll"))
			bpf_program__set_autoload(prog, run->trigger->hooked);
		if (!strncmp(name, "bench_", strlen("bench_")))
			bpf_program__set_autoload(prog, wanted);
	}
	return entry;
}

/* libbpf's BTF and what it tries, a link, and a file of sysfs or two for the benchmark. */
#define SPARE_FILES 8

static int nr_files(struct bpf_object *obj)
{
	struct bpf_program *prog;
	struct bpf_map *map;
	int nr = SPARE_FILES;

	bpf_object__for_each_map(map, obj) nr++;
	bpf_object__for_each_program(prog, obj)
		nr += bpf_program__autoload(prog);
	return nr;
}

int trigger__load(struct run *run)
{
	const struct trigger *trigger = run->trigger;
	struct bpf_program *prog;
	char name[64];
	int err;

	trigger__describe(trigger, name, sizeof(name));
	prog = select_programs(run);
	if (!prog || size_map(run, "bench_slots") || size_map(run, "enrolled"))
		return why__set(&run->why, -EINVAL, "'%s' has no program for trigger '%s'",
				bpf_object__name(run->obj), name);
	err = shortage__check_files(nr_files(run->obj), &run->why);
	if (err)
		return err;
	bpf_log__clear();
	err = trigger->prepare ? trigger->prepare(prog) : 0;
	if (err)
		return bpf_log__why(&run->why, err, "cannot prepare trigger", name, trigger->needs);
	err = bpf_object__load_skeleton(run->skeleton);
	if (err)
		return bpf_log__why(&run->why, err, "cannot load for trigger", name,
				    trigger->needs);
	run->prog_fd = bpf_program__fd(prog);
	err = trigger->own_io ? 0 : map_slots(run);
	if (err || !trigger->attach)
		return err;
	bpf_log__clear();
	err = trigger->attach(run, prog);
	if (err)
		return bpf_log__why(&run->why, err, "cannot attach trigger", name, trigger->needs);
	return 0;
}

int trigger__enroll(struct worker *worker)
{
	if (!worker->run->trigger || !worker->run->trigger->hooked)
		return 0;
	return prog__enroll(worker->run->obj, worker->index);
}

void trigger__detach(struct run *run)
{
	bpf_link__destroy(run->link);
	run->link = NULL;
	if (run->slots)
		munmap(run->slots, slots_size(run));
	run->slots = NULL;
}
