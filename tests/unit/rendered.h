/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_TESTS_UNIT_RENDERED_H
#define BPFPERF_TESTS_UNIT_RENDERED_H

#include <stdio.h>
#include <string.h>

#include "lib/render/render.h"
#include "tests/unit/document.h"

/* What is printed of documents that were made up. */

typedef void print_fn(const json_t *result, FILE *out);

/* The document is released; the text is for the caller to free. */
static inline char *rendered(print_fn *print, json_t *result)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	print(result, out);
	fclose(out);
	json_decref(result);
	return text;
}

static inline void rendered_has(print_fn *print, const char *document, const char *part)
{
	char *text = rendered(print, json_of(document));

	ck_assert_msg(strstr(text, part), "no '%s' in:\n%s", part, text);
	free(text);
}

static inline void rendered_lacks(print_fn *print, const char *document, const char *part)
{
	char *text = rendered(print, json_of(document));

	ck_assert_msg(!strstr(text, part), "'%s' in:\n%s", part, text);
	free(text);
}

#endif
