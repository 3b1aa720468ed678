// SPDX-License-Identifier: GPL-2.0-only
#include "lib/merge.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/comparability.h"
#include "lib/result.h"
#include "lib/why.h"

/* The document that grows, and what it joins at the moment. */
struct merge {
	json_t *result;
	const json_t *other;
	const char *first_name, *name;
	json_int_t block_offset, order_offset;
	json_t *boot_of; /* number of each boot of `other` in the result */
	struct why *why;
};

static int differs(const struct merge *m, const char *field, const char *a, const char *b)
{
	return why__set(
		m->why, -EINVAL,
		"'%.120s' and '%.120s' do not belong together: %.80s is '%.60s' and '%.60s'",
		m->first_name, m->name, field, a, b);
}

/* As JSON, for a message. */
static int values_differ(const struct merge *m, const char *field, const json_t *a, const json_t *b)
{
	char *x = a ? json_dumps(a, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
	char *y = b ? json_dumps(b, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
	int err = differs(m, field, x ? x : "not there", y ? y : "not there");

	free(x);
	free(y);
	return err;
}

static int check_machine(const struct merge *m)
{
	json_t *list = comparability__differences(m->result, m->other), *item;
	size_t i;
	int err = 0;

	json_array_foreach(list, i, item) {
		const char *field = json__string(item, "field", "?");
		const char *before = json__string(item, "before", NULL);
		const char *after = json__string(item, "after", NULL);
		bool kernel = !strncmp(field, "kernel.", 7) && before && after &&
			      !strcmp(json__string(item, "class", ""), "expected");

		/* Boots are boots of one kernel: two kernels are two arms. */
		if (!err && (kernel || !strcmp(json__string(item, "class", ""), "block")))
			err = differs(m, field, before ? before : "not known",
				      after ? after : "not known");
	}
	json_decref(list);
	return err;
}

/* A document that went through other hands may have 1000 where it had 1000.0. */
static bool is_same(const json_t *a, const json_t *b)
{
	if (json_is_number(a) && json_is_number(b))
		return json_number_value(a) == json_number_value(b);
	return a == b || json_equal(a, b);
}

static int check_plan(const struct merge *m)
{
	static const char *const keys[] = {"duration_ms", "warmup_ms", "analysis", "affinity",
					   "vs"};
	const json_t *a = json_object_get(json_object_get(m->result, "tool"), "plan");
	const json_t *b = json_object_get(json_object_get(m->other, "tool"), "plan");
	char field[64];

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const json_t *x = json_object_get(a, keys[i]), *y = json_object_get(b, keys[i]);

		if (is_same(x, y))
			continue;
		snprintf(field, sizeof(field), "plan.%s", keys[i]);
		return values_differ(m, field, x, y);
	}
	return 0;
}

static int join_metrics(const struct merge *m)
{
	static const char *const keys[] = {"unit", "better", "kind", "class"};
	json_t *known = json_object_get(m->result, "metrics"), *metric;
	const char *name;

	json_object_foreach(json_object_get(m->other, "metrics"), name, metric) {
		const json_t *own = json_object_get(known, name);

		if (!own)
			json_object_set_new(known, name, json_deep_copy(metric));
		for (size_t i = 0; own && i < sizeof(keys) / sizeof(keys[0]); i++) {
			char field[160];

			if (json_equal(json_object_get(own, keys[i]),
				       json_object_get(metric, keys[i])))
				continue;
			snprintf(field, sizeof(field), "metrics.%.100s.%s", name, keys[i]);
			return values_differ(m, field, json_object_get(own, keys[i]),
					     json_object_get(metric, keys[i]));
		}
	}
	return 0;
}

static json_int_t find_boot(const json_t *boots, const json_t *boot)
{
	const char *id = json__string(boot, "boot_id", NULL);
	const json_t *own;
	size_t i;

	json_array_foreach(boots, i, own)
		if (id && !strcmp(id, json__string(own, "boot_id", "")))
			return i;
	return -1;
}

static void join_boots(struct merge *m)
{
	json_t *boots = json_object_get(m->result, "boots"), *boot;
	size_t i;

	json_array_foreach(json_object_get(m->other, "boots"), i, boot) {
		json_int_t at = find_boot(boots, boot);

		if (at < 0) {
			at = json_array_size(boots);
			json_array_append_new(boots, json_deep_copy(boot));
		}
		json_array_append_new(m->boot_of, json_integer(at));
	}
}

static void add_to(json_t *object, const char *key, json_int_t offset)
{
	const json_t *value = json_object_get(object, key);

	if (json_is_integer(value))
		json_object_set_new(object, key, json_integer(json_integer_value(value) + offset));
}

static void append_runs(const struct merge *m, json_t *own, const json_t *benchmark)
{
	json_t *runs = json_object_get(own, "runs"), *run;
	json_int_t n_offset = json_array_size(runs);
	size_t i;

	json_array_foreach(json_object_get(benchmark, "runs"), i, run) {
		json_t *copy = json_deep_copy(run);
		json_int_t boot = json_integer_value(json_object_get(run, "boot"));

		json_object_set(copy, "boot", json_array_get(m->boot_of, boot));
		add_to(copy, "n", n_offset);
		add_to(copy, "block", m->block_offset);
		add_to(copy, "order", m->order_offset);
		json_array_append_new(runs, copy);
	}
}

static int check_benchmark(const struct merge *m, const json_t *own, const json_t *benchmark)
{
	static const char *const keys[] = {"name", "params", "trigger", "loop", "primary"};
	char field[192];

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const json_t *a = json_object_get(own, keys[i]);
		const json_t *b = json_object_get(benchmark, keys[i]);

		if (is_same(a, b))
			continue;
		snprintf(field, sizeof(field), "%s of %.120s", keys[i],
			 json__string(own, "key", "?"));
		return values_differ(m, field, a, b);
	}
	return 0;
}

