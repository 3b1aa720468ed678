/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_PERF_EVENT_DIR_H
#define BPFPERF_PERF_EVENT_DIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Words of the user's that become entries of the kernel's folders, and the entries there are. */

/* The entries of a folder, sorted, hidden ones left out; none when it cannot be read. */
struct names {
	char **name;
	int nr;
};

__attribute__((format(printf, 2, 3))) void names__read(struct names *names, const char *fmt, ...);
void names__free(struct names *names);

/* "a, b, c" for a message, as far as it fits; ", .." says that there are more. */
void names__join(const struct names *names, char *buf, size_t size);

/* Whether the word can be one entry of a folder: no path, no pattern, nothing hidden. */
bool names__is_entry(const char *word);

/* Whether it is a file about an event rather than an event: NAME.unit, NAME.scale, ... */
bool names__is_note(const char *word);

/* A number of 64 bits, decimal or 0x..., that is the whole word. */
bool names__number(const char *word, uint64_t *ret_value);

#endif
