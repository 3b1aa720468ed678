/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_OVERLAP_H
#define BPFPERF_LIB_OVERLAP_H

#include <jansson.h>
#include <stddef.h>

/*
 * Runs that two documents have in common: a document and its copy, a joined one and what it was
 * joined from. Such sides are no two samples, and have no error to compare by.
 *
 * A run is known by its boot, its start (`t0_mono_ns`) and its values, so that neither the name of a
 * file nor the id of a document matters; one that has no start, by the document's id and its number.
 *
 * What to say of it, for a verdict; the empty string: the two have no run in common.
 */
void overlap__describe(const json_t *before, const json_t *after, char *buf, size_t size);

#endif
