/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_PARAM_H
#define BPFPERF_LIB_PARAM_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/why.h"

/*
 * A parameter of a benchmark is one row. The row gives the parser, the bounds, the default, what
 * `list` prints, the table of the manual and the value in the document. Every value is kept as a
 * uint64_t in the benchmark's own struct of arguments: a number, or the index of a word.
 */
struct param {
	const char *name;
	const char *help;	/* one line, lower case, no full stop; the unit if there is one */
	const char *words;	/* "absent|one|random", the first is the default; NULL: a number */
	uint64_t def, min, max; /* of a number */
	size_t offset;
};

#define PARAM_NUMBER(type, field, def_, min_, max_, help_)                            \
	{                                                                             \
		.name = #field, .help = help_, .def = def_, .min = min_, .max = max_, \
		.offset = offsetof(type, field)                                       \
	}
#define PARAM_WORD(type, field, words_, help_)                                                  \
	{                                                                                       \
		.name = #field, .help = help_, .words = words_, .offset = offsetof(type, field) \
	}

/* Tables end with a row without a name. */
#define for_each_param(p, table) for ((p) = (table); (p) && (p)->name; (p)++)

const struct param *param__find(const struct param *table, const char *name);

/* Writes every default into `args`. */
void param__defaults(const struct param *table, void *args);

/*
 * Parses one value ("1000", "4k", "0x10", "one") and checks its bounds. -EINVAL and `why` names
 * the bounds or the words that are known.
 */
int param__parse(const struct param *param, const char *text, uint64_t *ret_value, struct why *why);

void param__set(const struct param *param, void *args, uint64_t value);
uint64_t param__get(const struct param *param, const void *args);

/* The value as the user would type it; `buf` is used for numbers. */
const char *param__text(const struct param *param, uint64_t value, char *buf, size_t size);

/* "1000, 1..1048576" or "absent, one, random": for `list`, errors and the manual. */
void param__bounds(const struct param *param, char *buf, size_t size);

/* A number, or the word. */
json_t *param__json(const struct param *param, const void *args);

/* 0, or -EINVAL and `why`: a row whose bounds, default or offset contradict each other. */
int param__check_table(const struct param *table, size_t args_size, struct why *why);

#endif
