// SPDX-License-Identifier: GPL-2.0-only
#include "perf/event_parse.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/suggest.h"
#include "perf/event_dir.h"

#define TERM_SIZE 128

struct term {
	const char *at; /* in the user's text */
	const char *value_at;
	char name[TERM_SIZE];
	char value[TERM_SIZE];
	bool has_value;
};

/* Where a term list stands: a generic event and the PMU's own bits exclude each other. */
struct terms {
	const struct pmu *pmu; /* NULL: of an event by name */
	struct event *event;
	struct pending *pending;
	bool generic;
	bool encoded;
};

/* perf's terms that configure sampling, or whom to count: no term of a count on one thread. */
static const char *const no_terms[] = {
	"freq",	      "time",	       "call-graph", "stack-size",    "max-stack",
	"max-events", "inherit",       "no-inherit", "overwrite",     "no-overwrite",
	"percore",    "aux-output",    "aux-action", "branch_type",   "aux-sample-size",
	"nr",	      "driver-config", "metric-id",  "ratio-to-prev",
};

static void put(struct event *event, const struct pmu_format *format, uint64_t value)
{
	struct perf_event_attr *attr = &event->attr;

	switch (format->word) {
	case 0: attr->config = pmu_format__put(format, attr->config, value); break;
	case 1: attr->config1 = pmu_format__put(format, attr->config1, value); break;
	case 2: attr->config2 = pmu_format__put(format, attr->config2, value); break;
	case 3: event->config3 = pmu_format__put(format, event->config3, value); break;
	}
}

/* The bits of "config", "config1", ... or of the PMU's own term. 0, -ENOENT or -EINVAL. */
static int find_format(const struct parser *p, const struct pmu *pmu, const char *name,
		       struct pmu_format *ret_format)
{
	static const char *const words[PMU_WORDS] = {"config", "config1", "config2", "config3"};

	for (int i = 0; i < PMU_WORDS; i++) {
		if (strcmp(name, words[i]))
			continue;
		*ret_format = (struct pmu_format){.word = i, .mask = UINT64_MAX};
		return 0;
	}
	return pmu__format(pmu, name, ret_format, p->env);
}

static int apply_alias_term(const struct parser *p, const struct pmu *pmu, char *term,
			    struct event *event)
{
	char *value = strchr(term, '=');
	struct pmu_format format;
	uint64_t number = 1;

	if (value)
		*value++ = '\0';
	if (value && !names__number(value, &number))
		return -EINVAL;
	if (!strcmp(term, "period")) {
		event->period = number;
		return 0;
	}
	if (find_format(p, pmu, term, &format) || number > pmu_format__max(&format))
		return -EINVAL;
	put(event, &format, number);
	return 0;
}

/* How to read the count of an alias: as its files say, or as the generic event of its name. */
static int describe(struct event *event, const char *word, const struct pmu_alias *alias)
{
	const struct event_name *name = event_name__find(word);
	char *unit = alias->unit[0] ? strdup(alias->unit) : name ? strdup(name->unit) : NULL;

	event->scale = alias->scale;
	if (name) {
		event->better = name->better;
		event->class = name->class;
	}
	if (!unit)
		return alias->unit[0] || name ? -ENOMEM : 0;
	free(event->unit);
	event->unit = unit;
	return 0;
}

int parser__apply_alias(const struct parser *p, const char *at, const struct pmu *pmu,
			const char *word, struct event *event)
{
	char terms[PMU_TEXT_SIZE], *rest = terms, *term;
	struct pmu_alias alias;
	int err = pmu__alias(pmu, word, &alias, p->env);

	if (err)
		return err;
	if (alias.snapshot)
		return parser__fail(p, at, "'%s' of '%s' is a level, not a count", word, pmu->name);
	strcpy(terms, alias.terms);
	while ((term = strsep(&rest, ",")))
		if (apply_alias_term(p, pmu, term, event))
			return parser__fail(p, at,
					    "'%s' of '%s' is described by the kernel in a "
					    "way that cannot be used: '%s'",
					    word, pmu->name,
					    quote(alias.terms, strlen(alias.terms)).text);
	return describe(event, word, &alias);
}

