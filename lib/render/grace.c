// SPDX-License-Identifier: GPL-2.0-only
#include "lib/render/render.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/hist.h"
#include "lib/plural.h"
#include "lib/render/notes.h"
#include "lib/render/summary.h"
#include "lib/result.h"

/* Two rows of the picture for each octave; half as many when that makes too many rows. */
#define BINS_PER_ROW 4
#define MAX_ROWS     16
#define MAX_BINS     512
#define MAX_SUB_BITS 8
#define BAR	     40

/* Below this the 99th percentile is the largest value, whatever the distribution. */
#define P99_NEEDS 100

/* One tracer over all evidence runs. */
struct grace {
	const json_t *first;
	int runs;
	double count, kernel_count, n, window_ns;
	double sum_ns, max_ns;
	double callbacks, invoke_n, invoke_ns, cpu_ns, ticks;
	double delay_n, delay_ns, delay_lo_ns, delay_hi_ns;
	double lost;
	/* Of the first run that has them. They come from switches, as the end of the calls does. */
	json_t *parts;
	unsigned int sub_bits;
	double bins[MAX_BINS];
	const char *no_times, *no_delay; /* why there are none, in the first run that says it */
};

static const json_t *nth(const json_t *run, size_t i)
{
	if (!summary__has_role(run, "evidence"))
		return NULL;
	return json_array_get(json_object_get(run, "grace_periods"), i);
}

/* Weighted, so that a run without a grace period has no say. */
static void add_weighted(double *sum, double value, double weight)
{
	if (weight > 0)
		*sum += value * weight;
}

static void add_hist(struct grace *sum, const json_t *hist)
{
	json_int_t sub_bits = json_integer_value(json_object_get(hist, "sub_bits"));
	const json_t *bin;
	size_t i;

	/* Those of another form than the first one cannot be added to it. */
	if (!sum->sub_bits && sub_bits > 0 && sub_bits <= MAX_SUB_BITS)
		sum->sub_bits = sub_bits;
	if (!sum->sub_bits || sub_bits != sum->sub_bits)
		return;
	json_array_foreach(json_object_get(hist, "bins"), i, bin) {
		json_int_t index = json_integer_value(json_array_get(bin, 0));

		if (index >= 0 && index < MAX_BINS && (index + 1) >> sub_bits <= 64 - sub_bits)
			sum->bins[index] += fmax(0, json_number_value(json_array_get(bin, 1)));
	}
}

static void add_reasons(struct grace *sum, const json_t *run)
{
	const json_t *absent = json_object_get(run, "values_absent");

	sum->no_times = sum->no_times ? sum->no_times : json__string(absent, "gp_ns", NULL);
	sum->no_delay = sum->no_delay ? sum->no_delay : json__string(absent, "gp_delay_ns", NULL);
}

static void add_run(struct grace *sum, const json_t *doc)
{
	const json_t *delay = json_object_get(doc, "delay"), *cpu = json_object_get(doc, "cpu");
	const json_t *count;
	double n = json__number(doc, "n"), max_ns = json__number(doc, "max_ns");
	double delay_n = json__number(delay, "n"), invoke_ns = json__number(doc, "invoke_ns");
	const char *cause;

	sum->first = sum->first ? sum->first : doc;
	sum->runs++;
	sum->count += json__number(doc, "count");
	sum->kernel_count += json__number(doc, "kernel_count");
	sum->window_ns += json__number(doc, "window_ns");
	sum->n += n;
	add_weighted(&sum->sum_ns, json__number(doc, "mean_ns"), n);
	sum->max_ns = fmax(sum->max_ns, max_ns);
	add_weighted(&sum->callbacks, json__number(doc, "callbacks"), n);
	if (!sum->parts && json_is_object(json_object_get(doc, "parts_ns")))
		sum->parts = json_object_get(doc, "parts_ns");
	/* Not of a run that ended before its callbacks were called. */
	if (isfinite(invoke_ns) && n > 0) {
		sum->invoke_n += n;
		sum->invoke_ns += invoke_ns * n;
	}
	if (json__number(doc, "count") > 0)
		sum->cpu_ns += json__number(cpu, "ns_per_gp") * json__number(doc, "count");
	sum->ticks += json__number(cpu, "ticks");
	if (delay_n > 0) {
		sum->delay_n += delay_n;
		add_weighted(&sum->delay_ns, json__number(delay, "mean_ns"), delay_n);
		add_weighted(&sum->delay_lo_ns, json__number(delay, "lo_mean_ns"), delay_n);
		add_weighted(&sum->delay_hi_ns, json__number(delay, "hi_mean_ns"), delay_n);
	}
	json_object_foreach(json_object_get(doc, "lost"), cause, count)
		if (strcmp(cause, "half_seen") && strcmp(cause, "switches"))
			sum->lost += json_number_value(count);
	add_hist(sum, json_object_get(doc, "hist"));
}

