// SPDX-License-Identifier: GPL-2.0-only
#include "lib/shortage.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

bool shortage__is(int err)
{
	switch (abs(err)) {
	case EAGAIN:
	case EINTR:
	case EMFILE:
	case ENFILE:
	case ENOMEM: return true;
	default: return false;
	}
}

static void open_files(char *buf, size_t size)
{
	struct rlimit limit = {0};

	getrlimit(RLIMIT_NOFILE, &limit);
	snprintf(buf, size, "this process may have %llu: ulimit -n",
		 (unsigned long long)limit.rlim_cur);
}

void shortage__remedy(int err, char *buf, size_t size)
{
	const char *text = "";

	switch (abs(err)) {
	case EMFILE: open_files(buf, size); return;
	case ENFILE: text = "of all processes together: sysctl fs.file-max"; break;
	case EAGAIN:
		text = "too many threads or processes: ulimit -u, pids.max of the cgroup, sysctl "
		       "kernel.threads-max";
		break;
	case EINTR: text = "a signal came in between: try again"; break;
	case ENOMEM: text = "free some, or raise memory.max of the cgroup"; break;
	}
	snprintf(buf, size, "%s", text);
}

int shortage__check_files(int nr, struct why *why)
{
	int *fds = calloc(nr, sizeof(*fds));
	int got = 0, err = 0;

	if (!fds)
		return why__errno(why, -ENOMEM, "cannot try for %d open files", nr);
	while (!err && got < nr) {
		fds[got] = open("/", O_PATH | O_CLOEXEC);
		if (fds[got] < 0)
			err = -errno;
		else
			got++;
	}
	for (int i = 0; i < got; i++)
		close(fds[i]);
	free(fds);
	if (!err)
		return 0;
	return why__errno(why, err, "%d more files have to be opened, and %d can be", nr, got);
}
