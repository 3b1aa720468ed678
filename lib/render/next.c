// SPDX-License-Identifier: GPL-2.0-only
#include "lib/render/render.h"

#include <stdbool.h>
#include <string.h>

#include "lib/render/summary.h"

/* A line, not a list: one point has no more, and many agree on most of it. */
#define MAX_TEXTS 4

struct advice {
	const char *texts[MAX_TEXTS];
	int nr;
};

static void add(struct advice *advice, const char *text)
{
	for (int i = 0; i < advice->nr; i++)
		if (summary__same_advice(advice->texts[i], text))
			return;
	if (advice->nr < MAX_TEXTS)
		advice->texts[advice->nr++] = text;
}

void render__next(const json_t *result, FILE *out)
{
	const json_t *benchmarks = json_object_get(result, "benchmarks"), *benchmark, *text;
	struct advice advice = {0};
	size_t i, j;

	json_array_foreach(benchmarks, i, benchmark) {
		if (!summary__first(benchmark))
			continue;
		json_array_foreach(json_object_get(benchmark, "next"), j, text)
			if (json_is_string(text))
				add(&advice, json_string_value(text));
	}
	for (int n = 0; n < advice.nr; n++) {
		fputs(n ? " | " : "\n  next: ", out);
		render__string(out, advice.texts[n]);
	}
	if (advice.nr)
		fputc('\n', out);
}
