// SPDX-License-Identifier: GPL-2.0-only
#include "tests/unit/unit.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tracepoints/rcu_tasks_trace_config.h"
#include "tracepoints/rcu_tasks_trace_gp.h"
#include "tracepoints/rcu_tasks_trace_proc.h"
#include "tracepoints/rcu_tasks_trace_report.h"

#define MS 1000000ULL

#define NR(array) (sizeof(array) / sizeof((array)[0]))

/* Sequence of grace period `number`: idle before it, or running. */
#define IDLE(number)	((number) << RTT_SEQ_SHIFT)
#define RUNNING(number) (IDLE(number) | 1)

#define IN(ms, seq_)                                                          \
	{                                                                     \
		.t_ns = (ms)*MS, .kind = RTT_IN, .seq = seq_, .callbacks = -1 \
	}
#define OUT(ms, seq_, state, cb)                                                                  \
	{                                                                                         \
		.t_ns = (ms)*MS, .kind = RTT_OUT, .seq = seq_, .gp_state = state, .callbacks = cb \
	}
#define PREEMPT(ms, seq_)                                                                      \
	{                                                                                      \
		.t_ns = (ms)*MS, .kind = RTT_OUT, .seq = seq_, .preempted = 1, .callbacks = -1 \
	}
#define START(ms, number)                                                  \
	{                                                                  \
		.t_ns = (ms)*MS, .kind = RTT_START, .seq = RUNNING(number) \
	}
#define END(ms, number)                                                  \
	{                                                                \
		.t_ns = (ms)*MS, .kind = RTT_END, .seq = RUNNING(number) \
	}

static struct gp_feed feed_of(bool hooked, const struct rtt_event *events, size_t nr)
{
	struct gp_feed feed = {.hooked = hooked};

	for (size_t i = 0; i < nr; i++)
		ck_assert_int_eq(gp_feed__add(&feed, &events[i]), 0);
	return feed;
}

#define FEED(hooked, events) feed_of(hooked, events, NR(events))

/* Two grace periods as native 6.18 shows them: postscan, two looks at holdouts, callbacks. */
static const struct rtt_event two[] = {
	IN(100, IDLE(7ULL)),	OUT(101, RUNNING(7ULL), RTGS_POST_SCAN_TASKLIST, 500),
	IN(103, RUNNING(7ULL)), OUT(104, RUNNING(7ULL), RTGS_WAIT_SCAN_HOLDOUTS, 510),
	IN(112, RUNNING(7ULL)), OUT(113, RUNNING(7ULL), RTGS_WAIT_SCAN_HOLDOUTS, 520),
	IN(120, RUNNING(7ULL)), PREEMPT(125, IDLE(8ULL)),
	IN(127, IDLE(8ULL)),	OUT(130, IDLE(8ULL), RTGS_INVOKE_CBS, 200),
	IN(138, IDLE(8ULL)),	OUT(139, IDLE(8ULL), RTGS_WAIT_CBS, 200),
	IN(200, IDLE(8ULL)),	OUT(201, RUNNING(8ULL), RTGS_WAIT_SCAN_HOLDOUTS, 700),
	IN(220, RUNNING(8ULL)), OUT(230, IDLE(9ULL), RTGS_INVOKE_CBS, 0),
};

START_TEST(test_grace_periods_from_context_switches)
{
	struct gp_feed feed = FEED(false, two);

	ck_assert_uint_eq(feed.nr, 2);
	ck_assert_uint_eq(feed.gps[0].number, 7);
	ck_assert_uint_eq(feed.gps[0].start_ns, 100 * MS);
	ck_assert_uint_eq(feed.gps[0].end_ns, 120 * MS);
	/* not when it was preempted, but when it went to sleep */
	ck_assert_uint_eq(feed.gps[0].invoked_ns, 130 * MS);
	ck_assert_int_eq(feed.gps[0].callbacks, 500);
	ck_assert_uint_eq(feed.gps[0].part_ns[GP_RUNNING], 3 * MS);
	ck_assert_uint_eq(feed.gps[0].part_ns[GP_POSTSCAN], 2 * MS);
	ck_assert_uint_eq(feed.gps[0].part_ns[GP_HOLDOUTS], 15 * MS);
	ck_assert_uint_eq(feed.gps[0].part_ns[GP_PREEMPTED], 0);
	ck_assert_uint_eq(feed.gps[1].number, 8);
	ck_assert_uint_eq(feed.gps[1].end_ns, 220 * MS);
	ck_assert_uint_eq(feed.gps[1].invoked_ns, 230 * MS);
	ck_assert_uint_eq(feed.lost.switches + feed.lost.order + feed.lost.clock, 0);
	gp_feed__free(&feed);
}
END_TEST

