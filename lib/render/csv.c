// SPDX-License-Identifier: GPL-2.0-only
#include "lib/render/render.h"

#include <math.h>
#include <string.h>

#include "lib/render/summary.h"
#include "lib/result.h"

/* RFC 4180: a field with the separator, a quote or a line end is quoted. */
static void print_text(FILE *out, const char *text, const char *separator)
{
	if (!strstr(text, separator) && !strpbrk(text, "\"\r\n")) {
		render__string(out, text);
		return;
	}
	fputc('"', out);
	for (; *text; text++) {
		char one[2] = {*text, '\0'};

		if (*text == '"')
			fputc('"', out);
		render__string(out, one);
	}
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

static void print_row(const struct csv *csv, const char *metric, const struct estimate *estimate,
		      const char *reason)
{
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
	fprintf(csv->out, "%s%zu%s", csv->separator, estimate->n, csv->separator);
	print_text(csv->out, reason ? reason : "", csv->separator);
	fputc('\n', csv->out);
}

static void print_values(const struct csv *csv, const json_t *run)
{
	const json_t *value, *absent = json_object_get(run, "values_absent");
	const char *metric;

	json_object_foreach(json_object_get(run, "values"), metric, value) {
		struct estimate estimate = {0, NAN, NAN, NAN, NAN};

		/* A mean of values that may be 0 has no logarithm, and no interval here. */
		if (!summary__estimate(csv->benchmark, metric, &estimate))
			estimate.value = summary__mean(csv->benchmark, metric);
		estimate.n = summary__tally(csv->benchmark).ok;
		print_row(csv, metric, &estimate, json__string(absent, metric, NULL));
	}
}

static void print_counters(const struct csv *csv, const json_t *run)
{
	const json_t *row;
	size_t i;

	json_array_foreach(json_object_get(run, "counters"), i, row) {
		const char *metric = json__string(row, "metric", "?");
		struct estimate estimate = {0, NAN, NAN, NAN, NAN};
		struct counter_total sum;

		if (json_integer_value(json_object_get(row, "tid")))
			continue;
		sum = summary__counter(csv->benchmark, metric);
		estimate.value = sum.reason ? NAN : sum.per_op;
		estimate.n = sum.reason ? 0 : (size_t)summary__tally(csv->benchmark).ok;
		print_row(csv, metric, &estimate, sum.reason);
	}
}

void render__csv(const json_t *result, const char *separator, FILE *out)
{
	struct csv csv = {.out = out, .separator = separator, .result = result};
	static const char *const columns[] = {"key",	 "metric", "unit", "value", "ci95_lo",
					      "ci95_hi", "cv",	   "runs", "reason"};
	size_t i;

	for (i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		fprintf(out, "%s%s", i ? separator : "", columns[i]);
	fputc('\n', out);
	json_array_foreach(json_object_get(result, "benchmarks"), i, csv.benchmark) {
		const json_t *run = summary__first(csv.benchmark);
		struct run_tally tally = summary__tally(csv.benchmark);
		struct estimate none = {0, NAN, NAN, NAN, NAN};

		print_values(&csv, run);
		print_counters(&csv, run);
		if (!run)
			print_row(&csv, json__string(csv.benchmark, "primary", "?"), &none,
				  tally.reason);
	}
}
