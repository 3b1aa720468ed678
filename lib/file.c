// SPDX-License-Identifier: GPL-2.0-only
#include "lib/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "lib/why.h"

/* As many as the kernel follows. */
#define MAX_LINKS 40
/* Of the name of a temporary; more than one only after a crash with the same PID. */
#define MAX_TRIES 16

/* Offset of the last part of a path; 0 if there is only one. */
static size_t name_offset(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 - path : 0;
}

/* Links in /proc/PID/fd are doors to an open file, and their text is not always its name. */
static bool is_in_procfs(const char *path)
{
	size_t len = name_offset(path);
	char dir[PATH_MAX] = ".";
	struct statfs fs;

	if (len)
		snprintf(dir, sizeof(dir), "%.*s", (int)len, path);
	return !statfs(dir, &fs) && fs.f_type == PROC_SUPER_MAGIC;
}

/* Puts the target of the link `path` in its place; a relative one is relative to its folder. */
static int follow_link(char path[PATH_MAX], const char *target)
{
	size_t keep = target[0] == '/' ? 0 : name_offset(path);

	if (keep + strlen(target) >= PATH_MAX)
		return -ENAMETOOLONG;
	strcpy(path + keep, target);
	return 0;
}

/*
 * Follows `path` to a name that is no link, though there may be no file of that name: realpath()
 * would give up there. Links among the folders are left to the kernel.
 */
static int resolve(char path[PATH_MAX], bool *ret_procfs)
{
	char target[PATH_MAX];
	ssize_t len;
	int err;

	*ret_procfs = false;
	for (int i = 0; i < MAX_LINKS; i++) {
		len = readlink(path, target, sizeof(target) - 1);
		if (len < 0)
			return errno == EINVAL || errno == ENOENT ? 0 : -errno;
		if (is_in_procfs(path)) {
			*ret_procfs = true;
			return 0;
		}
		target[len] = '\0';
		err = follow_link(path, target);
		if (err)
			return err;
	}
	return -ELOOP;
}

