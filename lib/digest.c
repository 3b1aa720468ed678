// SPDX-License-Identifier: GPL-2.0-only
#include "lib/digest.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

/* Of libmd, which is BSD: OpenSSL's licence does not go with GPL-2.0-only. */
#include <sha2.h>

#define CHUNK_BYTES 65536

void digest__hex(const uint8_t *bytes, size_t size, char *ret_hex)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < size; i++) {
		ret_hex[2 * i] = digits[bytes[i] >> 4];
		ret_hex[2 * i + 1] = digits[bytes[i] & 15];
	}
	ret_hex[2 * size] = '\0';
}

static void finish(SHA2_CTX *ctx, char ret_hex[DIGEST_SIZE])
{
	uint8_t digest[SHA256_DIGEST_LENGTH];

	SHA256Final(digest, ctx);
	digest__hex(digest, sizeof(digest), ret_hex);
}

void digest__bytes(const void *bytes, size_t size, char ret_hex[DIGEST_SIZE])
{
	SHA2_CTX ctx;

	SHA256Init(&ctx);
	SHA256Update(&ctx, bytes, size);
	finish(&ctx, ret_hex);
}

void digest__lines(char *const *lines, size_t nr, char ret_hex[DIGEST_SIZE])
{
	SHA2_CTX ctx;

	SHA256Init(&ctx);
	for (size_t i = 0; i < nr; i++) {
		SHA256Update(&ctx, (const uint8_t *)lines[i], strlen(lines[i]));
		SHA256Update(&ctx, (const uint8_t *)"\n", 1);
	}
	finish(&ctx, ret_hex);
}

int digest__file(const char *path, char ret_hex[DIGEST_SIZE], uint64_t *ret_size)
{
	uint8_t chunk[CHUNK_BYTES];
	uint64_t size = 0;
	SHA2_CTX ctx;
	ssize_t len;
	int fd, err;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	SHA256Init(&ctx);
	while ((len = read(fd, chunk, sizeof(chunk))) > 0) {
		SHA256Update(&ctx, chunk, len);
		size += len;
	}
	err = len < 0 ? -errno : 0;
	close(fd);
	if (err)
		return err;
	finish(&ctx, ret_hex);
	*ret_size = size;
	return 0;
}