static void print_time(FILE *out, const char *before, double ns)
{
	char text[48];

	render__time(text, sizeof(text), ns);
	fprintf(out, "%s%s", before, text);
}

/*
 * Of one run what it stored; of several the middle of the bin of the merged histogram, which need
 * not have all n of them.
 */
static double quantile(const struct grace *sum, const char *stored, double p)
{
	double total = 0, below = 0;

	if (sum->runs == 1)
		return json__number(sum->first, stored);
	for (int i = 0; i < MAX_BINS; i++)
		total += sum->bins[i];
	for (int i = 0; i < MAX_BINS; i++) {
		below += sum->bins[i];
		if (total > 0 && below >= p * total)
			return fmin(sum->max_ns, (hist__low(i, sum->sub_bits) +
						  hist__low(i + 1, sum->sub_bits)) /
							 2.0);
	}
	return NAN;
}

static void print_count(FILE *out, const struct grace *sum)
{
	char count[48], kernel_count[48], window[48];

	render__grouped(count, sizeof(count), sum->count);
	render__grouped(kernel_count, sizeof(kernel_count), sum->kernel_count);
	snprintf(window, sizeof(window), isfinite(sum->window_ns) ? "%.3g s" : "an unknown time",
		 sum->window_ns / 1e9);
	fprintf(out, "\n    grace periods of RCU Tasks Trace   path ");
	render__string(out, json__string(sum->first, "path", "?"));
	fprintf(out, ", %s in %s of %d evidence run%s", count, window, sum->runs,
		plural(sum->runs));
	if (!isfinite(sum->kernel_count))
		fputs(", not compared with the kernel's count\n", out);
	else if (sum->kernel_count == sum->count)
		fputs(", as the kernel counts\n", out);
	else
		fprintf(out, "; the kernel counts %s\n", kernel_count);
}

static void print_duration(FILE *out, const struct grace *sum)
{
	fputs("      lasts          ", out);
	print_time(out, "mean ", sum->sum_ns / sum->n);
	print_time(out, "   median ", quantile(sum, "median_ns", 0.5));
	print_time(out, "   p99 ", quantile(sum, "p99_ns", 0.99));
	print_time(out, "   max ", sum->max_ns);
	fprintf(out, "   n %.0f%s\n", sum->n,
		sum->n < P99_NEEDS ? ", so that p99 is the maximum" : "");
}

/* What is absent here is what this way of tracing does not see. */
static void print_not_seen(FILE *out, const struct grace *sum, const char *what)
{
	fprintf(out, "%s not seen on path ", what);
	render__string(out, json__string(sum->first, "path", "?"));
	fputc('\n', out);
}

/* Of one run: where the time goes is a matter of the kernel, not of the run. */
static void print_parts(FILE *out, const struct grace *sum)
{
	json_t *parts = sum->parts, *part;
	double total = 0;
	const char *name;

	json_object_foreach(parts, name, part)
		total += fmax(0, json_number_value(part));
	fputs("      of which    ", out);
	if (!(total > 0)) {
		fputs("   not known: ", out);
		if (parts)
			fputs("no time in any part\n", out);
		else
			print_not_seen(out, sum, "the kthread's switches are");
		return;
	}
	json_object_foreach(parts, name, part) {
		if (json_number_value(part) < total / 1000)
			continue;
		fputs("   ", out);
		render__string(out, name);
		fprintf(out, " %.1f %%", json_number_value(part) / total * 100);
	}
	fputc('\n', out);
}

