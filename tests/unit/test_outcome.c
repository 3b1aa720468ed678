// SPDX-License-Identifier: GPL-2.0-only
#include "lib/outcome.h"

#include <bpf/libbpf.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lib/bench.h"
#include "lib/plan.h"
#include "lib/sensor.h"
#include "lib/trigger.h"
#include "tests/unit/unit.h"

/* Takes the place of libbpf's: the runs here have no object, and so no programs. */
struct bpf_program *bpf_object__next_program(const struct bpf_object *obj, struct bpf_program *prog)
{
	(void)obj, (void)prog;
	return NULL;
}

static const struct bench_count counts[] = {{"failed", "updates that failed"}, {0}};
static const struct bench toy = {.name = "toy", .counts = counts};

#define MS 1000000ULL

static struct sample row(int t_ms, int bpf_ms, int cpu_ms, int turns, int batches, int ops,
			 int failed)
{
	return (struct sample){.t_ns = t_ms * MS,
			       .bpf_ns = bpf_ms * MS,
			       .cpu_ns = cpu_ms * MS,
			       .turns = turns,
			       .batches = batches,
			       .count = {ops, failed}};
}

/* A finished run of two producers; the second one's last batch took 50 ms longer. */
struct finished {
	struct plan plan;
	struct sample samples[2][4];
	struct worker workers[2];
	struct run run;
};

static void finish(struct finished *f)
{
	const struct sample samples[2][4] = {
		{row(1000, 7, 9, 10, 1, 20, 5), row(1100, 100, 100, 1000010, 51, 2000020, 1500005),
		 row(1200, 195, 190, 2000010, 101, 4000020, 3000005),
		 row(1300, 290, 280, 3000010, 151, 6000020, 4500005)},
		{row(1000, 1, 1, 0, 0, 0, 0), row(1100, 90, 80, 500000, 100, 1000000, 500000),
		 row(1225, 205, 170, 1000000, 200, 2000000, 1000000),
		 row(1350, 320, 260, 1500000, 300, 3000000, 1500000)},
	};

	memset(f, 0, sizeof(*f));
	memcpy(f->samples, samples, sizeof(samples));
	for (int i = 0; i < 2; i++)
		f->workers[i] = (struct worker){.index = i,
						.cpu = 4 + i,
						.batch = 20000 - 10000 * i,
						.samples = f->samples[i]};
	f->samples[0][1].wait_ns = 5 * MS;
	f->samples[0][3].wait_ns = 20 * MS;
	f->samples[1][1].wait_ns = -1;
	f->workers[0].control = (struct control){1, NAN, 1500};
	f->workers[1].control = (struct control){3, NAN, 500};
	f->plan.prod_cpus.nr = 2;
	f->plan.timing = "native";
	f->run = (struct run){.plan = &f->plan,
			      .bench = &toy,
			      .trigger = trigger__at(0),
			      .nr_workers = 2,
			      .workers = f->workers,
			      .nr_ticks = 4,
			      .nr_warmup = 1,
			      .last_tick = 3,
			      .start_ns = 1000 * MS,
			      .resolved = json_pack("{s:s}", "hash_seed", "zero")};
}

/* Nine digits: what is right of them is rounding. */
static void text_is(const json_t *doc, const char *expected)
{
	char *text = json_dumps(doc, JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY |
					     JSON_REAL_PRECISION(9));

	ck_assert_ptr_nonnull(text);
	ck_assert_str_eq(text, expected);
	free(text);
}

/* The object of the run, which is released. */
static json_t *describe(struct finished *f, const char *status)
{
	json_t *doc = outcome__describe(&f->run, status);

	json_decref(f->run.resolved);
	return doc;
}

#define THREADS                                                                                  \
	"[{\"batch\":20000,\"batches\":100,\"bpf_ns\":190000000,\"cpu\":4,\"cpu_ns\":180000000," \
	"\"dur_ns\":200000000,\"failed\":3000000,\"missed\":0,\"ops\":4000000,\"tid\":0,"        \
	"\"wait_ns\":15000000},"                                                                 \
	"{\"batch\":10000,\"batches\":200,\"bpf_ns\":230000000,\"cpu\":5,\"cpu_ns\":180000000,"  \
	"\"dur_ns\":250000000,\"failed\":1000000,\"missed\":0,\"ops\":2000000,\"tid\":1,"        \
	"\"wait_ns\":null}]"
#define INTERVALS                                                          \
	"{\"columns\":[\"t_ns\",\"dur_ns\",\"warmup\",\"ops\"],\"rows\":[" \
	"[0,100000000,1,3000000],[100000000,112500000,0,3000000],"         \
	"[200000000,112500000,0,3000000]]}"
#define HEAD                                                                        \
	"{\"control\":{\"empty_ns\":2.0,\"keygen_ns\":null,\"trigger_ns\":1000.0}," \
	"\"interrupted\":false,\"intervals\":" INTERVALS ",\"progs\":[],"
#define RESOLVED "\"resolved\":{\"hash_seed\":\"zero\"},"
#define SHARED                                             \
	"\"warnings\":[{\"code\":\"CPU_SHARED\",\"text\":" \
	"\"wall time exceeds in-kernel time by 7 %: the CPUs were shared\"}]"

