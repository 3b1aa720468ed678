/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_PERF_TRACEPOINT_H
#define BPFPERF_PERF_TRACEPOINT_H

#include <stdbool.h>

#include "lib/why.h"

struct event_env;
struct names;
struct tracepoint;

/*
 * Tracepoints as tracefs describes them. Their numbers change from boot to boot and their fields
 * from one kernel to the next, so both come from events/SYSTEM/NAME/format.
 */

struct tracepoint_field {
	int offset; /* bytes into the record */
	int size;
	bool is_signed;
};

/*
 * 0 and a tracepoint for tracepoint__free(); or an error whose words can stand where a number
 * would: -ENODEV "not supported: ..." when tracefs is not mounted, -EACCES "no permission: ...",
 * -ENOENT when the kernel has no such tracepoint, -EINVAL when its file makes no sense.
 */
int tracepoint__new(struct tracepoint **ret_tracepoint, const char *system, const char *name,
		    const struct event_env *env, struct why *why);
void tracepoint__free(struct tracepoint *tracepoint);

/* perf_event_attr.config of a PERF_TYPE_TRACEPOINT event. */
int tracepoint__id(const struct tracepoint *tracepoint);
/* 0 or -ENOENT. */
int tracepoint__field(const struct tracepoint *tracepoint, const char *name,
		      struct tracepoint_field *ret_field);

/* 0 when tracefs is there and can be read, else as above. */
int tracepoint__probe(const struct event_env *env, struct why *why);

/* For names__free(): the systems, or with `system` its tracepoints. */
void tracepoint__names(struct names *names, const char *system, const struct event_env *env);

#endif
