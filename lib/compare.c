// SPDX-License-Identifier: GPL-2.0-only
#include "lib/compare.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/comparability.h"
#include "lib/compare_matrix.h"
#include "lib/compare_moved.h"
#include "lib/compare_row.h"
#include "lib/compare_side.h"
#include "lib/overlap.h"
#include "lib/result.h"
#include "lib/suggest.h"
#include "lib/why.h"
#include "version.h"

/* More are counted, and not listed. */
#define MAX_EXCLUSIONS 100

/* Two sides while they are compared. */
struct comparison {
	struct pairing pairing;
	struct entries before, after;
	struct name_index hosts; /* of both */
	struct row *rows;
	size_t nr, room;
	json_t *unmatched;
};

static json_t *kernels_of(const json_t *document)
{
	json_t *releases = json_array();
	const json_t *boot, *known;
	size_t i, j;

	json_array_foreach(json_object_get(document, "boots"), i, boot) {
		json_t *release = json_object_get(json_object_get(boot, "kernel"), "release");
		bool seen = !json_is_string(release);

		json_array_foreach(releases, j, known)
			seen |= json_equal(known, release);
		if (!seen)
			json_array_append(releases, release);
	}
	return releases;
}

json_t *compare__side_json(const struct compare_side *side)
{
	const json_t *document = side->document;
	json_t *doc = json_object();

	json_object_set_new(doc, "name", json_string(side->name));
	json_object_set(doc, "id", json_object_get(document, "id"));
	json_object_set(doc, "label", json_object_get(document, "label"));
	json_object_set(doc, "created", json_object_get(document, "created"));
	json_object_set(doc, "complete", json_object_get(document, "complete"));
	json_object_set_new(doc, "kernels", kernels_of(document));
	json_object_set_new(doc, "boots",
			    json_integer(json_array_size(json_object_get(document, "boots"))));
	json_object_set_new(doc, "timing", json_string(comparability__timing(document)));
	return doc;
}

void compare__pair(const struct compare_side *before, const struct compare_side *after,
		   const struct compare_options *options, bool blocked, struct pairing *ret)
{
	bool same = before->document == after->document;

	*ret = (struct pairing){
		.before = before,
		.after = after,
		.options = options,
		/* Only what one plan interleaved has blocks in common: numbers alone prove nothing. */
		.paired = same,
		.boots_differ = !same &&
				!comparability__same_boot(before->document, after->document),
		.hosts_differ = !same &&
				comparability__hosts_differ(before->document, after->document),
		.blocked = blocked && !options->force,
		.timing = {comparability__timing(before->document),
			   comparability__timing(after->document)},
	};
	if (!same)
		ret->overlap = overlap__find(before->document, after->document);
}

/* Virtual time inside the program is what repeats under icount; the rate is made of wall time. */
static const char *default_primary(const struct pairing *pairing, const struct entry *entry)
{
	bool icount = !strcmp(pairing->timing[0], "icount") &&
		      !strcmp(pairing->timing[1], "icount");

	if (icount && json_object_get(entry->metrics, "bpf_ns_op"))
		return "bpf_ns_op";
	return json__string(entry->benchmark, "primary", "ops_rate");
}

static int append_row(struct comparison *c, const struct entry *before, const struct entry *after,
		      const char *metric)
{
	if (c->nr == c->room) {
		size_t room = c->room ? c->room * 2 : 64;
		struct row *rows = reallocarray(c->rows, room, sizeof(*rows));

		if (!rows)
			return -ENOMEM;
		c->rows = rows;
		c->room = room;
	}
	c->rows[c->nr] = (struct row){.before = *before, .after = *after, .metric = metric};
	return row__judge(&c->pairing, &c->rows[c->nr++]);
}

/* A row for each primary metric of a benchmark that both sides have. */
static int add_rows(struct comparison *c, const json_t *primaries, const struct entry *before,
		    const struct entry *after)
{
	const json_t *name;
	int err = 0;
	size_t i;

	if (!json_array_size(primaries))
		return append_row(c, before, after, default_primary(&c->pairing, before));
	json_array_foreach(primaries, i, name)
		err = err ?: append_row(c, before, after, json_string_value(name));
	return err;
}