/* What ran when the tracer came has no duration, however the tracer came to see it. */
START_TEST(test_half_seen_first)
{
	static const struct rtt_event asleep[] = {IN(10, RUNNING(3ULL)),
						  OUT(11, IDLE(4ULL), RTGS_INVOKE_CBS, 0)};
	static const struct rtt_event on_cpu[] = {
		OUT(11, RUNNING(3ULL), RTGS_WAIT_SCAN_HOLDOUTS, 0), IN(20, RUNNING(3ULL)),
		OUT(21, IDLE(4ULL), RTGS_INVOKE_CBS, 0)};
	static const struct rtt_event twice[] = {IN(10, RUNNING(3ULL)),
						 OUT(11, RUNNING(3ULL), RTGS_WAIT_SCAN_HOLDOUTS, 0),
						 IN(20, RUNNING(3ULL)),
						 OUT(21, IDLE(4ULL), RTGS_INVOKE_CBS, 0)};
	static const struct rtt_event hooked[] = {END(50, 3ULL), START(60, 4ULL), END(80, 4ULL)};
	static const struct rtt_event no_end_yet[] = {START(10, 3ULL), START(30, 4ULL),
						      START(60, 5ULL), END(80, 5ULL)};
	struct gp_feed feeds[] = {FEED(false, asleep), FEED(false, on_cpu), FEED(false, twice)};
	struct gp_feed feed = FEED(true, hooked);

	for (size_t i = 0; i < NR(feeds); i++) {
		ck_assert_uint_eq(feeds[i].nr, 1);
		ck_assert_uint_eq(feeds[i].gps[0].number, 3);
		ck_assert_uint_eq(feeds[i].gps[0].start_ns, 0);
		gp_feed__free(&feeds[i]);
	}
	ck_assert_uint_eq(feed.nr, 2);
	ck_assert_uint_eq(feed.gps[0].start_ns, 0);
	ck_assert_uint_eq(feed.gps[1].start_ns, 60 * MS);
	ck_assert_uint_eq(feed.lost.order, 0);
	gp_feed__free(&feed);
	feed = FEED(true, no_end_yet);
	ck_assert_uint_eq(feed.nr, 1);
	ck_assert_uint_eq(feed.gps[0].start_ns, 60 * MS);
	ck_assert_uint_eq(feed.lost.order, 0);
	gp_feed__free(&feed);
}
END_TEST

START_TEST(test_orders_that_cannot_be)
{
	static const struct rtt_event twice_started[] = {END(1, 1ULL), START(2, 2ULL),
							 START(5, 3ULL), END(9, 3ULL)};
	static const struct rtt_event twice_ended[] = {START(1, 1ULL), END(5, 1ULL), END(9, 1ULL),
						       START(11, 2ULL), END(12, 2ULL)};
	static const struct rtt_event other_number[] = {START(1, 1ULL), END(9, 2ULL),
							START(10, 3ULL), END(12, 3ULL)};
	static const struct rtt_event back[] = {IN(1, IDLE(9ULL)),
						OUT(2, RUNNING(9ULL), RTGS_WAIT_SCAN_HOLDOUTS, 0),
						IN(8, IDLE(2ULL)),
						OUT(9, IDLE(2ULL), RTGS_WAIT_CBS, 0)};
	struct gp_feed feed = FEED(true, twice_started);

	ck_assert_uint_eq(feed.nr, 2);
	ck_assert_uint_eq(feed.gps[1].start_ns, 5 * MS);
	ck_assert_uint_eq(feed.lost.order, 1);
	gp_feed__free(&feed);
	feed = FEED(true, twice_ended);
	ck_assert_uint_eq(feed.nr, 2);
	ck_assert_uint_eq(feed.lost.order, 1);
	gp_feed__free(&feed);
	feed = FEED(true, other_number);
	ck_assert_uint_eq(feed.nr, 1);
	ck_assert_uint_eq(feed.gps[0].number, 3);
	ck_assert_uint_eq(feed.lost.order, 1);
	gp_feed__free(&feed);
	feed = FEED(false, back);
	ck_assert_uint_eq(feed.nr, 0);
	ck_assert_uint_eq(feed.lost.order, 1);
	gp_feed__free(&feed);
}
END_TEST

