/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_MERGE_H
#define BPFPERF_LIB_MERGE_H

#include <jansson.h>
#include <stddef.h>

struct why;

/*
 * Documents of several boots or hosts as one: one arm of a comparison, in which the boot is the
 * unit. Boots, blocks and runs are numbered anew; a boot that two documents share stays one. Keys
 * that this version does not know are kept as the first document has them.
 *
 * -EINVAL and `why` if they do not belong together: another kernel, another machine, another plan,
 * a benchmark or metric of the same name that is another one, or the same document twice. The
 * message names the field and its two values. `names` are for messages.
 */
int merge__documents(const json_t *const *documents, const char *const *names, size_t nr,
		     json_t **ret, struct why *why);

#endif
