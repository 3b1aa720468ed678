// SPDX-License-Identifier: GPL-2.0-only
#include "lib/outcome.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "lib/bench.h"
#include "lib/plan.h"
#include "lib/plural.h"
#include "lib/sensor.h"
#include "lib/trigger.h"

/* Net figures below this are made of the harness's own noise: triggers overlap with the work. */
#define NET_FLOOR_NS 5.0

/* More than this between wall and in-kernel time means that somebody else had the CPU. */
#define CLOCK_GAP_LIMIT 0.05

/* Sums over the producers of the differences between two rows. */
struct span {
	double wall_ns, bpf_ns, cpu_ns; /* summed, so producers x time */
	double turns, batches, ops;
	double ops_rate; /* sum of each producer's own rate */
};

/* A number, or null: JSON has no NaN, and a figure that is absent is not zero. */
static json_t *number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static double rate(double count, double ns)
{
	return ns > 0 ? count * 1e9 / ns : NAN;
}

static struct span span(const struct run *run, int first, int last)
{
	struct span sum = {0};

	for (int i = 0; i < run->nr_workers; i++) {
		const struct sample *a = &run->workers[i].samples[first];
		const struct sample *b = &run->workers[i].samples[last];
		double ops = b->count[BENCH_OPS] - a->count[BENCH_OPS];

		sum.wall_ns += b->t_ns - a->t_ns;
		sum.bpf_ns += b->bpf_ns - a->bpf_ns;
		sum.cpu_ns += b->cpu_ns - a->cpu_ns;
		sum.turns += b->turns - a->turns;
		sum.batches += b->batches - a->batches;
		sum.ops += ops;
		sum.ops_rate += rate(ops, b->t_ns - a->t_ns);
	}
	return sum;
}

/* The mean over the producers; NaN if one of them has none. */
static struct control mean_control(const struct run *run)
{
	struct control mean = {0};

	for (int i = 0; i < run->nr_workers; i++) {
		const struct control *control = &run->workers[i].control;

		mean.empty_ns += control->empty_ns / run->nr_workers;
		mean.keygen_ns += control->keygen_ns / run->nr_workers;
		mean.trigger_ns += control->trigger_ns / run->nr_workers;
	}
	return mean;
}

static json_t *describe_control(const struct control *control)
{
	json_t *doc = json_object();

	json_object_set_new(doc, "empty_ns", number(control->empty_ns));
	json_object_set_new(doc, "keygen_ns", number(control->keygen_ns));
	json_object_set_new(doc, "trigger_ns", number(control->trigger_ns));
	return doc;
}

/* What of ns_op is not the operation; the key generation has the loop in it. */
static double harness_ns_op(const struct span *sum, const struct control *control)
{
	double turn = isfinite(control->keygen_ns) ? control->keygen_ns : control->empty_ns;

	return (turn * sum->turns + control->trigger_ns * sum->batches) / sum->ops;
}

static void set_absent(json_t *doc, const char *name, const char *reason)
{
	json_t *absent = json_object_get(doc, "values_absent");

	if (!absent) {
		absent = json_object();
		json_object_set_new(doc, "values_absent", absent);
	}
	json_object_set_new(absent, name, json_string(reason));
}

/*
 * An operation cannot cost less than nothing: where the harness alone took longer than both, beyond
 * what is noise, something else ran while it was measured.
 */
static void set_net(json_t *doc, json_t *values, double ns_op, double harness)
{
	double net = ns_op - harness;
	char reason[128];

	if (net >= NET_FLOOR_NS) {
		json_object_set_new(values, "ns_op_net", json_real(net));
		return;
	}
	if (net < -NET_FLOOR_NS)
		snprintf(reason, sizeof(reason),
			 "the control runs were disturbed: %.3g ns per operation without the "
			 "operation, %.3g with it",
			 harness, ns_op);
	else if (isfinite(net))
		snprintf(reason, sizeof(reason), "within the harness: %.2f ns", fmax(0, net));
	else
		snprintf(reason, sizeof(reason), "no control measurement in user space");
	json_object_set_new(values, "ns_op_net", json_null());
	set_absent(doc, "ns_op_net", reason);
}

