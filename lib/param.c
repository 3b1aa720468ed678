// SPDX-License-Identifier: GPL-2.0-only
#include "lib/param.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct param *param__find(const struct param *table, const char *name)
{
	const struct param *p;

	for_each_param(p, table)
		if (!strcmp(p->name, name))
			return p;
	return NULL;
}

/* Position and length of word number `index`; NULL past the last one. */
static const char *word_at(const char *words, uint64_t index, size_t *ret_len)
{
	const char *word = words;

	for (; index && word; index--) {
		word = strchr(word, '|');
		if (word)
			word++;
	}
	if (word)
		*ret_len = strcspn(word, "|");
	return word;
}

static int parse_word(const struct param *param, const char *text, uint64_t *ret_value)
{
	const char *word;
	size_t len;

	for (uint64_t i = 0; (word = word_at(param->words, i, &len)); i++) {
		if (strlen(text) == len && !strncmp(word, text, len)) {
			*ret_value = i;
			return 0;
		}
	}
	return -EINVAL;
}

static int parse_number(const char *text, uint64_t *ret_value)
{
	uint64_t value, scale = 1;
	char *end;

	/* strtoull would take a sign and leading blanks. */
	if (!isdigit((unsigned char)text[0]))
		return -EINVAL;
	errno = 0;
	/* Base 0 would read "010" as 8. */
	value = strtoull(text, &end, strncasecmp(text, "0x", 2) ? 10 : 16);
	if (errno)
		return -ERANGE;
	switch (*end) {
	case 'k': scale = 1ULL << 10; break;
	case 'M': scale = 1ULL << 20; break;
	case 'G': scale = 1ULL << 30; break;
	}
	if (scale > 1)
		end++;
	if (*end)
		return -EINVAL;
	return __builtin_mul_overflow(value, scale, ret_value) ? -ERANGE : 0;
}

int param__parse(const struct param *param, const char *text, uint64_t *ret_value, struct why *why)
{
	char bounds[256];
	uint64_t value;
	int err;

	err = param->words ? parse_word(param, text, &value) : parse_number(text, &value);
	if (!err && !param->words && (value < param->min || value > param->max))
		err = -ERANGE;
	if (!err) {
		*ret_value = value;
		return 0;
	}
	param__bounds(param, bounds, sizeof(bounds));
	return why__set(why, -EINVAL, "%s='%s' %s: %s", param->name, text,
			err == -ERANGE ? "is out of range" : "is not understood", bounds);
}

void param__set(const struct param *param, void *args, uint64_t value)
{
	memcpy((char *)args + param->offset, &value, sizeof(value));
}

uint64_t param__get(const struct param *param, const void *args)
{
	uint64_t value;

	memcpy(&value, (const char *)args + param->offset, sizeof(value));
	return value;
}

void param__defaults(const struct param *table, void *args)
{
	const struct param *p;

	for_each_param(p, table)
		param__set(p, args, p->words ? 0 : p->def);
}

const char *param__text(const struct param *param, uint64_t value, char *buf, size_t size)
{
	const char *word;
	size_t len = 0;

	if (!param->words) {
		snprintf(buf, size, "%" PRIu64, value);
		return buf;
	}
	word = word_at(param->words, value, &len);
	snprintf(buf, size, "%.*s", (int)len, word ? word : "");
	return buf;
}

void param__bounds(const struct param *param, char *buf, size_t size)
{
	const char *word;
	size_t len, used = 0;

	if (!param->words) {
		snprintf(buf, size, "%" PRIu64 "..%" PRIu64 ", default %" PRIu64, param->min,
			 param->max, param->def);
		return;
	}
	buf[0] = '\0';
	for (uint64_t i = 0; (word = word_at(param->words, i, &len)) && used < size; i++)
		used += snprintf(buf + used, size - used, "%s%.*s", i ? ", " : "", (int)len, word);
}

json_t *param__json(const struct param *param, const void *args)
{
	uint64_t value = param__get(param, args);
	char buf[64];

	if (!param->words)
		return json_integer(value);
	return json_string(param__text(param, value, buf, sizeof(buf)));
}

int param__check_table(const struct param *table, size_t args_size, struct why *why)
{
	const struct param *p;

	for_each_param(p, table) {
		if (p->offset + sizeof(uint64_t) > args_size)
			return why__set(why, -EINVAL, "parameter '%s' lies outside its struct",
					p->name);
		if (param__find(table, p->name) != p)
			return why__set(why, -EINVAL, "parameter '%s' stands twice", p->name);
		if (!p->help)
			return why__set(why, -EINVAL, "parameter '%s' has no help", p->name);
		if (!p->words && (p->def < p->min || p->def > p->max))
			return why__set(why, -EINVAL, "parameter '%s': default out of bounds",
					p->name);
	}
	return 0;
}
