// SPDX-License-Identifier: GPL-2.0-only
#include "lib/compare_row.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/result.h"
#include "lib/units.h"

/* Emulation has a speed of its own: only an effect of this size is one of the kernel. */
#define EMULATED_MIN_EFFECT 0.5

json_t *compare__number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

json_t *compare__text(const char *text)
{
	json_t *doc = text && text[0] ? json_string(text) : json_null();
	char copy[400];

	if (doc)
		return doc;
	/* A message that was cut within a character is no UTF-8. */
	snprintf(copy, sizeof(copy), "%s", text);
	for (char *c = copy; *c; c++)
		if (*c & 0x80)
			*c = '?';
	return json_string(copy);
}

int compare__fit(const char *text, int max)
{
	int len = strnlen(text, max + 1);

	if (len <= max)
		return len;
	for (len = max; len > 0 && (text[len] & 0xc0) == 0x80; len--)
		;
	return len;
}

/* The same text of both, or both without. */
static bool same_text(const json_t *a, const json_t *b, const char *key)
{
	return !strcmp(json__string(a, key, "none"), json__string(b, key, "none"));
}

static bool same_params(const struct pairing *pairing, const struct entry *before,
			const struct entry *after, char *reason, size_t size)
{
	json_t *a = json_object_get(before->benchmark, "params"), *value;
	json_t *b = json_object_get(after->benchmark, "params");
	const char *param = pairing->before->param ? pairing->before->param : "", *name;

	json_object_foreach(a, name, value)
		if (strcmp(name, param) && !json_equal(value, json_object_get(b, name))) {
			snprintf(reason, size, "parameter %.60s differs", name);
			return false;
		}
	json_object_foreach(b, name, value)
		if (strcmp(name, param) && !json_object_get(a, name)) {
			snprintf(reason, size, "only one side has parameter %.60s", name);
			return false;
		}
	return true;
}

/* What "auto" came to in the first run that says so. */
static json_t *resolved(const struct entry *entry)
{
	const json_t *run;
	size_t i;

	json_array_foreach(json_object_get(entry->benchmark, "runs"), i, run)
		if (json_object_get(run, "resolved"))
			return json_object_get(run, "resolved");
	return NULL;
}

static bool same_resolved(const struct entry *before, const struct entry *after, char *reason,
			  size_t size)
{
	json_t *a = resolved(before), *b = resolved(after), *value;
	const char *name;

	json_object_foreach(a, name, value) {
		const json_t *other = json_object_get(b, name);

		if (!other || json_equal(value, other))
			continue;
		snprintf(reason, size, "%.60s=auto came to '%.40s' and to '%.40s'", name,
			 json_is_string(value) ? json_string_value(value) : "?",
			 json_is_string(other) ? json_string_value(other) : "?");
		return false;
	}
	return true;
}

bool row__comparable(const struct pairing *pairing, const struct entry *before,
		     const struct entry *after, char *reason, size_t size)
{
	static const char *const keys[] = {"name", "trigger", "loop", "primary"};
	const char *param = pairing->before->param ? pairing->before->param : "";
	const json_t *a = before->benchmark, *b = after->benchmark;

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		/* A parameter may choose the form of the loop, and a trigger may be the question. */
		bool asked = !strcmp(keys[i], param) || !strcmp(keys[i], "loop");

		if (same_text(a, b, keys[i]) || (*param && asked))
			continue;
		snprintf(reason, size, "%s differs: '%.60s' and '%.60s'", keys[i],
			 json__string(a, keys[i], "none"), json__string(b, keys[i], "none"));
		return false;
	}
	return same_params(pairing, before, after, reason, size) &&
	       same_resolved(before, after, reason, size);
}

/* Is the metric the same thing on both sides? */
static bool same_metric(const struct row *row, char *reason, size_t size)
{
	static const char *const keys[] = {"unit", "better", "kind", "class"};
	const json_t *a = json_object_get(row->before.metrics, row->metric);
	const json_t *b = json_object_get(row->after.metrics, row->metric);

	for (size_t i = 0; a && b && i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (same_text(a, b, keys[i]))
			continue;
		snprintf(reason, size, "%s of %.60s differs: '%.40s' and '%.40s'", keys[i],
			 row->metric, json__string(a, keys[i], "?"), json__string(b, keys[i], "?"));
		return false;
	}
	return true;
}

