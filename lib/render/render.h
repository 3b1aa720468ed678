/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_RENDER_RENDER_H
#define BPFPERF_LIB_RENDER_RENDER_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/*
 * Renderers read nothing but the result document, and write to the FILE they are given. Strings
 * of the document are a stranger's: nothing of them reaches a terminal unescaped.
 */

/* The first screen of `stat`. */
void render__stat(const json_t *result, FILE *out);

/* What `list` prints of lib/inventory.h; `details` adds parameters and metrics. */
void render__list(const json_t *inventory, bool details, FILE *out);

/* Printable text; control characters and escape sequences become '?'. */
void render__string(FILE *out, const char *text);

/* "12.31 M" with three to four digits, for op/s; "-" for NaN. */
void render__si(char *buf, size_t size, double value);

/* Several values in the unit of the first: "12.31", "12.24" and " M" for all of them. */
struct si {
	double divisor;
	const char *unit; /* " M", with its blank; "" */
};
struct si render__si_unit(double value);
void render__si_in(char *buf, size_t size, double value, const struct si *si);
/* Three significant digits, "-" for NaN: 162, 6.70, 0.35. */
void render__number(char *buf, size_t size, double value);
/* "1,234,567" */
void render__grouped(char *buf, size_t size, double value);

#endif
