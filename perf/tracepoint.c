// SPDX-License-Identifier: GPL-2.0-only
#include "perf/tracepoint.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <traceevent/event-parse.h>

#include "lib/sysfs.h"
#include "perf/event.h"
#include "perf/event_dir.h"

/* Those of 6.18 have 6 KiB at most. */
#define FORMAT_SIZE 65536

struct tracepoint {
	struct tep_handle *tep;
	struct tep_event *event; /* of `tep` */
};

/* Where events/ is: tracefs, or the place under debugfs where it was before and still is. */
static int find_root(char *root, size_t size, const struct event_env *env, struct why *why)
{
	const char *const roots[][2] = {{env->tracefs, ""}, {env->sysfs, "/kernel/debug/tracing"}};
	char events[SYSFS_PATH_SIZE];
	bool forbidden = false;

	for (size_t i = 0; i < sizeof(roots) / sizeof(roots[0]); i++) {
		snprintf(root, size, "%s%s", roots[i][0], roots[i][1]);
		snprintf(events, sizeof(events), "%s/events", root);
		if (!access(events, R_OK | X_OK))
			return 0;
		/* Where debugfs is closed nothing is known about what is inside. */
		forbidden |= errno == EACCES && !i;
	}
	if (forbidden)
		return why__set(why, -EACCES,
				"no permission: tracefs can be read by root only ('%s')",
				env->tracefs);
	return why__set(why, -ENODEV,
			"not supported: tracefs is not mounted (mount -t tracefs nodev %s)",
			env->tracefs);
}

int tracepoint__probe(const struct event_env *env, struct why *why)
{
	char root[SYSFS_PATH_SIZE];

	return find_root(root, sizeof(root), env, why);
}

void tracepoint__names(struct names *names, const char *system, const struct event_env *env)
{
	char root[SYSFS_PATH_SIZE];

	*names = (struct names){0};
	if ((system && !names__is_entry(system)) || find_root(root, sizeof(root), env, NULL))
		return;
	names__read(names, "%s/events/%s", root, system ? system : "");
}

static int read_format(char *text, const char *system, const char *name,
		       const struct event_env *env, struct why *why)
{
	char root[SYSFS_PATH_SIZE];
	int len = find_root(root, sizeof(root), env, why);

	if (len)
		return len;
	if (!names__is_entry(system) || !names__is_entry(name))
		len = -ENOENT;
	else
		len = sysfs__read(text, FORMAT_SIZE, "%s/events/%s/%s/format", root, system, name);
	if (len == -EACCES)
		why__set(why, len, "no permission: the format of %s:%s can be read by root only",
			 system, name);
	else if (len < 0)
		why__errno(why, len, "not supported: cannot read the format of %s:%s", system,
			   name);
	return len;
}

/*
 * The fields without "print fmt", which nobody here prints by. It may call what only the kernel
 * knows, and libtraceevent 1.7 does not survive a strange one.
 */
static void cut_print_fmt(char *text)
{
	static const char key[] = "\nprint fmt:", empty[] = " \"\"\n";
	char *fmt = strstr(text, key);

	if (fmt && strlen(fmt) >= strlen(key) + strlen(empty))
		strcpy(fmt + strlen(key), empty);
}

static int parse(struct tracepoint *tracepoint, char *text, const char *system)
{
	/* Its messages would go to stderr past the log. */
	tep_set_loglevel(TEP_LOG_NONE);
	tracepoint->tep = tep_alloc();
	if (!tracepoint->tep)
		return -ENOMEM;
	cut_print_fmt(text);
	/* An error with an event is about what was cut. */
	tep_parse_format(tracepoint->tep, &tracepoint->event, text, strlen(text), system);
	return tracepoint->event && tracepoint->event->id > 0 ? 0 : -EINVAL;
}

int tracepoint__new(struct tracepoint **ret_tracepoint, const char *system, const char *name,
		    const struct event_env *env, struct why *why)
{
	struct tracepoint *tracepoint = calloc(1, sizeof(*tracepoint));
	char *text = malloc(FORMAT_SIZE);
	int err = -ENOMEM;

	*ret_tracepoint = NULL;
	if (!tracepoint || !text) {
		why__errno(why, err, "not counted: cannot read the format of %s:%s", system, name);
		goto out;
	}
	err = read_format(text, system, name, env, why);
	if (err < 0)
		goto out;
	err = parse(tracepoint, text, system);
	if (err) {
		why__set(why, err, "not supported: the format of %s:%s cannot be understood",
			 system, name);
		goto out;
	}
	*ret_tracepoint = tracepoint;
	tracepoint = NULL;

out:
	tracepoint__free(tracepoint);
	free(text);
	return err;
}

void tracepoint__free(struct tracepoint *tracepoint)
{
	if (tracepoint && tracepoint->tep)
		tep_free(tracepoint->tep);
	free(tracepoint);
}

int tracepoint__id(const struct tracepoint *tracepoint)
{
	return tracepoint->event->id;
}

int tracepoint__field(const struct tracepoint *tracepoint, const char *name,
		      struct tracepoint_field *ret_field)
{
	const struct tep_format_field *field = tep_find_any_field(tracepoint->event, name);

	if (!field)
		return -ENOENT;
	*ret_field = (struct tracepoint_field){
		.offset = field->offset,
		.size = field->size,
		.is_signed = field->flags & TEP_FIELD_IS_SIGNED,
	};
	return 0;
}
