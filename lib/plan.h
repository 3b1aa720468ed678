/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_PLAN_H
#define BPFPERF_LIB_PLAN_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/param.h"
#include "lib/run.h"
#include "lib/topology.h"
#include "lib/why.h"

struct bench;
struct bench_alias;

/* Parameters that every benchmark has, owned by the harness. */
struct common_args {
	uint64_t batch;
};
extern const struct param common_params[];

/* One combination of benchmark, parameters, producers and trigger. */
struct point {
	const struct bench *bench;
	void *args; /* of the benchmark's own type */
	struct common_args common;
	int nr_producers;
	char *trigger_name;	       /* asked for; NULL: whichever works */
	const struct trigger *trigger; /* decided by probing; NULL in user space */
	struct why skip;	       /* not empty: cannot run here, and why */
	char *key;		       /* joins documents: name/param=value/.../producers=N */
};

/* One run of one point. */
struct step {
	int point;
	int n;	   /* number of this run within its point and role, from 0 */
	int block; /* steps of one block are interleaved, and comparable */
};

/* What to do, decided before anything is measured; printable, and stored in the document. */
struct plan {
	struct point *points;
	int nr_points;
	struct step *steps;
	int nr_steps;

	int repeats;
	uint64_t duration_ns, warmup_ns, interval_ns;
	uint64_t seed;
	const char *timing; /* "native", "emulated" or "icount" */

	bool affinity;
	struct cpulist allowed;	  /* inherited mask, online */
	struct cpulist prod_cpus; /* producers take them in turn */

	struct run_sensor *sensors; /* config only */
	int nr_sensors;
};

/* What the user asked for, as typed. */
struct plan_request {
	const char *const *words; /* BENCH[,BENCH...] and key=value[,value...] */
	int nr_words;
	const char *producers;	   /* list; NULL: what the benchmark says */
	const char *triggers;	   /* list; NULL: whichever works */
	const char *prod_affinity; /* list of CPUs; NULL: the allowed ones */
	bool affinity;
	int repeats;
	double duration_s, warmup_s, interval_s;
	uint64_t seed;
	const char *timing;
	const char *sysfs;
};

/* -EINVAL and `why` for everything that is a matter of usage; other errors are the machine's. */
int plan__build(const struct plan_request *request, struct plan **ret_plan, struct why *why);
int plan__add_sensor(struct plan *plan, const char *name, const char *spec, struct why *why);
void plan__free(struct plan *plan);

/* The CPU of producer number i; -1 when producers float. */
int plan__cpu(const struct plan *plan, int i);

/* Ticks of a run, tick 0 included; how many of them end in the warm-up; length of one. */
int plan__ticks(const struct plan *plan);
int plan__warmup_ticks(const struct plan *plan);
uint64_t plan__tick_ns(const struct plan *plan, int tick);

/* Wall time that all the measuring will take, in ns; set-up is not in it. */
uint64_t plan__measured_ns(const struct plan *plan);

/* Parameters, producers and trigger of a point: the document's `params`. */
json_t *point__params(const struct point *point);
/* The document's `tool.plan`. */
json_t *plan__json(const struct plan *plan);

#endif
