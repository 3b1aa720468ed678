// SPDX-License-Identifier: GPL-2.0-only
#include "perf/event.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "perf/event_parse.h"

const struct event_env event_env_system = {
	.sysfs = "/sys",
	.tracefs = "/sys/kernel/tracing",
	.procfs = "/proc",
};

int parser__add(struct parser *p, const char *at, char *name, struct event **ret_event)
{
	struct event_list *list = p->list;

	if (!name)
		return -ENOMEM;
	if (list->nr == PENDING_MAX) {
		free(name);
		return parser__fail(p, at, "more than %d events", EVENT_LIST_MAX);
	}
	p->pending[list->nr] = (struct pending){0};
	*ret_event = &list->events[list->nr++];
	**ret_event = (struct event){.name = name, .scale = 1, .group = p->group};
	return 0;
}

int event__fill(struct event *event, const struct event_name *name)
{
	char *unit = strdup(name->unit);

	if (!unit)
		return -ENOMEM;
	free(event->unit);
	event->unit = unit;
	event->attr.size = sizeof(event->attr);
	event->attr.type = name->type;
	event->attr.config = name->config;
	event->attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	/* As perf does; software events have no guest side, and the kernel ignores it there. */
	event->attr.exclude_guest = name->type != PERF_TYPE_SOFTWARE &&
				    name->type != PERF_TYPE_TRACEPOINT;
	event->better = name->better;
	event->class = name->class;
	event->kernel_only = name->kernel_only;
	event->clock = name->clock;
	return 0;
}

static void free_event(struct event *event)
{
	free(event->name);
	free(event->unit);
	free(event->cpus);
	free(event->absent);
}

static bool is_same(const struct event *a, const struct event *b)
{
	return !memcmp(&a->attr, &b->attr, sizeof(a->attr)) && a->config3 == b->config3;
}

/* The modifiers at the end of the name, as perf shows them. 0 or -ENOMEM. */
static int finish(struct event *event, const struct pending *pending)
{
	size_t len = strlen(event->name);
	char *name;

	event__apply_modifiers(event, pending->modifiers);
	if (pending->named || !pending->modifiers[0])
		return 0;
	if (asprintf(&name, "%s%s%s", event->name, len && event->name[len - 1] == '/' ? "" : ":",
		     pending->modifiers) < 0)
		return -ENOMEM;
	free(event->name);
	event->name = name;
	return 0;
}

static const struct event *find(const struct event_list *list, int nr, const char *name)
{
	for (int i = 0; i < nr; i++)
		if (!strcmp(list->events[i].name, name))
			return &list->events[i];
	return NULL;
}

/* The item that began at `at` has ended: what it added stays, but for what was there already. */
static int settle(struct parser *p, const char *at, int first)
{
	struct event_list *list = p->list;
	int nr = first, err = 0;

	for (int i = first; i < list->nr; i++) {
		struct event *event = &list->events[i];
		const struct event *same;

		err = err ?: finish(event, &p->pending[i]);
		same = err ? NULL : find(list, nr, event->name);
		if (same && !is_same(same, event))
			err = parser__fail(p, at, "two different events have the name '%s'",
					   quote(event->name, strlen(event->name)).text);
		if (!err && !same && nr == EVENT_LIST_MAX)
			err = parser__fail(p, at, "more than %d events", EVENT_LIST_MAX);
		if (err || same)
			free_event(event);
		else
			list->events[nr++] = *event;
	}
	list->nr = nr;
	return err;
}

static int parse_event(struct parser *p)
{
	int first = p->list->nr;
	int err = parse_word(p);

	err = err ?: parse_modifiers(p, first);
	if (!err && *p->pos && *p->pos != ',' && (*p->pos != '}' || !p->group))
		err = parser__fail(p, p->pos, "'%s' is not expected here", quote(p->pos, 1).text);
	return err;
}

static int parse_group(struct parser *p)
{
	const char *brace = p->pos++;
	int first = p->list->nr;
	int err;

	/* As many numbers as there may be kinds of core. */
	p->group = 1 + p->nr_groups++ * PMU_CORES_MAX;
	err = parse_event(p);
	while (!err && *p->pos == ',') {
		p->pos++;
		err = parse_event(p);
	}
	if (!err && *p->pos != '}')
		err = parser__fail(p, brace, "this '{' is not closed");
	p->group = 0;
	if (err)
		return err;
	p->pos++;
	err = parse_modifiers(p, first);
	if (!err && *p->pos && *p->pos != ',')
		err = parser__fail(p, p->pos, "'%s' is not expected here", quote(p->pos, 1).text);
	return err;
}

static int parse_list(struct parser *p)
{
	for (;; p->pos++) {
		const char *at = p->pos;
		int first = p->list->nr;
		int err = *at == '{' ? parse_group(p) : parse_event(p);

		err = err ?: settle(p, at, first);
		if (err || *p->pos != ',')
			return err;
	}
}

int event_list__parse(const char *spec, const struct event_env *env, struct event_list *ret_list,
		      struct why *why)
{
	struct parser *p;
	int err;

	*ret_list = (struct event_list){0};
	if (!strcmp(spec, "none"))
		return 0;
	if (strlen(spec) > EVENT_SPEC_MAX)
		return why__set(why, -EINVAL, "event list of %zu bytes: the limit is %d",
				strlen(spec), EVENT_SPEC_MAX);
	p = calloc(1, sizeof(*p));
	ret_list->events = calloc(PENDING_MAX, sizeof(*ret_list->events));
	if (!p || !ret_list->events) {
		err = -ENOMEM;
	} else {
		p->text = p->pos = spec;
		p->env = env;
		p->list = ret_list;
		p->why = why;
		p->nr_cores = pmu__cores(p->cores, env);
		err = parse_list(p);
	}
	free(p);
	if (err == -ENOMEM)
		why__errno(why, err, "cannot parse the event list");
	if (err)
		event_list__free(ret_list);
	return err;
}

void event_list__free(struct event_list *list)
{
	for (int i = 0; i < list->nr; i++)
		free_event(&list->events[i]);
	free(list->events);
	*list = (struct event_list){0};
}
