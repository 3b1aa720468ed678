// SPDX-License-Identifier: GPL-2.0-only
/*
 * count_loop EVENTS TURNS: counts a loop of two instructions through the sensor "counters", as a
 * run does, and prints its part of the document.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/run.h"
#include "lib/sensor.h"

static void loop(unsigned long n)
{
#if defined(__aarch64__)
	asm volatile("1: subs %0, %0, #1\n b.ne 1b\n" : "+r"(n)::"cc");
#else
	asm volatile("1: sub $1, %0\n jne 1b\n" : "+r"(n)::"cc");
#endif
}

static int fail(const char *what, const char *why)
{
	fprintf(stderr, "count_loop: %s: %s\n", what, why);
	return 2;
}

static void count(const struct sensor *sensor, void *state, struct run *run, unsigned long turns)
{
	json_t *doc = json_pack("{s:{s:[], s:[[]]}}", "intervals", "columns", "rows");

	/* The first reading binds and touches what the next ones find ready. */
	sensor->snapshot_worker(state, run->workers, 0);
	sensor->snapshot_worker(state, run->workers, 1);
	loop(turns);
	sensor->snapshot_worker(state, run->workers, 2);
	sensor->emit(state, run, 1, 2, doc);
	json_dumpf(doc, stdout, JSON_INDENT(1));
	json_decref(doc);
}

int main(int argc, char **argv)
{
	const struct sensor *sensor = sensor__find("counters");
	struct worker worker = {.tid = gettid()};
	struct run run = {.nr_workers = 1, .workers = &worker, .nr_ticks = 3, .last_tick = 2};
	void *config, *state;
	struct why why;

	if (argc != 3)
		return fail("usage", "count_loop EVENTS TURNS");
	if (sensor->parse(argv[1], &config, &why))
		return fail("parse", why.text);
	if (sensor->open(&run, config, &state, &why))
		return fail("open", why.text);
	count(sensor, state, &run, strtoul(argv[2], NULL, 0));
	sensor->close(state);
	sensor->free_config(config);
	return 0;
}
