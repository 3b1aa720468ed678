// SPDX-License-Identifier: GPL-2.0-only
#include "lib/render/render.h"

#include <math.h>
#include <string.h>

#include "lib/render/summary.h"
#include "lib/result.h"

/* Columns 0 to 3 are t_ns, dur_ns, warmup and ops; sensors append theirs. */
#define FIRST_COUNTER 4

static void print_header(FILE *out, const json_t *columns)
{
	const json_t *name;
	size_t i;

	fprintf(out, "\n%5s %10s %12s", "run", "time s", "ops/s");
	json_array_foreach(columns, i, name) {
		if (i < FIRST_COUNTER)
			continue;
		fputs("  ", out);
		render__string(out, json_string_value(name));
	}
	fputc('\n', out);
}

static void print_row(FILE *out, const json_t *run, const json_t *columns, const json_t *row)
{
	double dur = json_number_value(json_array_get(row, 1));
	double ops = json_number_value(json_array_get(row, 3));
	char text[48];

	render__si(text, sizeof(text), ops * 1e9 / dur);
	fprintf(out, "%5lld %10.3f %12s", (long long)json_integer_value(json_object_get(run, "n")),
		(json_number_value(json_array_get(row, 0)) + dur) / 1e9, text);
	for (size_t i = FIRST_COUNTER; i < json_array_size(columns); i++) {
		const json_t *value = json_array_get(row, i);
		const char *name = json_string_value(json_array_get(columns, i));

		render__grouped(text, sizeof(text),
				json_is_number(value) ? json_number_value(value) : NAN);
		fprintf(out, "  %*s", name ? (int)strlen(name) : 0, text);
	}
	if (json_integer_value(json_array_get(row, 2)))
		fputs("  warm-up", out);
	fputc('\n', out);
}

void render__intervals(const json_t *result, FILE *out)
{
	const json_t *benchmark, *run, *row;
	size_t b, r, i;

	json_array_foreach(json_object_get(result, "benchmarks"), b, benchmark) {
		bool titled = false;

		json_array_foreach(json_object_get(benchmark, "runs"), r, run) {
			const json_t *intervals = json_object_get(run, "intervals");
			const json_t *columns = json_object_get(intervals, "columns");

			if (!summary__counts(run))
				continue;
			if (!titled)
				print_header(out, columns);
			titled = true;
			json_array_foreach(json_object_get(intervals, "rows"), i, row)
				print_row(out, run, columns, row);
		}
	}
}

/* Counters of each producer, over the clean runs. */
static void print_thread_counter(FILE *out, const json_t *benchmark, const char *metric, int tid)
{
	double total = 0, ops = 0;
	const json_t *run, *row;
	char value[48], per_op[32];
	size_t i, j;

	json_array_foreach(json_object_get(benchmark, "runs"), i, run) {
		if (!summary__counts(run))
			continue;
		ops += json__number(json_array_get(json_object_get(run, "threads"), tid), "ops");
		json_array_foreach(json_object_get(run, "counters"), j, row)
			if (json_integer_value(json_object_get(row, "tid")) == tid &&
			    !strcmp(json__string(row, "metric", ""), metric))
				total += json__number(row, "scaled");
	}
	render__grouped(value, sizeof(value), total);
	render__number(per_op, sizeof(per_op), total / ops);
	fprintf(out, "%10d %20s %10s   ", tid, value, per_op);
	render__string(out, metric);
	fputc('\n', out);
}

void render__per_thread(const json_t *result, FILE *out)
{
	const json_t *benchmark, *row;
	size_t b, i;

	json_array_foreach(json_object_get(result, "benchmarks"), b, benchmark) {
		const json_t *run = summary__first(benchmark);

		if (!json_array_size(json_object_get(run, "counters")))
			continue;
		fprintf(out, "\n%10s %20s %10s   %s\n", "producer", "total of all runs", "per op",
			"event");
		json_array_foreach(json_object_get(run, "counters"), i, row)
			if (json_is_number(json_object_get(row, "scaled")))
				print_thread_counter(
					out, benchmark, json__string(row, "metric", "?"),
					json_integer_value(json_object_get(row, "tid")));
	}
}
