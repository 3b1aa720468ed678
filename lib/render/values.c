// SPDX-License-Identifier: GPL-2.0-only
#include "lib/render/render.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "lib/metric.h"
#include "lib/plural.h"
#include "lib/render/summary.h"
#include "lib/result.h"

#define WITHIN "within the harness"

/* A number that has no logarithm, and is no cost either. */
#define NOT_ABOVE_0 "not above 0 in a run"

/* What is known of the net cost where it is no number in some run, or in all of them. */
static void print_no_net(FILE *out, const json_t *benchmark)
{
	int total = summary__tally(benchmark, "clean").ok, runs;
	const char *reason = summary__absent(benchmark, "clean", "ns_op_net", &runs);
	bool within = reason && !strncmp(reason, WITHIN, strlen(WITHIN));

	fputs(within ? ", " : ", net not known: ", out);
	render__string(out, within ? WITHIN : reason ? reason : NOT_ABOVE_0);
	if (runs && runs < total)
		fprintf(out, " in %d of %d run%s", runs, total, plural(total));
}

void render__cost(const json_t *result, const json_t *benchmark, FILE *out)
{
	struct headline gross, net;
	char text[32];

	if (!summary__headline(result, benchmark, "ns_op", &gross)) {
		int runs;
		const char *reason = summary__absent(benchmark, "clean", "ns_op", &runs);

		fputs("     cost not known: ", out);
		render__string(out, reason ? reason : NOT_ABOVE_0);
		return;
	}
	render__number(text, sizeof(text), gross.of_units.value);
	fprintf(out, "     %s ns/op", text);
	if (summary__net(result, benchmark, &net)) {
		render__number(text, sizeof(text), net.of_units.value);
		fprintf(out, ", %s net of the harness", text);
	} else if (json__string(benchmark, "trigger", NULL)) {
		/* In user space there is no harness to be net of. */
		print_no_net(out, benchmark);
	}
}

static bool is_engine_metric(const char *name)
{
	const struct metric *metric = engine_metrics;

	while (metric->name && strcmp(metric->name, name))
		metric++;
	return metric->name;
}

static bool is_rate(const json_t *metrics, const char *name)
{
	return !strcmp(json__string(json_object_get(metrics, name), "kind", ""), "rate");
}

static void print_name(FILE *out, const char *name, bool rate)
{
	size_t len = strlen(name);

	if (rate && len > 5 && !strcmp(name + len - 5, "_rate"))
		len -= 5;
	render__part(out, name, len);
}

static void print_value(FILE *out, double value, bool rate)
{
	char text[32];

	if (rate)
		render__si(text, sizeof(text), value);
	else
		snprintf(text, sizeof(text), "%.3g", value);
	fprintf(out, " %s", text);
}

/*
 * What the benchmark counts beside operations (failed, inserted, ...), or else its figures that are
 * no rates: a share of errors, wake-ups per operation.
 */
static void print_line(FILE *out, const json_t *result, const json_t *benchmark,
		       const struct name_index *names, bool rates)
{
	const json_t *metrics = json_object_get(result, "metrics");
	const struct value_name *list = names->items;
	bool any = false;

	for (size_t i = 0; i < names->nr; i++) {
		const char *name = list[i].metric;
		double mean;

		if (is_engine_metric(name) || is_rate(metrics, name) != rates)
			continue;
		mean = summary__mean(result, benchmark, name);
		if (!isfinite(mean))
			continue;
		fputs(any ? "   " : "    ", out);
		print_name(out, name, rates);
		print_value(out, mean, rates);
		any = true;
	}
	if (any)
		fputs(rates ? " /s\n" : "\n", out);
}

static bool is_unasked(const char *reason)
{
	return reason && !strncmp(reason, METRIC_UNASKED, strlen(METRIC_UNASKED));
}

/* A value that no run has. */
static void print_absent(FILE *out, const json_t *result, const json_t *benchmark,
			 const struct name_index *names)
{
	const json_t *metrics = json_object_get(result, "metrics");
	const struct value_name *list = names->items;

	for (size_t i = 0; i < names->nr; i++) {
		const char *name = list[i].metric;

		if (is_engine_metric(name) || is_unasked(list[i].reason) ||
		    isfinite(summary__mean(result, benchmark, name)))
			continue;
		fputs("    ", out);
		print_name(out, name, is_rate(metrics, name));
		fputs(" -   ", out);
		render__string(out, list[i].reason ? list[i].reason : "no reason given");
		fputc('\n', out);
	}
}

void render__values(const json_t *result, const json_t *benchmark, FILE *out)
{
	struct name_index names;

	if (summary__names(benchmark, &names))
		return;
	print_line(out, result, benchmark, &names, true);
	print_line(out, result, benchmark, &names, false);
	print_absent(out, result, benchmark, &names);
	name_index__free(&names);
}
