/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_CMD_DRY_RUN_H
#define BPFPERF_CMD_DRY_RUN_H

#include <stdbool.h>

struct plan;

/*
 * stat -n: what would be done, and how long it would take, as text or as JSON, on stdout.
 * `no_evidence` says why there are no evidence runs where nobody declined them; "" otherwise. 0 or
 * an exit code, after a message.
 */
int dry_run__print(const struct plan *plan, bool json, const char *no_evidence);

#endif
