/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_DOCTOR_H
#define BPFPERF_LIB_DOCTOR_H

#include <jansson.h>
#include <stdint.h>

struct host_roots;
struct why;

/*
 * Counts a perf event of this thread for a moment. 0 and the count, or -errno with the words of
 * perf/absent.h. An argument, since lib/ does not know perf/.
 */
typedef int doctor_count_fn(const char *event, const struct host_roots *roots, uint64_t *ret_count,
			    struct why *why);

/*
 * What this machine can measure: {"format": "bpfperf-doctor", "checks": [...]}, where each check
 * is {"name", "purpose", "status", "value", "detail", "remedy"}. Status:
 *
 * ok       it works, or it is as a measurement wants it; nothing to do
 * gap      something cannot be measured, or less well; `detail` says why, and `remedy` is the
 *          command that mends it, or says that nothing does
 * unknown  it could not be decided; `detail` says why, `remedy` how to find out, if there is a way
 * info     good to know when numbers are compared; `remedy` may say how to change it
 *
 * `value`, `detail` and `remedy` are null where there is nothing to say. What can be tried is
 * tried, each check in a child of its own: nothing of it outlives the call. NULL when nothing
 * could be examined, with `why`.
 */
json_t *doctor__examine(const struct host_roots *roots, doctor_count_fn *count, struct why *why);

#endif
