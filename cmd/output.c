// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/output.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "lib/file.h"

int output__check(const char *path, struct why *why)
{
	struct out_file file;
	int err;

	if (!path)
		return 0;
	if (!*path)
		return why__set(why, -EINVAL, "-o needs the name of a file");
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