/* "cpu_atom/cycles/": a name of perf's, on one kind of core. -ENOENT when it is none. */
static int apply_generic(const struct parser *p, struct terms *terms, const struct term *term)
{
	const struct event_name *name = event_name__find(term->name);
	struct event_name cache;
	int err;

	if (!terms->pmu->core)
		return -ENOENT;
	if (!name && !event_name__parse_cache(term->name, &cache))
		name = &cache;
	if (!name || name->type == PERF_TYPE_SOFTWARE)
		return -ENOENT;
	if (terms->encoded || terms->generic)
		return parser__fail(p, term->at,
				    "'%s' is an encoding of its own: no terms of '%s' "
				    "with it",
				    term->name, terms->pmu->name);
	terms->generic = true;
	err = event__fill(terms->event, name);
	return err ?: p->nr_cores > 1 ? event__bind(terms->event, terms->pmu) : 0;
}

static int fail_unknown_term(const struct parser *p, const struct terms *terms,
			     const struct term *term)
{
	struct suggest suggest = {.word = term->name};
	struct names formats, aliases;
	char list[96], hint[80];
	int err;

	pmu__terms(terms->pmu, &formats, p->env);
	pmu__aliases(terms->pmu, &aliases, p->env);
	for (int i = 0; i < formats.nr; i++)
		suggest__offer(&suggest, formats.name[i]);
	for (int i = 0; i < aliases.nr; i++)
		suggest__offer(&suggest, aliases.name[i]);
	suggest__format(&suggest, hint, sizeof(hint));
	names__join(&formats, list, sizeof(list));
	err = parser__fail(p, term->at,
			   "unknown term '%s'%s%s%s '%.16s' has %s%sconfig to config3, name and "
			   "period",
			   quote(term->name, strlen(term->name)).text, hint[0] ? ", " : "", hint,
			   hint[0] ? "" : ":", terms->pmu->name, list, list[0] ? ", " : "");
	names__free(&formats);
	names__free(&aliases);
	return err;
}

static int apply_name(const struct parser *p, struct terms *terms, const struct term *term)
{
	char *name;

	if (!term->value[0])
		return parser__fail(p, term->at, "'name' needs a value");
	for (const char *c = term->value; *c; c++)
		if (*c < ' ' || *c > '~')
			return parser__fail(p, term->value_at, "a name has printable characters");
	for (const struct metric *metric = engine_metrics; metric->name; metric++)
		if (!strcmp(metric->name, term->value))
			return parser__fail(p, term->value_at, "'%s' is the name of another figure",
					    metric->name);
	name = strdup(term->value);
	if (!name)
		return -ENOMEM;
	free(terms->event->name);
	terms->event->name = name;
	terms->pending->named = true;
	return 0;
}

static int term_number(const struct parser *p, const struct term *term, uint64_t *ret_number)
{
	*ret_number = 1;
	if (!term->has_value || names__number(term->value, ret_number))
		return 0;
	return parser__fail(p, term->value_at, "'%s' is no number, as in 0x1f or 31",
			    quote(term->value, strlen(term->value)).text);
}

static int apply_format(const struct parser *p, struct terms *terms, const struct term *term,
			const struct pmu_format *format)
{
	uint64_t number;
	int err = term_number(p, term, &number);

	if (err)
		return err;
	if (terms->generic)
		return parser__fail(p, term->at,
				    "the event before is an encoding of its own: no "
				    "terms of '%s' with it",
				    terms->pmu->name);
	if (number > pmu_format__max(format))
		return parser__fail(p, term->value_at ?: term->at,
				    "too large for '%s': the maximum is 0x%llx", term->name,
				    (unsigned long long)pmu_format__max(format));
	terms->encoded = true;
	put(terms->event, format, number);
	return 0;
}

