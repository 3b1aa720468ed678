// SPDX-License-Identifier: GPL-2.0-only
#include "lib/compare_evidence.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/compare_row.h"
#include "lib/result.h"

/* Kernels have some dozen lock classes; a stranger's document may claim more. */
#define MAX_FIGURES 256

/* The least share of the time that anybody asks about. */
#define LOCK_FLOOR 0.001

struct list {
	struct evidence *items;
	size_t nr;
	size_t nr_metrics; /* which come first: there are few of them, and any number of locks */
	json_t *locks;	   /* {name: number} */
};

static void name_lock(const json_t *row, char *buf, size_t size)
{
	const char *class = json__string(row, "class", "?"), *type = json__string(row, "type", "?");
	const char *caller = json__string(row, "caller", "-");

	snprintf(buf, size, "lock wait, %.*s (%.*s) in %.*s", compare__fit(class, 80), class,
		 compare__fit(type, 40), type, compare__fit(caller, 80), caller);
}

static struct evidence *find_lock(const struct list *list, const char *name)
{
	const json_t *number = json_object_get(list->locks, name);

	return number ? &list->items[json_integer_value(number)] : NULL;
}

/* -ENOSPC: enough of them; -ENOMEM. */
static int append(struct list *list, const char *name, struct evidence **ret)
{
	char *copy;

	if (list->nr >= MAX_FIGURES)
		return -ENOSPC;
	copy = strdup(name);
	if (!copy)
		return -ENOMEM;
	*ret = &list->items[list->nr++];
	**ret = (struct evidence){.name = copy};
	return 0;
}

static int add_lock(struct list *list, const json_t *row)
{
	struct evidence *item;
	char name[256];
	int err;

	name_lock(row, name, sizeof(name));
	if (find_lock(list, name))
		return 0;
	err = append(list, name, &item);
	if (err)
		return err;
	item->unit = "of the time";
	item->better = "none";
	item->floor = LOCK_FLOOR;
	return json_object_set_new(list->locks, name, json_integer(list->nr - 1)) ? -ENOMEM : 0;
}

/* The locks of all evidence runs of one side. */
static int add_locks(struct list *list, const struct entry *entry)
{
	const json_t *run, *row;
	size_t i, j;
	int err = 0;

	json_array_foreach(json_object_get(entry->benchmark, "runs"), i, run) {
		if (!entry__has(entry, run, "evidence"))
			continue;
		json_array_foreach(json_object_get(run, "locks"), j, row) {
			err = add_lock(list, row);
			if (err)
				return err == -ENOSPC ? 0 : err;
		}
	}
	return 0;
}

static struct series *series_of(struct evidence *item, int side)
{
	return side ? &item->after : &item->before;
}

/* A run whose tracer did not run, or could not see, is none. */
static double is_traced(const json_t *run, const void *arg)
{
	(void)arg;
	return json_is_array(json_object_get(run, "locks")) ? 0 : NAN;
}

/* Each row to the sum of its name, in the run `at` of the series. */
static void add_shares(const struct list *list, int side, const json_t *run, size_t at)
{
	const json_t *row;
	char name[256];
	size_t i;

	json_array_foreach(json_object_get(run, "locks"), i, row) {
		double value = json__number(row, "share");
		struct evidence *item;

		name_lock(row, name, sizeof(name));
		item = find_lock(list, name);
		if (item && isfinite(value))
			series_of(item, side)->runs[at].value += value;
	}
}

/* One pass over the rows, whatever the number of figures: a stranger may claim many of both. */
static int fill_locks(struct list *list, int side, const struct entry *entry)
{
	const json_t *runs = json_object_get(entry->benchmark, "runs"), *run;
	size_t i, at = 0;

	for (i = list->nr_metrics; i < list->nr; i++)
		if (entry__collect(entry, "evidence", is_traced, NULL,
				   series_of(&list->items[i], side)))
			return -ENOMEM;
	json_array_foreach(runs, i, run)
		if (entry__has(entry, run, "evidence") && isfinite(is_traced(run, NULL)))
			add_shares(list, side, run, at++);
	return 0;
}

static json_t *first_values(const struct entry *entry, const char *role)
{
	const json_t *run;
	size_t i;

	json_array_foreach(json_object_get(entry->benchmark, "runs"), i, run)
		if (entry__has(entry, run, role))
			return json_object_get(run, "values");
	return NULL;
}

/* A metric that the clean runs have is better known from them. */
static int collect_metrics(struct list *list, const struct entry *before, const struct entry *after)
{
	const json_t *clean = first_values(before, "clean");
	json_t *values = first_values(before, "evidence"), *value;
	const char *name;
	int err = 0;

	json_object_foreach(values, name, value) {
		const json_t *metric = json_object_get(after->metrics, name);
		const struct figure figure = {name, false};
		struct evidence *item;

		if (err || !metric || json_object_get(clean, name))
			continue;
		err = append(list, name, &item);
		if (err)
			break;
		item->unit = json__string(metric, "unit", "");
		item->better = json__string(metric, "better", "none");
		err = entry__series(before, "evidence", &figure, &item->before);
		err = err ?: entry__series(after, "evidence", &figure, &item->after);
	}
	list->nr_metrics = list->nr;
	return err == -ENOSPC ? 0 : err;
}

int evidence__collect(const struct entry *before, const struct entry *after,
		      struct evidence **ret_list, size_t *ret_nr)
{
	struct list list = {.items = calloc(MAX_FIGURES + 1, sizeof(*list.items)),
			    .locks = json_object()};
	int err = list.items && list.locks ? 0 : -ENOMEM;

	if (!err) {
		err = collect_metrics(&list, before, after);
		err = err ?: add_locks(&list, before);
		err = err ?: add_locks(&list, after);
		err = err ?: fill_locks(&list, 0, before);
		err = err ?: fill_locks(&list, 1, after);
	}
	json_decref(list.locks);
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
