/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_FILE_H
#define BPFPERF_LIB_FILE_H

#include <stdbool.h>
#include <stddef.h>

struct why;

/*
 * A file being written: the old content stays until the new one is complete. It is opened before
 * a run, so that an hour of measuring does not end in "permission denied".
 *
 * A regular file is written through an O_EXCL temporary in its folder, `.NAME.bpfperf-PID`, and a
 * rename. A symlink is resolved first, also one whose target does not exist yet. An existing file
 * keeps its mode and owner (but no hard links, ACL or extended attributes), and must be writable
 * itself: a read-only baseline is not replaced. A target that is no regular file (/dev/null, a
 * fifo, which waits for its reader) is written in place, and so is one that is reached through
 * /proc, as /dev/stdout is.
 */
struct out_file {
	int fd;
	int dir_fd; /* -1: written in place */
	char *path; /* as the user wrote it, for messages */
	char *name; /* in dir_fd; NULL: written in place */
	char *temp; /* in dir_fd */
};

/* -errno and `why` if it cannot be written; then there is nothing to abort. */
int out_file__open(const char *path, struct out_file *ret, struct why *why);

/*
 * Writes, syncs, renames, and closes `file` whatever happens. On failure (-ENOSPC, -EPIPE, which
 * needs SIGPIPE to be ignored) the temporary is gone and the old file untouched; what was written
 * in place stays written. To be called by the process that opened it.
 */
int out_file__commit(struct out_file *file, const void *data, size_t len, struct why *why);

/* Closes, and removes the temporary. Does nothing after a commit. */
void out_file__abort(struct out_file *file);

/* A device, fifo or socket: written in place, and opening it may wait or be noticed. */
bool file__is_stream(const char *path);

/*
 * A whole file, with a NUL after it that is not in the length; for the caller to free(). -EFBIG if
 * it is longer than max_bytes, -errno; both with `why`.
 */
int file__read(const char *path, size_t max_bytes, char **ret_data, size_t *ret_len,
	       struct why *why);

/*
 * The first line of a small file (sysfs, procfs), without its newline. -EFBIG if it does not fit
 * into `size` bytes, -errno; both with `why`.
 */
int file__read_line(const char *path, char *buf, size_t size, struct why *why);

#endif