static int apply_word(const struct parser *p, struct terms *terms, const struct term *term)
{
	struct pmu_format config = {.mask = UINT64_MAX};
	const char *digits;
	struct term raw;
	int err;

	if (term->has_value)
		return -ENOENT;
	err = parser__apply_alias(p, term->at, terms->pmu, term->name, terms->event);
	if (!err)
		terms->encoded = true;
	if (err == -ENOENT)
		err = apply_generic(p, terms, term);
	if (err != -ENOENT || !parser__is_raw(term->name, &digits) || strlen(digits) > 16)
		return err;
	raw = *term;
	raw.has_value = true;
	snprintf(raw.value, sizeof(raw.value), "0x%s", digits);
	return apply_format(p, terms, &raw, &config);
}

static int apply(const struct parser *p, struct terms *terms, const struct term *term)
{
	struct pmu_format format;
	int err;

	if (!strcmp(term->name, "name"))
		return apply_name(p, terms, term);
	if (!strcmp(term->name, "period"))
		return term_number(p, term, &terms->event->period);
	if (terms->pmu) {
		err = apply_word(p, terms, term);
		if (err != -ENOENT)
			return err;
		err = find_format(p, terms->pmu, term->name, &format);
		if (!err)
			return apply_format(p, terms, term, &format);
		if (err == -EINVAL)
			return parser__fail(p, term->at,
					    "the kernel describes '%s' of '%s' in a "
					    "way that cannot be used",
					    term->name, terms->pmu->name);
	}
	for (size_t i = 0; i < sizeof(no_terms) / sizeof(no_terms[0]); i++)
		if (!strcmp(term->name, no_terms[i]))
			return parser__fail(p, term->at,
					    "'%s' is for sampling or for other "
					    "threads: it means nothing in a count",
					    term->name);
	if (terms->pmu)
		return fail_unknown_term(p, terms, term);
	return parser__fail(p, term->at, "unknown term '%s': an event by name has name and period",
			    quote(term->name, strlen(term->name)).text);
}

/* Copies `len` bytes at `pos` into `buf`, and moves behind them. */
static int take(struct parser *p, char *buf, size_t len)
{
	if (len >= TERM_SIZE)
		return parser__fail(p, p->pos, "longer than %d characters", TERM_SIZE - 1);
	memcpy(buf, p->pos, len);
	buf[len] = '\0';
	p->pos += len;
	return 0;
}

static int take_value(struct parser *p, struct term *term)
{
	int err;

	term->has_value = true;
	term->value_at = p->pos;
	if (*p->pos != '\'')
		return take(p, term->value, strcspn(p->pos, ",/"));
	p->pos++;
	err = take(p, term->value, strcspn(p->pos, "'"));
	if (err)
		return err;
	if (!*p->pos)
		return parser__fail(p, term->value_at, "the quote is not closed");
	p->pos++;
	return 0;
}

static int take_term(struct parser *p, struct term *term)
{
	size_t len = strcspn(p->pos, ",=/");
	int err;

	term->at = p->pos;
	if (!len)
		return parser__fail(p, p->pos, "term expected");
	err = take(p, term->name, len);
	if (err || *p->pos != '=')
		return err;
	p->pos++;
	return take_value(p, term);
}

int parse_terms(struct parser *p, const struct pmu *pmu, struct event *event,
		struct pending *pending)
{
	struct terms terms = {.pmu = pmu, .event = event, .pending = pending};
	const char *slash = p->pos++;

	if (*p->pos == '/') {
		p->pos++;
		return 0;
	}
	for (;; p->pos++) {
		struct term term = {0};
		int err;

		if (!*p->pos)
			return parser__fail(p, slash, "this '/' wants another behind the terms");
		err = take_term(p, &term);
		if (!err)
			err = apply(p, &terms, &term);
		if (err)
			return err;
		if (*p->pos == '/')
			break;
		if (*p->pos && *p->pos != ',')
			return parser__fail(p, p->pos, "',' or '/' expected");
		if (!*p->pos)
			return parser__fail(p, slash, "this '/' wants another behind the terms");
	}
	p->pos++;
	return 0;
}
