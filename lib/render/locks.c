// SPDX-License-Identifier: GPL-2.0-only
#include "lib/render/render.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/name_index.h"
#include "lib/plural.h"
#include "lib/render/summary.h"
#include "lib/result.h"

#define MAX_ROWS 8
#define NO_WAIT	 "            no wait in any evidence run\n"

/* One class, kind and caller over all evidence runs. */
struct row {
	const char *class, *type, *caller;
	double waits, sampled, failed, total_ns, max_ns, share;
};

struct table {
	struct name_index rows;
	int runs;
	double lost, backwards;
};

static struct row *find(struct table *table, const json_t *lock)
{
	const char *class = json__string(lock, "class", "?"),
		   *type = json__string(lock, "type", "?");
	const char *caller = json__string(lock, "caller", "-");
	struct row *row;
	char *name;

	if (asprintf(&name, "%s\n%s\n%s", class, type, caller) < 0)
		return NULL;
	row = name_index__get(&table->rows, name);
	free(name);
	if (row) {
		row->class = class;
		row->type = type;
		row->caller = caller;
	}
	return row;
}

static void add_run(struct table *table, const json_t *run)
{
	const json_t *lock, *count;
	const char *cause;
	size_t i;

	table->runs++;
	json_array_foreach(json_object_get(run, "locks"), i, lock) {
		struct row *row = find(table, lock);

		if (!row)
			return;
		row->waits += json__number(lock, "contended");
		row->sampled += json__number(lock, "sampled");
		row->failed += json__number(lock, "failed");
		row->total_ns += json__number(lock, "wait_ns_total");
		row->max_ns = fmax(row->max_ns, json__number(lock, "wait_ns_max"));
		row->share += json__number(lock, "share");
	}
	json_object_foreach(json_object_get(run, "locks_lost"), cause, count) {
		if (strcmp(cause, "unfinished"))
			table->lost += json_number_value(count);
		if (!strcmp(cause, "clock"))
			table->backwards += json_number_value(count);
	}
}

static int by_share(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return (x->share < y->share) - (x->share > y->share);
}

static void print_row(FILE *out, const struct table *table, const struct row *row)
{
	char share[32], waits[48], mean[48], max[48];

	render__grouped(waits, sizeof(waits), row->waits);
	render__time(mean, sizeof(mean), row->waits ? row->total_ns / row->waits : NAN);
	render__time(max, sizeof(max), row->max_ns);
	snprintf(share, sizeof(share), "%.2f", row->share / table->runs * 100);
	if (!isfinite(row->share))
		snprintf(share, sizeof(share), "-");
	fprintf(out, "%9s %% %12s %10s %10s   ", share, waits, mean, max);
	render__column(out, row->type, 11);
	render__column(out, row->class, 16);
	render__string(out, row->caller);
	if (row->failed > 0)
		fprintf(out, "   %.0f failed", row->failed);
	fputc('\n', out);
}

static bool has_spinlocks(const struct table *table)
{
	const struct row *rows = table->rows.items;

	for (size_t i = 0; i < table->rows.nr; i++)
		if (!strcmp(rows[i].type, "spinlock") && rows[i].waits > 0)
			return true;
	return false;
}

/* What the spinlock test said, which no row can show: an absence is not zero. */
static void print_observability(FILE *out, const json_t *result, bool seen)
{
	const json_t *boots = json_object_get(result, "boots"), *boot;
	const json_t *verdict = NULL;
	const char *status = NULL;
	bool same = true;
	size_t i;

	/* Of the first boot that was tested. */
	for (i = 0; i < json_array_size(boots) && !status; i++) {
		verdict = json_object_get(json_array_get(boots, i), "spinlock_waits");
		status = json__string(verdict, "status", NULL);
	}
	json_array_foreach(boots, i, boot)
		same &= !status ||
			!strcmp(status, json__string(json_object_get(boot, "spinlock_waits"),
						     "status", ""));

	if (!status) {
		fputs("spinlock waits: not tested", out);
		return;
	}
	/* The test is one of 100 ms or so: what the runs saw can be seen. */
	if (seen && strcmp(status, "observable")) {
		fputs("spinlock waits observable: a lower bound: the runs have some, which the "
		      "self-test had not",
		      out);
		return;
	}
	fputs("spinlock waits ", out);
	render__string(out, status);
	fputs(": ", out);
	render__string(out, json__string(verdict, "detail", "?"));
	if (!same)
		fputs("; not so in every boot", out);
}

static void print_effect(FILE *out, const json_t *benchmark, int runs)
{
	struct ratio ratio;

	if (!summary__paired(benchmark, "evidence", "ops_rate", &ratio)) {
		fprintf(out, " (%d evidence run%s, without a clean one to compare with)", runs,
			plural(runs));
		return;
	}
	fprintf(out, " (%d evidence run%s at %.1f %% of the clean rate", runs, plural(runs),
		ratio.value * 100);
	if (isfinite(ratio.lo))
		fprintf(out, ", 95 %% CI %.1f - %.1f", ratio.lo * 100, ratio.hi * 100);
	fputc(')', out);
}

static void print_rows(FILE *out, const struct table *table)
{
	const struct row *rows = table->rows.items;

	fprintf(out, "%11s %12s %10s %10s   %-10s %-15s %s\n", "share", "waits", "mean", "max",
		"kind", "class", "caller");
	for (size_t i = 0; i < table->rows.nr && i < MAX_ROWS; i++)
		print_row(out, table, &rows[i]);
	if (table->rows.nr > MAX_ROWS)
		fprintf(out, "%11s and %zu more in the document (-o, -j)\n", "",
			table->rows.nr - MAX_ROWS);
}