static void set_count_rates(const struct run *run, json_t *values, int first, int last)
{
	const struct bench_count *count = run->bench->counts;
	char name[64];

	for (int c = 1; count && count->name; count++, c++) {
		double sum = 0;

		for (int i = 0; i < run->nr_workers; i++) {
			const struct sample *a = &run->workers[i].samples[first];
			const struct sample *b = &run->workers[i].samples[last];

			sum += rate(b->count[c] - a->count[c], b->t_ns - a->t_ns);
		}
		snprintf(name, sizeof(name), "%s_rate", count->name);
		json_object_set_new(values, name, number(sum));
	}
}

static const char *why_absent(const struct bench *bench, const char *name)
{
	const struct metric *metric = bench->metrics;

	while (metric && metric->name && strcmp(metric->name, name))
		metric++;
	return metric && metric->name && metric->absent ? metric->absent : "nothing to make it of";
}

/* Every null has its reason. */
static void explain_nulls(const struct run *run, json_t *doc, json_t *values)
{
	const char *name;
	json_t *value;

	json_object_foreach(values, name, value)
		if (json_is_null(value) &&
		    !json_object_get(json_object_get(doc, "values_absent"), name))
			set_absent(doc, name, why_absent(run->bench, name));
}

static json_t *describe_values(const struct run *run, json_t *doc, int first, int last)
{
	struct span sum = span(run, first, last);
	struct control control = mean_control(run);
	/* Tracers may have put theirs there. */
	json_t *own = json_object_get(doc, "values");
	json_t *values = own ? json_incref(own) : json_object();
	double ns_op = sum.wall_ns / sum.ops, bpf_ns_op = sum.bpf_ns / sum.ops;

	json_object_set_new(values, "ops_rate", number(sum.ops_rate));
	json_object_set_new(values, "ns_op", number(ns_op));
	set_net(doc, values, ns_op, harness_ns_op(&sum, &control));
	json_object_set_new(values, "on_cpu", number(sum.cpu_ns / sum.wall_ns));
	if (run->trigger) {
		double trigger = control.trigger_ns * sum.batches / sum.ops;

		json_object_set_new(values, "bpf_ns_op", number(bpf_ns_op));
		json_object_set_new(values, "clock_gap", number((ns_op - trigger) / bpf_ns_op - 1));
	}
	set_count_rates(run, values, first, last);
	if (run->bench->values)
		run->bench->values(run, first, last, values);
	explain_nulls(run, doc, values);
	return values;
}

static json_t *describe_wait(const struct sample *a, const struct sample *b)
{
	return a->wait_ns < 0 || b->wait_ns < 0 ? json_null()
						: json_integer(b->wait_ns - a->wait_ns);
}

static json_t *describe_thread(const struct run *run, const struct worker *worker, int first,
			       int last)
{
	const struct bench_count *count = run->bench->counts;
	const struct sample *a = &worker->samples[first], *b = &worker->samples[last];
	json_t *doc = json_pack("{s:i, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "tid", worker->index,
				"ops", (json_int_t)(b->count[BENCH_OPS] - a->count[BENCH_OPS]),
				"dur_ns", (json_int_t)(b->t_ns - a->t_ns), "cpu_ns",
				(json_int_t)(b->cpu_ns - a->cpu_ns), "bpf_ns",
				(json_int_t)(b->bpf_ns - a->bpf_ns), "batches",
				(json_int_t)(b->batches - a->batches), "batch",
				(json_int_t)worker->batch, "missed", (json_int_t)worker->missed);

	json_object_set_new(doc, "wait_ns", describe_wait(a, b));
	json_object_set_new(doc, "cpu", worker->cpu < 0 ? json_null() : json_integer(worker->cpu));
	for (int c = 1; count && count->name; count++, c++)
		json_object_set_new(doc, count->name, json_integer(b->count[c] - a->count[c]));
	return doc;
}

/* When the first producer began: workers may pass the barrier before the main thread does. */
static uint64_t start_of(const struct run *run)
{
	uint64_t start = UINT64_MAX;

	for (int i = 0; i < run->nr_workers; i++)
		if (run->workers[i].samples[0].t_ns < start)
			start = run->workers[i].samples[0].t_ns;
	return start;
}

/* Row i is the time from tick i to i + 1; sensors append columns of their own. */
static json_t *describe_intervals(const struct run *run)
{
	uint64_t start = start_of(run);
	json_t *rows = json_array();

	for (int i = 0; i < run->last_tick; i++) {
		struct span sum = span(run, i, i + 1);
		uint64_t from = run->workers[0].samples[i].t_ns - start;

		json_array_append_new(rows, json_pack("[I, I, i, I]", (json_int_t)from,
						      (json_int_t)(sum.wall_ns / run->nr_workers),
						      i < run->nr_warmup, (json_int_t)sum.ops));
	}
	return json_pack("{s:[s, s, s, s], s:o}", "columns", "t_ns", "dur_ns", "warmup", "ops",
			 "rows", rows);
}

