// SPDX-License-Identifier: GPL-2.0-only
#include "lib/sysfs.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int read_path(char *buf, size_t size, const char *path)
{
	size_t len = 0;
	ssize_t got;
	int fd, err;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	/* A seq_file returns about a page at a time, so that one read() is not enough. */
	while ((got = read(fd, buf + len, size - 1 - len)) > 0)
		len += got;
	err = got < 0 ? -errno : 0;
	close(fd);
	if (err)
		return err;
	while (len && isspace((unsigned char)buf[len - 1]))
		len--;
	buf[len] = '\0';
	return len;
}

__attribute__((format(printf, 3, 0))) static int read_va(char *buf, size_t size, const char *fmt,
							 va_list args)
{
	char path[SYSFS_PATH_SIZE];

	if (vsnprintf(path, sizeof(path), fmt, args) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	return read_path(buf, size, path);
}

int sysfs__read(char *buf, size_t size, const char *fmt, ...)
{
	va_list args;
	int len;

	va_start(args, fmt);
	len = read_va(buf, size, fmt, args);
	va_end(args);
	return len;
}

int sysfs__read_int(long long *ret, const char *fmt, ...)
{
	char text[32], *end;
	long long value;
	va_list args;
	int len;

	va_start(args, fmt);
	len = read_va(text, sizeof(text), fmt, args);
	va_end(args);
	if (len < 0)
		return len;
	errno = 0;
	value = strtoll(text, &end, 10);
	if (errno || end == text || *end)
		return -EINVAL;
	*ret = value;
	return 0;
}
