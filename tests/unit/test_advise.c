// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "lib/sensor.h"
#include "lib/session.h"
#include "tests/unit/machine.h"
#include "tests/unit/unit.h"

struct toy_args {
	uint64_t keys, size;
};

static const struct param params[] = {
	PARAM_WORD(struct toy_args, keys, "many|one", "which"),
	PARAM_NUMBER(struct toy_args, size, 4, 1, 1 << 20, "how large"),
	{0},
};

static const struct metric metrics[] = {
	{"lost_share", "ratio", BETTER_LOWER, "scalar", METRIC_NOISY, "what was lost"},
	{0},
};

static void no_values(const struct run *run, int first, int last, json_t *values)
{
	(void)run, (void)first, (void)last, (void)values;
}

BENCH(toy, .name = "toy", .summary = "nothing", .op = "nothing", .checked = "nothing",
      .params = params, .args_size = sizeof(struct toy_args), .metrics = metrics,
      .values = no_values, .work = idle_work, .check = idle_check,
      .next = "keys=one,many size=8 (both)",
      .hints = (const struct bench_hint[]){{"lost_share", 0.01, "size=4k (some were lost)"}, {0}});
BENCH(traced, .name = "traced", .summary = "nothing", .op = "nothing", .checked = "nothing",
      .work = idle_work, .check = idle_check, .next = "-T toy-tracer (what is behind it)");

BENCH(locked, .name = "locked", .summary = "nothing", .op = "nothing", .checked = "nothing",
      .work = idle_work, .check = idle_check, .next = "-L (where they wait)");
BENCH(mixed, .name = "mixed", .summary = "nothing", .op = "nothing", .checked = "nothing",
      .params = params, .args_size = sizeof(struct toy_args), .work = idle_work,
      .check = idle_check, .next = "-T toy-tracer keys=one batch=100 (all of it)");

static int parse(const char *spec, void **ret_config, struct why *why)
{
	(void)spec, (void)why;
	*ret_config = NULL;
	return 0;
}

SENSOR(toy_tracer, .name = "toy-tracer", .summary = "nothing", .parse = parse);

#define RUN(role, lost) "{'status': 'ok', 'role': '" role "', 'values': {'lost_share': " lost "}}"

/* What is advised after these runs of the first point, with the advice of all benchmarks cut. */
static void advises(const char *const *words, const char *runs, bool tracer, const char *expected)
{
	struct plan_request request = machine__request(words);
	json_t *result, *next, *text;
	char said[256] = "";
	struct plan *plan;
	struct why why;
	size_t i;

	ck_assert_msg(!machine__build(&request, &plan, &why), "%s", why.text);
	if (tracer) {
		ck_assert_int_eq(plan__add_sensor(plan, ROLE_EVIDENCE, "toy-tracer", NULL, &why),
				 0);
		ck_assert_int_eq(plan__set_roles(plan, plan->repeats, false), 0);
	}
	result = json_pack("{s:[{s:s, s:o}]}", "benchmarks", "name", words[0], "runs",
			   json_loads(runs, 0, NULL));
	ck_assert_ptr_nonnull(result);
	session__advise(plan, result);
	next = json_object_get(json_array_get(json_object_get(result, "benchmarks"), 0), "next");
	json_array_foreach(next, i, text) {
		if (!strncmp(json_string_value(text), "-p ", 3) ||
		    !strncmp(json_string_value(text), "-o ", 3))
			continue;
		strcat(strcat(said, said[0] ? " | " : ""), json_string_value(text));
	}
	ck_assert_str_eq(said, expected);
	json_decref(result);
	plan__free(plan);
}

#define NOTHING "[]"

START_TEST(what_was_tried_is_not_advised)
{
	advises(WORDS("toy"), NOTHING, false, "keys=one,many size=8 (both)");
	advises(WORDS("toy", "keys=one", "size=8"), NOTHING, false, "keys=one,many size=8 (both)");
	advises(WORDS("toy", "keys=one,many"), NOTHING, false, "keys=one,many size=8 (both)");
	advises(WORDS("toy", "keys=one,many", "size=8"), NOTHING, false, "");
	advises(WORDS("traced"), NOTHING, false, "-T toy-tracer (what is behind it)");
	advises(WORDS("traced"), NOTHING, true, "");
}
END_TEST

