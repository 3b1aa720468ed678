// SPDX-License-Identifier: GPL-2.0-only
#include "tracepoints/rcu_tasks_trace_config.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROBE_MS     100
#define PROBE_MS_MAX 60000

static const char *const paths[NR_RTT_PATHS] = {"auto", "fentry", "kprobe", "sched", "srcu"};

const char *rtt_path__name(enum rtt_path path)
{
	return paths[path];
}

static int parse_path(const char *value, struct rtt_config *config, struct why *why)
{
	for (int i = 0; value && i < NR_RTT_PATHS; i++) {
		if (strcmp(value, paths[i]))
			continue;
		config->path = i;
		return 0;
	}
	return why__set(why, -EINVAL,
			"rcu-tasks-trace: path=%.40s: known are auto, fentry, kprobe, sched, srcu",
			value ? value : "");
}

static int parse_probe(const char *value, struct rtt_config *config, struct why *why)
{
	unsigned long ms = PROBE_MS;
	char *end = NULL;

	if (value) {
		errno = 0;
		ms = isdigit((unsigned char)*value) ? strtoul(value, &end, 10) : 0;
		if (errno || !end || *end || !ms || ms > PROBE_MS_MAX)
			return why__set(why, -EINVAL,
					"rcu-tasks-trace: probe=%.40s: milliseconds, 1..%d", value,
					PROBE_MS_MAX);
	}
	config->probe_ns = ms * 1000000ULL;
	return 0;
}

static int parse_filter(const char *value, struct rtt_config *config, struct why *why)
{
	if (!value || !*value || strlen(value) >= sizeof(config->filter))
		return why__set(why, -EINVAL,
				"rcu-tasks-trace: filter= needs a symbol or an address as 0x...");
	snprintf(config->filter, sizeof(config->filter), "%s", value);
	return 0;
}

static int parse_word(char *word, struct rtt_config *config, struct why *why)
{
	char *value = strchr(word, '=');

	if (value)
		*value++ = '\0';
	if (!strcmp(word, "path"))
		return parse_path(value, config, why);
	if (!strcmp(word, "probe"))
		return parse_probe(value, config, why);
	if (!strcmp(word, "filter"))
		return parse_filter(value, config, why);
	return why__set(why, -EINVAL,
			"tracer 'rcu-tasks-trace' has no option '%.40s': known are path=, probe, "
			"probe=MS and filter=",
			word);
}

int rtt_config__parse(const char *spec, struct rtt_config *ret, struct why *why)
{
	char *words, *word, *save = NULL;
	int err = 0;

	*ret = (struct rtt_config){0};
	if (!spec)
		return 0;
	words = strdup(spec);
	if (!words)
		return why__errno(why, -ENOMEM, "rcu-tasks-trace");
	for (word = strtok_r(words, ",", &save); !err && word; word = strtok_r(NULL, ",", &save))
		err = parse_word(word, ret, why);
	if (!err && ret->filter[0] && ret->path != RTT_SRCU)
		err = why__set(why, -EINVAL, "rcu-tasks-trace: filter= goes with path=srcu");
	free(words);
	return err;
}