/* Creates `.NAME.bpfperf-PID`, NAME being cut where the whole would be too long. */
static int create_temp(struct out_file *file, mode_t mode)
{
	char end[48], temp[NAME_MAX + 1];
	int keep;

	for (int try = 0; try < MAX_TRIES; try++) {
		snprintf(end, sizeof(end), try ? ".bpfperf-%d-%d" : ".bpfperf-%d", getpid(), try);
		keep = strnlen(file->name, NAME_MAX - 1 - strlen(end));
		/* Not inside a UTF-8 character: some filesystems refuse half of one. */
		while (keep && ((unsigned char)file->name[keep] & 0xc0) == 0x80)
			keep--;
		snprintf(temp, sizeof(temp), ".%.*s%s", keep, file->name, end);
		file->fd =
			openat(file->dir_fd, temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
		if (file->fd >= 0) {
			file->temp = strdup(temp);
			if (file->temp)
				return 0;
			unlinkat(file->dir_fd, temp, 0);
			return -ENOMEM;
		}
		if (errno != EEXIST)
			return -errno;
	}
	return -EEXIST;
}

static int open_folder(const char *path, struct out_file *file)
{
	size_t len = name_offset(path);
	char dir[PATH_MAX] = ".";

	if (!path[len])
		return len ? -EISDIR : -ENOENT;
	if (len)
		snprintf(dir, sizeof(dir), "%.*s", (int)len, path);
	file->name = strdup(path + len);
	if (!file->name)
		return -ENOMEM;
	/* O_PATH, since a folder that can be written need not be readable. */
	file->dir_fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return file->dir_fd < 0 ? -errno : 0;
}

/* The owner before the mode, which a change of owner would clear in part. */
static int copy_owner_and_mode(const struct stat *from, int fd)
{
	struct stat st;

	if (fstat(fd, &st))
		return -errno;
	if (st.st_uid != from->st_uid || st.st_gid != from->st_gid)
		if (fchown(fd, from->st_uid, from->st_gid))
			return -errno;
	return fchmod(fd, from->st_mode & 07777) ? -errno : 0;
}

/* `old` is NULL if there is no such file yet. */
static int open_temp(const char *path, const struct stat *old, struct out_file *file,
		     struct why *why)
{
	int err = open_folder(path, file);

	if (!err)
		err = create_temp(file, old ? 0600 : 0666);
	if (err)
		return why__errno(why, err, "cannot write '%s'", file->path);
	err = old ? copy_owner_and_mode(old, file->fd) : 0;
	if (err)
		return why__errno(why, err, "cannot keep owner and mode of '%s'", file->path);
	return 0;
}

/*
 * The open() tells everything at once and without a race: whether the file may be written, what
 * it is, and, where it is no regular one, it is the descriptor to write to.
 */
static int open_any(const char *path, struct out_file *file, struct why *why)
{
	char resolved[PATH_MAX];
	struct stat st;
	bool procfs;
	int err;

	file->fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	if (file->fd < 0 && errno != ENOENT)
		return why__errno(why, -errno, "cannot write '%s'", path);
	if (file->fd >= 0 && fstat(file->fd, &st))
		return why__errno(why, -errno, "cannot write '%s'", path);
	if (file->fd >= 0 && !S_ISREG(st.st_mode))
		return 0;
	if (strlen(path) >= sizeof(resolved))
		return why__errno(why, -ENAMETOOLONG, "cannot write '%s'", path);
	strcpy(resolved, path);
	err = resolve(resolved, &procfs);
	if (err)
		return why__errno(why, err, "cannot follow the link '%s'", path);
	if (file->fd < 0)
		return open_temp(resolved, NULL, file, why);
	if (procfs && fcntl(file->fd, F_SETFL, O_APPEND))
		return why__errno(why, -errno, "cannot append to '%s'", path);
	if (procfs)
		return 0;
	close(file->fd);
	file->fd = -1;
	return open_temp(resolved, &st, file, why);
}

int out_file__open(const char *path, struct out_file *ret, struct why *why)
{
	int err;

	*ret = (struct out_file){.fd = -1, .dir_fd = -1, .path = strdup(path)};
	if (!ret->path)
		return why__errno(why, -ENOMEM, "cannot write '%s'", path);
	err = open_any(path, ret, why);
	if (err)
		out_file__abort(ret);
	return err;
}

void out_file__abort(struct out_file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	if (file->temp)
		unlinkat(file->dir_fd, file->temp, 0);
	if (file->dir_fd >= 0)
		close(file->dir_fd);
	free(file->temp);
	free(file->name);
	free(file->path);
	*file = (struct out_file){.fd = -1, .dir_fd = -1};
}

static int write_all(int fd, const char *data, size_t len)
{
	while (len) {
		ssize_t done = write(fd, data, len);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -errno;
		data += done;
		len -= done;
	}
	return 0;
}

/*
 * A crash just after must find the old file or the new one, and the kernels measured here do
 * crash. The file is there already, so that a folder that cannot be synced is no failure.
 */
static void sync_folder(int dir_fd)
{
	int fd = openat(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return;
	fsync(fd);
	close(fd);
}

static int replace(struct out_file *file)
{
	if (renameat(file->dir_fd, file->temp, file->dir_fd, file->name))
		return -errno;
	free(file->temp);
	file->temp = NULL;
	sync_folder(file->dir_fd);
	return 0;
}

int out_file__commit(struct out_file *file, const void *data, size_t len, struct why *why)
{
	int err = write_all(file->fd, data, len);

	if (!err && file->temp && fsync(file->fd))
		err = -errno;
	/* Network filesystems keep "no space left" for the close. */
	if (close(file->fd) && !err)
		err = -errno;
	file->fd = -1;
	if (!err && file->temp)
		err = replace(file);
	if (err)
		why__errno(why, err, "cannot write '%s'", file->path);
	out_file__abort(file);
	return err;
}

/* Up to `size` bytes; fewer only at the end of the file. */
static ssize_t read_all(int fd, char *buf, size_t size)
{
	size_t len = 0;

	while (len < size) {
		ssize_t done = read(fd, buf + len, size - len);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -errno;
		if (!done)
			break;
		len += done;
	}
	return len;
}

/* Sizes in stat() mean nothing for procfs and pipes, so it reads until there is no more. */
static int read_grow(int fd, size_t max_bytes, char **data, size_t *len)
{
	size_t size = 0;
	ssize_t done;

	do {
		char *more;

		size = size ? size * 2 : 16384;
		if (size > max_bytes)
			size = max_bytes + 1;
		more = realloc(*data, size + 1);
		if (!more)
			return -ENOMEM;
		*data = more;
		done = read_all(fd, *data + *len, size - *len);
		if (done < 0)
			return done;
		*len += done;
		if (*len > max_bytes)
			return -EFBIG;
	} while (*len == size);
	(*data)[*len] = '\0';
	return 0;
}

int file__read(const char *path, size_t max_bytes, char **ret_data, size_t *ret_len,
	       struct why *why)
{
	char *data = NULL;
	size_t len = 0;
	int fd, err;

	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return why__errno(why, -errno, "cannot read '%s'", path);
	err = read_grow(fd, max_bytes, &data, &len);
	close(fd);
	if (err == -EFBIG)
		why__set(why, err, "cannot read '%s': longer than %zu bytes", path, max_bytes);
	else if (err)
		why__errno(why, err, "cannot read '%s'", path);
	if (err) {
		free(data);
		return err;
	}
	*ret_data = data;
	*ret_len = len;
	return 0;
}

int file__read_line(const char *path, char *buf, size_t size, struct why *why)
{
	ssize_t len;
	char *end;
	int fd;

	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return why__errno(why, -errno, "cannot read '%s'", path);
	len = read_all(fd, buf, size);
	close(fd);
	if (len < 0)
		return why__errno(why, len, "cannot read '%s'", path);
	end = memchr(buf, '\n', len);
	if (!end && (size_t)len == size)
		return why__set(why, -EFBIG, "cannot read '%s': line too long", path);
	*(end ? end : buf + len) = '\0';
	return 0;
}

bool file__is_stream(const char *path)
{
	struct stat st;

	return !stat(path, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}
