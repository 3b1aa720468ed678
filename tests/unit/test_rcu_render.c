// SPDX-License-Identifier: GPL-2.0-only
#include "tests/unit/unit.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "lib/render/render.h"

/* Two bins: 16 and 20 ms in eighths of an octave. */
#define GRACE(count, kernel)                                                                     \
	"{\"path\": \"sched\", \"reason\": null, \"window_ns\": 2000000000, \"count\": " #count  \
	", \"kernel_count\": " #kernel ", \"n\": 2, \"mean_ns\": 18e6, \"median_ns\": 16e6, "    \
	"\"p99_ns\": 20e6, \"max_ns\": 20e6, \"hist\": {\"enc\": \"log2lin\", \"sub_bits\": 3, " \
	"\"bins\": [[175, 1], [177, 1]]}, \"parts_ns\": {\"running\": 0, \"postscan\": 9e6, "    \
	"\"holdouts\": 9e6}, \"callbacks\": 1234, \"invoke_ns\": 5e6, \"cpu\": {\"ns_per_gp\": " \
	"1e6, \"ticks\": 1}, \"delay\": {\"n\": 1, \"mean_ns\": 2e8, \"median_ns\": 2e8, "       \
	"\"p99_ns\": 3e8, \"lo_mean_ns\": 1e8, \"hi_mean_ns\": 3e8}, \"lost\": {\"order\": 0}}"

#define RUN(role, grace) \
	"{\"role\": \"" role "\", \"status\": \"ok\", \"grace_periods\": [" grace "]}"

static void render(const char *runs, char *text, size_t size)
{
	char document[8192];
	json_t *benchmark;
	FILE *out;

	snprintf(document, sizeof(document), "{\"runs\": [%s]}", runs);
	benchmark = json_loads(document, 0, NULL);
	ck_assert_ptr_nonnull(benchmark);
	memset(text, 0, size);
	out = fmemopen(text, size - 1, "w");
	render__grace(benchmark, out);
	fclose(out);
	json_decref(benchmark);
}

static void has(const char *text, const char *part)
{
	ck_assert_msg(strstr(text, part), "'%s' is not in:\n%s", part, text);
}

START_TEST(test_one_run)
{
	char text[4096];

	render(RUN("evidence", GRACE(2, 2)), text, sizeof(text));
	has(text, "path sched, 2 in 2 s of 1 evidence run, as the kernel counts");
	has(text, "mean 18.0 ms   median 16.0 ms   p99 20.0 ms   max 20.0 ms   n 2, so that p99");
	has(text, "postscan 50.0 %   holdouts 50.0 %");
	has(text, "1,234 each, all called within 5.00 ms");
	has(text, "mean 200 ms   median 200 ms   p99 300 ms   (derived; bounds of the mean 100 ms");
	has(text, "1.00 ms of CPU each, 0.1 % of one CPU, 0.5 ticks each");
	has(text, "####");
}
END_TEST

/* The kernel's count is said when it differs, and clean runs have no say. */
START_TEST(test_several_runs)
{
	char text[4096];

	render(RUN("clean", GRACE(9, 9)) "," RUN("evidence", GRACE(2, 3)) "," RUN("evidence",
										  GRACE(2, 3)),
	       text, sizeof(text));
	has(text, "4 in 4 s of 2 evidence runs; the kernel counts 6");
	has(text, "n 4");
	render(RUN("clean", GRACE(9, 9)), text, sizeof(text));
	ck_assert_str_eq(text, "");
	render("", text, sizeof(text));
	ck_assert_str_eq(text, "");
}
END_TEST

#define BINS(sub_bits, bins)                                                                 \
	"{\"path\": \"sched\", \"n\": 9, \"count\": 9, \"mean_ns\": 18e6, \"max_ns\": 1e9, " \
	"\"hist\": {\"sub_bits\": " #sub_bits ", \"bins\": [" bins "]}}"

/* The middles of the bins 175 and 177 of eighths of an octave are 16 and 20 ms or so. */
START_TEST(test_quantiles_are_of_the_bins_that_are_there)
{
	char text[4096];

	render(RUN("evidence", BINS(3, "[175, 6], [177, 3]")) "," RUN(
		       "evidence", BINS(3, "[175, 6], [177, 3]")),
	       text, sizeof(text));
	has(text, "median 16.3 ms   p99 19.9 ms");
	/* Bins of another form, and one that no number has, are none; neither is their n. */
	render(RUN("evidence", BINS(3, "[175, 6], [177, 3]")) "," RUN(
		       "evidence", BINS(4, "[175, 9]")) "," RUN("evidence", BINS(3, "[9999, 9]")),
	       text, sizeof(text));
	has(text, "median 16.3 ms   p99 19.9 ms   max 1.00 s   n 27");
	render(RUN("evidence", BINS(3, "")) "," RUN("evidence", BINS(3, "")), text, sizeof(text));
	has(text, "median - ns   p99 - ns   max");
}
END_TEST

