/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_HOST_PART_H
#define BPFPERF_LIB_HOST_PART_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "lib/host.h"

struct cpulist;

/*
 * One object of the boot element being filled. It keeps the promise of lib/host.h: each field
 * gets its value, or null and a reason under its dotted path in the element's `absent`.
 */
struct host_part {
	const struct host_roots *roots;
	json_t *absent;	    /* of the whole boot element; borrowed */
	json_t *object;	    /* borrowed */
	const char *prefix; /* of the paths: "cpu.", or "" at the top */
};

/* Opens the object `key` of `parent`; `prefix` is "key.". NULL object when memory ran out. */
struct host_part host_part__open(const struct host_part *parent, const char *key,
				 const char *prefix);

/* Takes over the reference; NULL means that memory ran out. */
void host_part__set(const struct host_part *part, const char *key, json_t *value);

/* Text from outside: bytes that are not UTF-8 become '?'. May be empty. */
void host_part__set_text(const struct host_part *part, const char *key, const char *text);

/* null, and why. */
__attribute__((format(printf, 3, 4))) void host_part__absent(const struct host_part *part,
							     const char *key, const char *fmt, ...);

/*
 * Only the reason: for a key such as "topology[].node", which stands for the nulls of all
 * elements together.
 */
void host_part__note(const struct host_part *part, const char *key, const char *reason);

/*
 * null, and words for the error of a read. `missing`: what it means that the file does not exist;
 * NULL when there is no more to say than that.
 */
void host_part__unreadable(const struct host_part *part, const char *key, int err,
			   const char *missing);

/* The file's content; nothing but white space counts as unknown. */
void host_part__file_text(const struct host_part *part, const char *key, const char *missing,
			  const char *root, const char *path);

/* A kernel list of CPUs. Empty is a value: there are none. */
void host_part__file_list(const struct host_part *part, const char *key, const char *missing,
			  const char *root, const char *path);

void host_part__file_int(const struct host_part *part, const char *key, const char *missing,
			 const char *root, const char *path);

/* Text from outside as JSON; NULL when memory ran out. */
json_t *host_part__json_text(const char *text);

/* The parts, each in a file of its own. `online` are the CPUs to look at. */
void host__describe_kernel(const struct host_part *top);
void host__describe_cpu(const struct host_part *top, const struct cpulist *online);
void host__describe_power(const struct host_part *top, const struct cpulist *online);
void host__describe_memory(const struct host_part *top);
/* The `virt` field. */
void host__describe_virt(const struct host_part *top);

/*
 * The entry of the first CPU in <proc>/cpuinfo. Not the file: the kernel makes up its text as it
 * is read, for every CPU. Returns the length or -errno.
 */
#define CPUINFO_SIZE 8192
int host__read_cpuinfo(const struct host_roots *roots, char buf[CPUINFO_SIZE]);

/* The value of "key : value" in such text, without white space around it. False: no such key. */
bool host__cpuinfo_value(const char *cpuinfo, const char *key, char *buf, size_t size);

#endif