/* Without a slice's begin there is no duration, but the grace period happened. */
START_TEST(report_bcc_3941_lost_switches_are_counted)
{
	static const struct rtt_event no_in_at_end[] = {
		IN(1, IDLE(1ULL)), OUT(2, RUNNING(1ULL), RTGS_WAIT_SCAN_HOLDOUTS, 0),
		OUT(9, IDLE(2ULL), RTGS_INVOKE_CBS, 0)};
	static const struct rtt_event no_in_at_start[] = {
		OUT(1, IDLE(1ULL), RTGS_WAIT_CBS, 0),
		OUT(2, RUNNING(1ULL), RTGS_WAIT_SCAN_HOLDOUTS, 0), IN(8, RUNNING(1ULL)),
		OUT(9, IDLE(2ULL), RTGS_INVOKE_CBS, 0)};
	static const struct rtt_event no_out[] = {IN(1, IDLE(1ULL)),
						  OUT(2, RUNNING(1ULL), RTGS_WAIT_SCAN_HOLDOUTS, 0),
						  IN(8, RUNNING(1ULL)),
						  IN(20, IDLE(2ULL)),
						  OUT(21, RUNNING(2ULL), RTGS_WAIT_SCAN_HOLDOUTS,
						      0),
						  IN(30, RUNNING(2ULL)),
						  OUT(31, IDLE(3ULL), RTGS_INVOKE_CBS, 0)};
	static const struct rtt_event jump[] = {IN(1, IDLE(1ULL)),
						OUT(2, RUNNING(1ULL), RTGS_WAIT_SCAN_HOLDOUTS, 0),
						IN(8, RUNNING(1ULL)),
						OUT(9, IDLE(4ULL), RTGS_INVOKE_CBS, 0)};
	struct gp_feed feed = FEED(false, no_in_at_end);

	ck_assert_uint_eq(feed.nr, 1);
	ck_assert_uint_eq(feed.gps[0].start_ns, 0);
	ck_assert_uint_eq(feed.lost.switches, 1);
	gp_feed__free(&feed);
	feed = FEED(false, no_in_at_start);
	ck_assert_uint_eq(feed.nr, 1);
	ck_assert_uint_eq(feed.gps[0].start_ns, 0);
	gp_feed__free(&feed);
	feed = FEED(false, no_out);
	ck_assert_uint_eq(feed.nr, 2);
	ck_assert_uint_eq(feed.gps[0].start_ns, 0);
	ck_assert_uint_eq(feed.gps[1].start_ns, 20 * MS);
	ck_assert_uint_eq(feed.lost.switches, 1);
	gp_feed__free(&feed);
	feed = FEED(false, jump);
	ck_assert_uint_eq(feed.nr, 1);
	ck_assert_uint_eq(feed.lost.skipped, 2);
	gp_feed__free(&feed);
}
END_TEST

/* No duration is ever negative: what lies across a step is dropped. */
START_TEST(report_bcc_704_grace_periods_across_clock_steps)
{
	static const struct rtt_event hooked[] = {START(10, 1ULL), END(5, 1ULL), START(6, 2ULL),
						  END(9, 2ULL)};
	static const struct rtt_event sched[] = {IN(10, IDLE(1ULL)),
						 OUT(11, RUNNING(1ULL), RTGS_WAIT_SCAN_HOLDOUTS, 0),
						 IN(3, RUNNING(1ULL)),
						 OUT(4, IDLE(2ULL), RTGS_INVOKE_CBS, 0)};
	struct gp_feed feed = FEED(true, hooked);

	ck_assert_uint_eq(feed.lost.clock, 1);
	ck_assert_uint_eq(feed.nr, 1);
	ck_assert_double_eq(gp__duration(&feed.gps[0]), 3.0 * MS);
	gp_feed__free(&feed);
	feed = FEED(false, sched);
	ck_assert_uint_eq(feed.lost.clock, 1);
	for (size_t i = 0; i < feed.nr; i++)
		ck_assert_uint_eq(feed.gps[i].start_ns, 0);
	gp_feed__free(&feed);
}
END_TEST

