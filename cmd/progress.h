/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_CMD_PROGRESS_H
#define BPFPERF_CMD_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct plan;

/* One line on stderr that says what runs and how long it will take; only on a terminal. */
struct progress {
	const struct plan *plan;
	bool shown;
	uint64_t start_ns;
};

void progress__start(struct progress *progress, const struct plan *plan, bool quiet);
void progress__step(struct progress *progress, int step);
/* Wipes the line. */
void progress__end(struct progress *progress);

#endif
