/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_LOG_H
#define BPFPERF_LIB_LOG_H

#include <stdarg.h>

/*
 * What a person reads beside the result. All of it goes to stderr: stdout carries the result and
 * nothing else, in every mode.
 */
enum log_level { LOG_QUIET, LOG_ERROR, LOG_WARNING, LOG_INFO, LOG_DEBUG };

void log__set_level(enum log_level level);
enum log_level log__level(void);

#define LOG_PRINTF __attribute__((format(printf, 1, 2)))

LOG_PRINTF void error(const char *fmt, ...);
LOG_PRINTF void warning(const char *fmt, ...);
LOG_PRINTF void info(const char *fmt, ...);
LOG_PRINTF void debug(const char *fmt, ...);

/* An error of several lines, without the program's name before them. */
void log__as_it_is(const char *text);

/* A broken promise between two parts of this program: prints where, and aborts. */
LOG_PRINTF __attribute__((noreturn)) void bug(const char *fmt, ...);

/* For libraries that bring their own messages (libbpf, libperf). */
__attribute__((format(printf, 3, 0))) void log__vprint(enum log_level level, const char *prefix,
						       const char *fmt, va_list args);

#endif
