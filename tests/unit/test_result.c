// SPDX-License-Identifier: GPL-2.0-only
#include "lib/result.h"

#include <ctype.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "lib/trigger.h"
#include "tests/unit/document.h"
#include "tests/unit/machine.h"
#include "tests/unit/unit.h"

struct toy_args {
	uint64_t a, b, c, d;
};

static const struct param toy_params[] = {
	PARAM_NUMBER(struct toy_args, a, 1, 0, 9, "first"),
	PARAM_NUMBER(struct toy_args, b, 2, 0, 9, "second"),
	PARAM_NUMBER(struct toy_args, c, 3, 0, 9, "third"),
	PARAM_WORD(struct toy_args, d, "no|yes", "fourth"),
	{0},
};

static const struct bench_count toy_counts[] = {{"failed", "what failed"}, {0}};

BENCH(toy, .name = "toy", .summary = "nothing", .op = "nothing", .checked = "nothing is left",
      .params = toy_params, .args_size = sizeof(struct toy_args), .counts = toy_counts,
      .work = idle_work, .check = idle_check);

/* A plan for "toy", and the new document of it. */
struct made {
	struct plan *plan;
	json_t *result;
};

static struct made make_with(const char *const *words, int argc, const char *const *argv,
			     const char *label)
{
	struct plan_request request = machine__request(words);
	struct made made;
	struct why why;

	request.repeats = 3;
	request.prod_affinity = "1,3";
	ck_assert_msg(machine__build(&request, &made.plan, &why) == 0, "refused: %s", why.text);
	made.result = result__new(made.plan, argc, argv, label);
	return made;
}

static struct made make(const char *const *words)
{
	return make_with(words, 0, NULL, NULL);
}

static void drop(struct made *made)
{
	json_decref(made->result);
	plan__free(made->plan);
}

/* The value at "a.b.0.c"; NULL: there is none. */
static const json_t *at(const json_t *json, const char *path)
{
	char *copy = strdup(path), *cursor = copy, *key;

	while ((key = strsep(&cursor, "."))) {
		if (json_is_array(json))
			json = json_array_get(json, atoi(key));
		else
			json = json_object_get(json, key);
	}
	free(copy);
	return json;
}

static void has(const json_t *json, const char *path, const char *expected)
{
	const json_t *value = at(json, path);
	json_t *wanted = json_of(expected);

	ck_assert_msg(json_equal(value, wanted), "%s: not %s", path, expected);
	json_decref(wanted);
}

START_TEST(test_new)
{
	struct made made = make(WORDS("toy"));

	has(made.result, "format", "'bpfperf-result'");
	has(made.result, "schema", "{'major': 1, 'minor': 0}");
	has(made.result, "complete", "true");
	has(made.result, "incomplete_reason", "null");
	has(made.result, "label", "null");
	has(made.result, "warnings", "[]");
	has(made.result, "tool.argv", "[]");
	has(made.result, "tool.seed", "1");
	has(made.result, "tool.plan.runs", "3");
	has(made.result, "metrics.ops_rate.better", "'higher'");
	has(made.result, "metrics.ns_op.unit", "'ns'");
	has(made.result, "metrics.failed_rate.help", "'what failed'");
	has(made.result, "boots.0.timing", "'native'");
	ck_assert_uint_eq(json_array_size(at(made.result, "boots")), 1);
	drop(&made);
}
END_TEST

START_TEST(test_id)
{
	struct made a = make(WORDS("toy")), b = make(WORDS("toy"));
	const char *id = json_string_value(at(a.result, "id"));

	ck_assert_uint_eq(strlen(id), 36);
	for (int i = 0; i < 36; i++) {
		if (i == 8 || i == 13 || i == 18 || i == 23)
			ck_assert_int_eq(id[i], '-');
		else
			ck_assert(isxdigit((unsigned char)id[i]) && !isupper((unsigned char)id[i]));
	}
	/* Version 4, and the variant that has one. */
	ck_assert_int_eq(id[14], '4');
	ck_assert_ptr_nonnull(strchr("89ab", id[19]));
	ck_assert_str_ne(id, json_string_value(at(b.result, "id")));
	drop(&a);
	drop(&b);
}
END_TEST

