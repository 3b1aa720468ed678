// SPDX-License-Identifier: GPL-2.0-only
#include "lib/document.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/document_leaves.h"
#include "lib/result.h"
#include "lib/why.h"

enum kind {
	IS_STRING,
	IS_TEXT, /* a string or null */
	IS_BOOL,
	IS_COUNT, /* a whole number from 0 on, of bounded size */
	IS_NUMBER,
	IS_OBJECT,
	IS_VALUES, /* an object or null */
	IS_ARRAY,
};

struct field {
	const char *key;
	enum kind kind;
	bool optional;
};

static const char *const wanted[] = {
	[IS_STRING] = "a string",	   [IS_TEXT] = "a string or null",
	[IS_BOOL] = "true or false",	   [IS_COUNT] = "a whole number of 0..1000000000",
	[IS_NUMBER] = "a number",	   [IS_OBJECT] = "an object",
	[IS_VALUES] = "an object or null", [IS_ARRAY] = "an array",
};

static bool is_kind(const json_t *value, enum kind kind)
{
	switch (kind) {
	case IS_STRING: return json_is_string(value);
	case IS_TEXT: return json_is_string(value) || json_is_null(value);
	case IS_BOOL: return json_is_boolean(value);
	case IS_COUNT:
		return json_is_integer(value) && json_integer_value(value) >= 0 &&
		       json_integer_value(value) <= DOCUMENT_MAX_INDEX;
	case IS_NUMBER: return json_is_number(value);
	case IS_OBJECT: return json_is_object(value);
	case IS_VALUES: return json_is_object(value) || json_is_null(value);
	case IS_ARRAY: return json_is_array(value);
	}
	return false;
}

/* Where a check is, for its message: "benchmarks[3].runs[0]"; empty at the top. */
struct place {
	char text[160];
};

static struct place inside(const struct place *place, const char *key)
{
	struct place inner;

	snprintf(inner.text, sizeof(inner.text), "%.80s%s%.60s", place->text,
		 place->text[0] ? "." : "", key);
	return inner;
}

static struct place element(const struct place *place, const char *key, size_t i)
{
	struct place inner;

	snprintf(inner.text, sizeof(inner.text), "%.80s%s%.40s[%zu]", place->text,
		 place->text[0] ? "." : "", key, i);
	return inner;
}

static int complain(const struct place *place, const char *key, const char *what, struct why *why)
{
	struct place at = inside(place, key);

	return why__set(why, -EINVAL, "%s: %s", at.text, what);
}

static int check_fields(const json_t *object, const struct place *place, const struct field *fields,
			struct why *why)
{
	char what[64];

	for (; fields->key; fields++) {
		const json_t *value = json_object_get(object, fields->key);

		if (!value && fields->optional)
			continue;
		if (!value)
			return complain(place, fields->key, "is missing", why);
		if (is_kind(value, fields->kind))
			continue;
		snprintf(what, sizeof(what), "%s is expected", wanted[fields->kind]);
		return complain(place, fields->key, what, why);
	}
	return 0;
}

/* An array or an object; without it there is nothing to bound. */
static int check_size(const json_t *object, const struct place *place, const char *key, size_t most,
		      struct why *why)
{
	const json_t *value = json_object_get(object, key);
	char what[64];

	if (json_array_size(value) <= most && json_object_size(value) <= most)
		return 0;
	snprintf(what, sizeof(what), "there are more than %zu of them", most);
	return complain(place, key, what, why);
}

/* Each element of an array of objects. */
static int check_elements(const json_t *object, const struct place *place, const char *key,
			  const struct field *fields, struct why *why)
{
	const json_t *item;
	size_t i;
	int err;

	json_array_foreach(json_object_get(object, key), i, item) {
		struct place at = element(place, key, i);

		if (!json_is_object(item))
			return why__set(why, -EINVAL, "%s: an object is expected", at.text);
		err = check_fields(item, &at, fields, why);
		if (err)
			return err;
	}
	return 0;
}

static int check_word(const json_t *object, const struct place *place, const char *key,
		      const char *const *words, struct why *why)
{
	const char *text = json__string(object, key, "");
	char what[128];
	int used;

	for (int i = 0; words[i]; i++)
		if (!strcmp(words[i], text))
			return 0;
	used = snprintf(what, sizeof(what), "'%.20s' is none of", text);
	for (int i = 0; words[i]; i++)
		used += snprintf(what + used, sizeof(what) - used, "%s %s", i ? "," : "", words[i]);
	return complain(place, key, what, why);
}

