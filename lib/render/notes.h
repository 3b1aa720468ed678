/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_RENDER_NOTES_H
#define BPFPERF_LIB_RENDER_NOTES_H

#include <jansson.h>
#include <stdio.h>

/* Why cells of a table are "-": each reason once, with the number of rows that it holds for. */

/* `notes` is an object, empty at first. Figures after a colon of the reason are not compared. */
void notes__add(json_t *notes, const char *column, const char *reason);
void notes__print(json_t *notes, FILE *out);

#endif
