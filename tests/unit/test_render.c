// SPDX-License-Identifier: GPL-2.0-only
#include "lib/render/render.h"

#include <math.h>
#include <string.h>

#include "tests/unit/document.h"
#include "tests/unit/screen.h"
#include "tests/unit/unit.h"

static void screen_is(const char *document, const char *expected)
{
	char *screen = screen_of(json_of(document));

	ck_assert_str_eq(screen, expected);
	free(screen);
}

typedef void render_fn(char *buf, size_t size, double value);

struct number {
	double value;
	const char *text;
};

static void prints(render_fn *render, const struct number *numbers, size_t nr)
{
	char text[64];

	for (size_t i = 0; i < nr; i++) {
		render(text, sizeof(text), numbers[i].value);
		ck_assert_msg(!strcmp(text, numbers[i].text), "%.17g gives '%s', not '%s'",
			      numbers[i].value, text, numbers[i].text);
	}
}

START_TEST(test_number)
{
	static const struct number numbers[] = {
		{0, "0.00"},	  {0.004, "0.00"}, {0.35, "0.35"},     {6.7, "6.70"},
		{9.994, "9.99"},  {9.996, "10.0"}, {98.6, "98.6"},     {99.94, "99.9"},
		{99.96, "100"},	  {162.4, "162"},  {123456, "123456"}, {-6.7, "-6.70"},
		{-162.4, "-162"}, {NAN, "-"},	   {INFINITY, "-"},    {-INFINITY, "-"},
	};

	prints(render__number, numbers, sizeof(numbers) / sizeof(numbers[0]));
}
END_TEST

/* Three to four digits at every edge, and no number that needs the next unit. */
START_TEST(test_si)
{
	static const struct number numbers[] = {
		{0, "0"},	    {0.5, "0.50"},	  {12.34, "12.34"},	{99.99, "99.99"},
		{99.996, "100.0"},  {999.4, "999.4"},	  {999.94, "999.9"},	{999.95, "1.00 k"},
		{1000, "1.00 k"},   {12345, "12.35 k"},	  {123456, "123.5 k"},	{999940, "999.9 k"},
		{999950, "1.00 M"}, {12.31e6, "12.31 M"}, {1e9, "1.00 G"},	{1e12, "1.00 T"},
		{1e15, "1000 T"},   {1.5e16, "15000 T"},  {-12345, "-12.35 k"}, {NAN, "-"},
		{INFINITY, "-"},    {-INFINITY, "-"},
	};

	prints(render__si, numbers, sizeof(numbers) / sizeof(numbers[0]));
}
END_TEST

/* Ends of an interval are in the unit of its middle, whatever they are. */
START_TEST(test_si_in)
{
	const struct si si = render__si_unit(999e3);
	char text[32];

	ck_assert_str_eq(si.unit, " k");
	render__si_in(text, sizeof(text), 1004e3, &si);
	ck_assert_str_eq(text, "1004");
	render__si_in(text, sizeof(text), 990, &si);
	ck_assert_str_eq(text, "0.99");
	render__si_in(text, sizeof(text), NAN, &si);
	ck_assert_str_eq(text, "-");
	ck_assert_str_eq(render__si_unit(NAN).unit, "");
}
END_TEST

START_TEST(test_grouped)
{
	static const struct number numbers[] = {
		{0, "0"},
		{7, "7"},
		{999, "999"},
		{1000, "1,000"},
		{123456, "123,456"},
		{1234567, "1,234,567"},
		{999.5, "1,000"},
		{-999, "-999"},
		{-1234567, "-1,234,567"},
		{1e15, "1,000,000,000,000,000"},
		{NAN, "-"},
		{INFINITY, "-"},
	};
	char small[6];

	prints(render__grouped, numbers, sizeof(numbers) / sizeof(numbers[0]));
	render__grouped(small, sizeof(small), 1234567);
	ck_assert_uint_lt(strlen(small), sizeof(small));
}
END_TEST

static void string_is(const char *string, const char *expected)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	render__string(out, string);
	fclose(out);
	ck_assert_str_eq(text, expected);
	free(text);
}

