// SPDX-License-Identifier: GPL-2.0-only
#include "lib/render/render.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/plural.h"
#include "lib/render/notes.h"
#include "lib/render/summary.h"
#include "lib/result.h"

/* What a point has in common with those that differ from it in nothing but the producers. */
static char *family_of(const json_t *benchmark)
{
	json_t *family = json_copy(json_object_get(benchmark, "params"));
	char *text;

	json_object_del(family, "producers");
	/* Blanks are no part of a parameter's name. */
	json_object_set(family, " name", json_object_get(benchmark, "name"));
	json_object_set(family, " trigger", json_object_get(benchmark, "trigger"));
	text = json_dumps(family, JSON_COMPACT | JSON_SORT_KEYS);
	json_decref(family);
	return text;
}

/* {family: rate of one producer alone}. */
static json_t *rates_alone(const json_t *result)
{
	const json_t *benchmarks = json_object_get(result, "benchmarks"), *benchmark;
	json_t *rates = json_object();
	struct headline rate;
	size_t i;

	json_array_foreach(benchmarks, i, benchmark) {
		char *family;

		if (render__producers(benchmark) != 1 ||
		    !summary__headline(result, benchmark, "ops_rate", &rate))
			continue;
		family = family_of(benchmark);
		if (!json_object_get(rates, family))
			json_object_set_new(rates, family, json_real(rate.of_units.value));
		free(family);
	}
	return rates;
}

static bool is_scaling(const json_t *benchmarks)
{
	const json_t *benchmark;
	size_t i;

	json_array_foreach(benchmarks, i, benchmark)
		if (render__producers(benchmark) !=
		    render__producers(json_array_get(benchmarks, 0)))
			return true;
	return false;
}

struct table {
	FILE *out;
	const json_t *result;
	json_t *alone; /* rates_alone(); NULL: the points do not differ in producers */
	json_t *notes;
};

static void print_rate(const struct table *table, const struct estimate *rate)
{
	char text[32], interval[32] = "-";

	render__si(text, sizeof(text), rate->value);
	if (rate->n > 1 && summary__is_known(rate))
		snprintf(interval, sizeof(interval), "+- %.1f %%",
			 (rate->hi / rate->value - 1) * 100);
	else if (rate->n > 1)
		snprintf(interval, sizeof(interval), ">%d %%", SUMMARY_WIDEST * 100);
	else if (rate->n)
		notes__add(table->notes, "95 % CI", "one run, error not known");
	fprintf(table->out, "%12s %11s", text, interval);
}

/* What each producer gets, and how much of what it would get alone. */
static void print_scaling(const struct table *table, const json_t *benchmark,
			  const struct estimate *rate)
{
	char *family = family_of(benchmark);
	double each = rate->value / render__producers(benchmark);
	double efficiency = each / json__number(table->alone, family);
	char text[32], share[32] = "-";

	render__si(text, sizeof(text), each);
	if (isfinite(efficiency))
		snprintf(share, sizeof(share), "%.0f %%", efficiency * 100);
	else if (isfinite(each))
		notes__add(table->notes, "efficiency",
			   "no point with one producer to compare with");
	fprintf(table->out, " %12s %10s", text, share);
	free(family);
}

static void note_absent(const struct table *table, const json_t *benchmark, const char *column,
			const char *metric)
{
	int runs;
	const char *reason = summary__absent(benchmark, "clean", metric, &runs);

	/* Without a run that counts there is a line about that. */
	if (summary__first(benchmark))
		notes__add(table->notes, column, reason ? reason : "not above 0 in a run");
}

static void print_cost(const struct table *table, const json_t *benchmark)
{
	char gross_text[32] = "-", net_text[32] = "-";
	struct headline gross, net;

	if (summary__headline(table->result, benchmark, "ns_op", &gross))
		render__number(gross_text, sizeof(gross_text), gross.of_units.value);
	else
		note_absent(table, benchmark, "ns/op", "ns_op");
	if (summary__net(table->result, benchmark, &net))
		render__number(net_text, sizeof(net_text), net.of_units.value);
	else
		note_absent(table, benchmark, "net", "ns_op_net");
	fprintf(table->out, " %9s %9s", gross_text, net_text);
}

/* What tells a point of the sweep from the others. */
void render__point(const json_t *benchmark, FILE *out)
{
	render__string(out, json__string(benchmark, "name", "?"));
	fprintf(out, " -p %d", render__producers(benchmark));
	render__params(benchmark, " ", out);
	if (json__string(benchmark, "trigger", NULL)) {
		fputs(" (", out);
		render__string(out, json__string(benchmark, "trigger", ""));
		fputc(')', out);
	}
	fputc('\n', out);
}

/* What the interval is made of, where that is not the same for all: "3 boots". */
static void print_units(FILE *out, const struct headline *rate)
{
	char text[32];

	snprintf(text, sizeof(text), "%zu %s%s", rate->of_units.n, rate->unit,
		 plural(rate->of_units.n));
	fprintf(out, " %10s", text);
}

static void print_row(const struct table *table, const json_t *benchmark)
{
	struct run_tally tally = summary__tally(benchmark, "clean");
	struct headline rate;

	if (!summary__headline(table->result, benchmark, "ops_rate", &rate)) {
		rate = (struct headline){.unit = "run", .of_units = {0, NAN, NAN, NAN, NAN}};
		note_absent(table, benchmark, "ops/s", "ops_rate");
	}
	print_rate(table, &rate.of_units);
	if (render__boots(table->result) > 1)
		print_units(table->out, &rate);
	if (table->alone)
		print_scaling(table, benchmark, &rate.of_units);
	print_cost(table, benchmark);
	fputs("   ", table->out);
	render__point(benchmark, table->out);
	render__tally(&tally, "", table->out);
	render__other_runs(benchmark, table->out);
}

static void print_title(FILE *out, const json_t *result)
{
	fprintf(out, "%zu points, ", json_array_size(json_object_get(result, "benchmarks")));
	render__extent(result, out);
	fputs(", interleaved\n\n", out);
}

void render__sweep(const json_t *result, FILE *out)
{
	const json_t *benchmarks = json_object_get(result, "benchmarks"), *benchmark;
	struct table table = {.out = out, .result = result, .notes = json_object()};
	size_t i;

	table.alone = is_scaling(benchmarks) ? rates_alone(result) : NULL;
	print_title(out, result);
	fprintf(out, "%12s %11s", "ops/s", "95 % CI");
	if (render__boots(result) > 1)
		fprintf(out, " %10s", "of");
	if (table.alone)
		fprintf(out, " %12s %10s", "each", "efficiency");
	fprintf(out, " %9s %9s   %s\n", "ns/op", "net", "point");
	json_array_foreach(benchmarks, i, benchmark)
		print_row(&table, benchmark);
	notes__print(table.notes, out);
	json_decref(table.alone);
	json_decref(table.notes);
	render__locks_of_points(result, out);
	render__grace_of_points(result, out);
}
