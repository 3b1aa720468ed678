// SPDX-License-Identifier: GPL-2.0-only
#include "lib/render/render.h"

#include <string.h>

#include "lib/plural.h"
#include "lib/result.h"

#define LINE_WIDTH   100
#define TEXT_COLUMN  30
#define NAME_WIDTH   20
#define STATUS_WIDTH 7
#define LABEL_INDENT 2

/* Bytes of `text` that fit, broken at a blank where there is one. */
static size_t line_length(const char *text, size_t room)
{
	size_t len = strlen(text), blank;

	if (len <= room)
		return len;
	for (blank = room; blank && text[blank] != ' '; blank--)
		;
	return blank ? blank : room;
}

/* From column `indent` on, which the cursor has reached; further lines begin there as well. */
static void print_wrapped(FILE *out, const char *text, size_t indent)
{
	char line[LINE_WIDTH + 1];
	size_t len;

	while (true) {
		len = line_length(text, LINE_WIDTH - indent);
		snprintf(line, sizeof(line), "%.*s", (int)len, text);
		render__string(out, line);
		fputc('\n', out);
		text += len;
		text += strspn(text, " ");
		if (!*text)
			return;
		fprintf(out, "%*s", (int)indent, "");
	}
}

static void print_labelled(FILE *out, const char *label, const char *text)
{
	if (!text)
		return;
	fprintf(out, "%*s%s", TEXT_COLUMN, "", label);
	print_wrapped(out, text, TEXT_COLUMN + strlen(label));
}

static void print_check(FILE *out, const json_t *check)
{
	const char *status = json__string(check, "status", "?");
	const char *value = json__string(check, "value", NULL);
	const char *detail = json__string(check, "detail", NULL);
	bool is_ok = !strcmp(status, "ok");

	fprintf(out, "%*s%-*.*s%-*s ", LABEL_INDENT, "", NAME_WIDTH, NAME_WIDTH,
		json__string(check, "name", "?"), STATUS_WIDTH, status);
	if (value) {
		print_wrapped(out, value, TEXT_COLUMN);
		print_labelled(out, "", detail);
	} else {
		print_wrapped(out, detail ? detail : "", TEXT_COLUMN);
	}
	if (!is_ok)
		print_labelled(out, "for: ", json__string(check, "purpose", NULL));
	print_labelled(out, "mend: ", json__string(check, "remedy", NULL));
}

static int count_status(const json_t *checks, const char *status)
{
	const json_t *check;
	int nr = 0;
	size_t i;

	json_array_foreach(checks, i, check)
		nr += !strcmp(json__string(check, "status", ""), status);
	return nr;
}

void render__doctor(const json_t *report, FILE *out)
{
	const json_t *checks = json_object_get(report, "checks"), *check;
	int nr_gaps = count_status(checks, "gap");
	size_t i;

	json_array_foreach(checks, i, check)
		print_check(out, check);
	fprintf(out, "\n%d ok, %d gap%s, %d unknown, %d for information\n",
		count_status(checks, "ok"), nr_gaps, plural(nr_gaps),
		count_status(checks, "unknown"), count_status(checks, "info"));
}
