/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_CMD_OUTPUT_H
#define BPFPERF_CMD_OUTPUT_H

#include "lib/why.h"

/*
 * The FILE of -o. Before the run: proves that it can be written, and leaves nothing behind, since
 * a temporary that waited for the end would survive a SIGKILL. NULL is no file, and fine.
 * -EINVAL: a matter of usage.
 */
int output__check(const char *path, struct why *why);

/* After it. */
int output__save(const char *path, const char *text, struct why *why);

/*
 * The exit status of the program: `status`, or EXIT_CANNOT after a message where that is EXIT_DONE
 * and what was printed did not get to stdout.
 */
int output__finish(int status);

#endif
