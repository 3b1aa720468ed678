// SPDX-License-Identifier: GPL-2.0-only
#include "lib/render/render.h"

#include <math.h>

#include "lib/plural.h"
#include "lib/render/summary.h"
#include "lib/result.h"

/* Of the points of a document. */
struct range {
	int least, most;
};

static void widen(struct range *range, int value)
{
	if (value < range->least)
		range->least = value;
	if (value > range->most)
		range->most = value;
}

static void print_numbers(FILE *out, const struct range *range)
{
	if (range->least < range->most)
		fprintf(out, "%d to ", range->least);
	fprintf(out, "%d", range->most);
}

static void print_range(FILE *out, const struct range *range, const char *unit)
{
	print_numbers(out, range);
	fprintf(out, " %s%s", unit, plural(range->most));
}

/* Of a plan that did not come to its end. */
static void print_part(FILE *out, const struct range *ended, int planned)
{
	print_numbers(out, ended);
	fprintf(out, " of %d run%s", planned, plural(planned));
}

/* Of documents that were joined the plan is the sum, whoever had which benchmark. */
static bool is_joined(const json_t *result)
{
	return json_is_array(json_object_get(result, "merged")) || render__boots(result) > 1;
}

static void find_extent(const json_t *result, struct range *runs, struct range *boots)
{
	const json_t *benchmarks = json_object_get(result, "benchmarks"), *benchmark;
	struct run_tally tally = summary__tally(json_array_get(benchmarks, 0), "clean");
	size_t i;

	*runs = (struct range){tally.total, tally.total};
	*boots = (struct range){tally.boots, tally.boots};
	json_array_foreach(benchmarks, i, benchmark) {
		tally = summary__tally(benchmark, "clean");
		widen(runs, tally.total);
		widen(boots, tally.boots);
	}
}

void render__extent(const json_t *result, FILE *out)
{
	const json_t *plan = json_object_get(json_object_get(result, "tool"), "plan");
	bool several = json_array_size(json_object_get(result, "benchmarks")) != 1;
	int planned = json_integer_value(json_object_get(plan, "runs"));
	double seconds = json__number(plan, "duration_ms") / 1000;
	struct range runs = {planned, planned}, boots = {1, 1};
	bool in_arms = !several && !is_joined(result) &&
		       json_is_object(json_object_get(plan, "vs"));
	bool part = false;

	if (is_joined(result)) {
		find_extent(result, &runs, &boots);
	} else if (json_is_false(json_object_get(result, "complete"))) {
		struct range ended;

		find_extent(result, &ended, &boots);
		part = ended.least < (in_arms ? 2 : 1) * planned;
		runs = part ? ended : runs;
	}
	if (part)
		print_part(out, &runs, (in_arms ? 2 : 1) * planned);
	else
		print_range(out, &runs, "run");
	if (isfinite(seconds))
		fprintf(out, " x %g s", seconds);
	if (several)
		fputs(" each", out);
	else if (in_arms)
		fputs(part ? " in two arms" : " in each of two arms", out);
	if (render__boots(result) > 1) {
		fputs(" in ", out);
		print_range(out, &boots, "boot");
	}
}
