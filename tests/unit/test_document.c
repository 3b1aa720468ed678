// SPDX-License-Identifier: GPL-2.0-only
#include "lib/document.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/render/render.h"
#include "lib/why.h"
#include "tests/unit/compared.h"
#include "tests/unit/unit.h"

/* A loaded copy, or NULL and `why`. */
static json_t *parse(const char *text, struct why *why)
{
	json_t *document = NULL;

	*why = (struct why){0};
	if (document__parse("x.json", text, strlen(text), NULL, &document, why))
		return NULL;
	return document;
}

static json_t *reparse(const json_t *document, struct why *why)
{
	char *text = json_dumps(document, JSON_INDENT(1));
	json_t *copy = parse(text, why);

	free(text);
	return copy;
}

static void expect_refused(const char *text, const char *wanted)
{
	struct why why;
	json_t *document = parse(text, &why);

	ck_assert_msg(!document, "accepted: %.200s", text);
	ck_assert_msg(strstr(why.text, wanted), "'%s' is not in '%s'", wanted, why.text);
	ck_assert_msg(strstr(why.text, "x.json"), "the file is not named: %s", why.text);
}

/* The document after this change, with ' for ", is refused with this message. */
static void expect_broken(json_t *document, const char *wanted)
{
	struct why why;
	json_t *copy = reparse(document, &why);

	ck_assert_msg(!copy, "accepted; expected '%s'", wanted);
	ck_assert_msg(strstr(why.text, wanted), "'%s' is not in '%s'", wanted, why.text);
	json_decref(document);
}

static void expect_fine(json_t *document)
{
	struct why why;
	json_t *copy = reparse(document, &why);

	ck_assert_msg(copy, "refused: %s", why.text);
	json_decref(copy);
	json_decref(document);
}

START_TEST(test_what_stat_writes_is_read)
{
	json_t *document = make_toy("a", "6.12", 1e6, 3), *copy;
	struct why why;

	copy = reparse(document, &why);
	ck_assert_msg(copy, "refused: %s", why.text);
	ck_assert(json_equal(copy, document));
	json_decref(copy);
	json_decref(document);
}
END_TEST

START_TEST(test_places_are_named)
{
	expect_refused("", "is empty");
	expect_refused(" \n ", "is empty");
	expect_refused("{", "line 1, column 2: a key in quotes is expected");
	expect_refused("{\n \"format\"", "':' expected, but the file ends here");
	expect_refused("{\n \"a\": 1,\n \"a\": 2}", "line 3, column 2: duplicate key 'a'");
	expect_refused("{\"a\": {\n \"b\": 1,\n  \"b\": 2}}", "line 3");
	expect_refused("{\"a\": {\n \"b\": 1,\n  \"b\": 2}}", "duplicate");
	expect_refused("{\"a\": NaN}", "line 1, column");
	expect_refused("{\"a\": 1} x", "line 1, column 10: something follows");
	expect_refused("{\"a\": 1e999}", "overflow");
	expect_refused("{\"a\": \"\xff\"}", "unable to decode byte 0xff");
	expect_refused("{\"benchmarks\": [\n {\"runs\": [NaN]}]}", "line 2");
	expect_refused("{\"benchmarks\": [{}\n", "']' expected, but the file ends here");
	expect_refused("\xef\xbb\xbf{}", "'{' expected");
}
END_TEST

START_TEST(test_foreign_json)
{
	expect_refused("{}", "no result of bpfperf (it has no 'format')");
	expect_refused("[1]", "'{' expected");
	expect_refused("{\"format\": \"fio\"}", "its format is 'fio'");
	expect_refused("{\"format\": \"bpfperf-compare\"}", "its format is 'bpfperf-compare'");
	/* Google Benchmark has a member of the same name. */
	expect_refused("{\"context\": {}, \"benchmarks\": [{\"name\": \"x\", \"real_time\": 1}]}",
		       "no result of bpfperf");
	expect_refused("{\"format\": \"\\u001b[31m\"}", "its format is '?[31m'");
}
END_TEST