static void print_callbacks(FILE *out, const struct grace *sum)
{
	char text[48];

	fputs("      callbacks      ", out);
	if (!isfinite(sum->callbacks)) {
		fputs("not known: ", out);
		print_not_seen(out, sum, "their number is");
		return;
	}
	render__grouped(text, sizeof(text), sum->callbacks / sum->n);
	fprintf(out, "%s each", text);
	if (sum->invoke_n) {
		print_time(out, ", all called within ", sum->invoke_ns / sum->invoke_n);
		fputc('\n', out);
	} else if (sum->parts) {
		fprintf(out,
			"; none of the grace periods had them all called before the run%s "
			"ended\n",
			plural(sum->runs));
	} else {
		fputs("; ", out);
		print_not_seen(out, sum, "when they are called is");
	}
}

static void print_delay(FILE *out, const struct grace *sum)
{
	const json_t *delay = json_object_get(sum->first, "delay");

	fputs("      a delete waits ", out);
	if (!sum->delay_n) {
		fputs("not known: ", out);
		render__string(out, sum->no_delay ? sum->no_delay : "no reason given");
		fputc('\n', out);
		return;
	}
	print_time(out, "mean ", sum->delay_ns / sum->delay_n);
	if (sum->runs == 1) {
		print_time(out, "   median ", json__number(delay, "median_ns"));
		print_time(out, "   p99 ", json__number(delay, "p99_ns"));
	}
	print_time(out, "   (derived; bounds of the mean ", sum->delay_lo_ns / sum->delay_n);
	print_time(out, " - ", sum->delay_hi_ns / sum->delay_n);
	fputs(")\n", out);
}

/* A run without a grace period has no cost of one; nor has any when the kthread is hidden. */
static void print_cpu(FILE *out, const struct grace *sum)
{
	const json_t *cpu = json_object_get(sum->first, "cpu");

	if (!(sum->count > 0 && sum->window_ns > 0))
		return;
	fputs("      costs          ", out);
	if (isfinite(sum->cpu_ns)) {
		print_time(out, "", sum->cpu_ns / sum->count);
		fprintf(out, " of CPU each, %.2g %% of one CPU",
			sum->cpu_ns / sum->window_ns * 100);
		if (isfinite(sum->ticks))
			fprintf(out, ", %.2g ticks each", sum->ticks / sum->count);
	} else {
		render__string(out, json__string(cpu, "reason", "not readable"));
	}
	fputc('\n', out);
}

/* The probe is a figure of its own: what it says is said with what it does. */
static void print_probe(FILE *out, const struct grace *sum)
{
	const json_t *wait = json_object_get(sum->first, "sync_wait");
	char n[48];

	if (!json_is_object(wait))
		return;
	fputs("      probe          ", out);
	if (json__string(wait, "reason", NULL)) {
		render__string(out, json__string(wait, "reason", "?"));
	} else {
		print_time(out, "mean ", json__number(wait, "mean_ns"));
		print_time(out, "   median ", json__number(wait, "median_ns"));
		print_time(out, "   max ", json__number(wait, "max_ns"));
		render__grouped(n, sizeof(n), json__number(wait, "n"));
		fprintf(out, "   n %s", n);
	}
	fputs("\n                     the probe hurries callbacks along: the figures above are not "
	      "those of a kernel without it\n",
	      out);
}

static double row_of(const struct grace *sum, int row, int width)
{
	double nr = 0;

	for (int i = row * width; i < (row + 1) * width && i < MAX_BINS; i++)
		nr += sum->bins[i];
	return nr;
}

/* The rows that hold anything, and the fullest. */
static int find_rows(const struct grace *sum, int width, int *ret_first, double *ret_most)
{
	int first = -1, last = -1;

	*ret_most = 0;
	for (int row = 0; row * width < MAX_BINS; row++) {
		if (!row_of(sum, row, width))
			continue;
		first = first < 0 ? row : first;
		last = row;
		*ret_most = fmax(*ret_most, row_of(sum, row, width));
	}
	*ret_first = first < 0 ? 0 : first;
	return first < 0 ? 0 : last - first + 1;
}