/* The result's benchmarks by their keys. */
static json_t *index_of(const json_t *document)
{
	json_t *index = json_object(), *benchmark;
	size_t i;

	json_array_foreach(json_object_get(document, "benchmarks"), i, benchmark)
		json_object_set(index, json__string(benchmark, "key", "?"), benchmark);
	return index;
}

static int join_benchmarks(const struct merge *m)
{
	json_t *benchmarks = json_object_get(m->result, "benchmarks"), *benchmark;
	json_t *index = index_of(m->result);
	int err = 0;
	size_t i;

	json_array_foreach(json_object_get(m->other, "benchmarks"), i, benchmark) {
		json_t *own = json_object_get(index, json__string(benchmark, "key", "?"));

		if (err)
			break;
		if (own) {
			err = check_benchmark(m, own, benchmark);
		} else {
			own = json_deep_copy(benchmark);
			json_array_clear(json_object_get(own, "runs"));
			json_array_append_new(benchmarks, own);
		}
		if (!err)
			append_runs(m, own, benchmark);
	}
	json_decref(index);
	return err;
}

/* The next free number of a block or of the order. */
static json_int_t next_of(const json_t *document, const char *key)
{
	const json_t *benchmark, *run;
	json_int_t next = 0;
	size_t i, j;

	json_array_foreach(json_object_get(document, "benchmarks"), i, benchmark) {
		json_array_foreach(json_object_get(benchmark, "runs"), j, run) {
			json_int_t value = json_integer_value(json_object_get(run, key));

			if (json_object_get(run, key) && value >= next && value < INT32_MAX)
				next = value + 1;
		}
	}
	return next;
}

static void join_warnings(const struct merge *m)
{
	json_t *warning, *list = json_object_get(m->other, "warnings");
	size_t i;

	json_array_foreach(list, i, warning)
		result__warn(m->result, json__string(warning, "code", "?"),
			     json__string(warning, "text", "?"));
}