/*
 * 4e6 operations in 0.2 s and 2e6 in 0.25 s: 28e6 per second. 450 ms / 6e6 = 75 ns, 420 of them in
 * the program. The harness: 3e6 turns of 2 ns and 300 triggers of 1 us are 1.05 ns of each.
 */
START_TEST(test_whole_document)
{
	struct finished f;
	json_t *doc;

	finish(&f);
	doc = describe(&f, "ok");
	text_is(doc,
		HEAD "\"reason\":null," RESOLVED "\"status\":\"ok\",\"t0_mono_ns\":1000000000,"
		     "\"threads\":" THREADS ",\"trigger\":\"prog-run:syscall\","
		     "\"values\":{\"bpf_ns_op\":70.0,\"clock_gap\":0.0707142857,"
		     "\"failed_rate\":19000000.0,\"ns_op\":75.0,\"ns_op_net\":73.95,\"on_cpu\":0.8,"
		     "\"ops_rate\":28000000.0}," SHARED "}");
	json_decref(doc);
}
END_TEST

/* A run whose check failed keeps its readings, and is no number. */
START_TEST(test_failed)
{
	struct finished f;
	json_t *doc;

	finish(&f);
	why__set(&f.run.why, 0, "17 of 1000 entries are left");
	doc = describe(&f, "failed");
	text_is(doc, HEAD "\"reason\":\"17 of 1000 entries are left\"," RESOLVED
			  "\"status\":\"failed\",\"t0_mono_ns\":1000000000,\"threads\":" THREADS ","
			  "\"trigger\":\"prog-run:syscall\",\"values\":null," SHARED "}");
	json_decref(doc);
}
END_TEST

START_TEST(test_probe)
{
	struct finished f;
	json_t *doc;

	finish(&f);
	f.run.probe = true;
	doc = describe(&f, "ok");
	text_is(doc, "{\"progs\":[],\"reason\":null,\"status\":\"ok\","
		     "\"trigger\":\"prog-run:syscall\"}");
	json_decref(doc);
}
END_TEST

START_TEST(test_absent)
{
	json_t *doc = outcome__absent("skipped", "no fentry");

	text_is(doc, "{\"reason\":\"no fentry\",\"status\":\"skipped\",\"values\":null}");
	json_decref(doc);
}
END_TEST

static void net_is(struct finished *f, const char *net, const char *absent)
{
	json_t *doc = describe(f, "ok");

	text_is(json_object_get(json_object_get(doc, "values"), "ns_op_net"), net);
	if (absent)
		text_is(json_object_get(doc, "values_absent"), absent);
	else
		ck_assert_ptr_null(json_object_get(doc, "values_absent"));
	json_decref(doc);
}

/* Making keys takes a turn of the loop as well: it replaces the empty loop, and is not added. */
START_TEST(test_net_of_keys)
{
	struct finished f;

	finish(&f);
	f.workers[0].control.keygen_ns = 4;
	f.workers[1].control.keygen_ns = 6;
	net_is(&f, "72.45", NULL);
	finish(&f);
	f.workers[0].control.keygen_ns = 4;
	net_is(&f, "73.95", NULL);
}
END_TEST

START_TEST(report_bcc_2219_within_the_harness_is_no_number)
{
	struct finished f;

	finish(&f);
	f.workers[0].control.empty_ns = f.workers[1].control.empty_ns = 139;
	net_is(&f, "5.45", NULL);
	finish(&f);
	f.workers[0].control.empty_ns = f.workers[1].control.empty_ns = 141;
	net_is(&f, "null", "{\"ns_op_net\":\"within the harness: 4.45 ns\"}");
	finish(&f);
	f.workers[0].control.empty_ns = f.workers[1].control.empty_ns = 155;
	net_is(&f, "null", "{\"ns_op_net\":\"within the harness: 0.00 ns\"}");
}
END_TEST

/* 200 ns in each of 3e6 turns, and 300 triggers of 1 us: more than the 75 ns with the operation. */
START_TEST(test_disturbed_control)
{
	struct finished f;

	finish(&f);
	f.workers[0].control.empty_ns = f.workers[1].control.empty_ns = 200;
	net_is(&f, "null",
	       "{\"ns_op_net\":\"the control runs were disturbed: 100 ns per operation without the "
	       "operation, 75 with it\"}");
}
END_TEST

START_TEST(test_user_space)
{
	struct finished f;
	json_t *doc;

	finish(&f);
	f.run.trigger = NULL;
	f.workers[0].control = f.workers[1].control = (struct control){NAN, NAN, NAN};
	f.workers[1].cpu = -1;
	doc = describe(&f, "ok");
	text_is(json_object_get(doc, "values"),
		"{\"failed_rate\":19000000.0,\"ns_op\":75.0,\"ns_op_net\":null,\"on_cpu\":0.8,"
		"\"ops_rate\":28000000.0}");
	text_is(json_object_get(doc, "values_absent"),
		"{\"ns_op_net\":\"no control measurement in user space\"}");
	text_is(json_object_get(doc, "control"),
		"{\"empty_ns\":null,\"keygen_ns\":null,\"trigger_ns\":null}");
	ck_assert_ptr_null(json_object_get(doc, "trigger"));
	ck_assert_ptr_null(json_object_get(doc, "progs"));
	/* Without time in a program there is nothing that the wall time could exceed. */
	ck_assert_ptr_null(json_object_get(doc, "warnings"));
	ck_assert(json_is_null(
		json_object_get(json_array_get(json_object_get(doc, "threads"), 1), "cpu")));
	json_decref(doc);
}
END_TEST