START_TEST(test_string)
{
	string_is("plain, 100 %s", "plain, 100 %s");
	string_is("", "");
	string_is("\x1b[31mred\x1b]0;title\a", "?[31mred?]0;title?");
	string_is("a\nb\rc\td\be\x7f", "a?b?c?d?e?");
	/* U+009B does what ESC [ does; U+00E9 and U+20AC are letters, U+00A0 is a blank. */
	string_is("\xc2\x9b"
		  "31m\xc2\x80\xc2\x9f",
		  "?31m??");
	string_is("caf\xc3\xa9 \xe2\x82\xac\xc2\xa0.", "caf\xc3\xa9 \xe2\x82\xac\xc2\xa0.");
	string_is(NULL, "?");
	/* Cut within a character: 0x9b alone opens a sequence where a terminal is not UTF-8. */
	string_is("caf\xc3", "caf?");
	string_is("\x9b"
		  "31m\xe2\x82",
		  "?31m??");
	/* Another spelling of ESC; beyond Unicode; a byte that never occurs. */
	string_is("\xc0\x9b[\xf5\x80\x80\x80\xff", "??[?????");
	/* What turns the direction of text, and ends lines, in three bytes. */
	string_is("\xe2\x80\xaegpj.exe\xe2\x80\xa8\xe2\x81\xa6", "?gpj.exe??");
	string_is("\xf0\x9f\x90\x9d", "\xf0\x9f\x90\x9d");
}
END_TEST

/* A number that does not fit into its column is not cut: that would be another number. */
START_TEST(test_large_numbers)
{
	char text[32];

	render__number(text, sizeof(text), 1.25e30);
	ck_assert_str_eq(text, "1.25e+30");
	render__si(text, sizeof(text), 1e30);
	ck_assert_str_eq(text, "1e+18 T");
	render__grouped(text, sizeof(text), 1.5e28);
	ck_assert_str_eq(text, "1.5e+28");
	render__grouped(text, sizeof(text), 18446744073709551615.0);
	ck_assert_str_eq(text, "18,446,744,073,709,551,616");
	render__time(text, sizeof(text), 1e30);
	ck_assert_str_eq(text, "1e+21 s");
}
END_TEST

#define COUNTERS                                                                                                                                                \
	COUNT("task-clock", 0, 2000000, 100, 100)                                                                                                               \
	"," COUNT("task-clock", 1, 2000000, 100, 100) "," COUNT("branches", 0, 6000000, 100, 40) "," COUNT("branches", 1, 4000000, 100, 35) "," NO_COUNT(       \
		"cycles", 0,                                                                                                                                    \
		"not supported: no PMU") "," NO_COUNT("cycles", 1,                                                                                              \
						      "other") "," NO_COUNT("LLC-loads", 0,                                                                     \
									    "other") "," NO_COUNT("LLC-loads",                                                  \
												  1,                                                            \
												  "other") "," NO_COUNT("faults",                               \
															0,                                      \
															"no permission") "," NO_COUNT("faults", \
																		      1,        \
																		      "no permission")

/*
 * Rates of 4 and 4.04 M: a mean of sqrt(16.16) = 4.02 M, and t(0.975, 1) = 12.7062 times
 * ln 1.01 / 2 makes 4.02 x exp(+-0.06322), 3.77 and 4.28.
 */
START_TEST(test_first_screen)
{
	screen_is(
		DOCUMENT(POINT("toy-map",
			       RUN(VALUES("4e6"), COUNTERS) "," RUN(VALUES("4.04e6"), COUNTERS))),
		"toy-map   keys=one size=1000   2 producers on CPUs 2,3   trigger prog-run:tc"
		"   2 runs x 0.5 s\n"
		"\n"
		"    4.02 M ops/s   95 % CI 3.77 - 4.28     500 ns/op, 47.1 net of the harness"
		"     map is full: check ok\n"
		"    CPU 2  1.00   CPU 3  3.00 M ops/s     run CV 0.7 %\n"
		"    failed 2.50 M /s\n"
		"\n"
		"    per op    total of all runs   event\n"
		"      1.00            8,000,000   task-clock (ns)\n"
		"      2.50           20,000,000   branches   counted 37.5 % of the time, and scaled\n"
		"         -                    -   cycles, LLC-loads\n"
		"                                  other\n"
		"         -                    -   faults\n"
		"                                  no permission\n"
		"\n"
		"  next: churn=100 (more) | -p 1,2\n");
}
END_TEST