START_TEST(test_created)
{
	struct made made = make(WORDS("toy"));
	const char *created = json_string_value(at(made.result, "created"));
	time_t now = time(NULL), then;
	struct tm tm = {0};
	const char *end;

	ck_assert_uint_eq(strlen(created), strlen("2024-05-06T07:08:09.012Z"));
	end = strptime(created, "%Y-%m-%dT%H:%M:%S", &tm);
	ck_assert_ptr_nonnull(end);
	ck_assert(end[0] == '.' && isdigit((unsigned char)end[1]) &&
		  isdigit((unsigned char)end[2]) && isdigit((unsigned char)end[3]) &&
		  !strcmp(end + 4, "Z"));
	then = timegm(&tm);
	ck_assert_int_le(then, now);
	ck_assert_int_ge(then, now - 60);
	drop(&made);
}
END_TEST

/* A command line is bytes, and JSON is UTF-8. */
START_TEST(test_strange_argv)
{
	static const char *const argv[] = {"stat", "--label", "caf\xc3\xa9", "\xff\xfe.", "", "\n"};
	struct made made = make_with(WORDS("toy"), 6, argv, "\xe9t\xe9");

	has(made.result, "tool.argv", "['stat', '--label', 'caf\xc3\xa9', '??.', '', '\\n']");
	has(made.result, "label", "'?t?'");
	drop(&made);
	made = make_with(WORDS("toy"), 0, NULL, "\xc3\xa9t\xc3\xa9");
	has(made.result, "label", "'\xc3\xa9t\xc3\xa9'");
	drop(&made);
}
END_TEST

START_TEST(test_points)
{
	struct made made = make(WORDS("toy", "d=no,yes", "batch=8"));

	ck_assert_uint_eq(json_array_size(at(made.result, "benchmarks")), 2);
	has(made.result, "benchmarks.0.name", "'toy'");
	has(made.result, "benchmarks.0.params",
	    "{'a': 1, 'b': 2, 'c': 3, 'd': 'no', 'batch': 8, 'producers': 1}");
	has(made.result, "benchmarks.1.params.d", "'yes'");
	has(made.result, "benchmarks.1.key", "'toy/a=1/b=2/c=3/d=yes/batch=8/producers=1'");
	has(made.result, "benchmarks.0.trigger", "null");
	has(made.result, "benchmarks.0.loop", "'loop'");
	has(made.result, "benchmarks.0.primary", "'ops_rate'");
	has(made.result, "benchmarks.0.checked", "'nothing is left'");
	has(made.result, "benchmarks.0.runs", "[]");
	/* Two, and what was changed: in one point is enough, since a sweep needs the column. */
	has(made.result, "benchmarks.0.shown", "['a', 'b', 'd', 'batch']");
	drop(&made);
	made = make(WORDS("toy"));
	has(made.result, "benchmarks.0.shown", "['a', 'b']");
	drop(&made);
}
END_TEST

START_TEST(test_trigger)
{
	struct made made = make(WORDS("toy"));

	json_decref(made.result);
	made.plan->points[0].trigger = trigger__at(0);
	made.result = result__new(made.plan, 0, NULL, NULL);
	has(made.result, "benchmarks.0.trigger", "'prog-run:syscall'");
	drop(&made);
}
END_TEST