START_TEST(test_interrupted)
{
	struct finished f;
	json_t *doc;

	finish(&f);
	f.run.interrupted = true;
	f.run.last_tick = 2;
	doc = describe(&f, "ok");
	ck_assert(json_is_true(json_object_get(doc, "interrupted")));
	/* 2e6 in 100 ms and 1e6 in 125 ms; rows after the last tick were never filled. */
	text_is(json_object_get(json_object_get(doc, "values"), "ops_rate"), "28000000.0");
	text_is(json_object_get(json_object_get(doc, "values"), "ns_op"), "75.0");
	text_is(json_object_get(json_object_get(doc, "intervals"), "rows"),
		"[[0,100000000,1,3000000],[100000000,112500000,0,3000000]]");
	text_is(json_object_get(json_array_get(json_object_get(doc, "threads"), 1), "dur_ns"),
		"125000000");
	json_decref(doc);
}
END_TEST

/* No time passed between two rows: absent figures, since JSON has no NaN. */
START_TEST(test_no_time)
{
	struct finished f;
	json_t *doc;

	finish(&f);
	for (int i = 0; i < 2; i++)
		f.samples[i][3] = f.samples[i][1];
	doc = describe(&f, "ok");
	text_is(json_object_get(doc, "values"),
		"{\"bpf_ns_op\":null,\"clock_gap\":null,\"failed_rate\":null,\"ns_op\":null,"
		"\"ns_op_net\":null,\"on_cpu\":null,\"ops_rate\":null}");
	text_is(json_object_get(json_object_get(doc, "values_absent"), "ops_rate"),
		"\"nothing to make it of\"");
	ck_assert_uint_eq(json_object_size(json_object_get(doc, "values_absent")), 7);
	json_decref(doc);
}
END_TEST

static void warnings_are(struct finished *f, const char *expected)
{
	json_t *doc = describe(f, "ok"), *warnings = json_object_get(doc, "warnings");

	if (expected)
		text_is(warnings, expected);
	else
		ck_assert_ptr_null(warnings);
	json_decref(doc);
}

START_TEST(test_missed_triggers)
{
	struct finished f;

	finish(&f);
	f.plan.prod_cpus.nr = 1;
	f.workers[0].missed = 2;
	f.workers[1].missed = 3;
	warnings_are(&f, "[{\"code\":\"TRIGGERS_MISSED\",\"text\":"
			 "\"the kernel skipped 5 triggers, made again\"}]");
}
END_TEST

START_TEST(test_shared_cpus)
{
	struct finished f;

	/* That two producers share one CPU is what the user asked for. */
	finish(&f);
	f.plan.prod_cpus.nr = 1;
	warnings_are(&f, NULL);
	/* 6e6 operations of 74.95 ns, and 1.05 times as long as 71.38 ns: 428.3 ms. */
	finish(&f);
	f.samples[0][3].bpf_ns += 9 * MS;
	warnings_are(&f, NULL);
	finish(&f);
	f.samples[0][3].bpf_ns += 8 * MS;
	warnings_are(&f, "[{\"code\":\"CPU_SHARED\",\"text\":\"wall time exceeds in-kernel time "
			 "by 5 %: the CPUs were shared\"}]");
}
END_TEST

static void emit_rows(void *state, const struct run *run, int first, int last, json_t *doc)
{
	json_t *rows = json_object_get(json_object_get(doc, "intervals"), "rows");

	ck_assert_int_eq(json_array_size(rows), run->last_tick);
	json_object_set_new(doc, state, json_pack("[i, i]", first, last));
}

/* Sensors come after the intervals, whose rows they extend. */
START_TEST(test_sensors)
{
	const struct sensor mute = {.name = "mute"}, loud = {.name = "loud", .emit = emit_rows};
	char key[] = "loud";
	struct run_sensor sensors[] = {{.ops = &mute}, {.ops = &loud, .state = key}};
	struct finished f;
	json_t *doc;

	finish(&f);
	f.run.sensors = sensors;
	f.run.nr_sensors = 2;
	doc = describe(&f, "ok");
	text_is(json_object_get(doc, "loud"), "[1,3]");
	json_decref(doc);
}
END_TEST

UNIT_MAIN("outcome", test_whole_document, test_failed, test_probe, test_absent, test_net_of_keys,
	  report_bcc_2219_within_the_harness_is_no_number, test_disturbed_control, test_user_space,
	  test_interrupted, test_no_time, test_missed_triggers, test_shared_cpus, test_sensors)