/* Fewer evidence runs than clean ones are no reason to ask for the tracer again. */
START_TEST(a_tracer_that_was_asked_for_is_not_advised)
{
	struct plan_request request = machine__request(WORDS("traced"));
	struct plan *plan;
	json_t *result, *next;
	struct why why;

	request.repeats = 5;
	ck_assert_msg(!machine__build(&request, &plan, &why), "%s", why.text);
	ck_assert_int_eq(plan__add_sensor(plan, ROLE_EVIDENCE, "toy-tracer", NULL, &why), 0);
	ck_assert_int_eq(plan__set_roles(plan, 1, false), 0);
	result = json_pack("{s:[{s:s, s:[]}]}", "benchmarks", "name", "traced", "runs");
	session__advise(plan, result);
	next = json_object_get(json_array_get(json_object_get(result, "benchmarks"), 0), "next");
	ck_assert_uint_gt(json_array_size(next), 0);
	ck_assert_int_ne(strncmp(json_string_value(json_array_get(next, 0)), "-T", 2), 0);
	json_decref(result);
	plan__free(plan);
}
END_TEST

/* Each part of a text counts, whatever comes first. */
START_TEST(what_was_tried_in_part_is_advised)
{
	static const char all[] = "-T toy-tracer keys=one batch=100 (all of it)";

	advises(WORDS("mixed"), NOTHING, false, all);
	advises(WORDS("mixed"), NOTHING, true, all);
	advises(WORDS("mixed", "keys=one"), NOTHING, true, all);
	/* batch is a parameter of the harness. */
	advises(WORDS("mixed", "batch=100"), NOTHING, true, all);
	advises(WORDS("mixed", "keys=one", "batch=100"), NOTHING, false, all);
	advises(WORDS("mixed", "keys=one", "batch=100"), NOTHING, true, "");
}
END_TEST

#define WAITED \
	"[{\"status\": \"ok\", \"role\": \"evidence\", \"locks\": [{\"class\": \"b\", \"share\": 0.5}]}]"

START_TEST(nothing_is_advised_twice)
{
	advises(WORDS("locked"), NOTHING, false, "-L (where they wait)");
	/* The one that says how much stays. */
	advises(WORDS("locked"), WAITED, false, "-L (50 % of the time waits for: b)");
	/* As many as -L would make. */
	advises(WORDS("traced"), WAITED, true, "");
}
END_TEST

/* The mean of the clean runs is above the limit; zeros count, absent values and others do not. */
START_TEST(a_hint_follows_from_the_result)
{
	static const struct {
		const char *runs;
		bool hinted;
	} cases[] = {
		{"[]", false},
		{"[" RUN("clean", "0.02") "]", true},
		{"[" RUN("clean", "0.01") "]", false},
		{"[" RUN("clean", "0.03") ", " RUN("clean", "0") "]", true},
		{"[" RUN("clean", "0.02") ", " RUN("clean", "0") ", " RUN("clean", "0") "]", false},
		{"[" RUN("clean", "0.02") ", " RUN("clean", "null") "]", true},
		{"[" RUN("evidence", "0.9") ", " RUN("clean", "0") "]", false},
		{"[{'status': 'skipped', 'role': 'clean', 'values': null}, " RUN("clean",
										 "0.02") "]",
		 true},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char runs[512];

		snprintf(runs, sizeof(runs), "%s", cases[i].runs);
		for (char *c = runs; (c = strchr(c, '\''));)
			*c = '"';
		advises(WORDS("toy", "keys=one,many", "size=8"), runs, false,
			cases[i].hinted ? "size=4k (some were lost)" : "");
		advises(WORDS("toy", "keys=one,many", "size=8,4096"), runs, false, "");
		/* More than was lost with need not be told that less is worth trying. */
		advises(WORDS("toy", "keys=one,many", "size=8,8192"), runs, false, "");
	}
}
END_TEST

#define RATE(rate) "{\"status\": \"ok\", \"role\": \"clean\", \"values\": {\"ops_rate\": " rate "}}"

/* What differs by a third is not mended by some more runs: that would take thousands. */
START_TEST(noise_wants_runs_or_a_quieter_machine)
{
	const char *const *words = WORDS("toy", "keys=one,many", "size=8");

	advises(words, "[" RATE("100") ", " RATE("101") "]", false, "");
	advises(words, "[" RATE("100") ", " RATE("108") "]", false, "-r 4 (runs differ by 5.4 %)");
	advises(words, "[" RATE("100") ", " RATE("150") "]", false,
		"a quieter machine, see 'bpfperf doctor' (runs differ by 28.3 %)");
}
END_TEST

UNIT_MAIN("advise", a_tracer_that_was_asked_for_is_not_advised,
	  noise_wants_runs_or_a_quieter_machine, what_was_tried_is_not_advised,
	  what_was_tried_in_part_is_advised, nothing_is_advised_twice,
	  a_hint_follows_from_the_result)
