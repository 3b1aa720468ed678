/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_PERF_PMU_H
#define BPFPERF_PERF_PMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct event_env;
struct names;

/*
 * What the kernel tells about its PMUs in sysfs, bus/event_source/devices/NAME: the number for
 * perf_event_attr.type, the CPUs it counts on, the bits of its terms (format/), and its own names
 * for some encodings (events/).
 */

#define PMU_NAME_SIZE 64
#define PMU_TEXT_SIZE 256

struct pmu {
	char name[PMU_NAME_SIZE];
	char cpus[PMU_TEXT_SIZE]; /* a kernel list; "" when it counts on all of them */
	uint32_t type;
	bool core;    /* counts what a CPU core does */
	bool per_die; /* counts for all CPUs of a socket, die or core at once: uncore, RAPL, ... */
};

/* Big enough for any machine: two or three kinds of core are on the market. */
#define PMU_CORES_MAX 8

/* 0, or -ENOENT when there is no PMU of that name; no path can be smuggled in. */
int pmu__find(struct pmu *ret_pmu, const char *name, const struct event_env *env);
/* The PMU whose type is `type`. 0 or -ENOENT. */
int pmu__find_type(struct pmu *ret_pmu, uint32_t type, const struct event_env *env);
/* The PMUs of the cores, in the order of their types; more than one is a hybrid machine. */
int pmu__cores(struct pmu cores[PMU_CORES_MAX], const struct event_env *env);
/* The rule by which `dir_fd`/`name` is a PMU of the cores. */
bool pmu__is_core(int dir_fd, const char *name);

/* Where a term's value goes: bits of one of the four config words, the low ones first. */
struct pmu_format {
	int word; /* 0: config, 1: config1, ... */
	uint64_t mask;
};

#define PMU_WORDS 4

/* The content of a format file, "config:0-7,32-35". 0 or -EINVAL. */
int pmu_format__parse(struct pmu_format *ret_format, const char *text);
uint64_t pmu_format__max(const struct pmu_format *format);
/* Replaces the term's bits in `word`; `value` is at most pmu_format__max(). */
uint64_t pmu_format__put(const struct pmu_format *format, uint64_t word, uint64_t value);

/* 0, -ENOENT when the PMU has no such term, -EINVAL when its file makes no sense. */
int pmu__format(const struct pmu *pmu, const char *term, struct pmu_format *ret_format,
		const struct event_env *env);

/* A name of the kernel's for terms of the PMU. */
struct pmu_alias {
	char terms[PMU_TEXT_SIZE];
	char unit[32]; /* "" when there is none */
	double scale;  /* unit per count */
	bool snapshot; /* a level, which has no difference */
};

int pmu__alias(const struct pmu *pmu, const char *event, struct pmu_alias *ret_alias,
	       const struct event_env *env);

/* For names__free(): the PMUs; the terms of one, and its names for events. */
void pmu__names(struct names *names, const struct event_env *env);
void pmu__terms(const struct pmu *pmu, struct names *names, const struct event_env *env);
void pmu__aliases(const struct pmu *pmu, struct names *names, const struct event_env *env);

#endif
