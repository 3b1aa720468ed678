// SPDX-License-Identifier: GPL-2.0-only
/*
 * deny SYSCALL=ERRNO... -- COMMAND [ARGUMENT...]: runs a command with system calls that fail, as
 * under a container's seccomp filter (EPERM), or on a kernel that was built without them (ENOSYS).
 * Exit: the command's, or 125 if it could not be run.
 */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EXIT_CANNOT 125
#define MAX_DENIED  8

#if defined(__x86_64__)
#define OWN_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCH AUDIT_ARCH_AARCH64
#else
#error "which AUDIT_ARCH_ is this?"
#endif

struct name {
	const char *name;
	int value;
};

static const struct name syscalls[] = {
	{"bpf", SYS_bpf},
	{"clone3", SYS_clone3},
	{"perf_event_open", SYS_perf_event_open},
	{"prlimit64", SYS_prlimit64},
	{"sched_setaffinity", SYS_sched_setaffinity},
	{NULL, 0},
};

static const struct name errnos[] = {
	{"EACCES", EACCES}, {"EAGAIN", EAGAIN}, {"EINTR", EINTR},   {"EINVAL", EINVAL},
	{"EMFILE", EMFILE}, {"ENFILE", ENFILE}, {"ENOMEM", ENOMEM}, {"ENOSYS", ENOSYS},
	{"EPERM", EPERM},   {NULL, 0},
};

static int find(const struct name *names, const char *name, size_t len)
{
	for (; names->name; names++)
		if (strlen(names->name) == len && !strncmp(names->name, name, len))
			return names->value;
	return -1;
}

/* Appends "this call fails with that errno" to the filter. */
static int deny(struct sock_fprog *filter, const char *word)
{
	size_t len = strcspn(word, "=");
	int nr = find(syscalls, word, len);
	int err = word[len] ? find(errnos, word + len + 1, strlen(word + len + 1)) : -1;

	if (nr < 0 || err < 0)
		return -1;
	filter->filter[filter->len++] =
		(struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 1);
	filter->filter[filter->len++] =
		(struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | err);
	return 0;
}

static int install(const struct sock_fprog *filter)
{
	/* Else only root may: here it is a matter of what is denied, not of who asks. */
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -1;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, filter);
}

int main(int argc, char **argv)
{
	/* Another architecture's numbers mean other calls: they are let through. */
	struct sock_filter code[2 * MAX_DENIED + 5] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCH, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	};
	struct sock_fprog filter = {.len = 4, .filter = code};
	int i;

	for (i = 1; i < argc && strcmp(argv[i], "--"); i++)
		if (i > MAX_DENIED || deny(&filter, argv[i])) {
			fprintf(stderr, "deny: no SYSCALL=ERRNO: '%s'\n", argv[i]);
			return EXIT_CANNOT;
		}
	if (i + 1 >= argc) {
		fprintf(stderr, "usage: deny SYSCALL=ERRNO... -- COMMAND\n");
		return EXIT_CANNOT;
	}
	code[filter.len++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	if (install(&filter)) {
		perror("deny: seccomp");
		return EXIT_CANNOT;
	}
	execvp(argv[i + 1], argv + i + 1);
	perror(argv[i + 1]);
	return EXIT_CANNOT;
}