START_TEST(test_one_run)
{
	const char *document = DOCUMENT(POINT("toy-map", RUN(VALUES("4e6"), "")));

	screen_has(document, "    4.00 M ops/s   one run, error not known     500 ns/op");
	screen_lacks(document, "CV");
	screen_lacks(document, "CI");
	screen_lacks(document, "event");
}
END_TEST

/* One that failed takes away the "check ok", not the number of the others or where they ran. */
START_TEST(test_failed_and_skipped)
{
	const char *some =
		DOCUMENT(POINT("toy-map", FAILED("17 are left") "," RUN(VALUES("4e6"), COUNTERS)));
	const char *all = DOCUMENT(POINT("toy-map", FAILED("a") "," FAILED("b")));
	const char *none = DOCUMENT(POINT("toy-map", SKIPPED("no fentry") "," SKIPPED("x")));

	screen_has(some, "    1 of 2 runs failed: 17 are left\n");
	screen_has(some, "    4.00 M ops/s   one run, error not known");
	screen_has(some, "on CPUs 2,3");
	screen_has(some, "    CPU 2  1.00   CPU 3  3.00 M ops/s\n");
	screen_has(some, "    failed 2.50 M /s\n");
	screen_lacks(some, "check ok");
	screen_has(all, "    2 of 2 runs failed: a\n");
	screen_lacks(all, "ops/s");
	screen_lacks(all, "next:");
	screen_has(none, "    2 of 2 runs skipped: no fentry\n");
	screen_lacks(none, "ops/s");
	screen_has(DOCUMENT(POINT("toy-map", "")), "    no run\n");
}
END_TEST

#define RATES(low, high) \
	RUN("'ops_rate': " low ", 'ns_op': 1", "") "," RUN("'ops_rate': " high ", 'ns_op': 1", "")

/* qt(0.975, 1) is 12.706: with runs of 1 and 1.46 the end of the interval is 11.07 times the mean. */
START_TEST(test_wide_intervals)
{
	screen_has(DOCUMENT(POINT("toy", RATES("1e6", "1.45e6"))), " 95 % CI 0.11 - 12.76 ");
	screen_has(DOCUMENT(POINT("toy", RATES("1e6", "1.46e6"))),
		   "   error not known: the runs differ by a factor of 1.46 ");
	screen_has(DOCUMENT(POINT("toy", RATES("1000", "1234000"))),
		   "   error not known: the runs differ by a factor of 1234 ");
	screen_has(DOCUMENT(POINT("toy-a", RATES("1e6", "1.45e6")) "," POINT(
			   "toy-b", RATES("1e6", "1.46e6"))),
		   "       ops/s     95 % CI     ns/op       net   point\n"
		   "      1.20 M  +- 959.7 %      1.00         -   toy-a");
	screen_has(DOCUMENT(POINT("toy-a", RATES("1e6", "1.45e6")) "," POINT(
			   "toy-b", RATES("1e6", "1.46e6"))),
		   "      1.21 M     >1000 %      1.00         -   toy-b");
}
END_TEST

START_TEST(test_interrupted)
{
	screen_has("{'complete': false, 'incomplete_reason': 'interrupted by signal 2', " PLAN
		   ", 'benchmarks': [" POINT("toy", RUN(VALUES("4e6"), "")) "]}",
		   "\n  incomplete: interrupted by signal 2\n");
	screen_has("{'complete': false, 'benchmarks': []}", "\n  incomplete: no reason given\n");
	screen_lacks(DOCUMENT(POINT("toy", "")), "incomplete");
}
END_TEST

