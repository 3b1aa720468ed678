// SPDX-License-Identifier: GPL-2.0-only
#include "lib/log.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum log_level current_level = LOG_WARNING;

void log__set_level(enum log_level level)
{
	current_level = level;
}

enum log_level log__level(void)
{
	return current_level;
}

/* Messages quote words of the user and of files: they must not drive the terminal. */
static void replace_controls(char *line)
{
	for (char *c = line; *c; c++) {
		/* U+0080 to U+009F are controls too. */
		bool c1 = *c == '\xc2' && (c[1] & '\xe0') == '\x80';

		if (c1 || (iscntrl((unsigned char)*c) && *c != '\n' && *c != '\t'))
			*c = '?';
		if (c1)
			*++c = '?';
	}
}

void log__vprint(enum log_level level, const char *prefix, const char *fmt, va_list args)
{
	char line[2048];
	size_t len;

	if (level > current_level)
		return;
	vsnprintf(line, sizeof(line), fmt, args);
	len = strlen(line);
	while (len && line[len - 1] == '\n')
		line[--len] = '\0';
	replace_controls(line);
	/* One call, one line: several processes share this stderr. */
	fprintf(stderr, "%s%s\n", prefix, line);
}

#define LOG_FUNCTION(name, level, prefix)              \
	void name(const char *fmt, ...)                \
	{                                              \
		va_list args;                          \
                                                       \
		va_start(args, fmt);                   \
		log__vprint(level, prefix, fmt, args); \
		va_end(args);                          \
	}

LOG_FUNCTION(error, LOG_ERROR, "bpfperf: ")
LOG_FUNCTION(warning, LOG_WARNING, "bpfperf: warning: ")
LOG_FUNCTION(info, LOG_INFO, "bpfperf: ")
LOG_FUNCTION(debug, LOG_DEBUG, "bpfperf: debug: ")

void bug(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	log__vprint(LOG_ERROR, "bpfperf: BUG: ", fmt, args);
	va_end(args);
	abort();
}
