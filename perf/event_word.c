// SPDX-License-Identifier: GPL-2.0-only
#include "perf/event_parse.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "perf/event_dir.h"
#include "perf/tracepoint.h"

/* A raw or otherwise unnamed event: nobody knows what it counts. */
#define UNNAMED .unit = "events", .better = BETTER_NONE, .class = METRIC_NOISY

size_t word_len(const char *text)
{
	return strcspn(text, DELIMITERS);
}

/* The code of a raw event: "r1a8", and perf's other form "r0x1a8"; false when it is none. */
bool parser__is_raw(const char *word, const char **ret_digits)
{
	if (word[0] != 'r')
		return false;
	word++;
	if (word[0] == '0' && (word[1] == 'x' || word[1] == 'X'))
		word += 2;
	*ret_digits = word;
	return *word && word[strspn(word, "0123456789abcdefABCDEF")] == '\0';
}

/*
 * Generic types take the PMU in the upper half of config (PERF_PMU_TYPE_SHIFT); a raw code goes to
 * the PMU itself.
 */
int event__bind(struct event *event, const struct pmu *pmu)
{
	if (event->attr.type == PERF_TYPE_RAW)
		event->attr.type = pmu->type;
	else if (event->attr.type != pmu->type)
		event->attr.config |= (uint64_t)pmu->type << 32;
	if (!pmu->cpus[0] || event->cpus)
		return 0;
	event->cpus = strdup(pmu->cpus);
	return event->cpus ? 0 : -ENOMEM;
}

/* printf into a new string, for parser__add(). NULL when there is no memory. */
__attribute__((format(printf, 1, 2))) static char *new_name(const char *fmt, ...)
{
	va_list args;
	char *name;
	int len;

	va_start(args, fmt);
	len = vasprintf(&name, fmt, args);
	va_end(args);
	return len < 0 ? NULL : name;
}

/* A generic or raw event: one, or one per kind of core, each in the group of its kind. */
static int add_named(struct parser *p, const char *at, const char *word,
		     const struct event_name *name)
{
	bool split = p->nr_cores > 1 && name->type != PERF_TYPE_SOFTWARE;
	int group = p->group, err = 0;

	for (int i = 0; !err && i < (split ? p->nr_cores : 1); i++) {
		struct event *event;

		p->group = group ? group + i : 0;
		err = parser__add(p, at,
				  split ? new_name("%s/%s/", p->cores[i].name, word) : strdup(word),
				  &event);
		err = err ?: event__fill(event, name);
		if (!err && split)
			err = event__bind(event, &p->cores[i]);
	}
	p->group = group;
	return err;
}

/* The kernel's names for events of its cores stand alone as well: "mem-loads", "slots". */
static int add_alias(struct parser *p, const char *at, const char *word)
{
	int group = p->group, nr = 0, err = 0;

	for (int i = 0; !err && i < p->nr_cores; i++) {
		const struct pmu *pmu = &p->cores[i];
		const struct event_name name = {.type = pmu->type, UNNAMED};
		struct pmu_alias alias;
		struct event *event;

		if (pmu__alias(pmu, word, &alias, p->env))
			continue;
		p->group = group ? group + i : 0;
		err = parser__add(
			p, at, p->nr_cores > 1 ? new_name("%s/%s/", pmu->name, word) : strdup(word),
			&event);
		err = err ?: event__fill(event, &name);
		err = err ?: parser__apply_alias(p, at, pmu, word, event);
		if (!err && p->nr_cores > 1)
			err = event__bind(event, pmu);
		nr++;
	}
	p->group = group;
	return err ?: nr ? 0 : -ENOENT;
}

static int resolve(struct parser *p, const char *at, const char *word)
{
	struct event_name raw = {.type = PERF_TYPE_RAW, UNNAMED};
	const struct event_name *name = event_name__find(word);
	struct event_name cache;
	const char *digits;
	int err;

	if (name)
		return add_named(p, at, word, name);
	if (parser__is_raw(word, &digits)) {
		if (strlen(digits) > 16)
			return parser__fail(p, at, "a raw event has 1 to 16 hexadecimal digits");
		raw.config = strtoull(digits, NULL, 16);
		return add_named(p, at, word, &raw);
	}
	if (!event_name__parse_cache(word, &cache))
		return add_named(p, at, word, &cache);
	err = add_alias(p, at, word);
	if (err != -ENOENT)
		return err;
	if (!strcmp(word, "none"))
		return parser__fail(p, at, "'none' stands alone");
	return parser__fail_unknown_event(p, at, word);
}

