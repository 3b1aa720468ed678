// SPDX-License-Identifier: GPL-2.0-only
#include "lib/compare_evidence.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/result.h"

/* What one kind of tracer writes into a run: rows of `key`, each with a name and a value. */
static const struct kind {
	const char *key;
	const char *value;
	const char *unit;
	double floor;
	bool zero_if_absent; /* no row: it did not happen */
} kinds[] = {
	{"locks", "share", "of the time", 0.001, true},
	{"grace_periods", "mean_ns", "ns", 1000, false},
};

#define NR_KINDS (sizeof(kinds) / sizeof(kinds[0]))

/* Kernels have some dozen lock classes; a stranger's document may claim more. */
#define MAX_FIGURES 256

struct list {
	struct evidence *items;
	size_t nr;
};

static void name_row(const struct kind *kind, const json_t *row, char *buf, size_t size)
{
	if (!strcmp(kind->key, "locks"))
		snprintf(buf, size, "lock wait, %.80s (%.40s) in %.80s",
			 json__string(row, "class", "?"), json__string(row, "type", "?"),
			 json__string(row, "caller", "-"));
	else
		snprintf(buf, size, "grace period, path %.80s", json__string(row, "path", "?"));
}

static struct evidence *find(struct list *list, const struct kind *kind, const char *name)
{
	struct evidence *items;

	for (size_t i = 0; i < list->nr; i++)
		if (!strcmp(list->items[i].name, name))
			return &list->items[i];
	items = reallocarray(list->items, list->nr + 1, sizeof(*items));
	if (!items)
		return NULL;
	list->items = items;
	items[list->nr] = (struct evidence){strdup(name), kind->unit, kind->floor, {0}, {0}};
	return items[list->nr].name ? &items[list->nr++] : NULL;
}

/* Names of all rows of all evidence runs of one side. */
static int add_names(struct list *list, const struct kind *kind, const struct entry *entry)
{
	const json_t *run, *row;
	size_t i, j;
	char name[256];

	json_array_foreach(json_object_get(entry->benchmark, "runs"), i, run) {
		if (!entry__has(entry, run, "evidence"))
			continue;
		json_array_foreach(json_object_get(run, kind->key), j, row) {
			name_row(kind, row, name, sizeof(name));
			if (list->nr < MAX_FIGURES && !find(list, kind, name))
				return -ENOMEM;
		}
	}
	return 0;
}

/* The sum over the rows of this name; NAN: the tracer did not run, or saw nothing of this. */
static double value_in(const json_t *run, const struct kind *kind, const char *wanted)
{
	const json_t *rows = json_object_get(run, kind->key), *row;
	double sum = kind->zero_if_absent && json_is_array(rows) ? 0 : NAN;
	char name[256];
	size_t i;

	json_array_foreach(rows, i, row) {
		double value = json__number(row, kind->value);

		name_row(kind, row, name, sizeof(name));
		if (!strcmp(name, wanted) && isfinite(value))
			sum = isfinite(sum) ? sum + value : value;
	}
	return sum;
}

static int fill(struct series *series, const struct kind *kind, const struct entry *entry,
		const char *name)
{
	const json_t *runs = json_object_get(entry->benchmark, "runs"), *run;
	size_t i;

	series->runs = calloc(json_array_size(runs) + 1, sizeof(*series->runs));
	if (!series->runs)
		return -ENOMEM;
	json_array_foreach(runs, i, run) {
		double value = entry__has(entry, run, "evidence") ? value_in(run, kind, name) : NAN;

		if (isfinite(value))
			series->runs[series->nr++] = (struct observation){
				.value = value,
				.boot = json_integer_value(json_object_get(run, "boot")),
				.block = -1};
	}
	return 0;
}

int evidence__collect(const struct entry *before, const struct entry *after,
		      struct evidence **ret_list, size_t *ret_nr)
{
	struct list list = {0};
	int err = 0;

	for (size_t k = 0; !err && k < NR_KINDS; k++) {
		size_t first = list.nr;

		err = add_names(&list, &kinds[k], before);
		err = err ?: add_names(&list, &kinds[k], after);
		for (size_t i = first; !err && i < list.nr; i++) {
			err = fill(&list.items[i].before, &kinds[k], before, list.items[i].name);
			err = err
				      ?: fill(&list.items[i].after, &kinds[k], after,
					      list.items[i].name);
		}
	}
	*ret_list = list.items;
	*ret_nr = list.nr;
	return err;
}

void evidence__free(struct evidence *list, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		free(list[i].name);
		free(list[i].before.runs);
		free(list[i].after.runs);
	}
	free(list);
}
