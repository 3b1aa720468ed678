// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/arms.h"

#include "lib/compare.h"
#include "lib/compare_runs.h"
#include "lib/log.h"
#include "lib/render/render.h"
#include "lib/why.h"

/* `document` is a copy, which may be trimmed. NULL and `why`. */
static json_t *compare_arms(json_t *document, struct why *why)
{
	const struct compare_options options = {.min_effect = COMPARE_MIN_EFFECT};
	struct compare_side sides[COMPARE_MAX_SIDES];
	json_t *owner = NULL, *comparison, *benchmark;
	size_t i, nr;

	json_array_foreach(json_object_get(document, "benchmarks"), i, benchmark)
		compare__trim(benchmark);
	if (compare__split(document, NULL, sides, COMPARE_MAX_SIDES, &nr, &owner, why))
		return NULL;
	comparison = compare__documents(sides, nr, &options, why);
	json_decref(owner);
	return comparison;
}

void arms__print(const json_t *result, const char *file, FILE *out)
{
	const json_t *plan = json_object_get(json_object_get(result, "tool"), "plan");
	struct why why = {0};
	json_t *copy, *comparison;

	if (!json_is_object(json_object_get(plan, "vs")))
		return;
	copy = json_deep_copy(result);
	comparison = compare_arms(copy, &why);
	if (comparison)
		render__arms(comparison, file, out);
	else
		warning("the arms are not compared: %s", why.text);
	json_decref(comparison);
	json_decref(copy);
}