static int refuse_per_die(const struct parser *p, const char *at, const struct pmu *pmu)
{
	return parser__fail(p, at, "'%s' counts a socket, not a thread", pmu->name);
}

/* A name given to an event that became several: each keeps its PMU in front. */
static int name_by_core(const struct parser *p, int first)
{
	for (int i = first; p->list->nr - first > 1 && i < p->list->nr; i++) {
		struct event *event = &p->list->events[i];
		char *name;

		if (!p->pending[i].named)
			continue;
		name = new_name("%s/%s/", p->cores[i - first].name, event->name);
		if (!name)
			return -ENOMEM;
		free(event->name);
		event->name = name;
	}
	return 0;
}

/* A name of perf's with terms of perf's: "cycles/name=x/", on all its kinds of core. */
static int parse_named_terms(struct parser *p, const char *at, const char *word)
{
	const char *slash = p->pos;
	int first = p->list->nr;
	int err = resolve(p, at, word);

	for (int i = first; !err && i < p->list->nr; i++) {
		p->pos = slash;
		err = parse_terms(p, NULL, &p->list->events[i], &p->pending[i]);
	}
	return err ?: name_by_core(p, first);
}

static int fail_unknown_pmu(const struct parser *p, const char *at, const char *word)
{
	char list[160], machine[192];
	struct names names;
	int err;

	/* A virtual machine has none of those that perf's pages use: say what there is. */
	pmu__names(&names, p->env);
	names__join(&names, list, sizeof(list));
	snprintf(machine, sizeof(machine), "%s%s", list[0] ? ": this machine has " : "", list);
	err = parser__fail_unknown(p, at, "PMU", word, &names, machine);
	names__free(&names);
	return err;
}

static int parse_pmu(struct parser *p, const char *at, const char *word)
{
	struct event_name name = {UNNAMED};
	struct event *event;
	const char *digits;
	struct pmu pmu;
	int err;

	if (pmu__find(&pmu, word, p->env)) {
		if (event_name__find(word) || !event_name__parse_cache(word, &name) ||
		    parser__is_raw(word, &digits))
			return parse_named_terms(p, at, word);
		return fail_unknown_pmu(p, at, word);
	}
	if (pmu.per_die)
		return refuse_per_die(p, at, &pmu);
	name.type = pmu.type;
	err = parser__add(p, at, strdup(word), &event);
	err = err ?: event__fill(event, &name);
	err = err ?: parse_terms(p, &pmu, event, &p->pending[event - p->list->events]);
	if (!err && p->nr_cores > 1 && pmu.core && !event->cpus && pmu.cpus[0]) {
		event->cpus = strdup(pmu.cpus);
		err = event->cpus ? 0 : -ENOMEM;
	}
	if (err || p->pending[event - p->list->events].named)
		return err;
	free(event->name);
	event->name = strndup(at, p->pos - at);
	return event->name ? 0 : -ENOMEM;
}

/* "4:0x1a8", decimal or hexadecimal on both sides as perf has it. */
static int parse_numeric(struct parser *p, const char *at, uint64_t type)
{
	struct event_name name = {.type = (uint32_t)type, UNNAMED};
	const char *config_at = ++p->pos;
	size_t len = word_len(config_at);
	char *word = strndup(config_at, len);
	struct event *event;
	struct pmu pmu;
	int err;

	if (!word)
		return -ENOMEM;
	if (type > UINT32_MAX)
		err = parser__fail(p, at, "a type has 32 bits");
	else if (!names__number(word, &name.config))
		err = parser__fail(p, config_at,
				   "a number of 64 bits is expected, as in 0x1f or "
				   "31");
	else if (!pmu__find_type(&pmu, type, p->env) && pmu.per_die)
		err = refuse_per_die(p, at, &pmu);
	else
		err = 0;
	free(word);
	p->pos += len;
	err = err ?: parser__add(p, at, strndup(at, p->pos - at), &event);
	err = err ?: event__fill(event, &name);
	if (!err && *p->pos == '/')
		err = parse_terms(p, NULL, event, &p->pending[event - p->list->events]);
	return err;
}