static json_t *describe_programs(const struct run *run)
{
	json_t *doc = json_array();
	struct bpf_program *prog;

	bpf_object__for_each_program(prog, run->obj) {
		struct bpf_prog_info info = {0};
		__u32 size = sizeof(info);
		char tag[2 * BPF_TAG_SIZE + 1];

		if (bpf_program__fd(prog) < 0 ||
		    bpf_obj_get_info_by_fd(bpf_program__fd(prog), &info, &size))
			continue;
		for (int i = 0; i < BPF_TAG_SIZE; i++)
			snprintf(tag + 2 * i, 3, "%02x", info.tag[i]);
		json_array_append_new(doc, json_pack("{s:s, s:s, s:i, s:i}", "name",
						     bpf_program__name(prog), "tag", tag,
						     "jited_len", info.jited_prog_len,
						     "verified_insns", info.verified_insns));
	}
	return doc;
}

static void add_warning(json_t *doc, const char *code, const char *text)
{
	json_t *warnings = json_object_get(doc, "warnings");

	if (!warnings) {
		warnings = json_array();
		json_object_set_new(doc, "warnings", warnings);
	}
	json_array_append_new(warnings, json_pack("{s:s, s:s}", "code", code, "text", text));
}

static void warn_about(json_t *doc, const struct run *run, const json_t *values)
{
	double gap = json_number_value(json_object_get(values, "clock_gap"));
	bool native = !strcmp(run->plan->timing, "native");
	uint64_t missed = 0;
	char text[160];

	for (int i = 0; i < run->nr_workers; i++)
		missed += run->workers[i].missed;
	/* With more producers than CPUs the sharing is the user's own wish, and said elsewhere. */
	if (native && gap > CLOCK_GAP_LIMIT && run->nr_workers <= run->plan->prod_cpus.nr) {
		snprintf(text, sizeof(text),
			 "wall time exceeds in-kernel time by %.0f %%: the CPUs were shared",
			 gap * 100);
		add_warning(doc, "CPU_SHARED", text);
	}
	if (missed) {
		snprintf(text, sizeof(text), "the kernel skipped %llu trigger%s, made again",
			 (unsigned long long)missed, plural(missed));
		add_warning(doc, "TRIGGERS_MISSED", text);
	}
}

json_t *outcome__describe(const struct run *run, const char *status)
{
	int first = run->nr_warmup, last = run->last_tick;
	json_t *doc = json_object(), *threads, *values;
	struct control control = mean_control(run);
	char name[64];

	json_object_set_new(doc, "status", json_string(status));
	json_object_set_new(doc, "reason",
			    run->why.text[0] ? json_string(run->why.text) : json_null());
	if (run->trigger) {
		trigger__describe(run->trigger, name, sizeof(name));
		json_object_set_new(doc, "trigger", json_string(name));
		json_object_set_new(doc, "progs", describe_programs(run));
	}
	if (run->probe)
		return doc;
	json_object_set_new(doc, "interrupted", json_boolean(run->interrupted));
	json_object_set_new(doc, "t0_mono_ns", json_integer(start_of(run)));
	json_object_set(doc, "resolved", run->resolved);
	threads = json_array();
	for (int i = 0; i < run->nr_workers; i++)
		json_array_append_new(threads, describe_thread(run, &run->workers[i], first, last));
	json_object_set_new(doc, "threads", threads);
	json_object_set_new(doc, "control", describe_control(&control));
	json_object_set_new(doc, "intervals", describe_intervals(run));
	for (int i = 0; i < run->nr_sensors; i++)
		if (run->sensors[i].ops->emit)
			run->sensors[i].ops->emit(run->sensors[i].state, run, first, last, doc);
	values = describe_values(run, doc, first, last);
	warn_about(doc, run, values);
	/* A run whose check failed is no number. */
	json_object_set_new(doc, "values", run->why.text[0] ? json_null() : json_incref(values));
	json_decref(values);
	return doc;
}

json_t *outcome__absent(const char *status, const char *reason)
{
	return json_pack("{s:s, s:s, s:n}", "status", status, "reason", reason, "values");
}
