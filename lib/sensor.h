/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_SENSOR_H
#define BPFPERF_LIB_SENSOR_H

#include <jansson.h>
#include <stdbool.h>

#include "lib/section.h"
#include "lib/why.h"

struct run;
struct worker;

/*
 * A kind of evidence about a run: counters now, tracers and samplers beside them. A new kind is a
 * new file. The calls come in the order below; those that are NULL are left out. All but `parse`
 * run in the forked child, on its main thread unless said otherwise.
 */
struct sensor {
	const char *name;    /* kebab-case; `-T NAME` and the document use it */
	const char *summary; /* one line, lower case, no full stop */

	/*
	 * While the plan is made: turns the user's words into a configuration. Words that cannot
	 * be understood are a usage error: -EINVAL and `why` with as many lines as it takes.
	 */
	int (*parse)(const char *spec, void **ret_config, struct why *why);
	void (*free_config)(void *config);
	/*
	 * Can it work here at all? Asked once, before a run that is made only for this sensor; the
	 * reason becomes the document's. NULL: it always can, or tells in `emit`.
	 */
	int (*probe)(const void *config, struct why *why);
	/*
	 * Are its programs of a kind that the kernel skips without a word while another of that
	 * kind runs on the same CPU (kprobe, perf_event, tracepoint: bpf_prog_active)? Then it and
	 * a trigger of that kind exclude each other. NULL: no.
	 */
	bool (*skippable)(const void *config);
	/* Adds the metrics this configuration will give to the document's `metrics`. */
	void (*describe)(const void *config, json_t *metrics);

	/*
	 * The workers exist, are pinned, and wait at the barrier; run->nr_ticks says how many rows
	 * to keep. Evidence that cannot be had is no error: remember the reason, `emit` it.
	 */
	int (*open)(struct run *run, const void *config, void **ret_state, struct why *why);
	/* On the worker's own thread, between two batches: take row `row` of this worker. */
	void (*snapshot_worker)(void *state, const struct worker *worker, int row);
	/* The workers have stopped taking rows. */
	void (*stop)(void *state);
	/*
	 * Rows [first, last] of `run` are the measurement. Adds its own keys to the run's object,
	 * and to `values` there the metrics that it described.
	 */
	void (*emit)(void *state, const struct run *run, int first, int last, json_t *doc);
	void (*close)(void *state);
};

SECTION_BOUNDS(sensors, struct sensor);
#define SENSOR(id, ...)                                         \
	static const struct sensor sensor_##id = {__VA_ARGS__}; \
	REGISTER(sensors, struct sensor, sensor_##id)
#define for_each_sensor(pos) for_each_registered(sensors, pos)

/* NULL when there is none of that name. */
const struct sensor *sensor__find(const char *name);

#endif
