/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_INVENTORY_H
#define BPFPERF_LIB_INVENTORY_H

#include <jansson.h>

#include "lib/why.h"

/*
 * What `bpfperf list` says, as a document: every benchmark (or those named) with its parameters,
 * metrics, triggers, and whether it can run here, by trying. NULL and `why`: a name is unknown.
 */
json_t *inventory__new(const char *const *names, int nr_names, struct why *why);

#endif