START_TEST(test_nesting_is_bounded)
{
	size_t deep = 100000;
	char *text = malloc(deep + 32);

	strcpy(text, "{\"a\":");
	memset(text + 5, '[', deep);
	text[5 + deep] = '\0';
	expect_refused(text, "depth");
	free(text);
}
END_TEST

START_TEST(test_versions)
{
	json_t *document = make_toy("a", "6.12", 1e6, 1), *copy;
	struct why why;

	json_object_set_new(json_object_get(document, "schema"), "minor", json_integer(99));
	json_object_set_new(document, "of a later version", json_true());
	copy = reparse(document, &why);
	ck_assert_msg(copy, "a later minor version was refused: %s", why.text);
	ck_assert(json_is_true(json_object_get(copy, "of a later version")));
	json_decref(copy);
	json_object_set_new(json_object_get(document, "schema"), "major", json_integer(2));
	expect_broken(document, "is of version 2.99, and this bpfperf reads 1.x");
	document = make_toy("a", "6.12", 1e6, 1);
	json_object_set_new(json_object_get(document, "schema"), "major", json_integer(0));
	expect_broken(document, "there never was a version 0");
	document = make_toy("a", "6.12", 1e6, 1);
	json_object_set_new(json_object_get(document, "schema"), "major", json_string("1"));
	expect_broken(document, "schema:");
}
END_TEST

/* A fresh document with one member of one of its objects replaced, or taken out (NULL). */
static void expect_field(const char *object, const char *key, const char *value, const char *wanted)
{
	json_t *document = make_toy("a", "6.12", 1e6, 2), *at = document;

	if (!strcmp(object, "boot"))
		at = first_boot(document);
	else if (!strcmp(object, "benchmark"))
		at = first_benchmark(document);
	else if (!strcmp(object, "params"))
		at = json_object_get(first_benchmark(document), "params");
	else if (!strcmp(object, "run"))
		at = nth_run(document, 1);
	else if (!strcmp(object, "metric"))
		at = json_object_get(json_object_get(document, "metrics"), "ops_rate");
	else if (*object)
		at = json_object_get(document, object);
	ck_assert_ptr_nonnull(at);
	if (value)
		json_object_set_new(at, key, json_of(value));
	else
		ck_assert_msg(!json_object_del(at, key), "no such key: %s", key);
	expect_broken(document, wanted);
}

START_TEST(test_fields_are_named_by_their_path)
{
	expect_field("", "tool", NULL, "tool: is missing");
	expect_field("", "complete", "'yes'", "complete: true or false is expected");
	expect_field("", "boots", "[]", "boots: at least one is expected");
	expect_field("", "boots", "[1]", "boots[0]: an object is expected");
	expect_field("", "boots", "{}", "boots: an array is expected");
	expect_field("", "benchmarks", "{}", "benchmarks: an array is expected");
	expect_field("", "benchmarks", "[1]", "benchmarks[0]: an object is expected");
	expect_field("tool", "plan", NULL, "tool.plan: is missing");
	expect_field("boot", "kernel", "1", "boots[0].kernel: an object is expected");
	expect_field("boot", "timing", "'fast'", "boots[0].timing: 'fast' is none of native");
	expect_field("metric", "better", "'bigger'", "metrics.ops_rate.better: 'bigger' is none");
	expect_field("metric", "class", NULL, "metrics.ops_rate.class: is missing");
	expect_field("benchmark", "key", "1", "benchmarks[0].key: a string is expected");
	expect_field("benchmark", "loop", NULL, "benchmarks[0].loop: is missing");
	expect_field("benchmark", "shown", "[1]", "benchmarks[0].shown: an array of strings");
	expect_field("benchmark", "runs", "{}", "benchmarks[0].runs: an array is expected");
	expect_field("params", "producers", "0", "benchmarks[0].params.producers: a whole number");
	expect_field("params", "producers", "1000000", "producers: a whole number of 1..1024");
	expect_field("params", "size", "[]", "benchmarks[0].params.size: a whole number or a str");
	expect_field("run", "status", "'fine'", "benchmarks[0].runs[1].status: 'fine' is none of");
	expect_field("run", "values", "1", "benchmarks[0].runs[1].values: an object or null");
	expect_field("run", "values", "{'ops_rate': '1'}",
		     "benchmarks[0].runs[1].values.ops_rate: a number or null is expected");
	expect_field("run", "boot", "7", "benchmarks[0].runs[1].boot: there is no such element");
	expect_field("run", "boot", "-1", "benchmarks[0].runs[1].boot: a whole number of 0..");
	expect_field("run", "counters", "[{}]", "runs[1].counters[0].metric: is missing");
}
END_TEST