/* Numbers by names: null is absent, and there is no other kind of value. */
static int check_values(const json_t *run, const struct place *place, struct why *why)
{
	struct place at = inside(place, "values");
	const json_t *value;
	const char *name;

	json_object_foreach(json_object_get(run, "values"), name, value)
		if (!json_is_number(value) && !json_is_null(value))
			return complain(&at, name, "a number or null is expected", why);
	return 0;
}

static int check_run(const json_t *run, const struct place *place, struct why *why)
{
	static const struct field fields[] = {{"status", IS_STRING, false},
					      {"reason", IS_TEXT, false},
					      {"values", IS_VALUES, false},
					      {"boot", IS_COUNT, true},
					      {"block", IS_COUNT, true},
					      {"order", IS_COUNT, true},
					      {"n", IS_COUNT, true},
					      {"arm", IS_COUNT, true},
					      {"role", IS_STRING, true},
					      {"threads", IS_ARRAY, true},
					      {"counters", IS_ARRAY, true},
					      {"locks", IS_ARRAY, true},
					      {"grace_periods", IS_ARRAY, true},
					      {"state", IS_OBJECT, true},
					      {"intervals", IS_OBJECT, true},
					      {0}};
	static const struct field counter[] = {
		{"metric", IS_STRING, false}, {"tid", IS_COUNT, false}, {0}};
	static const char *const statuses[] = {"ok", "failed", "skipped", NULL};
	struct place intervals = inside(place, "intervals");
	int err = check_fields(run, place, fields, why);

	err = err ?: check_word(run, place, "status", statuses, why);
	err = err ?: check_values(run, place, why);
	err = err ?: check_elements(run, place, "counters", counter, why);
	err = err ?: check_size(run, place, "threads", DOCUMENT_MAX_PRODUCERS, why);
	err = err ?: check_size(run, place, "counters", DOCUMENT_MAX_COUNTERS, why);
	err = err ?: check_size(run, place, "values", DOCUMENT_MAX_FIGURES, why);
	err = err ?: check_size(run, place, "locks", DOCUMENT_MAX_LOCKS, why);
	err = err ?: check_size(run, place, "grace_periods", DOCUMENT_MAX_TRACERS, why);
	return err
		       ?: check_size(json_object_get(run, "intervals"), &intervals, "columns",
				     DOCUMENT_MAX_COLUMNS, why);
}

static json_int_t producers_of(const json_t *benchmark)
{
	return json_integer_value(
		json_object_get(json_object_get(benchmark, "params"), "producers"));
}

static int check_params(const json_t *benchmark, const struct place *place, struct why *why)
{
	struct place at = inside(place, "params");
	json_t *params = json_object_get(benchmark, "params");
	json_int_t producers = producers_of(benchmark);
	const json_t *value;
	const char *name;

	if (producers < 1 || producers > DOCUMENT_MAX_PRODUCERS)
		return complain(&at, "producers", "a whole number of 1..1024 is expected", why);
	json_object_foreach(params, name, value)
		if (!json_is_string(value) && !json_is_integer(value))
			return complain(&at, name, "a whole number or a string is expected", why);
	return 0;
}

static int check_strings(const json_t *benchmark, const struct place *place, const char *key,
			 struct why *why)
{
	const json_t *item;
	size_t i;

	json_array_foreach(json_object_get(benchmark, key), i, item)
		if (!json_is_string(item))
			return complain(place, key, "an array of strings is expected", why);
	return 0;
}