/* Any order of any events: nothing negative, nothing out of order, no more than was said to end. */
START_TEST(test_random_feeds)
{
	unsigned int seed = 1;

	for (int round = 0; round < 2000; round++) {
		struct gp_feed feed = {.hooked = round % 2};
		uint64_t t_ns = 1000;

		for (int i = 0; i < 40; i++) {
			struct rtt_event event = {.kind = rand_r(&seed) % 4,
						  .preempted = rand_r(&seed) % 2,
						  .seq = rand_r(&seed) % 24,
						  .gp_state = rand_r(&seed) % 12};

			t_ns += rand_r(&seed) % 100 - (rand_r(&seed) % 20 ? 0 : 120);
			event.t_ns = t_ns;
			ck_assert_int_eq(gp_feed__add(&feed, &event), 0);
		}
		for (size_t i = 0; i < feed.nr; i++)
			ck_assert_double_ge(gp__duration(&feed.gps[i]), 0);
		gp_feed__free(&feed);
	}
}
END_TEST

START_TEST(test_window)
{
	struct gp_feed feed = FEED(false, two);
	struct rtt_now first = {.t_ns = 110 * MS, .seq = RUNNING(7ULL)};
	struct rtt_now last = {.t_ns = 150 * MS, .seq = IDLE(8ULL)};
	struct gp_window window = gp_feed__window(&feed, &first, &last);

	ck_assert_int_eq(rtt_now__delta(&first, &last), 1);
	ck_assert_uint_eq(window.nr, 1);
	ck_assert_uint_eq(window.gps[0].number, 7);
	/* the kernel had counted it when the window closed, its slice was not yet seen to end */
	last = (struct rtt_now){.t_ns = 119 * MS, .seq = IDLE(8ULL)};
	ck_assert_uint_eq(gp_feed__window(&feed, &first, &last).nr, 1);
	/* without a sequence time decides */
	first.seq = 0;
	ck_assert_int_eq(rtt_now__delta(&first, &last), -1);
	ck_assert_uint_eq(gp_feed__window(&feed, &first, &last).nr, 0);
	last.t_ns = 300 * MS;
	ck_assert_uint_eq(gp_feed__window(&feed, &first, &last).nr, 2);
	gp_feed__free(&feed);
}
END_TEST

START_TEST(test_times)
{
	struct gp_feed feed = FEED(false, two);
	struct rtt_now first = {0}, last = {.t_ns = 300 * MS};
	struct gp_window window = gp_feed__window(&feed, &first, &last), none = {0};
	struct gp_times times;

	ck_assert_int_eq(gp_times__derive(&window, &times), 0);
	ck_assert_uint_eq(times.nr, 2);
	ck_assert_double_eq_tol(times.mean_ns, 20.0 * MS, 1);
	ck_assert_double_eq(times.median_ns, 20.0 * MS);
	ck_assert_double_eq(times.p99_ns, 20.0 * MS);
	ck_assert_double_eq_tol(times.callbacks, 600, 1e-9);
	ck_assert_double_eq_tol(times.invoke_ns, 10.0 * MS, 1);
	ck_assert_int_eq(gp_times__derive(&none, &times), 0);
	ck_assert_double_nan(times.mean_ns);
	ck_assert_double_nan(times.p99_ns);
	gp_feed__free(&feed);
}
END_TEST