static int add_tracepoint(struct parser *p, const char *at, const char *system, const char *word)
{
	struct event_name name = {.type = PERF_TYPE_TRACEPOINT, UNNAMED};
	struct tracepoint *tracepoint;
	struct event *event;
	struct why why;
	int absent, err;

	absent = tracepoint__new(&tracepoint, system, word, p->env, &why);
	if (absent == -ENOMEM)
		return absent;
	if (!absent)
		name.config = tracepoint__id(tracepoint);
	tracepoint__free(tracepoint);
	/* A probe on user space is one that the user made; all others fire in the kernel only. */
	name.kernel_only = strcmp(system, "uprobes") && strncmp(system, "probe_", 6);
	err = parser__add(p, at, new_name("%s:%s", system, word), &event);
	err = err ?: event__fill(event, &name);
	if (err || !absent)
		return err;
	event->absent = strdup(why.text);
	return event->absent ? 0 : -ENOMEM;
}

static int fail_unknown_tracepoint(const struct parser *p, const char *at, const char *system,
				   const char *word)
{
	struct names systems, names;
	int err;

	tracepoint__names(&names, system, p->env);
	tracepoint__names(&systems, NULL, p->env);
	if (names.nr)
		err = parser__fail_unknown(p, at + strlen(system) + 1, "tracepoint", word, &names,
					   "");
	else
		err = parser__fail_unknown(p, at, "tracepoint system", system, &systems, "");
	names__free(&names);
	names__free(&systems);
	return err;
}

/* Every tracepoint that both patterns fit; plain words are patterns that fit themselves. */
static int add_tracepoints(struct parser *p, const char *at, const char *system, const char *word)
{
	struct names systems, names;
	int nr = 0, err = 0;

	tracepoint__names(&systems, NULL, p->env);
	for (int i = 0; !err && i < systems.nr; i++) {
		if (fnmatch(system, systems.name[i], 0))
			continue;
		tracepoint__names(&names, systems.name[i], p->env);
		for (int j = 0; !err && j < names.nr; j++) {
			/* Beside the tracepoints are files: enable, filter. */
			if (fnmatch(word, names.name[j], 0) || !strcmp(names.name[j], "enable") ||
			    !strcmp(names.name[j], "filter"))
				continue;
			err = add_tracepoint(p, at, systems.name[i], names.name[j]);
			nr++;
		}
		names__free(&names);
	}
	names__free(&systems);
	return err ?: nr ? 0 : fail_unknown_tracepoint(p, at, system, word);
}

static int parse_tracepoint(struct parser *p, const char *at, const char *system)
{
	size_t len = word_len(++p->pos);
	char *word = strndup(p->pos, len);
	int err;

	if (!word)
		return -ENOMEM;
	if (!strcmp(system, "mem"))
		err = parser__fail(p, at, "breakpoints are not accepted");
	else if (tracepoint__probe(p->env, NULL))
		err = add_tracepoint(p, at, system, word);
	else
		err = add_tracepoints(p, at, system, word);
	p->pos += len;
	free(word);
	return err;
}

int parse_word(struct parser *p)
{
	const char *at = p->pos;
	size_t len = word_len(at);
	uint64_t number;
	char *word;
	int err;

	if (*at == '{')
		return parser__fail(p, at, "a group does not contain another");
	if (!len)
		return parser__fail(p, at, "event name expected");
	word = strndup(at, len);
	if (!word)
		return -ENOMEM;
	p->pos += len;
	if (*p->pos == '/')
		err = parse_pmu(p, at, word);
	else if (*p->pos == ':' && names__number(word, &number))
		err = parse_numeric(p, at, number);
	else if (*p->pos == ':' && !event_name__find(word) && !looks_like_modifiers(p->pos + 1))
		err = parse_tracepoint(p, at, word);
	else
		err = resolve(p, at, word);
	free(word);
	return err;
}
