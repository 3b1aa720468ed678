// SPDX-License-Identifier: GPL-2.0-only
#include "lib/host_part.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/cpulist.h"
#include "lib/sysfs.h"
#include "lib/why.h"

/* The longest kernel command line is 4 KiB. */
#define TEXT_SIZE 16384
#define KEY_SIZE  128
#define WHY_SIZE  (SYSFS_PATH_SIZE + 128)

/* Length of the UTF-8 sequence at `s`, 0 if it is none: the rules of RFC 3629, section 4. */
static int utf8_length(const unsigned char *s)
{
	int len = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;

	if (s[0] > 0xf4)
		return 0;
	for (int i = 1; i < len; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	}
	if (len > 2) {
		unsigned int head = s[0] << 8 | s[1];

		/* overlong of three and four bytes, surrogates, beyond U+10FFFF */
		if ((head >= 0xe080 && head < 0xe0a0) || (head >= 0xeda0 && head < 0xee00) ||
		    (head >= 0xf080 && head < 0xf090) || head > 0xf48f)
			return 0;
	}
	return len;
}

json_t *host_part__json_text(const char *text)
{
	char *copy = strdup(text);
	json_t *json;
	int len;

	if (!copy)
		return NULL;
	for (char *pos = copy; *pos; pos += len) {
		len = utf8_length((unsigned char *)pos);
		if (len == 0) {
			*pos = '?';
			len = 1;
		}
	}
	json = json_string(copy);
	free(copy);
	return json;
}

void host_part__note(const struct host_part *part, const char *key, const char *reason)
{
	char path[KEY_SIZE];

	snprintf(path, sizeof(path), "%s%s", part->prefix, key);
	json_object_set_new(part->absent, path, host_part__json_text(reason));
}

void host_part__absent(const struct host_part *part, const char *key, const char *fmt, ...)
{
	char reason[WHY_SIZE];
	va_list args;

	va_start(args, fmt);
	vsnprintf(reason, sizeof(reason), fmt, args);
	va_end(args);
	json_object_set_new(part->object, key, json_null());
	host_part__note(part, key, reason);
}

void host_part__set(const struct host_part *part, const char *key, json_t *value)
{
	if (!value || json_object_set_new(part->object, key, value))
		host_part__absent(part, key, "out of memory");
}

void host_part__set_text(const struct host_part *part, const char *key, const char *text)
{
	host_part__set(part, key, host_part__json_text(text));
}

struct host_part host_part__open(const struct host_part *parent, const char *key,
				 const char *prefix)
{
	struct host_part part = *parent;

	part.object = json_object();
	part.prefix = prefix;
	host_part__set(parent, key, part.object);
	return part;
}

void host_part__unreadable(const struct host_part *part, const char *key, int err,
			   const char *missing)
{
	if (err == -ENOENT || err == -ENOTDIR)
		host_part__absent(part, key, "%s", missing ? missing : "the kernel does not say");
	else if (err == -EACCES || err == -EPERM)
		host_part__absent(part, key, "not readable: permission denied");
	else
		host_part__absent(part, key, "not readable: %s", errno_text(err));
}

static void file_failed(const struct host_part *part, const char *key, int err, const char *missing,
			const char *root, const char *path)
{
	if (err == -EINVAL)
		host_part__absent(part, key, "%s/%s holds no number", root, path);
	else if (err == -ENOENT && !missing)
		host_part__absent(part, key, "%s/%s does not exist", root, path);
	else
		host_part__unreadable(part, key, err, missing);
}

void host_part__file_text(const struct host_part *part, const char *key, const char *missing,
			  const char *root, const char *path)
{
	char text[TEXT_SIZE];
	int len = sysfs__read(text, sizeof(text), "%s/%s", root, path);

	if (len < 0)
		file_failed(part, key, len, missing, root, path);
	else if (len == 0)
		host_part__absent(part, key, "%s/%s is empty", root, path);
	else
		host_part__set_text(part, key, text);
}

void host_part__file_list(const struct host_part *part, const char *key, const char *missing,
			  const char *root, const char *path)
{
	char text[CPULIST_TEXT_SIZE];
	int len = sysfs__read(text, sizeof(text), "%s/%s", root, path);

	if (len < 0)
		file_failed(part, key, len, missing, root, path);
	else if (!strcmp(text + strspn(text, " "), "(null)"))
		/* nohz_full without the boot option: a NULL mask, printed as wide as the mask */
		host_part__set_text(part, key, "");
	else
		host_part__set_text(part, key, text);
}

void host_part__file_int(const struct host_part *part, const char *key, const char *missing,
			 const char *root, const char *path)
{
	long long value;
	int err = sysfs__read_int(&value, "%s/%s", root, path);

	if (err)
		file_failed(part, key, err, missing, root, path);
	else
		host_part__set(part, key, json_integer(value));
}