int document__check_benchmark(json_t *benchmark, size_t index, struct why *why)
{
	static const struct field fields[] = {{"name", IS_STRING, false},
					      {"key", IS_STRING, false},
					      {"params", IS_OBJECT, false},
					      {"trigger", IS_TEXT, false},
					      {"loop", IS_STRING, false},
					      {"primary", IS_STRING, false},
					      {"runs", IS_ARRAY, false},
					      {"shown", IS_ARRAY, true},
					      {"next", IS_ARRAY, true},
					      {"progs", IS_ARRAY, true},
					      {0}};
	const struct place top = {""};
	struct place place = element(&top, "benchmarks", index);
	const json_t *runs = json_object_get(benchmark, "runs"), *run;
	size_t i;
	int err;

	if (!json_is_object(benchmark))
		return why__set(why, -EINVAL, "%s: an object is expected", place.text);
	err = check_fields(benchmark, &place, fields, why);
	err = err ?: check_params(benchmark, &place, why);
	err = err ?: check_strings(benchmark, &place, "shown", why);
	err = err ?: check_strings(benchmark, &place, "next", why);
	err = err ?: check_size(benchmark, &place, "runs", DOCUMENT_MAX_RUNS, why);
	err = err ?: check_size(benchmark, &place, "progs", DOCUMENT_MAX_PROGS, why);
	if (!err &&
	    producers_of(benchmark) * (json_int_t)json_array_size(runs) > DOCUMENT_MAX_THREADS)
		err = complain(&place, "runs", "there are too many for so many producers", why);
	err = err ?: document__check_leaves(benchmark, place.text, NULL, why);
	json_array_foreach(runs, i, run) {
		struct place at = element(&place, "runs", i);

		if (!err && !json_is_object(run))
			err = why__set(why, -EINVAL, "%s: an object is expected", at.text);
		err = err ?: check_run(run, &at, why);
	}
	return err;
}

static int add_name(json_t *names, const char *name)
{
	if (json_object_get(names, name))
		return 0;
	return json_object_set_new_nocheck(names, name, json_true()) ? -ENOMEM : 0;
}

static int add_names(json_t *names, const json_t *run)
{
	static const char *const parts[] = {"values", "per_op"};
	const json_t *row;
	const char *name;
	json_t *value;
	int err = 0;
	size_t i;

	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		json_object_foreach(json_object_get(run, parts[i]), name, value)
			err = err ?: add_name(names, name);
	json_array_foreach(json_object_get(run, "counters"), i, row)
		err = err ?: add_name(names, json__string(row, "metric", ""));
	return err;
}

/* Whoever looks at every figure goes through all runs for each of them. */
static int check_cells(const json_t *document, struct why *why)
{
	const struct place top = {""};
	const json_t *benchmark, *run;
	size_t cells = 0, i, j;
	int err = 0;

	json_array_foreach(json_object_get(document, "benchmarks"), i, benchmark) {
		const json_t *runs = json_object_get(benchmark, "runs");
		json_t *names = json_object();

		err = names ? 0 : -ENOMEM;
		json_array_foreach(runs, j, run)
			err = err ?: add_names(names, run);
		cells += json_object_size(names) * json_array_size(runs);
		json_decref(names);
		if (err)
			return why__errno(why, err, "json");
		if (cells > DOCUMENT_MAX_CELLS)
			return complain(&top, "benchmarks", "too many runs of too many figures",
					why);
	}
	return 0;
}

static int check_metrics(const json_t *document, struct why *why)
{
	static const struct field fields[] = {{"unit", IS_STRING, false},
					      {"better", IS_STRING, false},
					      {"kind", IS_STRING, false},
					      {"class", IS_STRING, false},
					      {0}};
	static const char *const better[] = {"higher", "lower", "none", NULL};
	static const char *const class[] = {"noisy", "repeatable", "exact", NULL};
	const struct place top = {"metrics"};
	const json_t *metric;
	const struct place document_top = {""};
	const char *name;
	int err = check_size(document, &document_top, "metrics", DOCUMENT_MAX_METRICS, why);

	json_object_foreach(json_object_get(document, "metrics"), name, metric) {
		struct place at = inside(&top, name);

		if (!err && !json_is_object(metric))
			err = complain(&top, name, "an object is expected", why);
		err = err ?: check_fields(metric, &at, fields, why);
		err = err ?: check_word(metric, &at, "better", better, why);
		err = err ?: check_word(metric, &at, "class", class, why);
	}
	return err;
}

static int check_boots(const json_t *document, struct why *why)
{
	static const struct field fields[] = {{"kernel", IS_OBJECT, false},
					      {"timing", IS_STRING, true},
					      {"boot_id", IS_TEXT, true},
					      {0}};
	static const char *const timings[] = {"native", "emulated", "icount", NULL};
	const struct place top = {""};
	const json_t *boots = json_object_get(document, "boots"), *boot;
	size_t i;
	int err = check_elements(document, &top, "boots", fields, why);

	err = err ?: check_size(document, &top, "boots", DOCUMENT_MAX_BOOTS, why);

	if (!err && !json_array_size(boots))
		return complain(&top, "boots", "at least one is expected", why);
	json_array_foreach(boots, i, boot) {
		struct place at = element(&top, "boots", i);

		if (!err && json_object_get(boot, "timing"))
			err = check_word(boot, &at, "timing", timings, why);
	}
	return err;
}

