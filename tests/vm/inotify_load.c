// SPDX-License-Identifier: GPL-2.0-only
/*
 * inotify_load FOLDER: makes a watch, and closes what holds it, until it is ended. The kernel waits
 * for a grace period of fsnotify_mark_srcu before it frees a watch, and so does each close().
 */
#include <stdio.h>
#include <sys/inotify.h>
#include <unistd.h>

/* Without it the rows of a tracer would fall into the middle of an event too often. */
#define PAUSE_US 10000

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: inotify_load FOLDER\n");
		return 129;
	}
	for (;;) {
		int fd = inotify_init1(IN_CLOEXEC);

		if (fd < 0 || inotify_add_watch(fd, argv[1], IN_CREATE) < 0) {
			perror("inotify_load");
			return 2;
		}
		close(fd);
		usleep(PAUSE_US);
	}
}
