/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_CMD_STAT_EXIT_H
#define BPFPERF_CMD_STAT_EXIT_H

#include <jansson.h>

/*
 * What `stat` exits with after this result, which has been printed. Where nothing could run for want
 * of rights it says so, with the command that gives them.
 */
int stat__exit_code(const json_t *result);

#endif
