/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_DIGEST_H
#define BPFPERF_LIB_DIGEST_H

#include <stddef.h>
#include <stdint.h>

/* SHA-256 as 64 lower-case hex digits and a NUL, the same text as sha256sum prints. */
#define DIGEST_SIZE 65

void digest__bytes(const void *bytes, size_t size, char ret_hex[DIGEST_SIZE]);

/*
 * Of a file's content, read in pieces. `ret_size` is the number of bytes that were read, whatever
 * stat() says: files of sysfs and procfs may claim another size. Returns 0 or -errno.
 */
int digest__file(const char *path, char ret_hex[DIGEST_SIZE], uint64_t *ret_size);

/* Of `nr` strings, each with a newline after it: what `printf '%s\n' ... | sha256sum` prints. */
void digest__lines(char *const *lines, size_t nr, char ret_hex[DIGEST_SIZE]);

/* Lower-case hex of `size` bytes; `ret_hex` has room for 2 * size + 1. */
void digest__hex(const uint8_t *bytes, size_t size, char *ret_hex);

#endif
