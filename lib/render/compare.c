// SPDX-License-Identifier: GPL-2.0-only
#include "lib/render/render.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/plural.h"
#include "lib/result.h"

/* A sweep of hundreds of points is read in the document: here are the rows that say something. */
#define MANY_ROWS 40
#define MAX_ROWS  100
#define MAX_LINES 12

/* From here on the number says no more than that it is hopeless. */
#define MANY_RUNS 1000

static bool is_verdict(const json_t *doc, const char *verdict)
{
	return !strcmp(json__string(doc, "verdict", ""), verdict);
}

/* What a person calls it: rates and times are slow or fast, anything else is better or worse. */
static const char *word_of(const json_t *row)
{
	const char *kind = json__string(row, "kind", "");
	bool speed = !strcmp(kind, "rate") || !strcmp(kind, "time");

	if (is_verdict(row, "REGRESSED"))
		return speed ? "SLOWER" : "WORSE";
	if (is_verdict(row, "IMPROVED"))
		return speed ? "FASTER" : "BETTER";
	if (is_verdict(row, "NO CHANGE"))
		return "no change";
	if (is_verdict(row, "INCONCLUSIVE"))
		return "cannot tell";
	return strcmp(json__string(row, "state", ""), "absent") ? "not compared" : "absent";
}

static const json_t *sides(const json_t *comparison)
{
	return json_object_get(comparison, "sides");
}

const char *render__side(const json_t *comparison, size_t i)
{
	return json__string(json_array_get(sides(comparison), i), "name", "?");
}

static void print_kernels(const json_t *comparison, size_t side, FILE *out)
{
	const json_t *kernels = json_object_get(json_array_get(sides(comparison), side), "kernels"),
		     *kernel;
	size_t i;

	json_array_foreach(kernels, i, kernel) {
		fputs(i ? ", " : "", out);
		render__string(out, json_string_value(kernel));
	}
}

static void print_title(const json_t *comparison, FILE *out)
{
	const json_t *design = json_object_get(comparison, "design");
	const json_t *a = json_array_get(sides(comparison), 0);
	const json_t *b = json_array_get(sides(comparison), 1);

	render__string(out, render__side(comparison, 0));
	fputs(" -> ", out);
	render__string(out, render__side(comparison, 1));
	fputs("   kernel ", out);
	print_kernels(comparison, 0, out);
	if (!json_equal(json_object_get(a, "kernels"), json_object_get(b, "kernels"))) {
		fputs(" -> ", out);
		print_kernels(comparison, 1, out);
	}
	if (json_is_true(json_object_get(design, "paired")))
		fputs("   interleaved runs", out);
	else if (json_is_true(json_object_get(design, "boots_differ")))
		fprintf(out, "   boots %lld and %lld",
			(long long)json_integer_value(json_object_get(a, "boots")),
			(long long)json_integer_value(json_object_get(b, "boots")));
	else
		fputs("   the same boot", out);
	fputc('\n', out);
}

/* "pair", "host pair": one number of them, which both sides have. */
static bool is_paired(const char *unit)
{
	size_t len = strlen(unit);

	return len >= 4 && !strcmp(unit + len - 4, "pair");
}

static void print_units(const json_t *row, FILE *out)
{
	const json_t *units = json_object_get(row, "units");
	json_int_t before = json_integer_value(json_array_get(units, 0));
	json_int_t after = json_integer_value(json_array_get(units, 1));
	const char *unit = json__string(row, "unit", "run");

	if (is_paired(unit))
		fprintf(out, "%lld %.20s%s", (long long)before, unit, plural(before));
	else
		fprintf(out, "%lld and %lld %.20s%s", (long long)before, (long long)after, unit,
			plural(after));
}

