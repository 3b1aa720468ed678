// SPDX-License-Identifier: GPL-2.0-only
#include "lib/render/render.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/plural.h"
#include "lib/render/counter.h"
#include "lib/render/summary.h"
#include "lib/result.h"

/* More producers than this are summed up instead of listed. */
#define MAX_LISTED_PRODUCERS 16

/* What the runs have in common is read from the first that counts: others may have no readings. */
static const json_t *typical_run(const json_t *benchmark)
{
	const json_t *first = summary__first(benchmark);

	return first ? first : json_array_get(json_object_get(benchmark, "runs"), 0);
}

int render__producers(const json_t *benchmark)
{
	return json_integer_value(
		json_object_get(json_object_get(benchmark, "params"), "producers"));
}

size_t render__boots(const json_t *result)
{
	return json_array_size(json_object_get(result, "boots"));
}

static void print_value(FILE *out, const json_t *value)
{
	if (json_is_string(value))
		render__string(out, json_string_value(value));
	else
		fprintf(out, "%lld", (long long)json_integer_value(value));
}

/* Only the parameters that say something: `defaults` of the document lists the others. */
void render__params(const json_t *benchmark, const char *separator, FILE *out)
{
	const json_t *shown = json_object_get(benchmark, "shown"), *name;
	const json_t *params = json_object_get(benchmark, "params");
	bool any = false;
	size_t i;

	json_array_foreach(shown, i, name) {
		const json_t *value = json_object_get(params, json_string_value(name));

		if (!value)
			continue;
		fputs(any ? " " : separator, out);
		render__string(out, json_string_value(name));
		fputc('=', out);
		print_value(out, value);
		any = true;
	}
}

static void print_placement(FILE *out, const json_t *result, const json_t *benchmark)
{
	const json_t *plan = json_object_get(json_object_get(result, "tool"), "plan");
	int producers = render__producers(benchmark);
	bool pinned = json_is_true(json_object_get(plan, "affinity"));

	fprintf(out, "   %d producer%s", producers, plural(producers));
	if (pinned) {
		const json_t *first = typical_run(benchmark);
		const json_t *threads = json_object_get(first, "threads"), *thread;
		size_t i;

		json_array_foreach(threads, i, thread) {
			if (i >= MAX_LISTED_PRODUCERS)
				break;
			fprintf(out, "%s%lld",
				i		 ? ","
				: producers == 1 ? " on CPU "
						 : " on CPUs ",
				(long long)json_integer_value(json_object_get(thread, "cpu")));
		}
		if (json_array_size(threads) > MAX_LISTED_PRODUCERS)
			fputs(",...", out);
	} else {
		fputs(", floating", out);
	}
}

static void print_header(FILE *out, const json_t *result, const json_t *benchmark)
{
	const char *trigger = json__string(benchmark, "trigger", NULL);

	render__string(out, json__string(benchmark, "name", "?"));
	render__params(benchmark, "   ", out);
	print_placement(out, result, benchmark);
	if (trigger) {
		fputs("   trigger ", out);
		render__string(out, trigger);
	}
	fputs("   ", out);
	render__extent(result, out);
	fputc('\n', out);
}

/* What the interval speaks of: "(3 boots x 5 runs)", "(2 hosts, 5 boots, 21 runs)". */
static void print_units(FILE *out, const struct headline *rate)
{
	const char *times = rate->balanced ? " x " : ", ";
	size_t boots = rate->balanced ? rate->boots / rate->hosts : rate->boots;
	size_t runs = rate->balanced ? rate->runs / rate->boots : rate->runs;

	fputs(" (", out);
	if (rate->hosts > 1)
		fprintf(out, "%zu hosts%s", rate->hosts, times);
	fprintf(out, "%zu boot%s%s%zu run%s)", boots, plural(boots), times, runs, plural(runs));
}

static void print_interval(FILE *out, const json_t *result, const struct headline *rate,
			   const struct si *si)
{
	char lo[32], hi[32], factor[32];

	if (rate->of_units.n < 2) {
		fputs("one run, error not known", out);
		return;
	}
	render__si_in(lo, sizeof(lo), rate->of_units.lo, si);
	render__si_in(hi, sizeof(hi), rate->of_units.hi, si);
	render__number(factor, sizeof(factor), rate->factor);
	if (summary__is_known(&rate->of_units))
		fprintf(out, "95 %% CI %s - %s", lo, hi);
	else
		fprintf(out, "error not known: the %ss differ by a factor of %s", rate->unit,
			factor);
	if (render__boots(result) > 1)
		print_units(out, rate);
}