START_TEST(test_placement)
{
	screen_has("{'tool': {'plan': {'affinity': false}}, 'benchmarks': ["
		   "{'params': {'producers': 1}}]}",
		   "?   1 producer, floating");
	screen_has("{'tool': {'plan': {'affinity': true}}, 'benchmarks': [{'name': 'toy',"
		   " 'params': {'producers': 1}, 'runs': ["
		   "{'status': 'ok', 'threads': [{'cpu': 5}]}]}]}",
		   "toy   1 producer on CPU 5");
}
END_TEST

/* The document of `nr` producers, all alike but for their CPUs. */
static json_t *many_producers(int nr)
{
	json_t *threads = json_array();

	for (int i = 0; i < nr; i++)
		json_array_append_new(threads, json_pack("{s:i, s:i, s:i}", "cpu", i, "ops",
							 1000 * (i + 1), "dur_ns", 1000000000));
	return json_pack("{s:{s:{s:i, s:b}}, s:[{s:s, s:{s:i}, s:[{s:s, s:o}]}]}", "tool", "plan",
			 "runs", 1, "affinity", 1, "benchmarks", "name", "toy", "params",
			 "producers", nr, "runs", "status", "ok", "threads", threads);
}

START_TEST(test_many_producers)
{
	char *screen = screen_of(many_producers(16));

	ck_assert_ptr_nonnull(strstr(screen, "on CPUs 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15 "));
	ck_assert_ptr_nonnull(strstr(screen, "CPU 15  16.00 k ops/s\n"));
	free(screen);
	screen = screen_of(many_producers(17));
	ck_assert_ptr_nonnull(strstr(screen, ",14,15,... "));
	ck_assert_ptr_nonnull(strstr(screen, "    producers 1.00 k - 17.00 k ops/s\n"));
	ck_assert_ptr_null(strstr(screen, "CPU 15"));
	free(screen);
}
END_TEST

START_TEST(test_sweep)
{
	screen_is(DOCUMENT(POINT("toy-a",
				 RUN(VALUES("4e6"), "") "," RUN(
					 VALUES("4.04e6"),
					 "")) "," POINT("toy-b",
							RUN("'ops_rate': 12345, 'ns_op': 3",
							    "")) "," POINT("toy-c",
									   FAILED("17 are left"))),
		  "3 points, 2 runs x 0.5 s each, interleaved\n"
		  "\n"
		  "       ops/s     95 % CI     ns/op       net   point\n"
		  "      4.02 M    +- 6.5 %       500      47.1   toy-a -p 2 keys=one size=1000"
		  " (prog-run:tc)\n"
		  "     12.35 k           -      3.00         -   toy-b -p 2 keys=one size=1000"
		  " (prog-run:tc)\n"
		  "           -           -         -         -   toy-c -p 2 keys=one size=1000"
		  " (prog-run:tc)\n"
		  "    1 of 1 run failed: 17 are left\n"
		  "    95 % CI -   one run, error not known\n"
		  "    net -   not in the document\n"
		  "\n"
		  "  next: churn=100 (more) | -p 1,2\n");
}
END_TEST

#define SCALED(producers, rate)                                                               \
	"{'name': 'toy', 'trigger': null, 'params': {'producers': " #producers "}, 'runs': [" \
	"{'status': 'ok', 'values': {'ops_rate': " #rate ", 'ns_op': 100}}]}"

/* Two producers of 1.5 M against one of 2 M; nothing is known of what four would be without. */
START_TEST(test_scaling)
{
	screen_has(
		"{'benchmarks': [" SCALED(1, 2e6) "," SCALED(2, 3e6) "]}",
		"       ops/s     95 % CI         each efficiency     ns/op       net   point\n"
		"      2.00 M           -       2.00 M      100 %       100         -   toy -p 1\n"
		"      3.00 M           -       1.50 M       75 %       100         -   toy -p 2\n");
	screen_has(
		"{'benchmarks': [" SCALED(2, 3e6) "," SCALED(4, 4e6) "]}",
		"      4.00 M           -       1.00 M          -       100         -   toy -p 4\n");
	screen_lacks("{'benchmarks': [" SCALED(2, 3e6) "," SCALED(2, 4e6) "]}", "efficiency");
}
END_TEST