/* Time on the CPU from the end to the last callback: not what others had between. */
START_TEST(test_calling)
{
	static const struct rtt_event by_seq[] = {
		IN(100, IDLE(7ULL)),	OUT(101, RUNNING(7ULL), RTGS_POST_SCAN_TASKLIST, 9),
		IN(110, RUNNING(7ULL)), PREEMPT(114, IDLE(8ULL)),
		IN(120, IDLE(8ULL)),	OUT(123, IDLE(8ULL), RTGS_WAIT_CBS, 0),
		IN(150, IDLE(8ULL)),	OUT(151, IDLE(8ULL), RTGS_WAIT_CBS, 0),
	};
	static const struct rtt_event by_hook[] = {
		IN(100, IDLE(7ULL)),
		START(100, 7ULL),
		OUT(101, RUNNING(7ULL), RTGS_POST_SCAN_TASKLIST, 9),
		IN(108, RUNNING(7ULL)),
		END(110, 7ULL),
		PREEMPT(114, IDLE(8ULL)),
		IN(120, IDLE(8ULL)),
		OUT(123, IDLE(8ULL), RTGS_WAIT_CBS, 0),
	};
	struct gp_feed feed = FEED(false, by_seq);

	ck_assert_uint_eq(feed.nr, 1);
	ck_assert_uint_eq(feed.gps[0].invoked_ns, 123 * MS);
	ck_assert_uint_eq(feed.gps[0].calling_ns, 7 * MS);
	gp_feed__free(&feed);
	feed = FEED(true, by_hook);
	ck_assert_uint_eq(feed.nr, 1);
	ck_assert_uint_eq(feed.gps[0].calling_ns, 7 * MS);
	gp_feed__free(&feed);
}
END_TEST

/* An interval without a grace period is null, as is every mean of none. */
START_TEST(test_report_of_intervals)
{
	struct gp_feed feed = FEED(false, two);
	struct rtt_row rows[4] = {0};
	struct rtt_report report = {
		.feed = &feed, .rows = rows, .last = 3, .no_cpu = "not observable"};
	static const uint64_t ms[] = {90, 130, 190, 240};
	json_t *doc = json_object(), *means, *cpu;

	for (int i = 0; i < 4; i++)
		rows[i].now.t_ns = ms[i] * MS;
	rtt_report__add(&report, doc);
	means = json_object_get(doc, "intervals_ns");
	ck_assert_uint_eq(json_array_size(means), 3);
	ck_assert_double_eq(json_real_value(json_array_get(means, 0)), 20.0 * MS);
	ck_assert(json_is_null(json_array_get(means, 1)));
	ck_assert_double_eq(json_real_value(json_array_get(means, 2)), 20.0 * MS);
	ck_assert(json_is_null(json_object_get(doc, "kernel_count")));
	cpu = json_object_get(doc, "cpu");
	ck_assert(json_is_null(json_object_get(cpu, "kthread_ns")));
	ck_assert_str_eq(json_string_value(json_object_get(cpu, "reason")), "not observable");
	json_decref(doc);
	gp_feed__free(&feed);
}
END_TEST

/* A sum without one of its parts is absent; what was lost before the window is no part of it. */
START_TEST(test_report_of_lost_works)
{
	struct gp_feed feed = FEED(false, two);
	struct rtt_row rows[2] = {{.now = {.wq_ns = 10 * MS, .wq_runs = 1, .wq_lost = 3}},
				  {.now = {.wq_ns = 50 * MS, .wq_runs = 5, .wq_lost = 3}}};
	struct rtt_report report = {
		.feed = &feed, .rows = rows, .last = 1, .no_cpu = "not observable"};
	json_t *doc = json_object(), *cpu;

	rtt_report__add(&report, doc);
	cpu = json_object_get(doc, "cpu");
	ck_assert_double_eq(json_real_value(json_object_get(cpu, "workqueue_ns")), 40.0 * MS);
	ck_assert_double_eq(json_real_value(json_object_get(cpu, "workqueue_runs")), 4);
	rows[1].now.wq_lost = 4;
	rtt_report__add(&report, doc);
	cpu = json_object_get(doc, "cpu");
	ck_assert(json_is_null(json_object_get(cpu, "workqueue_ns")));
	ck_assert(json_is_null(json_object_get(cpu, "workqueue_runs")));
	ck_assert_str_eq(json_string_value(json_object_get(cpu, "workqueue_reason")),
			 "not counted: more works at once than there was room for");
	json_decref(doc);
	gp_feed__free(&feed);
}
END_TEST

