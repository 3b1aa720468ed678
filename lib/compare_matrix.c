// SPDX-License-Identifier: GPL-2.0-only
#include "lib/compare_matrix.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/comparability.h"
#include "lib/compare_side.h"
#include "lib/result.h"

struct matrix {
	const struct compare_side *sides;
	size_t nr_sides;
	const struct compare_options *options;
	struct entries *entries; /* of each side */
	struct name_index hosts;
	struct pairing *pairings; /* of each pair, at i * nr_sides + j */
	struct row *rows;	  /* nr_sides^2 for each line; only those with i < j are used */
	size_t nr_lines;
};

static struct row *cell(const struct matrix *m, size_t line, size_t i, size_t j)
{
	return &m->rows[(line * m->nr_sides + i) * m->nr_sides + j];
}

/* All pairs of all lines are one family. */
static int adjust(struct matrix *m)
{
	size_t size = m->nr_lines * m->nr_sides * m->nr_sides, nr = 0;
	struct judgement *family = calloc(size + 1, sizeof(*family));
	int err;

	if (!family)
		return -ENOMEM;
	for (size_t i = 0; i < size; i++)
		if (m->rows[i].metric && m->rows[i].state == ROW_JUDGED)
			family[nr++] = m->rows[i].judgement;
	err = verdict__holm(family, nr);
	nr = 0;
	for (size_t i = 0; i < size; i++)
		if (m->rows[i].metric && m->rows[i].state == ROW_JUDGED)
			m->rows[i].judgement = family[nr++];
	free(family);
	return err;
}

static int judge_line(struct matrix *m, size_t line, const char *key, const char *metric)
{
	int err = 0;

	for (size_t i = 0; i < m->nr_sides; i++) {
		for (size_t j = i + 1; !err && j < m->nr_sides; j++) {
			const struct entry *before = entries__find(&m->entries[i], key);
			const struct entry *after = entries__find(&m->entries[j], key);

			*cell(m, line, i, j) =
				(struct row){.before = *before, .after = *after, .metric = metric};
			err = row__judge(&m->pairings[i * m->nr_sides + j], cell(m, line, i, j));
		}
	}
	return err;
}

static bool everywhere(const struct matrix *m, const char *key)
{
	for (size_t i = 0; i < m->nr_sides; i++)
		if (!entries__find(&m->entries[i], key))
			return false;
	return true;
}

static const char *metric_of(const struct matrix *m, const json_t *primaries, size_t entry,
			     size_t i)
{
	if (json_array_size(primaries))
		return json_string_value(json_array_get(primaries, i));
	return json__string(m->entries[0].entries[entry].benchmark, "primary", "ops_rate");
}

static int judge(struct matrix *m, const json_t *primaries)
{
	size_t metrics = json_array_size(primaries) ? json_array_size(primaries) : 1;
	int err = 0;

	m->rows = calloc(m->entries[0].nr * metrics * m->nr_sides * m->nr_sides + 1,
			 sizeof(*m->rows));
	if (!m->rows)
		return -ENOMEM;
	for (size_t e = 0; e < m->entries[0].nr; e++) {
		const char *key = m->entries[0].entries[e].key;

		for (size_t i = 0; !err && everywhere(m, key) && i < metrics; i++)
			err = judge_line(m, m->nr_lines++, key, metric_of(m, primaries, e, i));
	}
	return err ?: adjust(m);
}

/* Is side `best` better than `other`, for sure? */
static bool beats(const struct matrix *m, size_t line, size_t best, size_t other)
{
	const struct row *row =
		cell(m, line, best < other ? best : other, best < other ? other : best);
	enum verdict wanted = best < other ? VERDICT_REGRESSED : VERDICT_IMPROVED;

	return row->state == ROW_JUDGED && row->judgement.verdict == wanted;
}

/* The side that beats all others; -1: none does. */
static int best_of(const struct matrix *m, size_t line)
{
	for (size_t i = 0; i < m->nr_sides; i++) {
		size_t beaten = 0;

		for (size_t j = 0; j < m->nr_sides; j++)
			beaten += i != j && beats(m, line, i, j);
		if (beaten == m->nr_sides - 1)
			return i;
	}
	return -1;
}

static json_t *cell_json(const struct matrix *m, const struct row *row, size_t i, size_t j)
{
	json_t *doc = row__json(row, m->sides[0].param);

	/* The line has them. */
	json_object_del(doc, "params");
	json_object_del(doc, "shown");
	json_object_del(doc, "key");
	json_object_del(doc, "name");
	json_object_set_new(doc, "from", json_integer(i));
	json_object_set_new(doc, "to", json_integer(j));
	return doc;
}

