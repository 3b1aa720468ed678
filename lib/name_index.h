/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_NAME_INDEX_H
#define BPFPERF_LIB_NAME_INDEX_H

#include <jansson.h>
#include <stddef.h>

/*
 * Elements of one size, each with a name, in the order in which the names came. A name is found in
 * the same time however many there are: a stranger's document may have very many. Names are bytes;
 * one that was cut within a character is a name as well.
 */
struct name_index {
	size_t size; /* of an element */
	void *items; /* nr of them; they move when one is added */
	size_t nr;
	/* Private. */
	size_t room;
	json_t *numbers;
};

#define NAME_INDEX(type) ((struct name_index){.size = sizeof(type)})

/* NULL: there is none of this name. */
void *name_index__find(const struct name_index *index, const char *name);
/* The one of this name, or else a new one, of zeros. NULL: no memory; then nothing has changed. */
void *name_index__get(struct name_index *index, const char *name);
/* What the elements own is the caller's to free, before. */
void name_index__free(struct name_index *index);

#endif