/* What is counted up to, or multiplied, or added up, has a bound. */
START_TEST(test_bounds)
{
	expect_field("run", "block", "9223372036854775807",
		     "block: a whole number of 0..1000000000");
	expect_field("run", "order", "1000000001", "order: a whole number of 0..1000000000");
	expect_field("tool", "plan", "{'runs': 9223372036854775807}", "tool.plan.runs: a whole");
	expect_field("tool", "plan", "{'runs': 5.5}", "tool.plan.runs: a whole number");
	expect_field("tool", "plan", "{'duration_ms': '1'}", "tool.plan.duration_ms: a number");
	expect_field("run", "values", "{'ops_rate': 1e308}",
		     "benchmarks[0].runs.values.ops_rate: a number beyond 1e+30");
	expect_field("run", "values", "{'ops_rate': -1e31}", "a number beyond 1e+30");
	/* Also where nothing is known to stand. */
	expect_field("", "x", "{'y': [[1e300]]}", "x.y: a number beyond 1e+30");
	expect_field("boot", "z", "1e300", "boots.z: a number beyond 1e+30");
}
END_TEST

static void fill(json_t *array, json_t *item, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		json_array_append(array, item);
	json_decref(item);
}

START_TEST(test_too_many)
{
	static const struct {
		const char *key, *item, *wanted;
		size_t nr;
	} cases[] = {
		{"counters", "{'metric': 'c', 'tid': 0}", "counters: there are more than 65536",
		 65537},
		{"threads", "{}", "threads: there are more than 1024", 1025},
		{"locks", "{}", "locks: there are more than 4096", 4097},
		{"grace_periods", "{}", "grace_periods: there are more than 16", 17},
	};
	json_t *document, *array;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		document = make_toy("a", "6.12", 1e6, 1);
		array = json_array();
		fill(array, json_of(cases[i].item), cases[i].nr);
		json_object_set_new(nth_run(document, 0), cases[i].key, array);
		expect_broken(document, cases[i].wanted);
	}
	document = make_toy("a", "6.12", 1e6, 1);
	array = json_array();
	fill(array, json_of("{}"), 257);
	json_object_set_new(first_benchmark(document), "progs", array);
	expect_broken(document, "benchmarks[0].progs: there are more than 256 of them");
	document = make_toy("a", "6.12", 1e6, 1);
	array = json_array();
	fill(array, json_of("{}"), 1001);
	json_object_set_new(document, "warnings", array);
	expect_broken(document, "warnings: there are more than 1000 of them");
	document = make_toy("a", "6.12", 1e6, 1);
	array = json_array();
	fill(array, json_of("'c'"), 129);
	json_object_set_new(nth_run(document, 0), "intervals",
			    json_pack("{s:o}", "columns", array));
	expect_broken(document, "benchmarks[0].runs[0].intervals.columns: there are more than 128");
	document = make_toy("a", "6.12", 1e6, 1);
	fill(json_object_get(document, "boots"), json_of("{'kernel': {}}"), 1000);
	expect_broken(document, "boots: there are more than 1000 of them");
	document = make_toy("a", "6.12", 1e6, 1);
	fill(json_object_get(first_benchmark(document), "runs"), json_copy(nth_run(document, 0)),
	     40000);
	expect_broken(document, "benchmarks[0].runs: there are more than 40000 of them");
	document = make_toy("a", "6.12", 1e6, 1);
	json_object_set_new(json_object_get(first_benchmark(document), "params"), "producers",
			    json_integer(1024));
	fill(json_object_get(first_benchmark(document), "runs"), json_copy(nth_run(document, 0)),
	     3999);
	expect_broken(document, "there are too many for so many producers");
}
END_TEST