/* The document's runs stand in the order in which they were made, and say which they are. */
START_TEST(test_runs)
{
	struct made made = make(WORDS("toy", "a=1,2"));

	for (int i = 0; i < made.plan->nr_steps; i++)
		result__add_run(made.result, made.plan, i, json_pack("{s:i}", "step", i));
	for (int i = 0; i < made.plan->nr_steps; i++) {
		const struct step *step = &made.plan->steps[i];
		const json_t *runs =
			at(made.result, step->point ? "benchmarks.1.runs" : "benchmarks.0.runs");
		const json_t *run = json_array_get(runs, step->n);

		ck_assert_int_eq(json_integer_value(at(run, "step")), i);
		ck_assert_int_eq(json_integer_value(at(run, "order")), i);
		ck_assert_int_eq(json_integer_value(at(run, "n")), step->n);
		ck_assert_int_eq(json_integer_value(at(run, "block")), step->block);
		has(run, "boot", "0");
		has(run, "role", "'clean'");
	}
	drop(&made);
}
END_TEST

START_TEST(test_run_gives_up_what_is_not_its_own)
{
	struct made made = make(WORDS("toy"));

	result__add_run(made.result, made.plan, 0,
			json_of("{'trigger': 'tc', 'progs': [1], 'warnings':"
				" [{'code': 'A', 'text': 'first'}, {'code': 'B', 'text': 'b'}]}"));
	result__add_run(made.result, made.plan, 1,
			json_of("{'progs': [2], 'warnings': [{'code': 'A', 'text': 'second'}]}"));
	result__add_run(made.result, made.plan, 2, json_of("{}"));
	has(made.result, "benchmarks.0.progs", "[1]");
	for (int i = 0; i < 3; i++) {
		const json_t *run = json_array_get(at(made.result, "benchmarks.0.runs"), i);

		ck_assert_ptr_null(at(run, "progs"));
		ck_assert_ptr_null(at(run, "trigger"));
		ck_assert_ptr_null(at(run, "warnings"));
	}
	/* One warning of a kind, with the text of the first and how often it came. */
	has(made.result, "warnings",
	    "[{'code': 'A', 'text': 'first', 'count': 2},"
	    " {'code': 'B', 'text': 'b', 'count': 1}]");
	result__warn(made.result, "B", "again");
	has(made.result, "warnings.1.count", "2");
	drop(&made);
}
END_TEST

START_TEST(test_interrupted)
{
	struct made made = make(WORDS("toy"));

	result__interrupted(made.result, SIGINT);
	has(made.result, "complete", "false");
	has(made.result, "incomplete_reason", "'interrupted by signal 2 (Interrupt)'");
	drop(&made);
}
END_TEST

/* What was written is read again, to the last digit and by a strict reader. */
START_TEST(test_dump)
{
	struct made made = make(WORDS("toy"));
	json_t *again;
	size_t len;
	char *text;

	json_object_set_new(made.result, "tenth", json_real(0.1));
	json_object_set_new(made.result, "third", json_real(1e9 / 3));
	json_object_set_new(made.result, "huge", json_integer(INT64_MAX));
	text = result__dump(made.result);
	len = strlen(text);
	ck_assert(text[len - 1] == '\n' && text[len - 2] == '}');
	again = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	ck_assert_ptr_nonnull(again);
	ck_assert(json_equal(made.result, again));
	json_decref(again);
	free(text);
	drop(&made);
}
END_TEST

START_TEST(test_fields)
{
	json_t *doc = json_of("{'s': 'text', 'i': 3, 'r': 0.5, 'n': null, 'b': true}");

	ck_assert_str_eq(json__string(doc, "s", "absent"), "text");
	ck_assert_str_eq(json__string(doc, "i", "absent"), "absent");
	ck_assert_ptr_null(json__string(doc, "none", NULL));
	ck_assert_str_eq(json__string(NULL, "s", "absent"), "absent");
	ck_assert(json__number(doc, "i") == 3 && json__number(doc, "r") == 0.5);
	ck_assert(isnan(json__number(doc, "s")) && isnan(json__number(doc, "n")));
	ck_assert(isnan(json__number(doc, "b")) && isnan(json__number(doc, "none")));
	json_decref(doc);
}
END_TEST

UNIT_MAIN("result", test_new, test_id, test_created, test_strange_argv, test_points, test_trigger,
	  test_runs, test_run_gives_up_what_is_not_its_own, test_interrupted, test_dump,
	  test_fields)
