// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "lib/file.h"
#include "lib/log.h"

int output__check(const char *path, struct why *why)
{
	struct out_file file;
	int err;

	if (!path)
		return 0;
	/* Opening a fifo wakes its reader: that can wait for the result. */
	if (file__is_stream(path) && !access(path, W_OK))
		return 0;
	err = out_file__open(path, &file, why);
	if (!err)
		out_file__abort(&file);
	return err == -EINVAL ? -EIO : err;
}

int output__save(const char *path, const char *text, struct why *why)
{
	struct out_file file;
	int err = out_file__open(path, &file, why);

	return err ? err : out_file__commit(&file, text, strlen(text), why);
}

int output__finish(int status)
{
	if (!fflush(stdout) && !ferror(stdout))
		return status;
	if (status != EXIT_DONE)
		return status;
	error("cannot write to stdout: %s", errno_text(errno ? errno : EIO));
	return EXIT_CANNOT;
}