/* With many waits only some have their call stack taken: kinds are exact, callers an estimate. */
static void print_sample(FILE *out, const struct table *table)
{
	const struct row *rows = table->rows.items;
	double waits = 0, sampled = 0;
	char text[48];

	for (size_t i = 0; i < table->rows.nr; i++) {
		waits += rows[i].waits;
		sampled += rows[i].sampled;
	}
	if (!(sampled < waits))
		return;
	render__grouped(text, sizeof(text), sampled);
	fprintf(out, "%11s by kind exact; class and caller from a sample of %s call stack%s\n", "",
		text, plural(sampled));
}

/* A wait that ends before it began is none, and is told. */
static void print_lost(FILE *out, const struct table *table)
{
	fprintf(out, "%11.0f event%s lost", table->lost, plural(table->lost));
	if (table->backwards)
		fprintf(out, ", %.0f of them because the clock went backwards", table->backwards);
	fputs(" (locks_lost in the document)\n", out);
}

static void print_table(FILE *out, const json_t *result, const json_t *benchmark,
			struct table *table, const char *reason)
{
	/* The index is of no use any more. */
	if (table->rows.nr)
		qsort(table->rows.items, table->rows.nr, sizeof(struct row), by_share);
	fputs("\n    locks   ", out);
	print_observability(out, result, has_spinlocks(table));
	print_effect(out, benchmark, table->runs);
	fputc('\n', out);
	if (reason) {
		fputs("            ", out);
		render__string(out, reason);
		fputc('\n', out);
	}
	if (table->rows.nr)
		print_rows(out, table);
	else if (!reason && !table->lost)
		fputs(NO_WAIT, out);
	print_sample(out, table);
	if (table->lost)
		print_lost(out, table);
}

/* Of all evidence runs; false: there is none. */
static bool sum_up(const json_t *benchmark, struct table *table, const char **ret_reason)
{
	const json_t *run;
	size_t i;

	*table = (struct table){.rows = NAME_INDEX(struct row)};
	*ret_reason = NULL;
	json_array_foreach(json_object_get(benchmark, "runs"), i, run) {
		if (!summary__has_role(run, "evidence") || !json_object_get(run, "locks"))
			continue;
		add_run(table, run);
		*ret_reason = json__string(run, "locks_reason", *ret_reason);
	}
	return table->runs;
}

/* Why nobody looked, where it was nobody's wish. */
static void print_no_evidence(FILE *out, const json_t *result)
{
	const char *reason = json__string(result, "evidence_absent", NULL);

	if (!reason)
		return;
	fputs("\n    locks   ", out);
	render__string(out, reason);
	fputc('\n', out);
}

void render__locks(const json_t *result, const json_t *benchmark, FILE *out)
{
	struct table table;
	const char *reason;

	if (sum_up(benchmark, &table, &reason))
		print_table(out, result, benchmark, &table, reason);
	else
		print_no_evidence(out, result);
	name_index__free(&table.rows);
}

/* All rows of a point, and the one with the largest share; its losses stay in the document. */
static void print_point(FILE *out, const json_t *benchmark, const struct table *table)
{
	const struct row *rows = table->rows.items, *most = rows;
	double waits = 0, share = 0, total_ns = 0, max_ns = 0;
	char count[48], mean[48], max[48];

	for (size_t i = 0; i < table->rows.nr; i++) {
		waits += rows[i].waits;
		share += rows[i].share;
		total_ns += rows[i].total_ns;
		max_ns = fmax(max_ns, rows[i].max_ns);
		if (rows[i].share > most->share)
			most = &rows[i];
	}
	render__grouped(count, sizeof(count), waits);
	render__time(mean, sizeof(mean), total_ns / waits);
	render__time(max, sizeof(max), max_ns);
	fprintf(out, "%9.2f %% %12s %10s %10s   ", share / table->runs * 100, count, mean, max);
	render__column(out, most->class, 16);
	render__point(benchmark, out);
}

static bool has_waits(const struct table *table)
{
	const struct row *rows = table->rows.items;
	double waits = 0;

	for (size_t i = 0; i < table->rows.nr; i++)
		waits += rows[i].waits;
	return waits > 0;
}

/* A property of the boot: what one point saw can be seen in all. */
static bool any_has_spinlocks(const json_t *result)
{
	const json_t *benchmark;
	bool any = false;
	size_t i;

	json_array_foreach(json_object_get(result, "benchmarks"), i, benchmark) {
		const char *reason;
		struct table table;

		any |= sum_up(benchmark, &table, &reason) && has_spinlocks(&table);
		name_index__free(&table.rows);
	}
	return any;
}

static void print_title_of_points(FILE *out, const json_t *result)
{
	fputs("\n    locks   ", out);
	print_observability(out, result, any_has_spinlocks(result));
	fputc('\n', out);
}

void render__locks_of_points(const json_t *result, FILE *out)
{
	const json_t *benchmark;
	bool titled = false, headed = false;
	size_t i;

	json_array_foreach(json_object_get(result, "benchmarks"), i, benchmark) {
		const char *reason;
		struct table table;

		if (sum_up(benchmark, &table, &reason)) {
			if (!titled)
				print_title_of_points(out, result);
			titled = true;
		}
		if (has_waits(&table)) {
			if (!headed)
				fprintf(out, "%11s %12s %10s %10s   %-15s %s\n", "share", "waits",
					"mean", "max", "most of it", "point");
			headed = true;
			print_point(out, benchmark, &table);
		}
		name_index__free(&table.rows);
	}
	if (!titled)
		print_no_evidence(out, result);
	else if (!headed)
		fputs(NO_WAIT, out);
}