/* "hashmap-full is slower: ops_rate -3.1 %, 95 % CI -4.1 % .. -2.2 %, 10 and 10 runs" */
static void print_sentence(const json_t *comparison, const json_t *row, FILE *out)
{
	double effect = json__number(json_object_get(comparison, "options"), "min_effect");
	double needed = json__number(row, "runs_needed");
	struct change change = render__change_of(row, "lo", "hi");

	render__string(out, json__string(row, "name", "?"));
	if (is_verdict(row, "NO CHANGE")) {
		change = render__change_of(row, "lo90", "hi90");
		fprintf(out, ": no change of %.3g %% or more, 90 %% CI %s, ", effect * 100,
			change.interval);
		print_units(row, out);
		return;
	}
	fprintf(out, " %s: ",
		is_verdict(row, "INCONCLUSIVE") ? "may have changed or not"
		: is_verdict(row, "REGRESSED")	? "is worse"
						: "is better");
	render__string(out, json__string(row, "metric", "?"));
	fprintf(out, " %s, 95 %% CI %s, ", change.text, change.interval);
	print_units(row, out);
	if (!is_verdict(row, "INCONCLUSIVE") || !isfinite(needed))
		return;
	if (needed > MANY_RUNS)
		fprintf(out,
			"; more than %d would be needed: the runs differ too much, and a quieter "
			"machine ('bpfperf doctor') or longer runs (-d) help more",
			MANY_RUNS);
	else if (is_paired(json__string(row, "unit", "")))
		fprintf(out, "; about %.0f %.20ss would settle it", needed,
			json__string(row, "unit", ""));
	else
		fprintf(out, "; about %.0f %.20ss on each side would settle it", needed,
			json__string(row, "unit", "run"));
}

static void print_count(const json_t *counts, const char *key, const char *text, FILE *out)
{
	json_int_t nr = json_integer_value(json_object_get(counts, key));

	if (nr)
		fprintf(out, "; %lld %s", (long long)nr, text);
}

static void print_counts(const json_t *comparison, FILE *out)
{
	const json_t *counts = json_object_get(comparison, "counts");
	json_int_t total = json_integer_value(json_object_get(counts, "primary"));

	fprintf(out, "%lld primary metric%s", (long long)total, plural(total));
	print_count(counts, "regressed", "worse", out);
	print_count(counts, "improved", "better", out);
	print_count(counts, "no_change", "no change", out);
	print_count(counts, "inconclusive", "cannot tell", out);
	print_count(counts, "blocked", "not comparable", out);
	print_count(counts, "absent", "absent on a side", out);
}

/* Those of all sides, each once. */
void render__blocking(const json_t *comparison, FILE *out)
{
	const json_t *list = json_object_get(json_object_get(comparison, "comparability"),
					     "differences"),
		     *item;
	json_t *seen = json_object();
	size_t i;

	json_array_foreach(list, i, item) {
		const char *field = json__string(item, "field", "?");

		if (strcmp(json__string(item, "class", ""), "block") ||
		    json_object_get(seen, field))
			continue;
		fputs(json_object_size(seen) ? ", " : "the machines differ in ", out);
		render__string(out, field);
		json_object_set_new(seen, field, json_true());
	}
	json_decref(seen);
}

static void print_verdict(const json_t *comparison, FILE *out)
{
	const json_t *rows = json_object_get(comparison, "rows");
	const json_t *only = json_array_size(rows) == 1 ? json_array_get(rows, 0) : NULL;
	const json_t *comparability = json_object_get(comparison, "comparability");
	const char *overlap = json__string(comparison, "overlap", NULL);
	bool blocked = json_is_true(json_object_get(comparability, "blocked")) &&
		       !json_is_true(json_object_get(comparison, "forced"));

	render__string(out, json__string(comparison, "verdict", "?"));
	if (json_is_true(json_object_get(comparison, "forced")))
		fputs(" (FORCED, although the machines differ)", out);
	fputs("   ", out);
	if (overlap)
		render__string(out, overlap);
	else if (blocked)
		render__blocking(comparison, out);
	else if (!json_array_size(rows))
		fputs("the two have no benchmark in common", out);
	else if (only && !strcmp(json__string(only, "state", ""), "judged"))
		print_sentence(comparison, only, out);
	else if (only)
		render__string(out, json__string(only, "reason", "?"));
	else
		print_counts(comparison, out);
	fputc('\n', out);
}

static json_int_t count_of(const json_t *side, const char *key)
{
	return json_integer_value(json_object_get(side, key));
}

/*
 * Of the rows of one benchmark, which are one for each metric of the same runs: the judged one that
 * kept most disturbed runs. NULL: none was judged. `*at` becomes the next benchmark's first row.
 */