START_TEST(test_parts_of_nothing)
{
	char text[4096];

	render(RUN("evidence", "{\"path\": \"p\", \"n\": 1, \"parts_ns\": {\"a\": 0}}"), text,
	       sizeof(text));
	ck_assert_ptr_null(strstr(text, "nan"));
	has(text, "of which       not known: no time in any part\n");
	render(RUN("evidence", "{\"path\": \"p\", \"n\": 1, \"parts_ns\": {\"a\": -1, "
			       "\"b\": 4, \"c\": 12}}"),
	       text, sizeof(text));
	has(text, "of which       b 25.0 %   c 75.0 %\n");
}
END_TEST

#define NO_FIGURES(n)                                                                                \
	"{\"role\": \"evidence\", \"status\": \"ok\", \"values_absent\": {\"gp_ns\": \"none seen\"," \
	" \"gp_delay_ns\": \"too few\"}, \"grace_periods\": [{\"path\": \"kprobe\", \"count\": 1,"   \
	" \"kernel_count\": 1, \"window_ns\": 1e9, \"n\": " #n                                       \
	", \"mean_ns\": 1e6, \"max_ns\": 1e6,"                                                       \
	" \"callbacks\": null, \"invoke_ns\": null, \"delay\": null}]}"

/* Each line is there, with its figure or with what took it away. */
START_TEST(test_absent_figures)
{
	char text[4096];

	render(NO_FIGURES(1), text, sizeof(text));
	has(text, "a delete waits not known: too few\n");
	has(text, "callbacks      not known: their number is not seen on path kprobe\n");
	has(text, "of which       not known: ");
	render(NO_FIGURES(0), text, sizeof(text));
	has(text, "lasts          not known: none seen\n");
}
END_TEST

#define SEEN(parts, invoke)                                                                              \
	"{\"path\": \"sched\", \"count\": 1, \"n\": 1, \"mean_ns\": 1e6, \"max_ns\": 1e6, \"callbacks\"" \
	": 9, \"parts_ns\": " parts ", \"invoke_ns\": " invoke "}"
#define NO_PERIOD \
	"{\"path\": \"sched\", \"count\": 0, \"n\": 0, \"parts_ns\": null, \"invoke_ns\": null}"
#define PARTS "{\"postscan\": 1, \"holdouts\": 3}"

/* A run that was too short takes nothing from the others, and is no fault of the path. */
START_TEST(test_runs_that_ended_too_early)
{
	static const char never[] = "9 each; none of the grace periods had them all called before "
				    "the run";
	char text[4096];

	render(RUN("evidence", SEEN(PARTS, "null")), text, sizeof(text));
	has(text, never);
	has(text, "before the run ended\n");
	render(RUN("evidence", SEEN(PARTS, "null")) "," RUN("evidence", SEEN(PARTS, "null")), text,
	       sizeof(text));
	has(text, "before the runs ended\n");
	render(RUN("evidence", SEEN(PARTS, "null")) "," RUN("evidence", SEEN(PARTS, "5e6")), text,
	       sizeof(text));
	has(text, "9 each, all called within 5.00 ms\n");
	render(RUN("evidence", NO_PERIOD) "," RUN("evidence", SEEN(PARTS, "5e6")), text,
	       sizeof(text));
	has(text, "of which       postscan 25.0 %   holdouts 75.0 %\n");
	has(text, "9 each, all called within 5.00 ms\n");
	/* Without a switch of the kthread. */
	render(RUN("evidence", SEEN("null", "null")), text, sizeof(text));
	has(text, "9 each; when they are called is not seen on path sched\n");
}
END_TEST

