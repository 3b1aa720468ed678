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

/*
 * Messages quote words of the user and of files: they must not drive the terminal, nor make a line
 * that looks like one of ours. Libraries may have several lines to say.
 */
static void replace_controls(char *line, bool one_line)
{
	for (char *c = line; *c; c++) {
		/* U+0080 to U+009F are controls too. */
		bool c1 = *c == '\xc2' && (c[1] & '\xe0') == '\x80';

		if (c1 || (iscntrl((unsigned char)*c) && (*c != '\n' || one_line) && *c != '\t'))
			*c = '?';
		if (c1)
			*++c = '?';
	}
}

__attribute__((format(printf, 4, 0))) static void
print(enum log_level level, const char *prefix, bool one_line, const char *fmt, va_list args)
{
	char line[2048];
	size_t len;

	if (level > current_level)
		return;
	vsnprintf(line, sizeof(line), fmt, args);
	len = strlen(line);
	while (len && line[len - 1] == '\n')
		line[--len] = '\0';
	replace_controls(line, one_line);
	/* One call, one line: several processes share this stderr. */
	fprintf(stderr, "%s%s\n", prefix, line);
}

void log__vprint(enum log_level level, const char *prefix, const char *fmt, va_list args)
{
	print(level, prefix, false, fmt, args);
}

__attribute__((format(printf, 1, 2))) static void print_lines(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	print(LOG_ERROR, "", false, fmt, args);
	va_end(args);
}

void log__as_it_is(const char *text)
{
	print_lines("%s", text);
}

#define LOG_FUNCTION(name, level, prefix)                              \
	void name(const char *fmt, ...)                                \
	{                                                              \
		va_list args;                                          \
                                                                       \
		va_start(args, fmt);                                   \
		print(level, prefix, level <= LOG_WARNING, fmt, args); \
		va_end(args);                                          \
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