/* Runs that are ok, and yet no mean of them. */
static void print_no_rate(FILE *out, const json_t *benchmark)
{
	int runs;
	const char *reason = summary__absent(benchmark, "clean", "ops_rate", &runs);

	fputs("    no rate: ", out);
	render__string(out, reason ? reason : "not above 0 in a run");
	fputc('\n', out);
}

static void print_headline(FILE *out, const json_t *result, const json_t *benchmark,
			   const struct run_tally *tally)
{
	struct headline rate;
	char text[32];
	struct si si;

	if (!summary__headline(result, benchmark, "ops_rate", &rate)) {
		if (tally->ok)
			print_no_rate(out, benchmark);
		return;
	}
	si = render__si_unit(rate.of_units.value);
	render__si_in(text, sizeof(text), rate.of_units.value, &si);
	fprintf(out, "    %s%s ops/s   ", text, si.unit);
	print_interval(out, result, &rate, &si);
	render__cost(result, benchmark, out);
	if (tally->ok == tally->total) {
		fputs("     ", out);
		render__string(out, json__string(benchmark, "checked", "checked"));
		fputs(": check ok", out);
	}
	fputc('\n', out);
}

static void print_producer_range(FILE *out, const json_t *result, const json_t *benchmark,
				 int producers)
{
	double low = INFINITY, high = 0;
	char lo[32], hi[32];

	for (int i = 0; i < producers; i++) {
		double rate = summary__thread_rate(result, benchmark, i);

		low = fmin(low, rate);
		high = fmax(high, rate);
	}
	render__si(lo, sizeof(lo), low);
	render__si(hi, sizeof(hi), high);
	fprintf(out, "    producers %s - %s ops/s", lo, hi);
}

/* What sets runs of one boot apart, and what sets boots apart, are two things. */
static void print_spread(FILE *out, const json_t *result, const json_t *benchmark)
{
	struct headline rate;

	if (!summary__headline(result, benchmark, "ops_rate", &rate))
		return;
	if (isfinite(rate.run_cv))
		fprintf(out, "     run CV %.1f %%%s", rate.run_cv * 100,
			render__boots(result) > 1 ? " within a boot" : "");
	if (rate.boots > 1)
		fprintf(out, "%s%s CV %.1f %%", isfinite(rate.run_cv) ? ", " : "     ", rate.unit,
			rate.of_units.cv * 100);
}

static void print_producers(FILE *out, const json_t *result, const json_t *benchmark)
{
	const json_t *first = typical_run(benchmark);
	const json_t *threads = json_object_get(first, "threads");
	struct si si = render__si_unit(summary__thread_rate(result, benchmark, 0));
	int producers = render__producers(benchmark);
	char text[32];

	if (producers > MAX_LISTED_PRODUCERS) {
		print_producer_range(out, result, benchmark, producers);
	} else {
		for (int i = 0; i < producers; i++) {
			const json_t *cpu = json_object_get(json_array_get(threads, i), "cpu");

			render__si_in(text, sizeof(text),
				      summary__thread_rate(result, benchmark, i), &si);
			fprintf(out, "%s%s %lld  %s", i ? "   " : "    ",
				json_is_integer(cpu) ? "CPU" : "producer",
				json_is_integer(cpu) ? (long long)json_integer_value(cpu) : i,
				text);
		}
		fprintf(out, "%s ops/s", si.unit);
	}
	print_spread(out, result, benchmark);
	fputc('\n', out);
}

/* A sum is of the runs that have the counter: others, of another boot say, may have none. */
void render__part_of_runs(const struct counter_total *sum, size_t runs, FILE *out)
{
	if (sum->runs < runs)
		fprintf(out, "   in %zu of %zu runs", sum->runs, runs);
}

static void print_counter(FILE *out, const json_t *result, const struct counter_total *sum,
			  size_t runs)
{
	const json_t *metric = json_object_get(json_object_get(result, "metrics"), sum->metric);
	char total[48], per_op[32];

	render__grouped(total, sizeof(total), sum->total);
	render__number(per_op, sizeof(per_op), sum->per_op);
	fprintf(out, "%10s %20s   ", per_op, total);
	render__string(out, sum->metric);
	if (!strcmp(json__string(metric, "unit", ""), "ns"))
		fputs(" (ns)", out);
	if (sum->running < 0.9995)
		fprintf(out, "   counted %.1f %% of the time, and scaled", sum->running * 100);
	render__part_of_runs(sum, runs, out);
	if (sum->note) {
		fputs("   ", out);
		render__string(out, sum->note);
	}
	fputc('\n', out);
}

