// SPDX-License-Identifier: GPL-2.0-only
#include "lib/render/notes.h"

#include <string.h>

#include "lib/render/render.h"

void notes__add(json_t *notes, const char *column, const char *reason)
{
	const char *text = reason ? reason : "no reason given";
	char key[256];

	snprintf(key, sizeof(key), "%s -   %.*s", column, (int)strcspn(text, ":"), text);
	json_object_set_new(notes, key,
			    json_integer(json_integer_value(json_object_get(notes, key)) + 1));
}

void notes__print(json_t *notes, FILE *out)
{
	const json_t *count;
	const char *key;

	json_object_foreach(notes, key, count) {
		fputs("    ", out);
		render__string(out, key);
		if (json_integer_value(count) > 1)
			fprintf(out, " (%lld points)", (long long)json_integer_value(count));
		fputc('\n', out);
	}
}
