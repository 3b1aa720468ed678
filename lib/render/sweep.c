// SPDX-License-Identifier: GPL-2.0-only
#include "lib/render/render.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/render/summary.h"
#include "lib/result.h"

/* Do these two differ in nothing but the number of producers? */
static bool same_but_producers(const json_t *a, const json_t *b)
{
	json_t *x = json_copy(json_object_get(a, "params"));
	json_t *y = json_copy(json_object_get(b, "params"));
	bool same;

	json_object_del(x, "producers");
	json_object_del(y, "producers");
	same = json_equal(x, y) &&
	       json_equal(json_object_get(a, "name"), json_object_get(b, "name")) &&
	       json_equal(json_object_get(a, "trigger"), json_object_get(b, "trigger"));
	json_decref(x);
	json_decref(y);
	return same;
}

/* Rate of one producer alone with the same parameters; NaN if the sweep has no such point. */
static double rate_alone(const json_t *benchmarks, const json_t *benchmark)
{
	const json_t *other;
	struct estimate rate;
	size_t i;

	json_array_foreach(benchmarks, i, other)
		if (render__producers(other) == 1 && same_but_producers(other, benchmark) &&
		    summary__estimate(other, "ops_rate", &rate))
			return rate.value;
	return NAN;
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

static void print_rate(FILE *out, const struct estimate *rate)
{
	char text[32], interval[64] = "";

	render__si(text, sizeof(text), rate->value);
	if (rate->n > 1)
		snprintf(interval, sizeof(interval), "+- %.1f %%",
			 (rate->hi / rate->value - 1) * 100);
	fprintf(out, "%12s %11s", text, interval);
}

/* What each producer gets, and how much of what it would get alone. */
static void print_scaling(FILE *out, const json_t *benchmarks, const json_t *benchmark,
			  const struct estimate *rate)
{
	double each = rate->value / render__producers(benchmark);
	double efficiency = each / rate_alone(benchmarks, benchmark);
	char text[32], share[32] = "-";

	render__si(text, sizeof(text), each);
	if (isfinite(efficiency))
		snprintf(share, sizeof(share), "%.0f %%", efficiency * 100);
	fprintf(out, " %12s %10s", text, share);
}

static void print_cost(FILE *out, const json_t *benchmark)
{
	char gross_text[32] = "-", net_text[32] = "-";
	struct estimate gross, net;

	if (summary__estimate(benchmark, "ns_op", &gross))
		render__number(gross_text, sizeof(gross_text), gross.value);
	if (summary__net(benchmark, &net))
		render__number(net_text, sizeof(net_text), net.value);
	fprintf(out, " %9s %9s", gross_text, net_text);
}

static void print_row(FILE *out, const json_t *benchmarks, const json_t *benchmark, bool scaling)
{
	struct run_tally tally = summary__tally(benchmark);
	struct estimate rate = {0, NAN, NAN, NAN, NAN};

	summary__estimate(benchmark, "ops_rate", &rate);
	print_rate(out, &rate);
	if (scaling)
		print_scaling(out, benchmarks, benchmark, &rate);
	print_cost(out, benchmark);
	fputs("   ", out);
	render__string(out, json__string(benchmark, "name", "?"));
	fprintf(out, " -p %d", render__producers(benchmark));
	render__params(benchmark, " ", out);
	if (json__string(benchmark, "trigger", NULL)) {
		fputs(" (", out);
		render__string(out, json__string(benchmark, "trigger", ""));
		fputc(')', out);
	}
	fputc('\n', out);
	render__tally(&tally, out);
}

void render__sweep(const json_t *result, FILE *out)
{
	const json_t *plan = json_object_get(json_object_get(result, "tool"), "plan");
	const json_t *benchmarks = json_object_get(result, "benchmarks"), *benchmark;
	bool scaling = is_scaling(benchmarks);
	size_t i;

	fprintf(out, "%zu points, %lld runs x %g s each, interleaved\n\n",
		json_array_size(benchmarks),
		(long long)json_integer_value(json_object_get(plan, "runs")),
		json__number(plan, "duration_ms") / 1000);
	fprintf(out, "%12s %11s", "ops/s", "95 % CI");
	if (scaling)
		fprintf(out, " %12s %10s", "each", "efficiency");
	fprintf(out, " %9s %9s   %s\n", "ns/op", "net", "point");
	json_array_foreach(benchmarks, i, benchmark)
		print_row(out, benchmarks, benchmark, scaling);
}
