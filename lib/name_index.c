// SPDX-License-Identifier: GPL-2.0-only
#include "lib/name_index.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static void *at(const struct name_index *index, size_t number)
{
	return (char *)index->items + number * index->size;
}

void *name_index__find(const struct name_index *index, const char *name)
{
	const json_t *number = json_object_get(index->numbers, name);

	return number ? at(index, json_integer_value(number)) : NULL;
}

static bool make_room(struct name_index *index)
{
	size_t room = index->room ? index->room * 2 : 64;
	void *items;

	if (!index->numbers)
		index->numbers = json_object();
	if (!index->numbers || index->nr < index->room)
		return index->numbers;
	items = reallocarray(index->items, room, index->size);
	if (!items)
		return false;
	index->items = items;
	index->room = room;
	return true;
}

void *name_index__get(struct name_index *index, const char *name)
{
	void *item = name_index__find(index, name);

	if (item)
		return item;
	/* With a check, a name that is no UTF-8 would be refused. */
	if (!make_room(index) ||
	    json_object_set_new_nocheck(index->numbers, name, json_integer(index->nr)))
		return NULL;
	return memset(at(index, index->nr++), 0, index->size);
}

void name_index__free(struct name_index *index)
{
	json_decref(index->numbers);
	free(index->items);
	*index = (struct name_index){.size = index->size};
}
