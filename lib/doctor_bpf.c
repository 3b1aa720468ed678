// SPDX-License-Identifier: GPL-2.0-only
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/arch.h"
#include "lib/bpf_log.h"
#include "lib/doctor_check.h"
#include "lib/doctor_probe.skel.h"
#include "lib/lock_selftest.h"
#include "lib/plural.h"
#include "lib/refusal.h"
#include "lib/sysfs.h"
#include "lib/why.h"

#define HOOKED_SYSCALL "getpgid"
/* More than anybody else could make at the same moment. */
#define NR_FIRED 64

/* A way to make a program run. */
struct trial {
	const char *prog;
	const char *needs; /* capabilities */
	/* NULL: nothing to do. 0 or -errno. */
	int (*prepare)(struct bpf_program *prog);
	int (*attach)(struct bpf_program *prog);
	int (*fire)(int prog_fd);
};

static int set_fentry_target(struct bpf_program *prog)
{
	return bpf_program__set_attach_target(prog, 0, ARCH_SYSCALL_FUNCTION(HOOKED_SYSCALL));
}

static int attach_auto(struct bpf_program *prog)
{
	return bpf_program__attach(prog) ? 0 : -errno;
}

static int attach_kprobe(struct bpf_program *prog)
{
	const char *function = ARCH_SYSCALL_FUNCTION(HOOKED_SYSCALL);

	return bpf_program__attach_kprobe(prog, false, function) ? 0 : -errno;
}

/* Not inlined, not cloned, and not empty: the call must reach the breakpoint. */
static __attribute__((noinline)) void uprobe_target(void)
{
	asm volatile("");
}

/*
 * Where in the program's file the function is. For dl_iterate_phdr(), which stops at what is not 0:
 * the first object of its list is the program.
 */
static int find_file_offset(struct dl_phdr_info *object, size_t size, void *ret_offset)
{
	uintptr_t address = (uintptr_t)uprobe_target - object->dlpi_addr;

	(void)size;
	for (int i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &object->dlpi_phdr[i];

		if (part->p_type != PT_LOAD || address < part->p_vaddr ||
		    address >= part->p_vaddr + part->p_filesz)
			continue;
		*(size_t *)ret_offset = address - part->p_vaddr + part->p_offset;
		return 1;
	}
	return -ENOENT;
}

static int attach_uprobe(struct bpf_program *prog)
{
	size_t offset;

	if (dl_iterate_phdr(find_file_offset, &offset) != 1)
		return -ENOENT;
	return bpf_program__attach_uprobe(prog, false, 0, "/proc/self/exe", offset) ? 0 : -errno;
}

static int fire_getpgid(int prog_fd)
{
	(void)prog_fd;
	for (int i = 0; i < NR_FIRED; i++)
		syscall(SYS_getpgid, 0);
	return 0;
}

static int fire_uprobe(int prog_fd)
{
	(void)prog_fd;
	for (int i = 0; i < NR_FIRED; i++)
		uprobe_target();
	return 0;
}

static int run_once(int prog_fd, struct bpf_test_run_opts *opts)
{
	for (int i = 0; i < NR_FIRED; i++) {
		int err = bpf_prog_test_run_opts(prog_fd, opts);

		if (err)
			return err;
	}
	return 0;
}

static int fire_context(int prog_fd)
{
	uint64_t context = 0;
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = &context, .ctx_size_in = sizeof(context));

	return run_once(prog_fd, &opts);
}

static int fire_packet(int prog_fd)
{
	uint8_t packet[64] = {0};
	LIBBPF_OPTS(bpf_test_run_opts, opts, .data_in = packet, .data_size_in = sizeof(packet),
		    .repeat = 1);

	return run_once(prog_fd, &opts);
}

/* Loads one program of the file. NULL with errno. */
static struct doctor_probe_bpf *load(const struct trial *trial, struct bpf_program **ret_prog)
{
	struct doctor_probe_bpf *skeleton = doctor_probe_bpf__open();
	struct bpf_program *prog;
	int err;

	if (!skeleton)
		return NULL;
	bpf_object__for_each_program(prog, skeleton->obj)
		bpf_program__set_autoload(prog, !strcmp(bpf_program__name(prog), trial->prog));
	*ret_prog = bpf_object__find_program_by_name(skeleton->obj, trial->prog);
	err = trial->prepare ? trial->prepare(*ret_prog) : 0;
	if (!err)
		err = doctor_probe_bpf__load(skeleton);
	if (!err)
		return skeleton;
	doctor_probe_bpf__destroy(skeleton);
	errno = -err;
	return NULL;
}

