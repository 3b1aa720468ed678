// SPDX-License-Identifier: GPL-2.0-only
#include "perf/event_dir.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/sysfs.h"

static int is_shown(const struct dirent *entry)
{
	return entry->d_name[0] != '.' && !names__is_note(entry->d_name);
}

void names__read(struct names *names, const char *fmt, ...)
{
	struct dirent **entries;
	char path[SYSFS_PATH_SIZE];
	va_list args;
	int nr;

	*names = (struct names){0};
	va_start(args, fmt);
	nr = vsnprintf(path, sizeof(path), fmt, args);
	va_end(args);
	if (nr >= (int)sizeof(path))
		return;
	/* Sorted by bytes, in any locale: messages and the order of events follow from it. */
	nr = scandir(path, &entries, is_shown, alphasort);
	if (nr < 0)
		return;
	names->name = calloc(nr + 1, sizeof(*names->name));
	for (int i = 0; i < nr; i++) {
		if (names->name)
			names->name[names->nr] = strdup(entries[i]->d_name);
		if (names->name && names->name[names->nr])
			names->nr++;
		free(entries[i]);
	}
	free(entries);
}

void names__free(struct names *names)
{
	for (int i = 0; i < names->nr; i++)
		free(names->name[i]);
	free(names->name);
	*names = (struct names){0};
}

void names__join(const struct names *names, char *buf, size_t size)
{
	size_t len = 0;

	buf[0] = '\0';
	for (int i = 0; i < names->nr; i++) {
		size_t more = strlen(names->name[i]) + 2;

		/* Room for this one and for the dots of the next. */
		if (len + more + 5 > size) {
			strcpy(buf + len, ", ..");
			return;
		}
		len += sprintf(buf + len, "%s%s", i ? ", " : "", names->name[i]);
	}
}

bool names__is_entry(const char *word)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789_-.";

	return *word && *word != '.' && word[strspn(word, allowed)] == '\0';
}

bool names__is_note(const char *word)
{
	static const char *const ends[] = {".unit", ".scale", ".snapshot", ".per-pkg"};
	size_t len = strlen(word);

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (len > strlen(ends[i]) && !strcmp(word + len - strlen(ends[i]), ends[i]))
			return true;
	return false;
}

bool names__number(const char *word, uint64_t *ret_value)
{
	bool hex = word[0] == '0' && (word[1] == 'x' || word[1] == 'X');
	const char *digits = word + (hex ? 2 : 0);

	if (!*digits || digits[strspn(digits, hex ? "0123456789abcdefABCDEF" : "0123456789")])
		return false;
	errno = 0;
	*ret_value = strtoull(digits, NULL, hex ? 16 : 10);
	return !errno;
}
