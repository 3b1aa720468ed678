/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_TESTS_UNIT_SCREEN_H
#define BPFPERF_TESTS_UNIT_SCREEN_H

#include "tests/unit/rendered.h"

/* What `stat` prints of documents that were made up, and the parts to make them of. */

static inline char *screen_of(json_t *result)
{
	return rendered(render__stat, result);
}

static inline void screen_has(const char *document, const char *part)
{
	rendered_has(render__stat, document, part);
}

static inline void screen_lacks(const char *document, const char *part)
{
	rendered_lacks(render__stat, document, part);
}

#define PLAN "'tool': {'plan': {'runs': 2, 'duration_ms': 500.0, 'affinity': true}}"
#define METRICS                                                                      \
	"'metrics': {'ops_rate': {'kind': 'rate'}, 'failed_rate': {'kind': 'rate'}," \
	" 'ns_op': {'kind': 'time'}, 'task-clock': {'unit': 'ns'}}"
#define POINT(name, runs)                                                                 \
	"{'name': '" name "', 'params': {'keys': 'one', 'size': 1000, 'producers': 2},"   \
	" 'shown': ['keys', 'size'], 'trigger': 'prog-run:tc', 'checked': 'map is full'," \
	" 'next': ['churn=100 (more)', '-p 1,2'], 'runs': [" runs "]}"
#define DOCUMENT(benchmarks) \
	"{'complete': true, " PLAN ", " METRICS ", 'benchmarks': [" benchmarks "]}"

#define VALUES(rate) \
	"'ops_rate': " rate ", 'failed_rate': 2.5e6, 'ns_op': 500.4, 'ns_op_net': 47.06"

#endif
