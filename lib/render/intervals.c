// SPDX-License-Identifier: GPL-2.0-only
#include "lib/render/render.h"

#include <math.h>

#include "lib/render/counter.h"
#include "lib/render/summary.h"
#include "lib/result.h"

/* Columns 0 to 3 are t_ns, dur_ns, warmup and ops; sensors append theirs. */
#define FIRST_COUNTER 4

/* Below a longer title numbers stand where they can. */
#define MAX_WIDTH 64

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
		size_t width = json_string_length(json_array_get(columns, i));

		render__grouped(text, sizeof(text),
				json_is_number(value) ? json_number_value(value) : NAN);
		fprintf(out, "  %*s", (int)(width < MAX_WIDTH ? width : MAX_WIDTH), text);
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

static void print_thread_counter(FILE *out, const struct counter_total *sum, size_t runs)
{
	char value[48], per_op[32];

	render__grouped(value, sizeof(value), sum->reason ? NAN : sum->total);
	render__number(per_op, sizeof(per_op), sum->reason ? NAN : sum->per_op);
	fprintf(out, "%10d %20s %10s   ", sum->tid, value, per_op);
	render__string(out, sum->metric);
	if (sum->reason) {
		fputs("   ", out);
		render__string(out, sum->reason);
	} else {
		render__part_of_runs(sum, runs, out);
	}
	fputc('\n', out);
}

void render__per_thread(const json_t *result, FILE *out)
{
	const char *title = render__boots(result) > 1 ? "total of all boots" : "total of all runs";
	const json_t *benchmark;
	size_t b;

	json_array_foreach(json_object_get(result, "benchmarks"), b, benchmark) {
		size_t runs = summary__tally(benchmark, "clean").ok;
		struct counters counters;

		if (counters__sum(benchmark, true, &counters))
			return;
		if (counters.nr)
			fprintf(out, "\n%10s %20s %10s   %s\n", "producer", title, "per op",
				"event");
		for (size_t i = 0; i < counters.nr; i++)
			print_thread_counter(out, &counters.of[i], runs);
		free(counters.of);
	}
}
