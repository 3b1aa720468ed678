/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_DOCUMENT_LEAVES_H
#define BPFPERF_LIB_DOCUMENT_LEAVES_H

#include <jansson.h>

struct why;

/*
 * Numbers and texts wherever they stand, also where nothing is known to stand, against
 * DOCUMENT_MAX_NUMBER and DOCUMENT_MAX_TEXT. `path` is that of `value`, for messages; its member
 * `but` was looked at before (NULL: none). -EINVAL.
 */
int document__check_leaves(json_t *value, const char *path, const char *but, struct why *why);

#endif