/* 0 or -errno with `why`; -ENODATA: it attached, but did not run. */
static int try(const struct trial *trial, const char *name, struct why *why)
{
	struct doctor_probe_bpf *skeleton;
	struct bpf_program *prog;
	int err;

	bpf_log__clear();
	skeleton = load(trial, &prog);
	if (!skeleton)
		return bpf_log__why(why, -errno, "cannot load", name, trial->needs);
	bpf_log__clear();
	err = trial->attach ? trial->attach(prog) : 0;
	if (err)
		return bpf_log__why(why, err, "cannot attach", name, trial->needs);
	err = trial->fire(bpf_program__fd(prog));
	if (err)
		return why__errno(why, err, "cannot run '%s'", name);
	if (skeleton->bss->seen >= NR_FIRED)
		return 0;
	return why__set(why, -ENODATA, "'%s' attached, but ran %llu time%s in %d calls", name,
			(unsigned long long)skeleton->bss->seen, plural(skeleton->bss->seen),
			NR_FIRED);
}

/* Refused for want of a capability: says nothing about the kernel. */
static bool is_unprivileged(int err, const char *needs, char *missing, size_t size)
{
	char all[128];

	snprintf(all, sizeof(all), "CAP_BPF%s%s", needs ? ", " : "", needs ? needs : "");
	doctor__missing(all, missing, size);
	return (err == -EPERM || err == -EACCES) && missing[0];
}

/* `remedy` is for a kernel that has bpf(2), and lets it be called. */
static const char *remedy_for(const struct doctor *doctor, int err, const char *remedy)
{
	struct refusal refusal;

	refusal__read(doctor->roots->proc, &refusal);
	/* Some filter is on in many containers: it is the cause where bpf(2) cannot be had at all. */
	if (refusal.filtered && (err == -EPERM || err == -ENOSYS) && doctor__try_map(4096))
		return "run it outside of this container, or let its seccomp profile allow bpf";
	return err == -ENOSYS ? "nothing on this kernel" : remedy;
}

static void examine_hook(const struct doctor *doctor, const struct trial *trial, const char *name,
			 const char *remedy, struct finding *finding)
{
	char missing[128];
	struct why why;
	int err = try(trial, name, &why);

	if (!err)
		finding__value(finding, "loaded, attached, and it ran");
	else if (is_unprivileged(err, trial->needs, missing, sizeof(missing)))
		finding__no_capability(finding, missing, "cannot be tried without %s", missing);
	else
		finding__gap(finding, remedy_for(doctor, err, remedy), "%s", why.text);
}

void doctor__fentry(const struct doctor *doctor, struct finding *finding)
{
	static const struct trial trial = {"hook_fentry", "CAP_PERFMON", set_fentry_target,
					   attach_auto, fire_getpgid};

	examine_hook(doctor, &trial, "fentry",
		     "nothing on this kernel; the trigger raw-tp hooks without it", finding);
}

void doctor__kprobe(const struct doctor *doctor, struct finding *finding)
{
	static const struct trial trial = {"hook_kprobe", "CAP_PERFMON", NULL, attach_kprobe,
					   fire_getpgid};
	char pmu[SYSFS_PATH_SIZE];

	snprintf(pmu, sizeof(pmu), "%s/bus/event_source/devices/kprobe", doctor->roots->sys);
	examine_hook(doctor, &trial, "kprobe",
		     access(pmu, F_OK)
			     ? "nothing on this kernel; the trigger raw-tp hooks without it"
			     : "echo 1 > /sys/kernel/debug/kprobes/enabled",
		     finding);
}

void doctor__tp_btf(const struct doctor *doctor, struct finding *finding)
{
	static const struct trial trial = {"hook_tp_btf", "CAP_PERFMON", NULL, attach_auto,
					   fire_getpgid};

	examine_hook(doctor, &trial, "tp-btf",
		     "nothing on this kernel; the trigger raw-tp hooks the same place", finding);
}

void doctor__uprobe(const struct doctor *doctor, struct finding *finding)
{
	/* Of all PMUs this one wants more than CAP_PERFMON. */
	static const struct trial trial = {"hook_uprobe", "CAP_PERFMON, CAP_SYS_ADMIN", NULL,
					   attach_uprobe, fire_uprobe};

	examine_hook(doctor, &trial, "uprobe", "nothing on this kernel", finding);
}

