// SPDX-License-Identifier: GPL-2.0-only
#include "perf/event_parse.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lib/suggest.h"
#include "perf/event.h"
#include "perf/event_dir.h"

/* How much of a long list an error shows, and how much of that before the fault. */
#define SHOWN	     64
#define SHOWN_BEFORE 24

/* More than perf has generic names. */
#define NAMES_MAX 64

/* Makes bytes safe for a terminal; `buf` holds four per byte. Returns the columns. */
static int escape(char *buf, const char *text, size_t len)
{
	char *end = buf;

	for (size_t i = 0; i < len; i++) {
		unsigned char c = text[i];

		if (c >= ' ' && c <= '~')
			*end++ = c;
		else
			end += sprintf(end, "\\x%02x", c);
	}
	*end = '\0';
	return end - buf;
}

struct quoted quote(const char *word, size_t len)
{
	struct quoted quoted;
	int end;

	if (len <= EVENT_NAME_SIZE) {
		escape(quoted.text, word, len);
		return quoted;
	}
	end = escape(quoted.text, word, EVENT_NAME_SIZE);
	strcpy(quoted.text + end, "..");
	return quoted;
}

int parser__fail(const struct parser *p, const char *at, const char *fmt, ...)
{
	static const char prefix[] = EVENT_SYNTAX_ERROR "'";
	char shown[4 * SHOWN + 1], message[288];
	size_t len = strlen(p->text);
	size_t start = 0, before;
	va_list args;
	int columns;

	va_start(args, fmt);
	vsnprintf(message, sizeof(message), fmt, args);
	va_end(args);

	if (len > SHOWN && at - p->text > SHOWN_BEFORE)
		start = at - p->text - SHOWN_BEFORE;
	len = len - start > SHOWN ? SHOWN : len - start;
	before = at - p->text - start;
	columns = escape(shown, p->text + start, before);
	escape(shown + columns, at, len - before);
	return why__set(p->why, -EINVAL, "%s%s%s%s'\n%*s\\___ %s", prefix, start ? ".." : "", shown,
			p->text[start + len] ? ".." : "",
			(int)strlen(prefix) + (start ? 2 : 0) + columns, "", message);
}

static int fail_with_hint(const struct parser *p, const char *at, const char *kind,
			  const struct suggest *suggest, const char *otherwise)
{
	char hint[160];

	suggest__format(suggest, hint, sizeof(hint));
	return parser__fail(p, at, "unknown %s '%s'%s%s", kind,
			    quote(suggest->word, strlen(suggest->word)).text, hint[0] ? ", " : "",
			    hint[0] ? hint : otherwise);
}

int parser__fail_unknown(const struct parser *p, const char *at, const char *kind, const char *word,
			 const struct names *names, const char *otherwise)
{
	struct suggest suggest = {.word = word};

	for (int i = 0; i < names->nr; i++)
		suggest__offer(&suggest, names->name[i]);
	return fail_with_hint(p, at, kind, &suggest, otherwise);
}

int parser__fail_unknown_event(const struct parser *p, const char *at, const char *word)
{
	char generic[NAMES_MAX][EVENT_NAME_SIZE];
	struct names aliases[PMU_CORES_MAX];
	struct suggest suggest = {.word = word};
	int err;

	for (int i = 0; i < NAMES_MAX && event_name__nth(i, generic[i], sizeof(generic[i])); i++)
		suggest__offer(&suggest, generic[i]);
	for (int i = 0; i < p->nr_cores; i++) {
		pmu__aliases(&p->cores[i], &aliases[i], p->env);
		for (int j = 0; j < aliases[i].nr; j++)
			suggest__offer(&suggest, aliases[i].name[j]);
	}
	err = fail_with_hint(p, at, "event", &suggest, "");
	for (int i = 0; i < p->nr_cores; i++)
		names__free(&aliases[i]);
	return err;
}