/* A benchmark of so many runs, with so many figures in the first of them. */
static void add_figures(json_t *document, const char *name, size_t runs, size_t figures)
{
	json_t *benchmark = add_benchmark(document, name, 1), *counters = json_array(), *first;
	json_t *values = json_object();

	add_runs(benchmark, 1e6, 1);
	first = json_array_get(json_object_get(benchmark, "runs"), 0);
	fill(json_object_get(benchmark, "runs"), json_copy(first), runs - 1);
	for (size_t i = 0; i < figures; i++)
		json_array_append_new(counters, json_pack("{s:o, s:i}", "metric",
							  json_sprintf("c%zu", i), "tid", 0));
	json_object_set_new(first, "counters", counters);
	json_object_set_new(first, "values", values);
	json_object_set_new(first, "per_op", json_of("{'c0': 1, 'own': 2}"));
}

/* 8,000,000 in all: looking at each figure of each run ends in time. */
START_TEST(test_too_many_figures_of_too_many_runs)
{
	json_t *document = make_toy("a", "6.12", 1e6, 1);
	struct why why;

	add_figures(document, "many-figures", 100, 39000);
	ck_assert_msg(!document__check(document, &why), "%s", why.text);
	add_figures(document, "more-figures", 100, 41000);
	ck_assert_int_eq(document__check(document, &why), -EINVAL);
	ck_assert_str_eq(why.text, "benchmarks: too many runs of too many figures");
	json_decref(document);
}
END_TEST

START_TEST(test_long_texts)
{
	json_t *document = make_toy("a", "6.12", 1e6, 1);
	char *text = malloc(DOCUMENT_MAX_TEXT + 2);

	memset(text, 'x', DOCUMENT_MAX_TEXT + 1);
	text[DOCUMENT_MAX_TEXT + 1] = '\0';
	json_object_set_new(first_benchmark(document), "name", json_string(text));
	expect_broken(document, "benchmarks[0].name: a text of more than 131072 bytes");
	document = make_toy("a", "6.12", 1e6, 1);
	json_object_set_new(document, text, json_true());
	expect_broken(document, "a key of more than 131072 bytes");
	document = make_toy("a", "6.12", 1e6, 1);
	text[DOCUMENT_MAX_TEXT] = '\0';
	json_object_set_new(first_benchmark(document), "name", json_string(text));
	expect_fine(document);
	free(text);
}
END_TEST

/* 24 MB of text, and 1.9 GB of objects. */
START_TEST(test_memory)
{
	const size_t nr = 8000000;
	char *text = malloc(3 * nr + 32);
	size_t len = sprintf(text, "{\"x\":[{}");
	json_t *document = NULL;
	struct why why;

	for (size_t i = 1; i < nr; i++, len += 3)
		memcpy(text + len, ",{}", 3);
	text[len++] = ']';
	text[len++] = '}';
	ck_assert_int_eq(document__parse("x", text, len, NULL, &document, &why), -EINVAL);
	ck_assert_msg(strstr(why.text, "would take more than 1536 MiB of memory"), "%s", why.text);
	/* In a string it is text. */
	text[5] = text[len - 2] = '"';
	ck_assert_int_eq(document__parse("x", text, len, NULL, &document, &why), -EINVAL);
	ck_assert_msg(!strstr(why.text, "memory"), "%s", why.text);
	free(text);
}
END_TEST

