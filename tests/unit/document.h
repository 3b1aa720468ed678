/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_TESTS_UNIT_DOCUMENT_H
#define BPFPERF_TESTS_UNIT_DOCUMENT_H

#include <check.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* Result documents that were made up: what the tests of everything that reads them share. */

/* JSON with ' for ", so that it can stand in C. A new reference. */
static inline json_t *json_of(const char *text)
{
	char *copy = strdup(text);
	json_error_t error;
	json_t *json;

	ck_assert_ptr_nonnull(copy);
	for (char *c = copy; *c; c++)
		if (*c == '\'')
			*c = '"';
	json = json_loads(copy, JSON_DECODE_ANY, &error);
	ck_assert_msg(json, "%s: %s", error.text, copy);
	free(copy);
	return json;
}

/* One clean run of two producers on the CPUs 2 and 3, with 1e6 and 3e6 operations in a second. */
#define RUN(values, counters)                                                                    \
	"{'status': 'ok', 'role': 'clean', 'reason': null, 'values': {" values "}, 'threads': [" \
	"{'tid': 0, 'cpu': 2, 'ops': 1000000, 'dur_ns': 1000000000},"                            \
	"{'tid': 1, 'cpu': 3, 'ops': 3000000, 'dur_ns': 1000000000}], 'counters': [" counters "]}"

#define FAILED(reason)	"{'status': 'failed', 'reason': '" reason "', 'values': null}"
#define SKIPPED(reason) "{'status': 'skipped', 'reason': '" reason "', 'values': null}"

/* A row of a counter that was read, and of one that was not. */
#define COUNT(metric, tid, scaled, enabled, running)                                               \
	"{'metric': '" metric "', 'tid': " #tid ", 'scaled': " #scaled ", 'enabled_ns': " #enabled \
	", 'running_ns': " #running ", 'reason': null}"
#define NO_COUNT(metric, tid, why)                                                      \
	"{'metric': '" metric "', 'tid': " #tid ", 'scaled': null, 'enabled_ns': null," \
	" 'running_ns': null, 'reason': '" why "'}"

#endif