/* What was measured in all: that is what the first line of the text says. */
static void join_plan(const struct merge *m)
{
	json_t *plan = json_object_get(json_object_get(m->result, "tool"), "plan");
	const json_t *other = json_object_get(json_object_get(m->other, "tool"), "plan");

	add_to(plan, "runs", json_integer_value(json_object_get(other, "runs")));
	add_to(plan, "evidence_runs", json_integer_value(json_object_get(other, "evidence_runs")));
	if (!json_is_false(json_object_get(m->other, "complete")))
		return;
	json_object_set_new(m->result, "complete", json_false());
	json_object_set(m->result, "incomplete_reason",
			json_object_get(m->other, "incomplete_reason"));
}

static json_t *source(const json_t *document)
{
	return json_pack("{s:O?, s:O?, s:O?}", "id", json_object_get(document, "id"), "label",
			 json_object_get(document, "label"), "created",
			 json_object_get(document, "created"));
}

/* Of a document that was merged before, what it was merged from; else the document itself. */
static json_t *sources_of(const json_t *document)
{
	json_t *merged = json_object_get(document, "merged");

	return json_is_array(merged) ? json_incref(merged) : json_pack("[o]", source(document));
}

static bool has_id(const json_t *sources, const char *id)
{
	const json_t *known;
	size_t i;

	json_array_foreach(sources, i, known)
		if (id && !strcmp(id, json__string(known, "id", "")))
			return true;
	return false;
}

/* A document twice would be two boots' worth of certainty from one. */
static int check_new(const struct merge *m, const json_t *sources)
{
	const json_t *known = json_object_get(m->result, "merged"), *one;
	size_t i;

	json_array_foreach(sources, i, one) {
		const char *id = json__string(one, "id", NULL);

		if (has_id(known, id))
			return why__set(m->why, -EINVAL,
					"'%.200s' is joined already: id %.40s stands twice",
					m->name, id);
	}
	return 0;
}

static int join_runs(struct merge *m)
{
	int err = check_machine(m);

	err = err ?: check_plan(m);
	err = err ?: join_metrics(m);
	if (err)
		return err;
	m->boot_of = json_array();
	m->block_offset = next_of(m->result, "block");
	m->order_offset = next_of(m->result, "order");
	join_boots(m);
	err = join_benchmarks(m);
	json_decref(m->boot_of);
	if (err)
		return err;
	join_warnings(m);
	join_plan(m);
	return 0;
}

static int join(struct merge *m)
{
	json_t *sources = sources_of(m->other);
	int err = check_new(m, sources);

	err = err ?: join_runs(m);
	if (!err)
		json_array_extend(json_object_get(m->result, "merged"), sources);
	json_decref(sources);
	return err;
}

/* What to try next was said of one document, by a plan of which the whole is no longer. */
static void forget_advice(json_t *result)
{
	json_t *benchmark;
	size_t i;

	json_array_foreach(json_object_get(result, "benchmarks"), i, benchmark)
		json_array_clear(json_object_get(benchmark, "next"));
}

int merge__documents(const json_t *const *documents, const char *const *names, size_t nr,
		     json_t **ret, struct why *why)
{
	struct merge m = {
		.result = json_deep_copy(documents[0]), .first_name = names[0], .why = why};
	json_t *sources = sources_of(documents[0]);
	int err = 0;

	if (!m.result || !sources)
		return why__errno(why, -ENOMEM, "merge");
	if (!json_object_get(m.result, "warnings"))
		json_object_set_new(m.result, "warnings", json_array());
	json_object_set_new(m.result, "merged", json_deep_copy(sources));
	json_decref(sources);
	for (size_t i = 1; !err && i < nr; i++) {
		m.other = documents[i];
		m.name = names[i];
		err = join(&m);
	}
	if (err) {
		json_decref(m.result);
		return err;
	}
	forget_advice(m.result);
	result__new_identity(m.result);
	*ret = m.result;
	return 0;
}