static void add_unmatched(struct comparison *c, const struct entries *own,
			  const struct entries *other, int side)
{
	for (size_t i = 0; i < own->nr; i++)
		if (!entries__find(other, own->entries[i].key))
			json_array_append_new(c->unmatched,
					      json_pack("{s:s, s:i}", "key", own->entries[i].key,
							"side", side));
}

static int make_rows(struct comparison *c, const json_t *primaries)
{
	struct judgement *family;
	size_t nr = 0;
	int err = 0;

	for (size_t i = 0; !err && i < c->before.nr; i++) {
		const struct entry *before = &c->before.entries[i];
		const struct entry *after = entries__find(&c->after, before->key);

		if (after)
			err = add_rows(c, primaries, before, after);
	}
	add_unmatched(c, &c->before, &c->after, 0);
	add_unmatched(c, &c->after, &c->before, 1);
	family = calloc(c->nr + 1, sizeof(*family));
	if (err || !family) {
		free(family);
		return err ?: -ENOMEM;
	}
	for (size_t i = 0; i < c->nr; i++)
		if (c->rows[i].state == ROW_JUDGED)
			family[nr++] = c->rows[i].judgement;
	err = verdict__holm(family, nr);
	nr = 0;
	for (size_t i = 0; i < c->nr; i++)
		if (c->rows[i].state == ROW_JUDGED)
			c->rows[i].judgement = family[nr++];
	free(family);
	return err;
}

static size_t count(const struct comparison *c, enum verdict verdict, enum row_state state)
{
	size_t nr = 0;

	for (size_t i = 0; i < c->nr; i++)
		nr += c->rows[i].state == state &&
		      (state != ROW_JUDGED || c->rows[i].judgement.verdict == verdict);
	return nr;
}

/*
 * A regression is told whatever else there is. What could not be compared comes before good news:
 * a benchmark that fails after the change must not pass as an improvement of the others.
 */
static enum verdict overall(const struct comparison *c)
{
	size_t judged = c->nr - count(c, 0, ROW_ABSENT) - count(c, 0, ROW_BLOCKED);

	if (count(c, VERDICT_REGRESSED, ROW_JUDGED))
		return VERDICT_REGRESSED;
	if (!judged || count(c, 0, ROW_BLOCKED))
		return VERDICT_NOT_COMPARABLE;
	if (count(c, VERDICT_IMPROVED, ROW_JUDGED))
		return VERDICT_IMPROVED;
	if (count(c, VERDICT_NO_CHANGE, ROW_JUDGED) == judged)
		return VERDICT_NO_CHANGE;
	return VERDICT_INCONCLUSIVE;
}

/* The row that the last line of the text tells of: of those that agree, the largest effect. */
static json_t *headline(const struct comparison *c)
{
	enum verdict verdict = overall(c);
	double largest = -1;
	json_int_t at = -1;

	for (size_t i = 0; i < c->nr; i++) {
		double effect = fabs(log(c->rows[i].judgement.ratio));

		if (c->rows[i].state != ROW_JUDGED || c->rows[i].judgement.verdict != verdict)
			continue;
		if (at >= 0 && !(effect > largest))
			continue;
		largest = effect;
		at = i;
	}
	return at < 0 ? json_null() : json_integer(at);
}

static json_t *counts_json(const struct comparison *c)
{
	return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "primary", (json_int_t)c->nr,
			 "regressed", (json_int_t)count(c, VERDICT_REGRESSED, ROW_JUDGED),
			 "improved", (json_int_t)count(c, VERDICT_IMPROVED, ROW_JUDGED),
			 "no_change", (json_int_t)count(c, VERDICT_NO_CHANGE, ROW_JUDGED),
			 "inconclusive", (json_int_t)count(c, VERDICT_INCONCLUSIVE, ROW_JUDGED),
			 "blocked", (json_int_t)count(c, 0, ROW_BLOCKED), "absent",
			 (json_int_t)count(c, 0, ROW_ABSENT));
}

