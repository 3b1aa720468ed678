// SPDX-License-Identifier: GPL-2.0-only
#include "perf/event_parse.h"

#include <string.h>

/* perf's letters, all of them. */
#define LETTERS "ukhIGHpPSDWebR"
#define USE	"use u, k, h, G, H, p, D, I, e or W"

bool looks_like_modifiers(const char *text)
{
	return strspn(text, LETTERS) == word_len(text);
}

/* What perf has and we do not: a letter, and why. */
static const char *refusal(char letter)
{
	switch (letter) {
	case 'P': return "'P' lets perf try how precise it gets: say p, pp or ppp";
	case 'S': return "'S' reads a group at each sample: counting takes none";
	case 'b':
		return "'b' counts in a BPF program of perf's, which would disturb what is "
		       "measured";
	case 'R': return "'R' is for retirement latency, which is no count";
	default: return NULL;
	}
}

static int count_letter(const char *text, size_t len, char letter)
{
	int nr = 0;

	for (size_t i = 0; i < len; i++)
		nr += text[i] == letter;
	return nr;
}

static int check(const struct parser *p, const char *start, size_t len)
{
	if (!len)
		return parser__fail(p, start, "modifier expected: " USE);
	for (size_t i = 0; i < len; i++) {
		const char *at = start + i;
		int nr = count_letter(start, i, *at);

		if (refusal(*at))
			return parser__fail(p, at, "modifier %s", refusal(*at));
		if (!strchr(LETTERS, *at))
			return parser__fail(p, at, "modifier '%s' is not accepted: " USE,
					    quote(at, 1).text);
		if (*at == 'p' && nr == 3)
			return parser__fail(p, at, "'ppp' is as precise as it gets");
		if (*at != 'p' && nr)
			return parser__fail(p, at, "modifier '%c' is given twice", *at);
	}
	return 0;
}

/* Adds a group's letters to an event's own; of 'p' the more precise of both counts. */
static void merge(struct pending *pending, const char *start, size_t len)
{
	char *text = pending->modifiers;
	int precise = count_letter(text, strlen(text), 'p');

	for (size_t i = 0; i < len; i++) {
		size_t end = strlen(text);

		if (start[i] == 'p' ? precise-- > 0 : strchr(text, start[i]) != NULL)
			continue;
		text[end] = start[i];
		text[end + 1] = '\0';
	}
}

int parse_modifiers(struct parser *p, int first)
{
	const char *start;
	size_t len;
	int err;

	/* "cpu/cycles/u" has none of the colon, as perf prints it; "cpu/cycles/:u" is accepted. */
	if (*p->pos == ':')
		p->pos++;
	else if (p->pos == p->text || p->pos[-1] != '/' || !word_len(p->pos))
		return 0;
	start = p->pos;
	len = word_len(start);
	err = check(p, start, len);
	if (err)
		return err;
	p->pos += len;
	for (int i = first; i < p->list->nr; i++)
		merge(&p->pending[i], start, len);
	return 0;
}

void event__apply_modifiers(struct event *event, const char *modifiers)
{
	struct perf_event_attr *attr = &event->attr;

	/* Naming one level leaves the others out. */
	if (modifiers[strcspn(modifiers, "ukh")]) {
		attr->exclude_user = !strchr(modifiers, 'u');
		attr->exclude_kernel = !strchr(modifiers, 'k');
		attr->exclude_hv = !strchr(modifiers, 'h');
	}
	if (modifiers[strcspn(modifiers, "GH")]) {
		attr->exclude_guest = !strchr(modifiers, 'G');
		attr->exclude_host = !strchr(modifiers, 'H');
	}
	attr->precise_ip = count_letter(modifiers, strlen(modifiers), 'p');
	attr->pinned = !!strchr(modifiers, 'D');
	attr->exclude_idle = !!strchr(modifiers, 'I');
	attr->exclusive = !!strchr(modifiers, 'e');
	event->weak = !!strchr(modifiers, 'W');
}