START_TEST(test_config)
{
	static const char *const wrong[] = {
		"path=ftrace", "path",	   "probe=0",	       "probe=-5",	     "probe=1h",
		"speed=5",     "filter=x", "path=srcu,filter", "path=sched,filter=x"};
	struct rtt_config config;
	struct why why;

	ck_assert_int_eq(rtt_config__parse(NULL, &config, &why), 0);
	ck_assert_int_eq(config.path, RTT_AUTO);
	ck_assert_uint_eq(config.probe_ns, 0);
	ck_assert_int_eq(rtt_config__parse("path=fentry,probe", &config, &why), 0);
	ck_assert_int_eq(config.path, RTT_FENTRY);
	ck_assert_uint_eq(config.probe_ns, 100 * MS);
	ck_assert_int_eq(rtt_config__parse("probe=5", &config, &why), 0);
	ck_assert_uint_eq(config.probe_ns, 5 * MS);
	ck_assert_int_eq(rtt_config__parse("path=srcu,filter=fsnotify_mark_srcu", &config, &why),
			 0);
	ck_assert_str_eq(config.filter, "fsnotify_mark_srcu");
	for (size_t i = 0; i < NR(wrong); i++)
		ck_assert_int_eq(rtt_config__parse(wrong[i], &config, &why), -EINVAL);
}
END_TEST

static void write_file(const char *root, const char *name, const char *text)
{
	char path[512];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", root, name);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
}

static void make_process(const char *root, const char *pid, const char *comm, const char *stat)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/%s", root, pid);
	ck_assert_int_eq(mkdir(path, 0700), 0);
	write_file(path, "comm", comm);
	write_file(path, "stat", stat);
	write_file(path, "schedstat", "1646825115 5924241773 16339\n");
}

/* A process that took the kthread's name is not it. */
START_TEST(test_proc)
{
	char root[] = "/tmp/bpfperf-rcu-XXXXXX", command[64];
	struct rtt_proc proc;
	struct rtt_cpu cpu;

	ck_assert_ptr_nonnull(mkdtemp(root));
	make_process(root, "7", "rcu_tasks_trace_kthread\n",
		     "7 (rcu_tasks_trace) S 1 0 0 0 -1 0 0 0 0 0 0 5 0 0 20 0 1 0 35\n");
	rtt_proc__open(&proc, root);
	ck_assert_int_eq(proc.pid, 0);
	ck_assert_ptr_nonnull(strstr(proc.why.text, "not observable"));
	ck_assert_int_lt(rtt_proc__read(&proc, &cpu), 0);
	rtt_proc__close(&proc);
	make_process(root, "29", "rcu_tasks_trace_kthread\n",
		     "29 (rcu) tasks_trac) S 2 0 0 0 -1 2129984 0 0 0 0 0 164 0 0 20 0 1 0 35\n");
	rtt_proc__open(&proc, root);
	ck_assert_int_eq(proc.pid, 29);
	ck_assert_int_eq(rtt_proc__read(&proc, &cpu), 0);
	ck_assert_uint_eq(cpu.ns, 1646825115);
	ck_assert_uint_eq(cpu.ticks, 164);
	rtt_proc__close(&proc);
	write_file(root, "kallsyms",
		   "ffffffff81408c30 t __pfx_process_srcu\nffffffff81408c40 t process_srcu\n");
	snprintf(command, sizeof(command), "%s/kallsyms", root);
	ck_assert_uint_eq(rtt_proc__symbol(command, "process_srcu"), 0xffffffff81408c40);
	ck_assert_uint_eq(rtt_proc__symbol(command, "srcu"), 0);
	ck_assert_uint_eq(rtt_proc__symbol("/nonexistent", "srcu"), 0);
	snprintf(command, sizeof(command), "rm -r '%s'", root);
	ck_assert_int_eq(system(command), 0);
}
END_TEST

UNIT_MAIN("rcu-tasks-trace", test_grace_periods_from_context_switches, test_half_seen_first,
	  test_orders_that_cannot_be, report_bcc_3941_lost_switches_are_counted,
	  report_bcc_704_grace_periods_across_clock_steps, test_random_feeds, test_window,
	  test_times, test_calling, test_report_of_intervals, test_report_of_lost_works,
	  test_config, test_proc)