static void list_excluded(const struct entry *entry, int side, json_t *list, size_t *nr)
{
	const json_t *run;
	char cause[160];
	size_t i;

	json_array_foreach(json_object_get(entry->benchmark, "runs"), i, run) {
		if (!entry__left_out(entry, run, cause, sizeof(cause)))
			continue;
		if (++*nr <= MAX_EXCLUSIONS)
			json_array_append_new(list, json_pack("{s:s, s:i, s:O?, s:o}", "key",
							      entry->key, "side", side, "n",
							      json_object_get(run, "n"), "cause",
							      compare__text(cause)));
	}
}

static json_t *exclusions_json(const struct comparison *c)
{
	json_t *list = json_array();
	size_t nr = 0;

	for (size_t i = 0; i < c->nr; i++) {
		const struct row *row = &c->rows[i];

		/* Of several metrics of one benchmark: once, and all that any of them leaves out. */
		if (i && row->before.benchmark == row[-1].before.benchmark)
			continue;
		for (size_t j = i + 1;
		     j < c->nr && c->rows[j].before.benchmark == c->rows[i].before.benchmark; j++)
			if (c->rows[j].excluded > row->excluded)
				row = &c->rows[j];
		list_excluded(&row->before, 0, list, &nr);
		list_excluded(&row->after, 1, list, &nr);
	}
	return json_pack("{s:I, s:o}", "total", (json_int_t)nr, "runs", list);
}

static bool planned_robust(const json_t *document)
{
	const json_t *plan = json_object_get(json_object_get(document, "tool"), "plan");

	return !strcmp(json__string(plan, "analysis", ""), COMPARE_ROBUST_PLAN);
}

json_t *compare__warnings(const struct compare_side *sides, size_t nr,
			  const struct compare_options *options)
{
	json_t *list = json_array();
	bool planned = true;

	for (size_t i = 0; i < nr; i++) {
		const json_t *document = sides[i].document;

		planned &= planned_robust(document);
		if (json_is_false(json_object_get(document, "complete")))
			json_array_append_new(
				list, json_sprintf("%s is incomplete: %s", sides[i].name,
						   json__string(document, "incomplete_reason",
								"no reason given")));
	}
	if (options->robust && !planned)
		json_array_append_new(list, json_string("ranks were chosen after the values could "
							"be seen (stat --robust plans them)"));
	return list;
}

json_t *compare__new(const struct compare_side *sides, size_t nr,
		     const struct compare_options *options)
{
	json_t *doc = json_object(), *list = json_array();

	for (size_t i = 0; i < nr; i++)
		json_array_append_new(list, compare__side_json(&sides[i]));
	json_object_set_new(doc, "format", json_string(COMPARE_FORMAT));
	json_object_set_new(doc, "schema",
			    json_pack("{s:i, s:i}", "major", COMPARE_MAJOR, "minor",
				      COMPARE_MINOR));
	json_object_set_new(doc, "tool",
			    json_pack("{s:s, s:s}", "version", BPFPERF_VERSION, "git",
				      BPFPERF_GIT));
	json_object_set_new(doc, "options",
			    json_pack("{s:f, s:b, s:b, s:s?}", "min_effect", options->min_effect,
				      "robust", options->robust, "force", options->force, "primary",
				      options->primary));
	json_object_set_new(doc, "sides", list);
	return doc;
}

/* Rows into JSON, and what moved beside them: once for each benchmark, not for each metric. */
static json_t *rows_json(const struct comparison *c, struct moved *moved, int *ret_err)
{
	json_t *rows = json_array();

	*ret_err = 0;
	for (size_t i = 0; i < c->nr; i++) {
		const struct row *row = &c->rows[i];
		bool first = !i || c->rows[i - 1].before.benchmark != row->before.benchmark;

		json_array_append_new(rows, row__json(row, c->pairing.before->param));
		if (first && row->state == ROW_JUDGED)
			*ret_err = *ret_err ?: moved__add(moved, &c->pairing, row);
	}
	return rows;
}

