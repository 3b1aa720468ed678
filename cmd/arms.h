/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_CMD_ARMS_H
#define BPFPERF_CMD_ARMS_H

#include <jansson.h>
#include <stdio.h>

/*
 * What the arms of `stat --vs` came to, as `compare` judges it; nothing for a document without arms.
 * `file` is where the document is, for the line about what to do next; NULL: nowhere.
 */
void arms__print(const json_t *result, const char *file, FILE *out);

#endif
