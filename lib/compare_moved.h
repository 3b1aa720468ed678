/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_COMPARE_MOVED_H
#define BPFPERF_LIB_COMPARE_MOVED_H

#include "lib/compare_row.h"

/*
 * What moved beside the primary metrics, over all rows of a comparison: one family, and so many
 * figures that only Benjamini and Hochberg's procedure and a floor for each kind keep chance out.
 * It explains a verdict, and never makes one.
 */
struct moved;

/* NULL: no memory. */
struct moved *moved__new(void);
void moved__free(struct moved *moved);

/* All figures of one benchmark that both sides have, but for the primary ones. -ENOMEM. */
int moved__add(struct moved *moved, const struct pairing *pairing, const struct row *row);

/*
 * {"tested", "level", "floor_ratio", "moved": [...], "descriptive": [...]}: the latter from single
 * evidence runs, without an interval.
 */
json_t *moved__json(struct moved *moved);

#endif
