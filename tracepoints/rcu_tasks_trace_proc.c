// SPDX-License-Identifier: GPL-2.0-only
#include "tracepoints/rcu_tasks_trace_proc.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KTHREAD "rcu_tasks_trace_kthread"

/* Bytes read, as a string; -errno. */
static ssize_t read_text(int fd, char *buf, size_t size)
{
	ssize_t got = pread(fd, buf, size - 1, 0);

	if (got < 0)
		return -errno;
	buf[got] = '\0';
	return got;
}

static int open_file(const char *root, pid_t pid, const char *name)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/%d/%s", root, pid, name);
	return open(path, O_RDONLY | O_CLOEXEC);
}

/* Its parent is kthreadd, which no user process can have: anybody may take the name. */
static bool is_kthread(const char *root, pid_t pid)
{
	int fd = open_file(root, pid, "stat"), parent = 0;
	const char *rest;
	char text[512];

	if (fd < 0)
		return false;
	if (read_text(fd, text, sizeof(text)) > 0) {
		rest = strrchr(text, ')');
		if (rest && sscanf(rest + 1, " %*c %d", &parent) != 1)
			parent = 0;
	}
	close(fd);
	return parent == 2;
}

static bool has_name(const char *root, pid_t pid)
{
	int fd = open_file(root, pid, "comm");
	char name[64] = "";

	if (fd < 0)
		return false;
	read_text(fd, name, sizeof(name));
	close(fd);
	/* Whole from 5.17 on, before that cut to 15 characters. */
	name[strcspn(name, "\n")] = '\0';
	return strlen(name) >= 15 && !strncmp(name, KTHREAD, strlen(name));
}

static pid_t find(const char *root)
{
	DIR *dir = opendir(root);
	struct dirent *entry;
	pid_t found = 0;

	while (dir && !found && (entry = readdir(dir))) {
		pid_t pid = atoi(entry->d_name);

		if (pid > 0 && has_name(root, pid) && is_kthread(root, pid))
			found = pid;
	}
	if (dir)
		closedir(dir);
	return found;
}

void rtt_proc__none(struct rtt_proc *proc, const char *reason)
{
	*proc = (struct rtt_proc){.schedstat_fd = -1, .stat_fd = -1};
	why__set(&proc->why, 0, "not applicable: %s", reason);
}

void rtt_proc__open(struct rtt_proc *proc, const char *root)
{
	*proc = (struct rtt_proc){.schedstat_fd = -1, .stat_fd = -1};
	proc->pid = find(root);
	if (!proc->pid) {
		why__set(&proc->why, 0,
			 "not observable: no " KTHREAD " in %s (a PID namespace hides it)", root);
		return;
	}
	proc->schedstat_fd = open_file(root, proc->pid, "schedstat");
	if (proc->schedstat_fd < 0)
		why__errno(&proc->why, -errno, "cannot read %s/%d/schedstat", root, proc->pid);
	proc->stat_fd = open_file(root, proc->pid, "stat");
}

void rtt_proc__close(struct rtt_proc *proc)
{
	if (proc->schedstat_fd >= 0)
		close(proc->schedstat_fd);
	if (proc->stat_fd >= 0)
		close(proc->stat_fd);
}

/* Field 15 of the line; the second one is a name in parentheses, which may hold blanks. */
static uint64_t parse_stime(const char *line)
{
	const char *rest = strrchr(line, ')');
	uint64_t ticks = 0;

	if (!rest || sscanf(rest + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %" SCNu64,
			    &ticks) != 1)
		return 0;
	return ticks;
}

int rtt_proc__read(const struct rtt_proc *proc, struct rtt_cpu *ret)
{
	char text[512];
	ssize_t got;

	*ret = (struct rtt_cpu){0};
	if (proc->schedstat_fd < 0)
		return -ENODATA;
	got = read_text(proc->schedstat_fd, text, sizeof(text));
	if (got < 0)
		return got;
	if (sscanf(text, "%" SCNu64, &ret->ns) != 1)
		return -ENODATA;
	if (proc->stat_fd >= 0 && read_text(proc->stat_fd, text, sizeof(text)) > 0)
		ret->ticks = parse_stime(text);
	return 0;
}

uint64_t rtt_proc__symbol(const char *kallsyms, const char *name)
{
	FILE *file = fopen(kallsyms, "re");
	uint64_t address = 0, value;
	char line[512], word[256];

	while (file && !address && fgets(line, sizeof(line), file))
		if (sscanf(line, "%" SCNx64 " %*c %255s", &value, word) == 2 && !strcmp(word, name))
			address = value;
	if (file)
		fclose(file);
	return address;
}
