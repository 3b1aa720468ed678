/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_TESTS_UNIT_COMPARED_H
#define BPFPERF_TESTS_UNIT_COMPARED_H

#include <stdio.h>

#include "tests/unit/document.h"

/*
 * Whole result documents in a few words, for what loads, compares and joins them. Every one of
 * them passes document__check(), unless the test breaks it.
 */

#define METRICS                                                                                \
	"{'ops_rate': {'unit': 'op/s', 'better': 'higher', 'kind': 'rate', 'class': 'noisy'}," \
	" 'ns_op': {'unit': 'ns', 'better': 'lower', 'kind': 'time', 'class': 'noisy'},"       \
	" 'bpf_ns_op': {'unit': 'ns', 'better': 'lower', 'kind': 'time', 'class': 'noisy'},"   \
	" 'insns': {'unit': 'insn', 'better': 'lower', 'kind': 'scalar', 'class': 'exact'},"   \
	" 'branches': {'unit': 'branches', 'better': 'none', 'kind': 'counter', 'class':"      \
	" 'noisy', 'per': 'op'},"                                                              \
	" 'failed_rate': {'unit': 'op/s', 'better': 'none', 'kind': 'rate', 'class': 'noisy'}}"

/* One boot of kernel `release`, timed by the machine's own clock. */
static inline json_t *make_boot(const char *id, const char *release)
{
	return json_pack("{s:s, s:s, s:s, s:{s:s, s:s, s:s, s:{s:s}}, s:{s:s, s:s}, s:{s:i}, s:n}",
			 "boot_id", id, "host", "vm", "timing", "native", "kernel", "release",
			 release, "version", "#1", "build_id", release, "config_selected",
			 "CONFIG_KASAN", "n", "cpu", "model", "some CPU", "online", "0-1", "bpf",
			 "jit_enable", 1, "power");
}

/* Without a benchmark. */
static inline json_t *make_document(const char *id, const char *release)
{
	json_t *document = json_of(
		"{'format': 'bpfperf-result', 'schema': {'major': 1, 'minor': 0}, 'label': null,"
		" 'created': '2026-01-01T00:00:00.000Z', 'complete': true,"
		" 'incomplete_reason': null, 'tool': {'version': '0.1.0', 'plan': {'runs': 5,"
		" 'duration_ms': 1000.0, 'affinity': true, 'analysis': 'geomean-t95-log'}},"
		" 'boots': [], 'metrics': " METRICS ", 'benchmarks': [], 'warnings': []}");

	json_object_set_new(document, "id", json_string(id));
	json_array_append_new(json_object_get(document, "boots"), make_boot(id, release));
	return document;
}

static inline json_t *add_benchmark(json_t *document, const char *name, int value)
{
	char key[128];
	json_t *benchmark;

	snprintf(key, sizeof(key), "%s/size=%d/producers=1", name, value);
	benchmark = json_pack("{s:s, s:s, s:{s:i, s:i}, s:s, s:s, s:s, s:[s], s:s, s:[], s:[]}",
			      "name", name, "key", key, "params", "size", value, "producers", 1,
			      "trigger", "prog-run:syscall", "loop", "callback", "primary",
			      "ops_rate", "shown", "size", "checked", "it is so", "next", "runs");
	ck_assert_ptr_nonnull(benchmark);
	json_array_append_new(json_object_get(document, "benchmarks"), benchmark);
	return benchmark;
}

/* Another clean run of a rate, in a block of its own. */
static inline json_t *add_run(json_t *benchmark, double rate)
{
	json_t *runs = json_object_get(benchmark, "runs"), *run;
	int n = json_array_size(runs);

	run = json_pack("{s:s, s:n, s:s, s:i, s:i, s:i, s:i, s:{s:f, s:f}, s:[{s:i, s:i, s:f,"
			" s:i}]}",
			"status", "ok", "reason", "role", "clean", "n", n, "boot", 0, "block", n,
			"order", n, "values", "ops_rate", rate, "ns_op", 1e9 / rate, "threads",
			"tid", 0, "cpu", 0, "ops", rate, "dur_ns", 1000000000);
	ck_assert_ptr_nonnull(run);
	json_array_append_new(runs, run);
	return run;
}

/* One that gave no value. */
static inline void add_bad_run(json_t *benchmark, const char *status, const char *reason)
{
	json_t *runs = json_object_get(benchmark, "runs");

	json_array_append_new(runs, json_pack("{s:s, s:s, s:s, s:n, s:i, s:i}", "status", status,
					      "reason", reason, "role", "clean", "values", "n",
					      (int)json_array_size(runs), "boot", 0));
}

/* Runs with a CV of 0.3 % around `rate`, the same ones each time. */
static inline void add_runs(json_t *benchmark, double rate, int nr)
{
	static const double noise[] = {1.0,    1.003, 0.997, 1.002, 0.998,
				       1.0045, 0.996, 1.001, 0.999, 0.9995};

	for (int i = 0; i < nr; i++)
		add_run(benchmark, rate * noise[i % 10]);
}

/* One benchmark "toy" with `nr` runs. */
static inline json_t *make_toy(const char *id, const char *release, double rate, int nr)
{
	json_t *document = make_document(id, release);

	add_runs(add_benchmark(document, "toy", 1), rate, nr);
	return document;
}

static inline json_t *first_benchmark(const json_t *document)
{
	return json_array_get(json_object_get(document, "benchmarks"), 0);
}

static inline json_t *nth_run(const json_t *document, size_t n)
{
	return json_array_get(json_object_get(first_benchmark(document), "runs"), n);
}

static inline json_t *first_boot(const json_t *document)
{
	return json_array_get(json_object_get(document, "boots"), 0);
}

#endif