static const json_t *most_disturbed(const json_t *rows, const char *side, size_t *at)
{
	const char *key = json__string(json_array_get(rows, *at), "key", "");
	const json_t *most = NULL, *row;

	while ((row = json_array_get(rows, *at)) && !strcmp(json__string(row, "key", ""), key)) {
		const json_t *own = json_object_get(row, side);

		++*at;
		if (strcmp(json__string(row, "state", ""), "judged"))
			continue;
		if (!most || count_of(own, "disturbed") > count_of(most, "disturbed"))
			most = own;
	}
	return most;
}

/* The judged benchmarks' runs of a side that others disturbed, and that are part of the verdict. */
static void print_disturbed(const json_t *comparison, size_t side, FILE *out)
{
	const json_t *rows = json_object_get(comparison, "rows");
	json_int_t disturbed = 0, total = 0;
	const char *cause = NULL;

	for (size_t i = 0; i < json_array_size(rows);) {
		const json_t *own = most_disturbed(rows, side ? "after" : "before", &i);

		total += count_of(own, "disturbed_of");
		disturbed += count_of(own, "disturbed");
		cause = cause ? cause : json__string(own, "cause", NULL);
	}
	if (!disturbed)
		return;
	fputs("  warning: ", out);
	render__string(out, render__side(comparison, side));
	fprintf(out, ": %lld of %lld runs disturbed", (long long)disturbed, (long long)total);
	if (cause) {
		fputs(", such as: ", out);
		render__string(out, cause);
	}
	fputc('\n', out);
}

static void print_first_lines(const json_t *comparison, FILE *out)
{
	print_title(comparison, out);
	print_verdict(comparison, out);
	for (size_t side = 0; side < 2; side++)
		print_disturbed(comparison, side, out);
}

/* The end of a long value says little: a list of options, a whole command line. */
void render__short(const char *text, FILE *out)
{
	char cut[44];

	snprintf(cut, sizeof(cut), "%.40s%s", text, strlen(text) > 40 ? "..." : "");
	render__string(out, cut);
}

void render__differences(const json_t *comparison, FILE *out)
{
	const json_t *list = json_object_get(json_object_get(comparison, "comparability"),
					     "differences"),
		     *item;
	size_t i;

	if (!json_array_size(list)) {
		fputs("\n  machine    no difference in anything that is recorded\n", out);
		return;
	}
	fputc('\n', out);
	json_array_foreach(list, i, item) {
		if (i >= MAX_LINES && strcmp(json__string(item, "class", ""), "block")) {
			fprintf(out, "  %-10s %zu more (-j has them)\n", "",
				json_array_size(list) - i);
			break;
		}
		fputs("  ", out);
		render__column(out, json__string(item, "class", "?"), 11);
		render__column(out, json__string(item, "field", "?"), 28);
		render__short(json__string(item, "before", "not known"), out);
		fputs(" -> ", out);
		render__short(json__string(item, "after", "not known"), out);
		/* Of three sides and more; of two there is one difference. */
		if (json_object_get(item, "side")) {
			fputs("   ", out);
			render__string(out, render__side(comparison,
							 json_integer_value(
								 json_object_get(item, "side"))));
		}
		fputc('\n', out);
	}
}

static void print_remarks(const json_t *row, FILE *out)
{
	for (int i = 0; i < 2; i++) {
		const char *text = json__string(row, i ? "note" : "reason", NULL);

		if (!text || (i && !strcmp(text, json__string(row, "reason", ""))))
			continue;
		fprintf(out, "  %-13s ", "");
		render__string(out, text);
		fputc('\n', out);
	}
}

static void print_row(const json_t *row, FILE *out)
{
	const char *unit = json__string(row, "unit_of_value", "");
	struct change change = render__change_of(row, "lo", "hi");
	char before[48], after[48];

	render__value(before, sizeof(before), json__number(json_object_get(row, "before"), "value"),
		      unit);
	render__value(after, sizeof(after), json__number(json_object_get(row, "after"), "value"),
		      unit);
	fprintf(out, "  %-13s %9s  %-21s %10s %10s   ", word_of(row), change.text, change.interval,
		before, after);
	render__column(out, json__string(row, "metric", "?"), 11);
	render__string(out, json__string(row, "name", "?"));
	render__params(row, " ", out);
	fputc('\n', out);
	print_remarks(row, out);
}