/* A document is a stranger's. */
START_TEST(test_hostile_documents)
{
	static const char *const hostile[] = {
		"{}",
		"null",
		"{\"path\": \"\\u001b[2J\", \"reason\": \"\\u001b]0;x\\u0007\", \"count\": 1e300}",
		"{\"n\": 5, \"mean_ns\": null, \"hist\": {\"sub_bits\": 60, \"bins\": [[1, 1]]}}",
		"{\"n\": 5, \"hist\": {\"sub_bits\": 3, \"bins\": [[-1, 1], [99999999, 1], 7]}}",
		"{\"n\": 5, \"hist\": {\"sub_bits\": 3, \"bins\": [[3, -4], [4, 1e300]]}}",
		"{\"n\": 5, \"hist\": {\"sub_bits\": 3, \"bins\": [[3, -4]]}}",
		"{\"n\": -5, \"parts_ns\": {\"a\": 0}, \"cpu\": 3, \"delay\": [], \"lost\": 4}",
		"{\"n\": 1, \"count\": 1, \"cpu\": {\"reason\": 5}, \"sync_wait\": {}}",
	};
	char run[1024], text[8192];

	for (size_t i = 0; i < sizeof(hostile) / sizeof(hostile[0]); i++) {
		snprintf(run, sizeof(run), RUN("evidence", "%s"), hostile[i]);
		render(run, text, sizeof(text));
		ck_assert_ptr_null(strchr(text, '\033'));
		ck_assert_ptr_null(strstr(text, "nan"));
	}
}
END_TEST

START_TEST(test_probe_says_what_it_does)
{
	char text[4096];

	render(RUN("evidence", "{\"path\": \"fentry\", \"count\": 3, \"sync_wait\": {\"n\": 7, "
			       "\"mean_ns\": 5e7, \"median_ns\": 4e7, \"max_ns\": 9e7}}"),
	       text, sizeof(text));
	has(text, "mean 50.0 ms   median 40.0 ms   max 90.0 ms   n 7");
	has(text, "hurries callbacks along");
}
END_TEST

/* An index is shifted by what the document says: not further than a number has bits. */
START_TEST(test_other_histograms)
{
	static const char *const forms[] = {"0", "1", "8", "9", "60", "64", "-1", "null", "\"x\""};
	char run[512], text[4096];

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		snprintf(
			run, sizeof(run),
			RUN("evidence",
			    "{\"path\": \"sched\", \"n\": 5, \"count\": 5, \"max_ns\": 99,"
			    "\"hist\": {\"sub_bits\": %s, \"bins\": [[511, 3], [500, 9],"
			    "[1, 1e30]]}}") ", " RUN("evidence",
						     "{\"path\": \"sched\", \"n\": 2, \"count\": 2, \"max_ns\": 99,"
						     "\"hist\": {\"sub_bits\": 3, \"bins\": [[8, 2]]}}"),
			forms[i]);
		render(run, text, sizeof(text));
		has(text, "evidence run");
	}
}
END_TEST

/* A sweep has no room for the picture: a line for each point that has any. */
START_TEST(test_points)
{
	json_t *result = json_object(), *list = json_array();
	char text[4096] = {0};
	FILE *out = fmemopen(text, sizeof(text), "w");

	json_array_append_new(list, json_loads("{\"name\": \"without\", \"params\": {\"producers\":"
					       " 1}, \"runs\": []}",
					       0, NULL));
	json_array_append_new(
		list,
		json_loads(
			"{\"name\": \"with\\u001b\", \"params\": {\"producers\": 2}, \"runs\": [" RUN(
				"evidence",
				"{\"path\": \"sched\", \"count\": 4, \"n\": 4,"
				"\"mean_ns\": 2e7, \"max_ns\": 4e7,"
				"\"cpu\": {\"ns_per_gp\": 1e5}}") ", " RUN("evidence",
									   "{\"path\": \"sched\", \"count\": 1, \"n\": 1,"
									   "\"mean_ns\": 7e7, \"max_ns\": 7e7,"
									   "\"cpu\": {\"ns_per_gp\": null}}") "]}",
			0, NULL));
	json_object_set_new(result, "benchmarks", list);
	render__grace_of_points(result, out);
	fclose(out);
	/* (4 x 20 + 70) / 5; the CPU time of one of them is not known. */
	has(text,
	    "           5     30.0 ms     70.0 ms           -           -     2   with? -p 2\n");
	ck_assert_ptr_null(strstr(text, "without"));
	json_decref(result);
}
END_TEST

UNIT_MAIN("rcu-render", test_runs_that_ended_too_early, test_absent_figures, test_other_histograms,
	  test_points, test_one_run, test_several_runs,
	  test_quantiles_are_of_the_bins_that_are_there, test_parts_of_nothing,
	  test_hostile_documents, test_probe_says_what_it_does)
