/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_WHY_H
#define BPFPERF_LIB_WHY_H

/*
 * The words that go with an error code. A function that can fail takes a `struct why *` (NULL
 * when the caller does not care), fills it where the failure is understood, and returns -errno;
 * cmd/ prints it, or the result document stores it as a reason.
 *
 * Grammar: lower case, no full stop, what failed first, subject in single quotes, cause, then
 * what to do: "cannot load 'hashmap-full': permission denied (needs CAP_BPF)".
 */
struct why {
	char text[640];
};

/* Formats into `why` and returns `err` unchanged, so that `return why__set(...)` reads well. */
__attribute__((format(printf, 3, 4))) int why__set(struct why *why, int err, const char *fmt, ...);

/* The same, with ": <words for err>" appended, and what to do about a shortage. */
__attribute__((format(printf, 3, 4))) int why__errno(struct why *why, int err, const char *fmt,
						     ...);

/* Words for a negative or positive errno, kernel-internal ones (524 ENOTSUPP) included. */
const char *errno_text(int err);

#endif
