// SPDX-License-Identifier: GPL-2.0-only
#include "lib/document_leaves.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "lib/document.h"
#include "lib/why.h"

static bool fits(const json_t *value)
{
	if (json_is_number(value))
		return fabs(json_number_value(value)) <= DOCUMENT_MAX_NUMBER;
	return json_string_length(value) <= DOCUMENT_MAX_TEXT;
}

/*
 * In an array it is called as the array is: which of a million elements, nobody asks. Most values
 * are numbers that fit, and to write the path of each took a third of the time of `compare`.
 */
static int check_one(json_t *value, const char *path, const char *key, struct why *why)
{
	bool fit = fits(value);
	char inner[160];

	if (fit && !json_is_array(value) && !json_is_object(value))
		return 0;
	snprintf(inner, sizeof(inner), "%.80s%s%.60s", path, *path && *key ? "." : "", key);
	if (fit)
		return document__check_leaves(value, inner, NULL, why);
	if (json_is_number(value))
		return why__set(why, -EINVAL, "%s: a number beyond %g", inner, DOCUMENT_MAX_NUMBER);
	return why__set(why, -EINVAL, "%s: a text of more than %d bytes", inner, DOCUMENT_MAX_TEXT);
}

/* As deep as the parser goes, which has a bound. */
int document__check_leaves(json_t *value, const char *path, const char *but, struct why *why)
{
	const char *key;
	json_t *member;
	int err = 0;
	size_t i;

	json_array_foreach(value, i, member)
		err = err ?: check_one(member, path, "", why);
	json_object_foreach(value, key, member) {
		if (err || (but && !strcmp(key, but)))
			continue;
		if (strlen(key) > DOCUMENT_MAX_TEXT)
			return why__set(why, -EINVAL, "%.80s: a key of more than %d bytes", path,
					DOCUMENT_MAX_TEXT);
		err = check_one(member, path, key, why);
	}
	return err;
}