/* Neighbours that are absent for one reason share it: eight times "no PMU" says no more than once. */
static void print_absent(FILE *out, const struct counter_total *sums, size_t nr)
{
	size_t column = 0;

	fprintf(out, "%10s %20s   ", "-", "-");
	for (size_t i = 0; i < nr; i++) {
		if (column && column + strlen(sums[i].metric) > 64) {
			fprintf(out, ",\n%34s", "");
			column = 0;
		} else if (i) {
			fputs(", ", out);
		}
		render__string(out, sums[i].metric);
		column += strlen(sums[i].metric) + 2;
	}
	fprintf(out, "\n%34s", "");
	render__string(out, sums[0].reason);
	fputc('\n', out);
}

static void print_counters(FILE *out, const json_t *result, const json_t *benchmark)
{
	size_t runs = summary__tally(benchmark, "clean").ok;
	struct counters counters;

	if (counters__sum(benchmark, false, &counters))
		return;
	if (counters.nr)
		fprintf(out, "\n%10s %20s   %s\n", "per op",
			render__boots(result) > 1 ? "total of all boots" : "total of all runs",
			"event");
	for (size_t i = 0, next; i < counters.nr; i = next) {
		const struct counter_total *sum = &counters.of[i];

		next = i + 1;
		if (!sum->reason) {
			print_counter(out, result, sum, runs);
			continue;
		}
		while (next < counters.nr && counters.of[next].reason &&
		       !strcmp(counters.of[next].reason, sum->reason))
			next++;
		print_absent(out, sum, next - i);
	}
	free(counters.of);
}

static void print_kind_of_end(FILE *out, const char *before, int nr, int total, const char *role,
			      const char *end)
{
	fprintf(out, "%s%d of %d %srun%s %s", before, nr, total, role, plural(total), end);
}

void render__tally(const struct run_tally *tally, const char *role, FILE *out)
{
	const char *before = "    ";

	if (tally->failed)
		print_kind_of_end(out, before, tally->failed, tally->total, role, "failed");
	if (tally->failed && tally->skipped)
		before = ", ";
	if (tally->skipped)
		print_kind_of_end(out, before, tally->skipped, tally->total, role, "skipped");
	if (!tally->total)
		fputs("    no run", out);
	if (tally->reason) {
		fputs(": ", out);
		render__string(out, tally->reason);
	}
	if (tally->ok < tally->total || !tally->total)
		fputc('\n', out);
}

void render__other_runs(const json_t *benchmark, FILE *out)
{
	static const struct {
		const char *role, *name;
	} roles[] = {{"evidence", "evidence "}, {"bare", "bare "}};
	const char *said = summary__tally(benchmark, "clean").reason;

	for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++) {
		struct run_tally tally = summary__tally(benchmark, roles[i].role);

		/* What stopped the clean runs has been said. */
		if (tally.reason && !(said && !strcmp(said, tally.reason)))
			render__tally(&tally, roles[i].name, out);
	}
}

/* --overhead: what the counters themselves cost. */
static void print_overhead(FILE *out, const json_t *benchmark)
{
	struct ratio ratio;

	if (!summary__paired(benchmark, "bare", "ops_rate", &ratio)) {
		if (summary__tally(benchmark, "bare").total)
			fputs("\n    overhead   not known: no pair of runs with and without counters\n",
			      out);
		return;
	}
	fprintf(out, "\n    overhead   with the counters %.2f %% of the rate without",
		100 / ratio.value);
	if (isfinite(ratio.lo))
		fprintf(out, ", 95 %% CI %.2f - %.2f", 100 / ratio.hi, 100 / ratio.lo);
	fprintf(out, ", %zu pair%s\n", ratio.nr_after, plural(ratio.nr_after));
}

static void print_point(FILE *out, const json_t *result, const json_t *benchmark)
{
	struct run_tally tally = summary__tally(benchmark, "clean");

	print_header(out, result, benchmark);
	fputc('\n', out);
	print_headline(out, result, benchmark, &tally);
	if (tally.ok) {
		print_producers(out, result, benchmark);
		render__values(result, benchmark, out);
	}
	render__tally(&tally, "", out);
	render__other_runs(benchmark, out);
	print_counters(out, result, benchmark);
	render__locks(result, benchmark, out);
	render__grace(benchmark, out);
	print_overhead(out, benchmark);
}

void render__stat(const json_t *result, FILE *out)
{
	const json_t *benchmarks = json_object_get(result, "benchmarks");

	if (json_array_size(benchmarks) == 1)
		print_point(out, result, json_array_get(benchmarks, 0));
	else
		render__sweep(result, out);
	render__next(result, out);
	if (json_is_false(json_object_get(result, "complete"))) {
		fputs("\n  incomplete: ", out);
		render__string(out, json__string(result, "incomplete_reason", "no reason given"));
		fputc('\n', out);
	}
}