enum metric_class row__class(const struct pairing *pairing, const char *name, const json_t *metric)
{
	const char *class = json__string(metric, "class", "noisy");

	if (!strcmp(class, "exact"))
		return METRIC_EXACT;
	if (!strcmp(class, "repeatable"))
		return METRIC_REPEATABLE;
	if (!strcmp(name, "bpf_ns_op") && !strcmp(pairing->timing[0], "icount") &&
	    !strcmp(pairing->timing[1], "icount"))
		return METRIC_REPEATABLE;
	return METRIC_NOISY;
}

bool row__untimed(const struct pairing *pairing, enum metric_class class, char *reason, size_t size)
{
	bool native = !strcmp(pairing->timing[0], "native") &&
		      !strcmp(pairing->timing[1], "native");

	if (native || class != METRIC_NOISY)
		return false;
	if (strcmp(pairing->timing[0], pairing->timing[1])) {
		snprintf(reason, size, "timing is %.20s and %.20s: noisy figures do not compare",
			 pairing->timing[0], pairing->timing[1]);
		return true;
	}
	if (pairing->options->min_effect >= EMULATED_MIN_EFFECT)
		return false;
	snprintf(reason, size, "timing is %.20s: noisy figures need --min-effect 50%% or more",
		 pairing->timing[0]);
	return true;
}

struct judge_options pairing__options(const struct pairing *pairing, const char *better)
{
	return (struct judge_options){.min_effect = pairing->options->min_effect,
				      .higher_is_better = !strcmp(better, "higher"),
				      .no_direction = !strcmp(better, "none"),
				      .class = METRIC_NOISY,
				      .kernels_differ = pairing->boots_differ,
				      .hosts_differ = pairing->hosts_differ,
				      .paired = pairing->paired,
				      .assumed_boot_sd = ASSUMED_BOOT_SD,
				      .assumed_host_sd = ASSUMED_HOST_SD};
}

/* The units that the figure has with or without disturbed runs, as the row says. -ENOMEM. */
static int count_units(const struct pairing *pairing, const struct row *row, struct units *ret)
{
	const struct judge_options options = pairing__options(pairing, "none");
	const struct figure figure = {row->metric, false};
	struct series before = {0}, after = {0};
	int err = entry__series(&row->before, "clean", &figure, &before);

	err = err ?: entry__series(&row->after, "clean", &figure, &after);
	/* Of plain values: how many there are is all that is asked, and a 0 has no log. */
	err = err
		      ?: units__build(&(struct arm){before.runs, before.nr},
				      &(struct arm){after.runs, after.nr}, &options, false, ret);
	free(before.runs);
	free(after.runs);
	return err;
}

/* Without disturbed runs: is the unit the same one, and are there enough of it for a verdict? */
static int enough_without(const struct pairing *pairing, const struct row *row, bool *ret)
{
	struct row without = *row;
	struct units all = {0}, left = {0};
	int err = count_units(pairing, row, &all);

	without.before.drop_disturbed = without.after.drop_disturbed = true;
	err = err ?: count_units(pairing, &without, &left);
	if (!err)
		*ret = !strcmp(all.name, left.name) && left.nr_before >= units__least(&left) &&
		       left.nr_after >= units__least(&left);
	units__free(&all);
	units__free(&left);
	return err;
}

int row__exclude(const struct pairing *pairing, struct row *row)
{
	size_t disturbed_before, disturbed_after;
	char cause[160];
	size_t before = entry__count(&row->before, &disturbed_before, cause, sizeof(cause));
	size_t after = entry__count(&row->after, &disturbed_after, cause, sizeof(cause));
	size_t disturbed = disturbed_before + disturbed_after;
	bool enough = false;
	int err = 0;

	if (disturbed)
		err = enough_without(pairing, row, &enough);
	if (err || !disturbed)
		return err;
	if (enough) {
		row->before.drop_disturbed = row->after.drop_disturbed = true;
		row->excluded = disturbed;
		return 0;
	}
	/* Without them there would be no verdict, and nothing for a warning to stand below. */
	snprintf(row->reason, sizeof(row->reason),
		 "%zu of %zu runs were disturbed, and are kept: too few would be left", disturbed,
		 before + after);
	row->kept = true;
	return 0;
}