/* Figures that a benchmark made itself, neither a rate nor the engine's. */
START_TEST(test_own_values)
{
	screen_has(DOCUMENT(POINT("toy", RUN("'ops_rate': 4e6, 'batches': 17.5, 'kib': 0", ""))),
		   "    batches 17.5   kib 0\n");
	screen_lacks(DOCUMENT(POINT("toy", RUN(VALUES("4e6"), ""))), "ns_op");
}
END_TEST

#define EVIL "\\u001b[2J\\u009b31m\\u0007\\nx\\u007f"

/* Every string that a document has, in both shapes of the screen. */
#define EVIL_POINT(more)                                                                        \
	"{'name': 'n" EVIL "', 'params': {'" EVIL "': '" EVIL "', 'producers': 2},"             \
	" 'shown': ['" EVIL "'], 'trigger': '" EVIL "', 'checked': '" EVIL "', 'next': ['" EVIL \
	"'], 'runs': [" RUN("'ops_rate': 5, '" EVIL "_rate': 3, 'c" EVIL "': 3",                \
			    "{'metric': 'a" EVIL                                                \
			    "', 'tid': 0, 'scaled': 1, 'enabled_ns': 2, 'running_ns': 1,"       \
			    " 'note': '" EVIL "'}," NO_COUNT("b" EVIL, 0, EVIL)) more "]}"
#define EVIL_DOCUMENT(benchmarks)                                                         \
	"{'complete': false, 'incomplete_reason': '" EVIL "', 'label': '" EVIL "', " PLAN \
	", 'metrics': {'" EVIL "_rate': {'kind': 'rate'}}, 'benchmarks': [" benchmarks "]}"

START_TEST(test_escape_sequences)
{
	static const char *const documents[] = {
		EVIL_DOCUMENT(EVIL_POINT("")),
		EVIL_DOCUMENT(EVIL_POINT("," FAILED(EVIL))),
		EVIL_DOCUMENT(EVIL_POINT("," FAILED(EVIL)) "," EVIL_POINT("")),
	};
	/* The harmless rest of each string that belongs on the screen. */
	static const int shown[] = {13, 13, 11};

	for (int i = 0; i < 3; i++) {
		char *screen = screen_of(json_of(documents[i]));
		int strings = 0;

		for (const char *c = screen; *c; c++)
			ck_assert_msg(*c == '\n' || (*c >= ' ' && *c != 0x7f), "byte %#x in:\n%s",
				      (unsigned char)*c, screen);
		ck_assert_ptr_null(strstr(screen, "\xc2\x9b"));
		for (const char *c = screen; (c = strstr(c, "?[2J?31m??x?")); c++)
			strings++;
		ck_assert_int_eq(strings, shown[i]);
		free(screen);
	}
}
END_TEST

/* A document may lack anything, and hold anything else instead. */
START_TEST(test_strange_documents)
{
	static const char *const documents[] = {
		"{}",
		"[]",
		"3",
		"{'benchmarks': 3, 'tool': []}",
		"{'benchmarks': [null]}",
		"{'benchmarks': [{}, 3, []]}",
		"{'benchmarks': [{'shown': [3, null], 'next': [7, {}], 'params': [],"
		" 'trigger': 5, 'name': {}}]}",
		"{'benchmarks': [{'params': {'producers': 2}, 'runs': [{'status': 'ok',"
		" 'counters': [{'metric': 7, 'tid': 0}, {'tid': 0}, 4], 'values': 3}]}]}",
		"{'benchmarks': [{'params': {'producers': -1}, 'runs': [{'status': 'ok',"
		" 'threads': 'x', 'values': {'ops_rate': 'fast'}}]}]}",
	};

	for (size_t i = 0; i < sizeof(documents) / sizeof(documents[0]); i++)
		free(screen_of(json_of(documents[i])));
}
END_TEST

UNIT_MAIN("render", test_number, test_si, test_si_in, test_grouped, test_string, test_large_numbers,
	  test_first_screen, test_one_run, test_failed_and_skipped, test_interrupted,
	  test_wide_intervals, test_placement, test_many_producers, test_sweep, test_scaling,
	  test_own_values, test_escape_sequences, test_strange_documents)