/* What needs the whole document: keys are different, and every run's boot is there. */
static int check_references(const json_t *document, struct why *why)
{
	size_t boots = json_array_size(json_object_get(document, "boots")), i, j;
	const json_t *benchmark, *run;
	const struct place top = {""};
	json_t *seen = json_object();
	int err = seen ? 0 : why__errno(why, -ENOMEM, "json");

	json_array_foreach(json_object_get(document, "benchmarks"), i, benchmark) {
		struct place at = element(&top, "benchmarks", i);
		const char *key = json__string(benchmark, "key", "");

		if (!err && json_object_get(seen, key))
			err = complain(&at, "key", "stands twice in this document", why);
		json_object_set_new(seen, key, json_true());
		json_array_foreach(json_object_get(benchmark, "runs"), j, run) {
			const json_t *boot = json_object_get(run, "boot");
			struct place place = element(&at, "runs", j);

			if (!err && (size_t)json_integer_value(boot) >= boots)
				err = complain(&place, "boot", "there is no such element of boots",
					       why);
		}
	}
	json_decref(seen);
	return err;
}

/* What other programs and other verbs write is told apart by name, since it is easily mixed up. */
static int check_format(const json_t *document, struct why *why)
{
	const char *format = json__string(document, "format", NULL);
	const json_t *schema = json_object_get(document, "schema");
	const json_t *major = json_object_get(schema, "major");
	const json_t *minor = json_object_get(schema, "minor");

	if (!format)
		return why__set(why, -EINVAL,
				"is JSON, but no result of bpfperf (it has no 'format')");
	if (strcmp(format, RESULT_FORMAT))
		return why__set(why, -EINVAL,
				"is no result of bpfperf stat: its format is '%.40s', and not '%s'",
				format, RESULT_FORMAT);
	if (!is_kind(major, IS_COUNT) || !is_kind(minor, IS_COUNT))
		return why__set(why, -EINVAL, "schema: {\"major\": N, \"minor\": N} is expected");
	if (json_integer_value(major) > RESULT_MAJOR)
		return why__set(
			why, -EINVAL,
			"is of version %lld.%lld, and this bpfperf reads %d.x: take a newer "
			"bpfperf",
			(long long)json_integer_value(major), (long long)json_integer_value(minor),
			RESULT_MAJOR);
	if (json_integer_value(major) < RESULT_MAJOR)
		return why__set(why, -EINVAL, "schema.major: there never was a version %lld",
				(long long)json_integer_value(major));
	return 0;
}

int document__check(json_t *document, struct why *why)
{
	static const struct field fields[] = {{"id", IS_TEXT, true},
					      {"created", IS_TEXT, true},
					      {"label", IS_TEXT, true},
					      {"complete", IS_BOOL, false},
					      {"incomplete_reason", IS_TEXT, true},
					      {"tool", IS_OBJECT, false},
					      {"boots", IS_ARRAY, false},
					      {"metrics", IS_OBJECT, false},
					      {"benchmarks", IS_ARRAY, false},
					      {"warnings", IS_ARRAY, true},
					      {"evidence_absent", IS_TEXT, true},
					      {0}};
	static const struct field tool[] = {
		{"version", IS_STRING, false}, {"plan", IS_OBJECT, false}, {0}};
	static const struct field plan[] = {{"runs", IS_COUNT, true},
					    {"evidence_runs", IS_COUNT, true},
					    {"duration_ms", IS_NUMBER, true},
					    {0}};
	const struct place top = {""}, in_tool = {"tool"}, in_plan = {"tool.plan"};
	json_t *benchmark;
	size_t i;
	int err = check_format(document, why);

	err = err ?: check_fields(document, &top, fields, why);
	err = err ?: check_fields(json_object_get(document, "tool"), &in_tool, tool, why);
	err = err
		      ?: check_fields(json_object_get(json_object_get(document, "tool"), "plan"),
				      &in_plan, plan, why);
	err = err ?: check_size(document, &top, "warnings", DOCUMENT_MAX_WARNINGS, why);
	err = err ?: check_boots(document, why);
	err = err ?: document__check_leaves(document, "", "benchmarks", why);
	err = err ?: check_metrics(document, why);
	json_array_foreach(json_object_get(document, "benchmarks"), i, benchmark)
		err = err ?: document__check_benchmark(benchmark, i, why);
	err = err ?: check_cells(document, why);
	return err ?: check_references(document, why);
}