START_TEST(test_keys_are_unique)
{
	json_t *document = make_toy("a", "6.12", 1e6, 1);

	add_runs(add_benchmark(document, "toy", 1), 1e6, 1);
	expect_broken(document, "benchmarks[1].key: stands twice");
}
END_TEST

static void drop_runs(json_t *benchmark)
{
	json_array_clear(json_object_get(benchmark, "runs"));
}

START_TEST(test_benchmarks_are_trimmed_as_they_come)
{
	json_t *document = make_toy("a", "6.12", 1e6, 3), *copy;
	char *text;
	struct why why;

	add_runs(add_benchmark(document, "toy", 2), 1e6, 3);
	text = json_dumps(document, JSON_COMPACT);
	ck_assert_int_eq(document__parse("x", text, strlen(text), drop_runs, &copy, &why), 0);
	ck_assert_uint_eq(json_array_size(json_object_get(copy, "benchmarks")), 2);
	ck_assert_uint_eq(json_array_size(json_object_get(first_benchmark(copy), "runs")), 0);
	free(text);
	json_decref(copy);
	json_decref(document);
}
END_TEST

START_TEST(report_libbpf_482_every_cut_of_a_document)
{
	json_t *document = make_toy("a", "6.12", 1e6, 2), *copy;
	char *text = json_dumps(document, JSON_COMPACT);
	size_t len = strlen(text);
	struct why why;

	for (size_t i = 0; i < len; i++) {
		copy = NULL;
		ck_assert_msg(document__parse("x", text, i, NULL, &copy, &why) == -EINVAL,
			      "accepted after %zu of %zu bytes", i, len);
	}
	free(text);
	json_decref(document);
}
END_TEST

START_TEST(test_files)
{
	char path[] = "/tmp/bpfperf-test-XXXXXX";
	json_t *document = NULL;
	struct why why;
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, "{}", 2), 2);
	close(fd);
	ck_assert_int_eq(document__load(path, NULL, &document, &why), -EINVAL);
	ck_assert_msg(strstr(why.text, path), "%s", why.text);
	unlink(path);
	ck_assert_int_eq(document__load(path, NULL, &document, &why), -ENOENT);
	ck_assert_int_eq(document__load("/tmp", NULL, &document, &why), -EISDIR);
	ck_assert_int_eq(document__load("/dev/zero", NULL, &document, &why), -EINVAL);
	ck_assert_msg(strstr(why.text, "no regular file"), "%s", why.text);
}
END_TEST

/* What the checks let through, the renderers bear. */
START_TEST(test_odd_documents_are_printed)
{
	json_t *document = make_toy("a", "6.12", 1e6, 1);
	FILE *out = fopen("/dev/null", "w");
	struct why why;

	json_object_set_new(nth_run(document, 0), "values", json_null());
	json_object_set_new(nth_run(document, 0), "locks", json_of("[1, null, {'share': 'x'}]"));
	json_object_set_new(nth_run(document, 0), "intervals",
			    json_of("{'columns': 1, 'rows': 2}"));
	json_object_set_new(nth_run(document, 0), "threads", json_of("[null]"));
	json_object_set_new(first_boot(document), "spinlock_waits", json_integer(1));
	json_object_set_new(json_object_get(document, "tool"), "plan", json_object());
	ck_assert_msg(!document__check(document, &why), "%s", why.text);
	render__stat(document, out);
	render__intervals(document, out);
	render__per_thread(document, out);
	render__csv(document, ",", out);
	fclose(out);
	json_decref(document);
}
END_TEST

UNIT_MAIN("document", test_what_stat_writes_is_read, test_places_are_named, test_foreign_json,
	  test_nesting_is_bounded, test_versions, test_fields_are_named_by_their_path, test_bounds,
	  test_too_many, test_long_texts, test_too_many_figures_of_too_many_runs, test_memory,
	  test_keys_are_unique, test_benchmarks_are_trimmed_as_they_come,
	  report_libbpf_482_every_cut_of_a_document, test_files, test_odd_documents_are_printed)
