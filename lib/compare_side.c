// SPDX-License-Identifier: GPL-2.0-only
#include "lib/compare_side.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/result.h"
#include "lib/suggest.h"
#include "lib/why.h"

/* The value of a parameter as it stands in a key; NULL: the benchmark does not have it. */
static const char *param_text(const json_t *benchmark, const char *param, char *buf, size_t size)
{
	const json_t *value = json_object_get(json_object_get(benchmark, "params"), param);

	if (!value && !strcmp(param, "trigger"))
		return json__string(benchmark, "trigger", NULL);
	if (!value || json_is_string(value))
		return json_string_value(value);
	snprintf(buf, size, "%lld", (long long)json_integer_value(value));
	return buf;
}

/* The key without "/param=value": what is left is common to all sides. */
static char *key_without(const char *key, const char *param)
{
	char *copy = strdup(key), *at = copy;
	size_t len = param ? strlen(param) : 0;

	while (copy && param && (at = strchr(at, '/'))) {
		char *end = at + 1 + strcspn(at + 1, "/");

		if (!strncmp(at + 1, param, len) && at[1 + len] == '=') {
			memmove(at, end, strlen(end) + 1);
			break;
		}
		at++;
	}
	return copy;
}

static bool belongs(const struct compare_side *side, const json_t *benchmark)
{
	char buf[32];
	const char *value;

	if (!side->value)
		return true;
	value = param_text(benchmark, side->param, buf, sizeof(buf));
	return value && !strcmp(value, side->value);
}

/* Every run of an arm's benchmark has that arm, or, with equal arms, half of them. */
static bool has_arm(const json_t *benchmark, int arm)
{
	const json_t *run;
	size_t i;

	json_array_foreach(json_object_get(benchmark, "runs"), i, run)
		if (json_object_get(run, "arm") &&
		    json_integer_value(json_object_get(run, "arm")) == arm)
			return true;
	return arm < 0;
}

int entries__collect(const struct compare_side *side, struct name_index *hosts, struct entries *ret)
{
	const json_t *benchmarks = json_object_get(side->document, "benchmarks"), *benchmark;
	size_t i;

	*ret = (struct entries){.index = json_object(),
				.hosts = hosts__number(json_object_get(side->document, "boots"),
						       hosts)};
	ret->entries = calloc(json_array_size(benchmarks) + 1, sizeof(*ret->entries));
	json_array_foreach(benchmarks, i, benchmark) {
		char *key;

		if (!ret->entries || !belongs(side, benchmark) || !has_arm(benchmark, side->arm))
			continue;
		key = key_without(json__string(benchmark, "key", "?"), side->param);
		if (!key)
			break;
		json_object_set_new(ret->index, key, json_integer(ret->nr));
		ret->entries[ret->nr++] =
			(struct entry){.key = key,
				       .benchmark = benchmark,
				       .metrics = json_object_get(side->document, "metrics"),
				       .boots = json_object_get(side->document, "boots"),
				       .hosts = ret->hosts,
				       .arm = side->arm};
	}
	if (ret->index && ret->hosts && ret->entries && i == json_array_size(benchmarks))
		return 0;
	entries__free(ret);
	return -ENOMEM;
}

void entries__free(struct entries *entries)
{
	for (size_t i = 0; entries->entries && i < entries->nr; i++)
		free(entries->entries[i].key);
	free(entries->entries);
	free(entries->hosts);
	json_decref(entries->index);
	*entries = (struct entries){0};
}

const struct entry *entries__find(const struct entries *entries, const char *key)
{
	const json_t *number = json_object_get(entries->index, key);

	return number ? &entries->entries[json_integer_value(number)] : NULL;
}

static int unknown_param(const json_t *document, const char *param, struct why *why)
{
	const json_t *benchmarks = json_object_get(document, "benchmarks");
	json_t *params = json_object_get(json_array_get(benchmarks, 0), "params"), *value;
	struct suggest suggest = {.word = param};
	const char *name;
	char near[160];

	json_object_foreach(params, name, value)
		suggest__offer(&suggest, name);
	suggest__format(&suggest, near, sizeof(near));
	return why__set(why, -EINVAL, "no benchmark of this document has a parameter '%.60s'%s%s",
			param, near[0] ? ": " : "", near);
}

/* Distinct values in the order in which they occur. */
static json_t *values_of(const json_t *document, const char *param)
{
	const json_t *benchmark, *known;
	json_t *values = json_array();
	size_t i, j;

	json_array_foreach(json_object_get(document, "benchmarks"), i, benchmark) {
		char buf[32];
		const char *text = param_text(benchmark, param, buf, sizeof(buf));
		bool seen = !text;

		json_array_foreach(values, j, known)
			seen |= text && !strcmp(json_string_value(known), text);
		if (!seen)
			json_array_append_new(values, json_string(text));
	}
	return values;
}

static int split_by_param(const json_t *document, const char *param, struct compare_side *ret,
			  size_t max, size_t *ret_nr, json_t *owner, struct why *why)
{
	json_t *values = values_of(document, param);
	size_t nr = json_array_size(values);

	json_array_append_new(owner, values);
	if (!nr)
		return unknown_param(document, param, why);
	if (nr == 1)
		return why__set(why, -EINVAL,
				"this document has one value of '%.60s' only, %.60s: a sweep has "
				"several (%.60s=A,B)",
				param, json_string_value(json_array_get(values, 0)), param);
	if (nr > max)
		return why__set(why, -EINVAL, "'%.60s' has %zu values, and a matrix at most %zu",
				param, nr, max);
	for (size_t i = 0; i < nr; i++) {
		const char *value = json_string_value(json_array_get(values, i));
		json_t *name = json_sprintf("%s=%s", param, value);

		json_array_append_new(owner, name);
		ret[i] = (struct compare_side){.document = document,
					       .name = json_string_value(name),
					       .param = param,
					       .value = value,
					       .arm = -1};
	}
	*ret_nr = nr;
	return 0;
}

/* {"param": "prealloc", "values": ["1", "0"]}, or null and no values for two equal arms. */
static int split_by_arm(const json_t *document, struct compare_side *ret, size_t *ret_nr,
			json_t *owner, struct why *why)
{
	const json_t *plan = json_object_get(json_object_get(document, "tool"), "plan");
	const json_t *vs = json_object_get(plan, "vs"), *values = json_object_get(vs, "values");
	const char *param = json__string(vs, "param", NULL);

	if (!json_is_object(vs))
		return why__set(why, -EINVAL,
				"one document, and it has no arms (stat --vs makes them; --by "
				"compares the values of a parameter)");
	for (int arm = 0; arm < 2; arm++) {
		const char *value = json_string_value(json_array_get(values, arm));
		json_t *name = param ? json_sprintf("%s=%s", param, value ? value : "?")
				     : json_sprintf("same, arm %d", arm);

		if (!name)
			return why__errno(why, -ENOMEM, "compare");
		json_array_append_new(owner, name);
		ret[arm] = (struct compare_side){.document = document,
						 .name = json_string_value(name),
						 .param = param,
						 .arm = arm};
	}
	*ret_nr = 2;
	return 0;
}

int compare__split(const json_t *document, const char *param, struct compare_side *ret, size_t max,
		   size_t *ret_nr, json_t **ret_owner, struct why *why)
{
	json_t *owner = json_array();
	int err = param ? split_by_param(document, param, ret, max, ret_nr, owner, why)
			: split_by_arm(document, ret, ret_nr, owner, why);

	if (err)
		json_decref(owner);
	else
		*ret_owner = owner;
	return err;
}