/* The program types of the trigger prog-run, in its order. */
static const struct {
	const char *name;
	struct trial trial;
} prog_runs[] = {
	{"syscall", {"run_syscall", NULL, .fire = fire_context}},
	{"raw_tp", {"run_raw_tp", "CAP_PERFMON", .fire = fire_context}},
	{"tc", {"run_tc", "CAP_NET_ADMIN", .fire = fire_packet}},
	{"xdp", {"run_xdp", "CAP_NET_ADMIN", .fire = fire_packet}},
};

void doctor__prog_run(const struct doctor *doctor, struct finding *finding)
{
	char missing[128], works[64] = "", fails[640] = "", needs[128] = "";
	struct why why;
	int err = 0;

	for (size_t i = 0; i < sizeof(prog_runs) / sizeof(prog_runs[0]); i++) {
		const struct trial *trial = &prog_runs[i].trial;
		char *list;
		size_t size, used;

		err = try(trial, prog_runs[i].name, &why);
		list = err ? fails : works;
		size = err ? sizeof(fails) : sizeof(works);
		used = strlen(list);

		if (is_unprivileged(err, trial->needs, missing, sizeof(missing))) {
			why__set(&why, err, "'%s' cannot be tried without %s", prog_runs[i].name,
				 missing);
			/* The first is the one that all benchmarks of BPF can be driven by. */
			if (!needs[0])
				snprintf(needs, sizeof(needs), "%s", missing);
		}
		snprintf(list + used, size - used, "%s%s", used ? err ? "; " : ", " : "",
			 err ? why.text : prog_runs[i].name);
		/* No bpf(2) at all: the others would say the same. */
		if (err == -ENOSYS)
			break;
	}
	finding__value(finding, "%s", works);
	finding__detail(finding, "%s", fails);
	if (works[0])
		return;
	if (needs[0])
		finding__no_capability(finding, needs, "%s", fails);
	else
		finding__gap(finding, remedy_for(doctor, err, "nothing on this kernel"), "%s",
			     fails);
}

static void judge_locks(const struct lock_verdict *verdict, struct finding *finding)
{
	switch (verdict->status) {
	case LOCKS_OBSERVABLE:
		finding__value(finding, "waits are observable");
		finding__detail(finding, "events in the trial: %llu; %s",
				(unsigned long long)verdict->events, verdict->detail);
		break;
	case LOCKS_UNDECIDED:
		finding__unknown(finding, "allow this process a third CPU", "%s", verdict->detail);
		break;
	case LOCKS_NOT_OBSERVABLE:
		finding__gap(finding,
			     verdict->threads < 2 ? "allow this process a second CPU"
						  : "nothing on this machine; waits for rwsems "
						    "and mutexes show all the same",
			     "waits are not observable: %s", verdict->detail);
		break;
	}
}

void doctor__spinlocks(const struct doctor *doctor, struct finding *finding)
{
	struct lock_verdict verdict;
	char missing[128];
	struct why why = {0};
	int err = lock_selftest__run(&verdict, &why);

	(void)doctor;
	if (!err)
		judge_locks(&verdict, finding);
	else if (is_unprivileged(err, "CAP_PERFMON", missing, sizeof(missing)))
		finding__no_capability(finding, missing, "cannot be tried without %s", missing);
	else
		finding__unknown(finding, NULL, "%s", why.text);
}

int doctor__try_jit(void)
{
	const struct trial trial = {"run_syscall"};
	struct bpf_prog_info info = {0};
	__u32 size = sizeof(info);
	struct bpf_program *prog;

	if (!load(&trial, &prog))
		return -errno;
	if (bpf_obj_get_info_by_fd(bpf_program__fd(prog), &info, &size))
		return -errno;
	return info.jited_prog_len > 0;
}

int doctor__try_kernel_read(void)
{
	const struct trial trial = {"read_kernel"};
	struct bpf_program *prog;

	return load(&trial, &prog) ? 0 : -errno;
}

int doctor__try_map(unsigned int bytes)
{
	const unsigned int value = 4096;
	int fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "doctor", sizeof(__u32), value, bytes / value,
				NULL);

	return fd < 0 ? -errno : 0;
}