static json_t *line_json(const struct matrix *m, size_t line)
{
	json_t *doc = row__json(cell(m, line, 0, 1), m->sides[0].param), *values = json_array(),
	       *cells = json_array();
	static const char *const kept[] = {"key",  "name",   "params", "shown", "unit_of_value",
					   "kind", "metric", "better", "class"};
	int best = best_of(m, line);
	json_t *out = json_object();

	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++)
		json_object_set(out, kept[i], json_object_get(doc, kept[i]));
	json_array_append(values, json_object_get(doc, "before"));
	for (size_t i = 0; i < m->nr_sides; i++) {
		for (size_t j = i + 1; j < m->nr_sides; j++) {
			json_t *one = cell_json(m, cell(m, line, i, j), i, j);

			if (!i)
				json_array_append(values, json_object_get(one, "after"));
			json_object_del(one, "before");
			json_object_del(one, "after");
			json_array_append_new(cells, one);
		}
	}
	json_decref(doc);
	json_object_set_new(out, "values", values);
	json_object_set_new(out, "cells", cells);
	json_object_set_new(out, "best", best < 0 ? json_null() : json_integer(best));
	return out;
}

/* Differences of each side from the first one; those that block come first, of whichever side. */
static json_t *differences(const struct matrix *m, bool *ret_blocked)
{
	json_t *blocking = json_array(), *others = json_array(), *item;
	size_t i;

	for (size_t side = 1; side < m->nr_sides; side++) {
		json_t *own =
			comparability__differences(m->sides[0].document, m->sides[side].document);

		json_array_foreach(own, i, item) {
			bool blocks = comparability__is_blocking(item);

			json_object_set_new(item, "side", json_integer(side));
			json_array_append(blocks ? blocking : others, item);
		}
		json_decref(own);
	}
	*ret_blocked = json_array_size(blocking);
	json_array_extend(blocking, others);
	json_decref(others);
	return blocking;
}

static void make_pairings(struct matrix *m, bool blocked)
{
	for (size_t i = 0; i < m->nr_sides; i++)
		for (size_t j = i + 1; j < m->nr_sides; j++)
			compare__pair(&m->sides[i], &m->sides[j], m->options, blocked,
				      &m->pairings[i * m->nr_sides + j]);
}

static json_t *unmatched(const struct matrix *m)
{
	json_t *list = json_array();

	for (size_t side = 0; side < m->nr_sides; side++)
		for (size_t i = 0; i < m->entries[side].nr; i++)
			if (!everywhere(m, m->entries[side].entries[i].key))
				json_array_append_new(list,
						      json_pack("{s:s, s:I}", "key",
								m->entries[side].entries[i].key,
								"side", (json_int_t)side));
	return list;
}

/* One best side of all lines, or none; NOT COMPARABLE once nothing was judged. */
static const char *overall(const struct matrix *m, json_t **ret_best)
{
	int best = m->nr_lines ? best_of(m, 0) : -1;
	size_t judged = 0;

	for (size_t line = 0; line < m->nr_lines; line++) {
		if (best_of(m, line) != best)
			best = -1;
		for (size_t i = 0; i < m->nr_sides; i++)
			for (size_t j = i + 1; j < m->nr_sides; j++)
				judged += cell(m, line, i, j)->state == ROW_JUDGED;
	}
	*ret_best = best < 0 ? json_null() : json_integer(best);
	if (!judged)
		return verdict__name(VERDICT_NOT_COMPARABLE);
	return best < 0 ? "NO CLEAR BEST" : "BEST";
}

static json_t *describe(const struct matrix *m, json_t *list, bool blocked)
{
	json_t *doc = compare__new(m->sides, m->nr_sides, m->options);
	json_t *lines = json_array(), *best;

	for (size_t i = 0; i < m->nr_lines; i++)
		json_array_append_new(lines, line_json(m, i));
	json_object_set_new(doc, "verdict", json_string(overall(m, &best)));
	json_object_set_new(doc, "best", best);
	json_object_set_new(doc, "forced", json_boolean(blocked && m->options->force));
	json_object_set_new(doc, "comparability",
			    json_pack("{s:b, s:O}", "blocked", blocked, "differences", list));
	json_object_set_new(doc, "matrix", lines);
	json_object_set_new(doc, "unmatched", unmatched(m));
	json_object_set_new(doc, "warnings", compare__warnings(m->sides, m->nr_sides, m->options));
	return doc;
}

json_t *compare__matrix(const struct compare_side *sides, size_t nr,
			const struct compare_options *options, const json_t *primaries)
{
	struct matrix m = {
		.sides = sides, .nr_sides = nr, .options = options, .hosts = NAME_INDEX(int)};
	json_t *list, *doc = NULL;
	bool blocked;
	int err = 0;

	m.entries = calloc(nr, sizeof(*m.entries));
	m.pairings = calloc(nr * nr, sizeof(*m.pairings));
	list = differences(&m, &blocked);
	for (size_t i = 0; m.entries && !err && i < nr; i++)
		err = entries__collect(&sides[i], &m.hosts, &m.entries[i]);
	if (m.entries && m.pairings && !err) {
		make_pairings(&m, blocked);
		err = judge(&m, primaries);
		doc = err ? NULL : describe(&m, list, blocked);
	}
	for (size_t i = 0; m.entries && i < nr; i++)
		entries__free(&m.entries[i]);
	name_index__free(&m.hosts);
	free(m.entries);
	free(m.pairings);
	free(m.rows);
	json_decref(list);
	return doc;
}
