// SPDX-License-Identifier: GPL-2.0-only
#include "lib/render/render.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/render/counter.h"
#include "lib/render/summary.h"
#include "lib/result.h"

/* RFC 4180: a field with the separator, a quote or a line end is quoted. */
static void print_text(FILE *out, const char *text, const char *separator)
{
	const char *quote;

	if (!strstr(text, separator) && !strpbrk(text, "\"\r\n")) {
		render__string(out, text);
		return;
	}
	fputc('"', out);
	for (; (quote = strchr(text, '"')); text = quote + 1) {
		render__part(out, text, quote - text);
		fputs("\"\"", out);
	}
	render__string(out, text);
	fputc('"', out);
}

/* Empty, where there is no number: what is absent is not zero. */
static void print_number(FILE *out, double value, const char *separator)
{
	fputs(separator, out);
	if (isfinite(value))
		fprintf(out, "%.17g", value);
}

struct csv {
	FILE *out;
	const char *separator;
	const json_t *result, *benchmark;
};

/* A figure with what it is made of. */
struct figure {
	struct estimate estimate;
	size_t runs;
	const char *unit; /* of its interval: n of them; NULL: one sum over all runs */
	const char *reason;
};

static void print_row(const struct csv *csv, const char *metric, const struct figure *figure)
{
	const struct estimate *estimate = &figure->estimate;
	const json_t *row = json_object_get(json_object_get(csv->result, "metrics"), metric);

	print_text(csv->out, json__string(csv->benchmark, "key", "?"), csv->separator);
	fputs(csv->separator, csv->out);
	print_text(csv->out, metric, csv->separator);
	fputs(csv->separator, csv->out);
	print_text(csv->out, json__string(row, "unit", ""), csv->separator);
	print_number(csv->out, estimate->value, csv->separator);
	print_number(csv->out, estimate->lo, csv->separator);
	print_number(csv->out, estimate->hi, csv->separator);
	print_number(csv->out, estimate->cv, csv->separator);
	fprintf(csv->out, "%s%zu%s", csv->separator, figure->runs, csv->separator);
	print_text(csv->out, figure->reason ? figure->reason : "", csv->separator);
	fprintf(csv->out, "%s%s%s%zu\n", csv->separator, figure->unit ? figure->unit : "sum",
		csv->separator, figure->unit ? estimate->n : figure->runs);
}

/* A run that lacks the figure has no part in it. */
static struct figure figure_of(const struct csv *csv, const char *metric)
{
	struct headline headline = {.unit = "run"};

	/* A mean of values that may be 0 has no logarithm, and no interval here. */
	if (!summary__headline(csv->result, csv->benchmark, metric, &headline))
		headline.of_units = (struct estimate){
			headline.of_units.n,
			summary__mean(csv->result, csv->benchmark, metric),
			NAN,
			NAN,
			NAN,
		};
	return (struct figure){headline.of_units, headline.runs, headline.unit, NULL};
}

static void print_values(const struct csv *csv)
{
	const struct value_name *list;
	struct name_index names;

	if (summary__names(csv->benchmark, &names))
		return;
	list = names.items;
	for (size_t i = 0; i < names.nr; i++) {
		struct figure figure = figure_of(csv, list[i].metric);

		/* Of runs that have no part in the value there is nothing to say beside it. */
		if (!isfinite(figure.estimate.value))
			figure.reason = list[i].reason;
		print_row(csv, list[i].metric, &figure);
	}
	name_index__free(&names);
}

static void print_counters(const struct csv *csv)
{
	struct counters counters;

	if (counters__sum(csv->benchmark, false, &counters))
		return;
	for (size_t i = 0; i < counters.nr; i++) {
		const struct counter_total *sum = &counters.of[i];
		struct figure figure = {.estimate = {0, sum->per_op, NAN, NAN, NAN},
					.runs = sum->runs};

		if (sum->reason)
			figure = (struct figure){{0, NAN, NAN, NAN, NAN}, 0, NULL, sum->reason};
		print_row(csv, sum->metric, &figure);
	}
	free(counters.of);
}

void render__csv(const json_t *result, const char *separator, FILE *out)
{
	struct csv csv = {.out = out, .separator = separator, .result = result};
	static const char *const columns[] = {"key",	 "metric",    "unit",	   "value",
					      "ci95_lo", "ci95_hi",   "cv",	   "runs",
					      "reason",	 "replicate", "replicates"};
	size_t i;

	for (i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		fprintf(out, "%s%s", i ? separator : "", columns[i]);
	fputc('\n', out);
	json_array_foreach(json_object_get(result, "benchmarks"), i, csv.benchmark) {
		struct run_tally tally = summary__tally(csv.benchmark, "clean");
		struct figure none = {{0, NAN, NAN, NAN, NAN}, 0, "run", tally.reason};

		print_values(&csv);
		print_counters(&csv);
		if (!tally.ok)
			print_row(&csv, json__string(csv.benchmark, "primary", "?"), &none);
	}
}