static void print_rows(const json_t *comparison, FILE *out)
{
	const json_t *rows = json_object_get(comparison, "rows"), *row;
	size_t nr = json_array_size(rows), printed = 0, i;

	if (!nr)
		return;
	fprintf(out, "\n  %-13s %9s  %-21s %10s %10s   %-10s %s\n", "", "change", "95 % CI",
		"before", "after", "metric", "benchmark");
	json_array_foreach(rows, i, row) {
		if (nr > MANY_ROWS && (is_verdict(row, "NO CHANGE") || printed >= MAX_ROWS))
			continue;
		print_row(row, out);
		printed++;
	}
	if (printed < nr)
		fprintf(out, "  and %zu more rows (-j has them)\n", nr - printed);
}

static void print_cv(const json_t *row, const char *key, const char *before_it, const char *of,
		     FILE *out)
{
	double before = json__number(json_object_get(row, "before"), key);
	double after = json__number(json_object_get(row, "after"), key);

	if (isfinite(before) && isfinite(after))
		fprintf(out, "%s%.20s CV %.1f %% and %.1f %%", before_it, of, before * 100,
			after * 100);
}

/* Of the level that the interval is made of, and of the runs below it. */
static void print_spread(const json_t *row, FILE *out)
{
	const char *unit = json__string(row, "unit", "run");
	bool above = !strncmp(unit, "boot", 4) || !strncmp(unit, "host", 4);

	if (above)
		print_cv(row, "unit_cv", "; ", !strncmp(unit, "host", 4) ? "host" : "boot", out);
	print_cv(row, "cv", above ? ", " : "; ", "run", out);
}

static void print_method(const json_t *comparison, FILE *out)
{
	const json_t *row =
		json_array_get(json_object_get(comparison, "rows"),
			       json_integer_value(json_object_get(comparison, "headline")));
	const json_t *warnings = json_object_get(comparison, "warnings"), *warning;
	size_t i;

	if (json_is_integer(json_object_get(comparison, "headline")) &&
	    json__string(row, "method", "")[0]) {
		fputs("\n  by ", out);
		render__string(out, json__string(row, "method", "?"));
		fputs(", ", out);
		print_units(row, out);
		print_spread(row, out);
		fputc('\n', out);
	}
	json_array_foreach(warnings, i, warning) {
		fputs("  warning: ", out);
		render__string(out, json_string_value(warning));
		fputc('\n', out);
	}
}

/* For scripts: "NO_CHANGE" is one word. */
static void print_last(const json_t *comparison, FILE *out)
{
	const json_t *at = json_object_get(comparison, "headline");
	const json_t *row = json_array_get(json_object_get(comparison, "rows"),
					   json_is_integer(at) ? json_integer_value(at) : 0);
	double ratio = json__number(row, "ratio"), lo = json__number(row, "lo");
	double hi = json__number(row, "hi");

	fputs("\nverdict=", out);
	for (const char *c = json__string(comparison, "verdict", "?"); *c; c++)
		fputc(isalpha((unsigned char)*c) ? *c : '_', out);
	fputs(" primary=", out);
	render__string(out, json__string(row, "metric", "none"));
	if (isfinite(ratio))
		fprintf(out, " ratio=%.6g", ratio);
	else
		fputs(" ratio=none", out);
	if (isfinite(lo) && isfinite(hi))
		fprintf(out, " ci=%.6g..%.6g", lo, hi);
	else
		fputs(" ci=none", out);
	fputs(json_is_true(json_object_get(comparison, "forced")) ? " forced=yes\n" : "\n", out);
}

void render__compare(const json_t *comparison, FILE *out)
{
	if (json_object_get(comparison, "matrix")) {
		render__matrix(comparison, out);
		return;
	}
	print_first_lines(comparison, out);
	render__differences(comparison, out);
	print_rows(comparison, out);
	render__beside(comparison, out);
	print_method(comparison, out);
	print_last(comparison, out);
}

void render__arms(const json_t *comparison, const char *file, FILE *out)
{
	const json_t *rows = json_object_get(comparison, "rows");

	fputc('\n', out);
	print_first_lines(comparison, out);
	if (json_array_size(rows) > 1)
		print_rows(comparison, out);
	else if (json_array_size(rows))
		print_remarks(json_array_get(rows, 0), out);
	fputs("\n  next: ", out);
	if (!file)
		fputs("-o FILE.json, and ", out);
	fputs("bpfperf compare ", out);
	render__string(out, file ? file : "FILE.json");
	fputs(" (what else moved)\n", out);
}