int row__judge_figure(const struct pairing *pairing, const struct row *row,
		      const struct figure *figure, const json_t *metric, struct judgement *ret)
{
	struct judge_options options =
		pairing__options(pairing, json__string(metric, "better", "none"));
	struct series before = {0}, after = {0};
	int err = entry__series(&row->before, "clean", figure, &before);

	options.robust = pairing->options->robust;
	options.no_direction |= figure->per_op;
	options.class = row__class(pairing, figure->name, metric);
	err = err ?: entry__series(&row->after, "clean", figure, &after);
	err = err
		      ?: verdict__judge(&(struct arm){before.runs, before.nr},
					&(struct arm){after.runs, after.nr}, &options, ret);
	free(before.runs);
	free(after.runs);
	return err;
}

/* No number on a side: skipped, failed, or a figure that it does not have. */
static bool is_missing(struct row *row, const struct entry *entry, const char *side)
{
	const struct figure figure = {row->metric, false};
	const char *status, *reason;
	struct series series;
	size_t nr;

	if (entry__series(entry, "clean", &figure, &series))
		return false;
	nr = series.nr;
	free(series.runs);
	if (nr)
		return false;
	reason = entry__reason(entry, &status);
	row->state = strcmp(status, "failed") ? ROW_ABSENT : ROW_BLOCKED;
	snprintf(row->reason, sizeof(row->reason), "%s %s: %.200s", status, side, reason);
	return true;
}

static struct judgement not_judged(void)
{
	return (struct judgement){.verdict = VERDICT_NOT_COMPARABLE,
				  .ratio = NAN,
				  .lo = NAN,
				  .hi = NAN,
				  .lo90 = NAN,
				  .hi90 = NAN,
				  .p = NAN,
				  .df = NAN,
				  .unit = "run",
				  .method = "none",
				  .runs_needed = NAN};
}

/* Runs on both sides: their row, and no other one, has no two samples. */
static bool is_overlap(const struct pairing *pairing, struct row *row)
{
	const struct overlap_side before = {pairing->before->document, &row->before};
	const struct overlap_side after = {pairing->after->document, &row->after};
	size_t common;

	if (pairing->overlap == OVERLAP_ALL)
		snprintf(row->reason, sizeof(row->reason), "%s", overlap__text(OVERLAP_ALL));
	if (pairing->overlap != OVERLAP_SOME)
		return pairing->overlap == OVERLAP_ALL;
	common = overlap__count(&before, &after);
	if (common)
		snprintf(row->reason, sizeof(row->reason),
			 "%zu run%s on both sides: the two are no independent samples", common,
			 common == 1 ? " is" : "s are");
	return common;
}

int row__judge(const struct pairing *pairing, struct row *row)
{
	const struct figure figure = {row->metric, false};
	const json_t *metric = json_object_get(row->after.metrics, row->metric);
	enum metric_class class = row__class(pairing, row->metric, metric);
	int err;

	row->judgement = not_judged();
	row->state = ROW_BLOCKED;
	if (is_overlap(pairing, row))
		return 0;
	if (is_missing(row, &row->before, "before") || is_missing(row, &row->after, "after"))
		return 0;
	if (!row__comparable(pairing, &row->before, &row->after, row->reason,
			     sizeof(row->reason)) ||
	    !same_metric(row, row->reason, sizeof(row->reason)) ||
	    row__untimed(pairing, class, row->reason, sizeof(row->reason)))
		return 0;
	if (pairing->blocked) {
		snprintf(row->reason, sizeof(row->reason), "the machines differ");
		return 0;
	}
	err = row__exclude(pairing, row);
	err = err ?: row__judge_figure(pairing, row, &figure, metric, &row->judgement);
	if (err == -E2BIG) {
		row->judgement = not_judged();
		snprintf(row->reason, sizeof(row->reason),
			 "too many runs for ranks, which take some 4,000 a side");
		return 0;
	}
	if (row->judgement.verdict == VERDICT_NOT_COMPARABLE)
		snprintf(row->reason, sizeof(row->reason), "%s", row->judgement.note);
	else
		row->state = ROW_JUDGED;
	return err;
}

/*
 * The values too: a picture of every run needs no second look into the documents. A row that was
 * judged has the units of its verdict, so that its ratio is the one of its two sides.
 */
