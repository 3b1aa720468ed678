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
	expect_field("run", "boot", "-1", "benchmarks[0].runs[1].boot: a whole number from 0 on");
	expect_field("run", "counters", "[{}]", "runs[1].counters[0].metric: is missing");
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

START_TEST(test_every_cut_of_a_document_is_refused)
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
	  test_nesting_is_bounded, test_versions, test_fields_are_named_by_their_path,
	  test_keys_are_unique, test_benchmarks_are_trimmed_as_they_come,
	  test_every_cut_of_a_document_is_refused, test_files, test_odd_documents_are_printed)
