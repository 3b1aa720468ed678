// SPDX-License-Identifier: GPL-2.0-only
#include "lib/compare_moved.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/compare_evidence.h"
#include "lib/result.h"

/* Less than this nobody asks about, however sure it is. */
#define FLOOR_RATIO 0.02

/* One figure of one benchmark; the secondary's judgement points into the same element. */
struct item {
	json_t *doc; /* key, figure, unit_of_value */
	struct judgement judgement;
	double before, after;
	double floor;
	enum { TESTED, EXACT, DESCRIPTIVE } kind;
};

struct moved {
	struct item *items;
	size_t nr, room;
};

struct moved *moved__new(void)
{
	return calloc(1, sizeof(struct moved));
}

void moved__free(struct moved *moved)
{
	for (size_t i = 0; moved && i < moved->nr; i++)
		json_decref(moved->items[i].doc);
	if (moved)
		free(moved->items);
	free(moved);
}

static struct item *append(struct moved *moved)
{
	size_t room = moved->room ? moved->room * 2 : 64;
	struct item *items = moved->items;

	if (moved->nr == moved->room) {
		items = reallocarray(items, room, sizeof(*items));
		if (!items)
			return NULL;
		moved->items = items;
		moved->room = room;
	}
	items[moved->nr] = (struct item){0};
	return &items[moved->nr++];
}

static int drop_last(struct moved *moved)
{
	json_decref(moved->items[--moved->nr].doc);
	return 0;
}

/*
 * The last one was judged: its two values are those of the judgement, which are of the same units
 * and the same kind of mean. Where nothing happened on either side, there is nothing to tell.
 */
static int settle(struct moved *moved)
{
	struct item *item = &moved->items[moved->nr - 1];

	item->before = item->judgement.before.value;
	item->after = item->judgement.after.value;
	if (!isfinite(item->before) || !isfinite(item->after))
		return drop_last(moved);
	return item->before == 0 && item->after == 0 ? drop_last(moved) : 0;
}

/*
 * The least difference that matters, in the figure's own unit. Rare events have ratios without a
 * meaning: one context switch more in a second of 10 million operations is not "+100 %".
 */
static double floor_of(const struct figure *figure, const json_t *metric)
{
	const char *unit = json__string(metric, "unit", "");
	bool counter = !strcmp(json__string(metric, "kind", ""), "counter");

	if (!strcmp(json__string(metric, "class", ""), "exact"))
		return 0;
	if (figure->per_op)
		return 0.001;
	if (!strcmp(unit, "ns"))
		return 0.1;
	if (!strcmp(unit, "ratio") || counter)
		return 0.01;
	return 0;
}

static json_t *describe(const struct row *row, const char *figure, const char *unit)
{
	return json_pack("{s:s, s:s, s:s}", "key", row->before.key, "figure", figure,
			 "unit_of_value", unit);
}

static int add_figure(struct moved *moved, const struct pairing *pairing, const struct row *row,
		      const struct figure *figure)
{
	const json_t *metric = json_object_get(row->after.metrics, figure->name);
	size_t len = strlen(figure->name);
	struct item *item;
	char name[96], reason[160];
	int err;

	if (row__untimed(pairing, row__class(pairing, figure->name, metric), reason,
			 sizeof(reason)))
		return 0;
	item = append(moved);
	if (!item)
		return -ENOMEM;
	if (figure->per_op)
		len -= strlen("_rate");
	snprintf(name, sizeof(name), "%.*s",
		 compare__fit(figure->name, len < sizeof(name) ? len : sizeof(name) - 1),
		 figure->name);
	item->doc = describe(row, name, figure->per_op ? "op" : json__string(metric, "unit", ""));
	json_object_set_new(item->doc, "per_op",
			    json_boolean(figure->per_op ||
					 !strcmp(json__string(metric, "kind", ""), "counter")));
	item->floor = floor_of(figure, metric);
	item->kind = row__class(pairing, figure->name, metric) == METRIC_EXACT ? EXACT : TESTED;
	err = row__judge_figure(pairing, row, figure, metric, &item->judgement);
	/* Too many runs for the interval of ranks. */
	if (err == -E2BIG)
		return drop_last(moved);
	return err ?: settle(moved);
}

/* ns/op is the inverse of the rate: it would repeat the verdict. */
static bool is_news(const struct row *row, const char *name)
{
	bool of_rate = !strcmp(row->metric, "ops_rate") || !strcmp(row->metric, "ns_op");

	return strcmp(row->metric, name) &&
	       !(of_rate && (!strcmp(name, "ops_rate") || !strcmp(name, "ns_op")));
}

static const json_t *first_run(const struct entry *entry)
{
	const json_t *run;
	size_t i;

	json_array_foreach(json_object_get(entry->benchmark, "runs"), i, run)
		if (entry__has(entry, run, "clean"))
			return run;
	return NULL;
}

static int add_figures(struct moved *moved, const struct pairing *pairing, const struct row *row,
		       const char *part)
{
	json_t *figures = json_object_get(first_run(&row->before), part), *value;
	const char *name;
	int err = 0;

	json_object_foreach(figures, name, value) {
		size_t len = strlen(name);
		struct figure figure = {name, len > 5 && !strcmp(name + len - 5, "_rate") &&
						      strcmp(name, "ops_rate")};

		if (!err && is_news(row, name))
			err = add_figure(moved, pairing, row, &figure);
	}
	return err;
}

