// SPDX-License-Identifier: GPL-2.0-only
#include "perf/event.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/suggest.h"
#include "perf/event_names.h"

/*
 *	list:	event { ',' event }
 *	event:	word [ ':' modifiers ]
 *
 * Each parse_ function takes its part from `pos` and leaves it behind that part.
 */
struct parser {
	const char *text;
	const char *pos;
	const struct event_env *env;
	struct event_list *list;
	struct why *why;
};

#define DELIMITERS ",:/{}"
#define ACCEPTED   "use a hardware, software or cache event by perf's name, or rHEX"

/* How much of a long list an error shows, and how much of that before the fault. */
#define SHOWN	     64
#define SHOWN_BEFORE 24

/* More than there are names to suggest. */
#define NAMES_MAX 64

const struct event_env event_env_system = {
	.sysfs = "/sys",
	.tracefs = "/sys/kernel/tracing",
	.procfs = "/proc",
};

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

/* A word of the user's for a message. */
struct quoted {
	char text[4 * EVENT_NAME_SIZE + 3];
};

static struct quoted quote(const char *word, size_t len)
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

__attribute__((format(printf, 3, 4))) static int fail(const struct parser *p, const char *at,
						      const char *fmt, ...)
{
	static const char prefix[] = "event syntax error: '";
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

static int fail_unknown(const struct parser *p, const char *start, const char *word)
{
	char names[NAMES_MAX][EVENT_NAME_SIZE];
	struct suggest suggest = {.word = word};
	char hint[128];

	for (int i = 0; i < NAMES_MAX && event_name__nth(i, names[i], sizeof(names[i])); i++)
		suggest__offer(&suggest, names[i]);
	suggest__format(&suggest, hint, sizeof(hint));
	return fail(p, start, "unknown event '%s'%s%s", quote(word, strlen(word)).text,
		    hint[0] ? ", " : "", hint);
}

static size_t word_len(const char *text)
{
	return strcspn(text, DELIMITERS);
}

/* After a ':', perf's modifiers are told from the second half of a tracepoint by their letters. */
static bool looks_like_modifiers(const char *text)
{
	return strspn(text, "ukhIGHpPSDWebR") == word_len(text);
}

static void fill(struct event *event, const struct event_name *name)
{
	event->attr.size = sizeof(event->attr);
	event->attr.type = name->type;
	event->attr.config = name->config;
	event->attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	/* As perf does; software events have no guest side, and the kernel ignores it there. */
	event->attr.exclude_guest = name->type != PERF_TYPE_SOFTWARE;
	event->unit = name->unit;
	event->better = name->better;
	event->class = name->class;
	event->kernel_only = name->kernel_only;
	event->clock = name->clock;
}

/* The code of a raw event: "r1a8", and perf's other form "r0x1a8"; false when it is none. */
static bool is_raw(const char *word, const char **ret_digits)
{
	if (word[0] != 'r')
		return false;
	word++;
	if (word[0] == '0' && (word[1] == 'x' || word[1] == 'X'))
		word += 2;
	*ret_digits = word;
	return *word && word[strspn(word, "0123456789abcdefABCDEF")] == '\0';
}

static int parse_raw(const struct parser *p, const char *start, const char *digits,
		     struct event *event)
{
	struct event_name raw = {
		.type = PERF_TYPE_RAW,
		.unit = "events",
		.better = BETTER_NONE,
		.class = METRIC_NOISY,
	};

	if (strlen(digits) > 16)
		return fail(p, start, "a raw event has 1 to 16 hexadecimal digits");
	raw.config = strtoull(digits, NULL, 16);
	fill(event, &raw);
	return 0;
}

static int resolve(const struct parser *p, const char *start, const char *word, struct event *event)
{
	const struct event_name *name = event_name__find(word);
	struct event_name cache;
	const char *digits;
	int err;

	if (name) {
		fill(event, name);
		return 0;
	}
	if (is_raw(word, &digits))
		return parse_raw(p, start, digits, event);
	err = event_name__parse_cache(word, &cache);
	if (!err) {
		fill(event, &cache);
		return 0;
	}
	if (!strcmp(word, "none"))
		return fail(p, start, "'none' stands alone");
	return fail_unknown(p, start, word);
}

static int parse_word(struct parser *p, struct event *event)
{
	const char *start = p->pos;
	size_t len = word_len(start);
	char *word;
	int err;

	if (*start == '{')
		return fail(p, start, "groups are not accepted: list the events without braces");
	if (!len)
		return fail(p, start, "event name expected");
	p->pos += len;
	if (*p->pos == '/')
		return fail(p, start, "PMU/terms/ is not accepted: " ACCEPTED);
	word = strndup(start, len);
	if (!word)
		return -ENOMEM;
	if (*p->pos == ':' && !looks_like_modifiers(p->pos + 1) && !event_name__find(word))
		err = fail(p, start,
			   "SYSTEM:TRACEPOINT and TYPE:CONFIG are not accepted: " ACCEPTED);
	else
		err = resolve(p, start, word, event);
	free(word);
	return err;
}

static int parse_modifiers(struct parser *p, struct event *event)
{
	bool user = false, kernel = false;

	if (*p->pos != ':')
		return 0;
	p->pos++;
	if (!word_len(p->pos))
		return fail(p, p->pos, "modifier expected: u or k");
	for (; word_len(p->pos); p->pos++) {
		bool *seen = *p->pos == 'u' ? &user : *p->pos == 'k' ? &kernel : NULL;

		if (!seen)
			return fail(p, p->pos, "modifier '%s' is not accepted: use u, k or both",
				    quote(p->pos, 1).text);
		if (*seen)
			return fail(p, p->pos, "modifier '%c' is given twice", *p->pos);
		*seen = true;
	}
	event->attr.exclude_user = !user;
	event->attr.exclude_kernel = !kernel;
	event->attr.exclude_hv = 1;
	return 0;
}

static bool has_name(const struct event_list *list, const char *name)
{
	for (int i = 0; i < list->nr; i++)
		if (!strcmp(list->events[i].name, name))
			return true;
	return false;
}

static int parse_event(struct parser *p)
{
	struct event event = {0};
	const char *start = p->pos;
	int err;

	err = parse_word(p, &event);
	if (!err)
		err = parse_modifiers(p, &event);
	if (err)
		return err;
	if (*p->pos && *p->pos != ',')
		return fail(p, p->pos, "'%c' is not expected here", *p->pos);

	event.name = strndup(start, p->pos - start);
	if (!event.name)
		return -ENOMEM;
	if (has_name(p->list, event.name)) {
		free(event.name);
		return 0;
	}
	if (p->list->nr == EVENT_LIST_MAX) {
		free(event.name);
		return fail(p, start, "more than %d events", EVENT_LIST_MAX);
	}
	p->list->events[p->list->nr++] = event;
	return 0;
}

static int parse_list(struct parser *p)
{
	int err = parse_event(p);

	while (!err && *p->pos == ',') {
		p->pos++;
		err = parse_event(p);
	}
	return err;
}

int event_list__parse(const char *spec, const struct event_env *env, struct event_list *ret_list,
		      struct why *why)
{
	struct parser p = {.text = spec, .pos = spec, .env = env, .list = ret_list, .why = why};
	int err;

	*ret_list = (struct event_list){0};
	if (!strcmp(spec, "none"))
		return 0;
	if (strlen(spec) > EVENT_SPEC_MAX)
		return why__set(why, -EINVAL, "event list of %zu bytes: the limit is %d",
				strlen(spec), EVENT_SPEC_MAX);
	ret_list->events = calloc(EVENT_LIST_MAX, sizeof(*ret_list->events));
	err = ret_list->events ? parse_list(&p) : -ENOMEM;
	if (err == -ENOMEM)
		why__errno(why, err, "cannot parse the event list");
	if (err)
		event_list__free(ret_list);
	return err;
}

void event_list__free(struct event_list *list)
{
	for (int i = 0; i < list->nr; i++)
		free(list->events[i].name);
	free(list->events);
	*list = (struct event_list){0};
}
