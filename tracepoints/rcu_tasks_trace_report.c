// SPDX-License-Identifier: GPL-2.0-only
#include "tracepoints/rcu_tasks_trace_report.h"

#include <math.h>
#include <stdlib.h>

#include "lib/hist.h"

/* Bins of an eighth of an octave; 2^37 ns are over two minutes. */
#define HIST_SUB_BITS 3
#define HIST_BINS     ((37 - HIST_SUB_BITS + 1) << HIST_SUB_BITS)

/* Without a value there is none: JSON has no NaN, and 0 would be a time. */
static json_t *number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static void set(json_t *doc, const char *name, double value)
{
	json_object_set_new(doc, name, number(value));
}

static json_t *histogram(const struct gp_window *window)
{
	uint64_t bins[HIST_BINS] = {0};

	for (size_t i = 0; i < window->nr; i++) {
		unsigned int bin;

		if (!window->gps[i].start_ns)
			continue;
		bin = hist__bin(gp__duration(&window->gps[i]), HIST_SUB_BITS);
		bins[bin < HIST_BINS ? bin : HIST_BINS - 1]++;
	}
	return hist__json(bins, HIST_BINS, HIST_SUB_BITS, "ns");
}

/* The parts show only through context switches, which every path of the kthread follows. */
static json_t *breakdown(const struct gp_feed *feed, const struct gp_times *times)
{
	static const char *const names[NR_GP_PARTS] = {"running", "preempted", "postscan",
						       "holdouts", "other"};
	json_t *doc = json_object();
	double sum = 0;

	for (int i = 0; i < NR_GP_PARTS; i++) {
		set(doc, names[i], times->part_ns[i]);
		sum += times->part_ns[i];
	}
	if (feed->seen_seq && times->nr && sum > 0)
		return doc;
	json_decref(doc);
	return json_null();
}

static void add_times(json_t *doc, const struct gp_feed *feed, const struct gp_window *window,
		      const struct gp_times *times)
{
	json_object_set_new(doc, "n", json_integer(times->nr));
	set(doc, "mean_ns", times->mean_ns);
	set(doc, "median_ns", times->median_ns);
	set(doc, "p99_ns", times->p99_ns);
	set(doc, "min_ns", times->min_ns);
	set(doc, "max_ns", times->max_ns);
	json_object_set_new(doc, "hist", histogram(window));
	json_object_set_new(doc, "parts_ns", breakdown(feed, times));
	set(doc, "callbacks", times->callbacks);
	set(doc, "invoke_ns", times->invoke_ns);
}

static json_t *delay_json(const struct gp_window *window, double taken)
{
	struct gp_delay delay;

	if (!gp_delay__derive(window, taken, &delay))
		return json_null();
	return json_pack("{s:s, s:s, s:I, s:f, s:f, s:f, s:f, s:f, s:f}", "model", "fifo", "weight",
			 "time", "n", (json_int_t)delay.nr, "mean_ns", delay.mean_ns, "median_ns",
			 delay.median_ns, "p99_ns", delay.p99_ns, "max_ns", delay.max_ns,
			 "lo_mean_ns", delay.lo_mean_ns, "hi_mean_ns", delay.hi_mean_ns);
}

static json_t *cpu_json(const struct rtt_report *report, int64_t count)
{
	const struct rtt_row *a = &report->rows[report->first], *b = &report->rows[report->last];
	const char *no_workqueue = report->no_workqueue;
	double kthread = NAN, ticks = NAN, workqueue = NAN, total;
	json_t *doc = json_object();

	if (!report->no_cpu && !a->cpu_err && !b->cpu_err) {
		kthread = b->cpu.ns - a->cpu.ns;
		ticks = b->cpu.ticks - a->cpu.ticks;
	}
	if (!no_workqueue && b->now.wq_lost > a->now.wq_lost)
		no_workqueue = "not counted: more works at once than there was room for";
	if (!no_workqueue)
		workqueue = b->now.wq_ns - a->now.wq_ns;
	set(doc, "kthread_ns", kthread);
	set(doc, "ticks", ticks);
	set(doc, "workqueue_ns", workqueue);
	set(doc, "workqueue_runs", no_workqueue ? NAN : (double)(b->now.wq_runs - a->now.wq_runs));
	total = report->workqueue_only ? workqueue
				       : kthread + (isfinite(workqueue) ? workqueue : 0);
	set(doc, "ns_per_gp", count > 0 ? total / count : NAN);
	set(doc, "ticks_per_gp", count > 0 ? ticks / count : NAN);
	if (report->no_cpu)
		json_object_set_new(doc, "reason", json_string(report->no_cpu));
	if (no_workqueue)
		json_object_set_new(doc, "workqueue_reason", json_string(no_workqueue));
	return doc;
}

/* The mean duration of those that ended in each interval; null where none did. */
static json_t *intervals(const struct rtt_report *report, const struct gp_window *window)
{
	json_t *means = json_array();
	size_t i = 0;

	for (int row = report->first; row < report->last; row++) {
		uint64_t end_ns = report->rows[row + 1].now.t_ns;
		double sum = 0;
		int nr = 0;

		for (; i < window->nr && window->gps[i].end_ns <= end_ns; i++) {
			if (!window->gps[i].start_ns)
				continue;
			sum += gp__duration(&window->gps[i]);
			nr++;
		}
		json_array_append_new(means, number(nr ? sum / nr : NAN));
	}
	return means;
}

static json_t *lost_json(const struct gp_lost *lost, size_t half_seen)
{
	return json_pack("{s:I, s:I, s:I, s:I, s:I}", "half_seen", (json_int_t)half_seen,
			 "switches", (json_int_t)lost->switches, "order", (json_int_t)lost->order,
			 "clock", (json_int_t)lost->clock, "skipped", (json_int_t)lost->skipped);
}

void rtt_report__add(const struct rtt_report *report, json_t *doc)
{
	const struct rtt_now *first = &report->rows[report->first].now;
	const struct rtt_now *last = &report->rows[report->last].now;
	struct gp_window window = gp_feed__window(report->feed, first, last);
	int64_t delta = rtt_now__delta(first, last);
	struct gp_times times;

	json_object_set_new(doc, "window_ns", json_integer(last->t_ns - first->t_ns));
	json_object_set_new(doc, "count", json_integer(window.nr));
	json_object_set_new(doc, "kernel_count", delta < 0 ? json_null() : json_integer(delta));
	if (gp_times__derive(&window, &times))
		return;
	add_times(doc, report->feed, &window, &times);
	json_object_set_new(doc, "cpu", cpu_json(report, delta < 0 ? (int64_t)window.nr : delta));
	json_object_set_new(doc, "delay", delay_json(&window, report->taken));
	json_object_set_new(doc, "intervals_ns", intervals(report, &window));
	json_object_set_new(doc, "lost", lost_json(&report->feed->lost, window.nr - times.nr));
}
