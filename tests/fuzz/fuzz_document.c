// SPDX-License-Identifier: GPL-2.0-only
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "lib/compare.h"
#include "lib/compare_runs.h"
#include "lib/document.h"
#include "lib/merge.h"
#include "lib/render/render.h"
#include "lib/why.h"
#include "tests/fuzz/fuzz.h"

static const struct compare_options options = {.min_effect = 0.01};

static void render(const json_t *document, FILE *out)
{
	render__stat(document, out);
	render__per_thread(document, out);
	render__intervals(document, out);
	render__csv(document, ",", out);
}

static void compare(const struct compare_side *sides, size_t nr, FILE *out)
{
	struct why why;
	json_t *comparison = compare__documents(sides, nr, &options, &why);

	if (comparison)
		render__compare(comparison, out);
	json_decref(comparison);
}

/* With itself, by its arms, and by a parameter: every path that a document can take. */
static void compare_all(const json_t *document, FILE *out)
{
	struct compare_side sides[COMPARE_MAX_SIDES] = {
		{.document = document, .name = "a", .arm = -1},
		{.document = document, .name = "b", .arm = -1},
		{.document = document, .name = "c", .arm = -1}};
	static const char *const params[] = {NULL, "size", "trigger"};
	json_t *owner;
	struct why why;
	size_t nr;

	compare(sides, 2, out);
	compare(sides, 3, out);
	for (size_t i = 0; i < sizeof(params) / sizeof(params[0]); i++) {
		if (compare__split(document, params[i], sides, COMPARE_MAX_SIDES, &nr, &owner,
				   &why))
			continue;
		compare(sides, nr, out);
		json_decref(owner);
	}
}

/* With a copy of itself that says of what boot it is as little as it does. */
static void merge(json_t *document, FILE *out)
{
	json_t *copy = json_deep_copy(document), *merged;
	const json_t *const both[] = {document, copy};
	static const char *const names[] = {"a", "b"};
	struct why why;

	json_object_del(copy, "id");
	if (!merge__documents(both, names, 2, &merged, &why)) {
		fuzz_assert(!document__check(merged, &why));
		render(merged, out);
		json_decref(merged);
	}
	json_decref(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *copy = malloc(size ? size : 1);
	json_t *document = NULL, *benchmark;
	static FILE *out;
	struct why why;
	size_t i;

	if (!out)
		out = fopen("/dev/null", "w");
	memcpy(copy, data, size);
	if (!document__parse("input", copy, size, NULL, &document, &why)) {
		render(document, out);
		merge(document, out);
		json_array_foreach(json_object_get(document, "benchmarks"), i, benchmark)
			compare__trim(benchmark);
		fuzz_assert(!document__check(document, &why));
		compare_all(document, out);
	}
	json_decref(document);
	free(copy);
	return 0;
}