/* "verified_insns of lookup_prog": exact, and the same in every run. */
static int add_program(struct moved *moved, const struct row *row, const json_t *a, const json_t *b,
		       const char *field)
{
	double before = json__number(a, field), after = json__number(b, field);
	struct item *item;
	const char *program = json__string(a, "name", "?");
	char name[160];

	if (!isfinite(before) || !isfinite(after) || before == after)
		return 0;
	item = append(moved);
	if (!item)
		return -ENOMEM;
	snprintf(name, sizeof(name), "%s of %.*s", field, compare__fit(program, 100), program);
	item->doc = describe(row, name, "");
	item->kind = EXACT;
	item->before = before;
	item->after = after;
	item->judgement = (struct judgement){.verdict = VERDICT_INCONCLUSIVE,
					     .ratio = after / before,
					     .lo = after / before,
					     .hi = after / before,
					     .lo90 = after / before,
					     .hi90 = after / before,
					     .p = 0,
					     .df = NAN,
					     .units_before = 1,
					     .units_after = 1,
					     .unit = "program",
					     .method = "exact",
					     .runs_needed = NAN};
	return 0;
}

/* {name: program}, of each name the first one. NULL: no memory. */
static json_t *index_programs(const json_t *progs)
{
	json_t *index = json_object(), *prog;
	size_t i;

	json_array_foreach(progs, i, prog) {
		const char *name = json__string(prog, "name", "");

		if (!json_object_get(index, name))
			json_object_set(index, name, prog);
	}
	return index;
}

static int add_programs(struct moved *moved, const struct row *row)
{
	const json_t *before = json_object_get(row->before.benchmark, "progs"), *a, *b;
	json_t *after = index_programs(json_object_get(row->after.benchmark, "progs"));
	int err = after ? 0 : -ENOMEM;
	size_t i;

	json_array_foreach(before, i, a) {
		b = json_object_get(after, json__string(a, "name", "?"));
		err = err ?: add_program(moved, row, a, b, "verified_insns");
		err = err ?: add_program(moved, row, a, b, "jited_len");
	}
	json_decref(after);
	return err;
}

static int add_evidence(struct moved *moved, const struct pairing *pairing, const struct row *row,
			const struct evidence *evidence)
{
	const struct arm before = {evidence->before.runs, evidence->before.nr};
	const struct arm after = {evidence->after.runs, evidence->after.nr};
	struct judge_options options = pairing__options(pairing, evidence->better);
	struct item *item;
	char reason[160];
	int err;

	if (row__untimed(pairing, METRIC_NOISY, reason, sizeof(reason)))
		return 0;
	item = append(moved);
	if (!item)
		return -ENOMEM;
	item->doc = describe(row, evidence->name, evidence->unit);
	item->floor = evidence->floor;
	item->kind = before.nr < 2 || after.nr < 2 ? DESCRIPTIVE : TESTED;
	err = verdict__judge(&before, &after, &options, &item->judgement);
	return err ?: settle(moved);
}

int moved__add(struct moved *moved, const struct pairing *pairing, const struct row *row)
{
	struct evidence *list = NULL;
	size_t nr = 0;
	int err = add_figures(moved, pairing, row, "values");

	err = err ?: add_figures(moved, pairing, row, "per_op");
	err = err ?: add_programs(moved, row);
	err = err ?: evidence__collect(&row->before, &row->after, &list, &nr);
	for (size_t i = 0; !err && i < nr; i++)
		err = add_evidence(moved, pairing, row, &list[i]);
	evidence__free(list, nr);
	return err;
}

static json_t *item_json(const struct item *item, const struct secondary *secondary)
{
	json_t *doc = json_incref(item->doc);

	json_object_set_new(doc, "before", compare__number(item->before));
	json_object_set_new(doc, "after", compare__number(item->after));
	if (secondary)
		json_object_set_new(doc, "q", compare__number(secondary->q));
	if (item->kind != DESCRIPTIVE)
		judgement__json(&item->judgement, doc);
	return doc;
}

/* Of figures without an interval, those that anybody would look at twice. */
static bool is_notable(const struct item *item)
{
	double change = fabs(item->after - item->before);

	return change >= item->floor && change > 0.1 * fmax(fabs(item->before), fabs(item->after));
}

json_t *moved__json(struct moved *moved)
{
	struct secondary *family = calloc(moved->nr + 1, sizeof(*family));
	json_t *list = json_array(), *descriptive = json_array();
	size_t nr = 0, at = 0;

	for (size_t i = 0; family && i < moved->nr; i++) {
		const struct item *item = &moved->items[i];

		if (item->kind == TESTED)
			family[nr++] = (struct secondary){.judgement = &item->judgement,
							  .change = item->after - item->before,
							  .floor = item->floor};
	}
	if (!family || verdict__moved(family, nr, FLOOR_RATIO))
		nr = 0;
	for (size_t i = 0; i < moved->nr; i++) {
		const struct item *item = &moved->items[i];

		if (item->kind == DESCRIPTIVE && is_notable(item))
			json_array_append_new(descriptive, item_json(item, NULL));
		else if (item->kind == EXACT && item->before != item->after)
			json_array_append_new(list, item_json(item, NULL));
		else if (item->kind == TESTED && at < nr && family[at].moved)
			json_array_append_new(list, item_json(item, &family[at]));
		at += item->kind == TESTED;
	}
	free(family);
	return json_pack("{s:I, s:f, s:f, s:o, s:o}", "tested", (json_int_t)nr, "level",
			 VERDICT_ALPHA, "floor_ratio", FLOOR_RATIO, "moved", list, "descriptive",
			 descriptive);
}