static json_t *side_json(const struct row *row, const struct entry *entry,
			 const struct estimate *judged)
{
	const struct figure figure = {row->metric, false};
	json_t *values = json_array(), *doc;
	struct series series = {0};
	struct headline headline;
	size_t disturbed, total;
	char cause[160];

	if (entry__series(entry, "clean", &figure, &series))
		series.nr = 0;
	for (size_t i = 0; i < series.nr; i++)
		json_array_append_new(values, json_real(series.runs[i].value));
	series__headline(&series, &headline);
	if (row->state == ROW_JUDGED) {
		headline.of_units = *judged;
		headline.unit = row->judgement.unit;
	}
	total = entry__count(entry, &disturbed, cause, sizeof(cause));
	doc = json_pack("{s:I, s:s, s:I, s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:o, s:o}", "runs",
			(json_int_t)series.nr, "unit", headline.unit, "units",
			(json_int_t)headline.of_units.n, "value",
			compare__number(headline.of_units.value), "lo",
			compare__number(headline.of_units.lo), "hi",
			compare__number(headline.of_units.hi), "cv",
			compare__number(headline.run_cv), "unit_cv",
			compare__number(headline.of_units.cv), "disturbed",
			(json_int_t)(row->kept ? disturbed : 0), "disturbed_of", (json_int_t)total,
			"cause", compare__text(row->kept ? cause : ""), "values", values);
	free(series.runs);
	return doc;
}

void judgement__json(const struct judgement *j, json_t *doc)
{
	json_object_set_new(doc, "ratio", compare__number(j->ratio));
	json_object_set_new(doc, "lo", compare__number(j->lo));
	json_object_set_new(doc, "hi", compare__number(j->hi));
	json_object_set_new(doc, "lo90", compare__number(j->lo90));
	json_object_set_new(doc, "hi90", compare__number(j->hi90));
	json_object_set_new(doc, "p", compare__number(j->p));
	json_object_set_new(doc, "units",
			    json_pack("[I, I]", (json_int_t)j->units_before,
				      (json_int_t)j->units_after));
	json_object_set_new(doc, "unit", json_string(j->unit ? j->unit : "run"));
	json_object_set_new(doc, "method", json_string(j->method ? j->method : "none"));
	json_object_set_new(doc, "runs_needed", compare__number(j->runs_needed));
	json_object_set_new(doc, "note", compare__text(j->note));
}

/* What tells the sides apart is no property of the row. */
static json_t *shown_without(const json_t *benchmark, const char *param)
{
	json_t *shown = json_array(), *name;
	size_t i;

	json_array_foreach(json_object_get(benchmark, "shown"), i, name)
		if (!param || strcmp(json_string_value(name), param))
			json_array_append(shown, name);
	return shown;
}

json_t *row__json(const struct row *row, const char *param)
{
	static const char *const states[] = {"judged", "blocked", "absent"};
	const json_t *metric = json_object_get(row->after.metrics, row->metric);
	json_t *doc = json_object();

	json_object_set_new(doc, "key", json_string(row->before.key));
	json_object_set(doc, "name", json_object_get(row->after.benchmark, "name"));
	json_object_set_new(doc, "params",
			    json_copy(json_object_get(row->after.benchmark, "params")));
	json_object_del(json_object_get(doc, "params"), param ? param : "");
	json_object_set_new(doc, "shown", shown_without(row->after.benchmark, param));
	json_object_set_new(doc, "metric", json_string(row->metric));
	json_object_set_new(doc, "unit_of_value", json_string(json__string(metric, "unit", "")));
	json_object_set_new(doc, "kind", json_string(json__string(metric, "kind", "")));
	json_object_set_new(doc, "better", json_string(json__string(metric, "better", "none")));
	json_object_set_new(doc, "class", json_string(json__string(metric, "class", "noisy")));
	json_object_set_new(doc, "verdict", json_string(verdict__name(row->judgement.verdict)));
	json_object_set_new(doc, "state", json_string(states[row->state]));
	json_object_set_new(doc, "reason", compare__text(row->reason));
	json_object_set_new(doc, "excluded", json_integer(row->excluded));
	json_object_set_new(doc, "before", side_json(row, &row->before, &row->judgement.before));
	json_object_set_new(doc, "after", side_json(row, &row->after, &row->judgement.after));
	judgement__json(&row->judgement, doc);
	return doc;
}