static json_t *describe(struct comparison *c, json_t *differences)
{
	const struct pairing *p = &c->pairing;
	const struct compare_side sides[] = {*p->before, *p->after};
	bool blocked = comparability__blocks(differences);
	json_t *doc = compare__new(sides, 2, p->options);
	struct moved *moved = moved__new();
	json_t *rows;
	int err = 0;

	rows = moved ? rows_json(c, moved, &err) : NULL;
	json_object_set_new(doc, "verdict", json_string(verdict__name(overall(c))));
	json_object_set_new(doc, "headline", headline(c));
	json_object_set_new(doc, "forced", json_boolean(blocked && p->options->force));
	json_object_set_new(doc, "counts", counts_json(c));
	json_object_set_new(doc, "comparability",
			    json_pack("{s:b, s:O}", "blocked", blocked, "differences",
				      differences));
	json_object_set_new(
		doc, "design",
		json_pack("{s:b, s:b, s:b}", "paired", p->paired, "boots_differ", p->boots_differ,
			  "kernels_differ",
			  comparability__kernels_differ(p->before->document, p->after->document)));
	json_object_set_new(doc, "overlap", compare__text(overlap__text(p->overlap)));
	json_object_set_new(doc, "rows", rows);
	json_object_set(doc, "unmatched", c->unmatched);
	json_object_set_new(doc, "also_moved", moved && !err ? moved__json(moved) : NULL);
	json_object_set_new(doc, "exclusions", exclusions_json(c));
	json_object_set_new(doc, "warnings", compare__warnings(sides, 2, p->options));
	moved__free(moved);
	if (moved && !err)
		return doc;
	json_decref(doc);
	return NULL;
}

static json_t *compare_two(const struct compare_side *sides, const struct compare_options *options,
			   const json_t *primaries)
{
	json_t *differences = comparability__differences(sides[0].document, sides[1].document);
	struct comparison c = {.unmatched = json_array(), .hosts = NAME_INDEX(int)};
	json_t *doc = NULL;
	int err;

	compare__pair(&sides[0], &sides[1], options, comparability__blocks(differences),
		      &c.pairing);
	err = entries__collect(&sides[0], &c.hosts, &c.before);
	err = err ?: entries__collect(&sides[1], &c.hosts, &c.after);
	err = err ?: make_rows(&c, primaries);
	if (!err)
		doc = describe(&c, differences);
	entries__free(&c.before);
	entries__free(&c.after);
	name_index__free(&c.hosts);
	json_decref(c.unmatched);
	json_decref(differences);
	free(c.rows);
	return doc;
}

static int unknown_metric(const struct compare_side *sides, size_t nr, const char *name,
			  struct why *why)
{
	struct suggest suggest = {.word = name};
	char near[160];

	for (size_t i = 0; i < nr; i++) {
		const char *known;
		json_t *metric;

		json_object_foreach(json_object_get(sides[i].document, "metrics"), known, metric)
			suggest__offer(&suggest, known);
	}
	suggest__format(&suggest, near, sizeof(near));
	return why__set(why, -EINVAL, "--primary: no document has a metric '%.60s'%s%s", name,
			near[0] ? ": " : "", near);
}

/* The words of --primary; each is a metric of some side. */
static json_t *parse_primaries(const struct compare_side *sides, size_t nr, const char *list,
			       struct why *why)
{
	char *copy = strdup(list ? list : ""), *cursor = copy, *word;
	json_t *names = json_array();

	while (list && copy && (word = strsep(&cursor, ","))) {
		bool known = false;

		for (size_t i = 0; i < nr; i++)
			known |= json_object_get(json_object_get(sides[i].document, "metrics"),
						 word) != NULL;
		if (!known) {
			errno = -unknown_metric(sides, nr, word, why);
			json_decref(names);
			names = NULL;
			break;
		}
		json_array_append_new(names, json_string(word));
	}
	free(copy);
	return names;
}

json_t *compare__documents(const struct compare_side *sides, size_t nr,
			   const struct compare_options *options, struct why *why)
{
	json_t *primaries = parse_primaries(sides, nr, options->primary, why);
	struct compare_options settled = *options;
	bool planned = true;
	json_t *doc;

	if (!primaries)
		return NULL;
	for (size_t i = 0; i < nr; i++)
		planned &= planned_robust(sides[i].document);
	settled.robust |= planned;
	if (nr == 2)
		doc = compare_two(sides, &settled, primaries);
	else
		doc = compare__matrix(sides, nr, &settled, primaries);
	json_decref(primaries);
	if (!doc)
		errno = -why__errno(why, -ENOMEM, "compare");
	return doc;
}