static void print_hist(FILE *out, const struct grace *sum)
{
	int width = BINS_PER_ROW, first, nr;
	double most;

	while ((nr = find_rows(sum, width, &first, &most)) > MAX_ROWS)
		width *= 2;
	for (int row = first; row < first + nr; row++) {
		double count = row_of(sum, row, width);
		char low[48], bar[BAR + 1] = "";

		memset(bar, '#', ceil(count / most * BAR));
		render__time(low, sizeof(low), hist__low(row * width, sum->sub_bits));
		fprintf(out, "      from %8s %8.0f%s%s\n", low, count, count ? "  " : "", bar);
	}
}

static void print_one(FILE *out, const struct grace *sum)
{
	const char *reason = json__string(sum->first, "reason", NULL);

	print_count(out, sum);
	if (reason) {
		fputs("      ", out);
		render__string(out, reason);
		fputc('\n', out);
	}
	if (sum->n > 0) {
		print_duration(out, sum);
		print_parts(out, sum);
		print_callbacks(out, sum);
		print_delay(out, sum);
	} else if (!reason) {
		fputs("      lasts          not known: ", out);
		render__string(out, sum->no_times ? sum->no_times : "no reason given");
		fputc('\n', out);
	}
	print_cpu(out, sum);
	print_probe(out, sum);
	if (sum->n > 0)
		print_hist(out, sum);
	if (sum->lost)
		fprintf(out,
			"      %.0f event%s lost or in an order that cannot be (lost in the "
			"document)\n",
			sum->lost, plural(sum->lost));
}

/* The n-th tracer of all evidence runs; false: none of them has that many. */
static bool sum_up(const json_t *benchmark, size_t tracer, struct grace *ret)
{
	const json_t *runs = json_object_get(benchmark, "runs"), *run;
	size_t i;

	*ret = (struct grace){0};
	json_array_foreach(runs, i, run)
		if (nth(run, tracer)) {
			add_run(ret, nth(run, tracer));
			add_reasons(ret, run);
		}
	return ret->runs;
}

void render__grace(const json_t *benchmark, FILE *out)
{
	struct grace sum;

	for (size_t tracer = 0; sum_up(benchmark, tracer, &sum); tracer++)
		print_one(out, &sum);
}

static void print_cell(FILE *out, double ns)
{
	char text[48] = "-";

	if (isfinite(ns))
		render__time(text, sizeof(text), ns);
	fprintf(out, " %11s", text);
}

static void note_absent(json_t *notes, const struct grace *sum)
{
	const char *reason = json__string(sum->first, "reason", NULL);
	const json_t *cpu = json_object_get(sum->first, "cpu");

	if (!(sum->n > 0))
		notes__add(notes, "mean", sum->no_times ? sum->no_times : reason);
	else if (!(sum->delay_n > 0))
		notes__add(notes, "a delete", sum->no_delay);
	if (sum->count > 0 && !isfinite(sum->cpu_ns))
		notes__add(notes, "CPU each", json__string(cpu, "reason", NULL));
}

static void print_line(FILE *out, const json_t *benchmark, const struct grace *sum)
{
	char count[48];

	render__grouped(count, sizeof(count), sum->count);
	fprintf(out, "%12s", count);
	print_cell(out, sum->n > 0 ? sum->sum_ns / sum->n : NAN);
	print_cell(out, sum->n > 0 ? sum->max_ns : NAN);
	print_cell(out, sum->delay_n > 0 ? sum->delay_ns / sum->delay_n : NAN);
	print_cell(out, sum->count > 0 ? sum->cpu_ns / sum->count : NAN);
	fprintf(out, " %5d   ", sum->runs);
	render__point(benchmark, out);
}

void render__grace_of_points(const json_t *result, FILE *out)
{
	json_t *notes = json_object();
	const json_t *benchmark;
	bool titled = false;
	struct grace sum;
	size_t i;

	json_array_foreach(json_object_get(result, "benchmarks"), i, benchmark) {
		for (size_t tracer = 0; sum_up(benchmark, tracer, &sum); tracer++) {
			if (!titled)
				fprintf(out,
					"\n    grace periods of RCU Tasks Trace, all evidence runs\n"
					"%12s %11s %11s %11s %11s %5s   %s\n",
					"n", "mean", "max", "a delete", "CPU each", "runs",
					"point");
			titled = true;
			print_line(out, benchmark, &sum);
			note_absent(notes, &sum);
		}
	}
	notes__print(notes, out);
	json_decref(notes);
}
