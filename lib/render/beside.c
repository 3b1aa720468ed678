// SPDX-License-Identifier: GPL-2.0-only
#include "lib/render/render.h"

#include "lib/plural.h"
#include "lib/result.h"

/* What stands below the verdict: it explains, and decides nothing. */

#define MAX_LINES 12

static void print_figure(const json_t *item, bool descriptive, FILE *out)
{
	const char *unit = json__string(item, "unit_of_value", "");
	struct change change = render__change_of(item, "lo", "hi");
	char before[48], after[48];

	render__value(before, sizeof(before), json__number(item, "before"), unit);
	render__value(after, sizeof(after), json__number(item, "after"), unit);
	fprintf(out, "  %-13s %9s  %-21s %10s %10s   ", "", descriptive ? "" : change.text,
		descriptive ? "" : change.interval, before, after);
	render__string(out, json__string(item, "figure", "?"));
	if (json_is_true(json_object_get(item, "per_op")))
		fputs(" per op", out);
	fputs("   ", out);
	render__short(json__string(item, "key", "?"), out);
	fputc('\n', out);
}

static void print_figures(const json_t *list, bool descriptive, FILE *out)
{
	const json_t *item;
	size_t i;

	json_array_foreach(list, i, item)
		if (i < MAX_LINES)
			print_figure(item, descriptive, out);
	if (json_array_size(list) > MAX_LINES)
		fprintf(out, "  %-13s %zu more (-j has them)\n", "",
			json_array_size(list) - MAX_LINES);
}

static void print_moved(const json_t *comparison, FILE *out)
{
	const json_t *also = json_object_get(comparison, "also_moved");
	const json_t *moved = json_object_get(also, "moved");
	const json_t *descriptive = json_object_get(also, "descriptive");
	json_int_t tested = json_integer_value(json_object_get(also, "tested"));

	if (tested)
		fprintf(out,
			"\n  also moved   %s%lld other figures tested, q < 0.05 and more than 2 %%\n",
			json_array_size(moved) ? "" : "nothing: ", (long long)tested);
	print_figures(moved, false, out);
	if (json_array_size(descriptive))
		fputs("  seen in single evidence runs, which have no error: a hint, no finding\n",
		      out);
	print_figures(descriptive, true, out);
}

static void print_unmatched(const json_t *comparison, FILE *out)
{
	const json_t *list = json_object_get(comparison, "unmatched"), *item;
	size_t i;

	json_array_foreach(list, i, item) {
		if (i >= MAX_LINES) {
			fprintf(out, "  %zu more are on one side only (-j has them)\n",
				json_array_size(list) - i);
			return;
		}
		fputs(i ? "  only in " : "\n  only in ", out);
		render__string(out,
			       render__side(comparison,
					    json_integer_value(json_object_get(item, "side"))));
		fputs(": ", out);
		render__string(out, json__string(item, "key", "?"));
		fputc('\n', out);
	}
}

static void print_exclusions(const json_t *comparison, FILE *out)
{
	const json_t *exclusions = json_object_get(comparison, "exclusions"), *item;
	const json_t *runs = json_object_get(exclusions, "runs");
	json_int_t total = json_integer_value(json_object_get(exclusions, "total"));
	size_t i;

	if (total)
		fprintf(out, "\n  left out   %lld run%s, for a cause that was recorded:\n",
			(long long)total, plural(total));
	json_array_foreach(runs, i, item) {
		if (i >= MAX_LINES)
			break;
		fputs("             ", out);
		render__string(out,
			       render__side(comparison,
					    json_integer_value(json_object_get(item, "side"))));
		fprintf(out,
			" run %lld: ", (long long)json_integer_value(json_object_get(item, "n")));
		render__string(out, json__string(item, "cause", "?"));
		fputc('\n', out);
	}
	if (total > MAX_LINES)
		fprintf(out, "             and %lld more (-j has them)\n",
			(long long)total - MAX_LINES);
}

void render__beside(const json_t *comparison, FILE *out)
{
	print_moved(comparison, out);
	print_unmatched(comparison, out);
	print_exclusions(comparison, out);
}
