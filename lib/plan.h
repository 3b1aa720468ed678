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
	int nr_producers, nr_consumers;
	int arm;		       /* 0 or 1 where --vs gives its parameter two values; or -1 */
	char *trigger_name;	       /* asked for; NULL: whichever works */
	const struct trigger *trigger; /* decided by probing; NULL in user space */
	struct why skip;	       /* not empty: cannot run here, and why */
	struct why failure;	       /* not empty: the probe failed, as the runs may */
	char *key;		       /* joins documents: name/param=value/.../producers=N */
};

/* One run of one point. */
struct step {
	int point;
	enum run_role role;
	int n;	   /* number of this run within its point and role, from 0 */
	int block; /* steps of one block are interleaved, and comparable */
	int arm;   /* 0 or 1, of a comparison within the plan; or -1 */
};

/* Two arms in one plan: --vs. */
struct vs {
	bool wanted;
	char param[64];	    /* empty: both arms are the same, to see what chance does */
	char values[2][64]; /* as the user would type them */
};

/* As many runs as a precision needs: a pilot first, then the number that it gives. */
struct precision {
	double width;	 /* half width of the 95 % interval, of logs; 0: not wanted */
	uint64_t max_ns; /* of wall time, after the pilot */
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
	bool robust;	    /* ranks will judge these runs: decided before they are seen */
	struct vs vs;
	struct precision precision;
	uint64_t order_state; /* of the random order, for blocks that are added later */

	bool affinity;
	struct cpulist allowed;	  /* inherited mask, online */
	struct cpulist prod_cpus; /* producers take them in turn */
	struct cpulist cons_cpus; /* consumers, if --cons-affinity names some */

	struct run_sensor *sensors; /* config only; in every run */
	int nr_sensors;
	struct run_sensor *evidence; /* the same; in evidence runs only */
	int nr_evidence;
	int evidence_runs; /* of each point */
	int bare_runs;	   /* 0, or one beside each clean run */
};

/* What the user asked for, as typed. */
struct plan_request {
	const char *const *words; /* BENCH[,BENCH...] and key=value[,value...] */
	int nr_words;
	const char *producers;	   /* list; NULL: what the benchmark says */
	const char *triggers;	   /* list; NULL: whichever works */
	const char *consumers;	   /* the same */
	const char *prod_affinity; /* list of CPUs; NULL: the allowed ones */
	const char *cons_affinity; /* list of CPUs; NULL: those after the producers' */
	bool affinity;
	int repeats;
	double duration_s, warmup_s, interval_s;
	uint64_t seed;
	const char *timing;
	const char *vs; /* "same" or "param=value"; NULL */
	bool robust;
	const char *sysfs;
};

/* -EINVAL and `why` for everything that is a matter of usage; other errors are the machine's. */
int plan__build(const struct plan_request *request, struct plan **ret_plan, struct why *why);
/*
 * Adds a sensor to the runs of this role (evidence runs have those of the clean ones as well).
 * -EINVAL for words that it does not understand, -EPERM and others from its probe; both with `why`.
 */
int plan__add_sensor(struct plan *plan, enum run_role role, const char *name, const char *spec,
		     struct why *why);
/*
 * Sensors and triggers can blind each other: -EINVAL and `why`, naming triggers that do not, for a
 * pair whose programs the kernel skips while the other's run. After the points were probed.
 */
int plan__check_pairs(const struct plan *plan, struct why *why);
/*
 * Orders the steps anew: evidence runs of each point among the last clean ones; bare ones, if any,
 * beside every clean one.
 */
int plan__set_roles(struct plan *plan, int evidence_runs, bool bare);
/* -EINVAL and `why` if the document of all these runs would be too large to be read back. */
int plan__check_size(const struct plan *plan, struct why *why);
/* So many clean runs of each point, with all that goes with them, have room in a document. */
int plan__most_repeats(const struct plan *plan);
/* More clean blocks, after those that are there: until each point has `repeats` runs. -ENOMEM. */
int plan__extend(struct plan *plan, int repeats);
void plan__free(struct plan *plan);

/* The CPU of producer number i; -1 when threads float. */
int plan__cpu(const struct plan *plan, int i);
/* Of consumer number i: after the producers of this point, so that they get CPUs of their own. */
int plan__consumer_cpu(const struct plan *plan, const struct point *point, int i);

/* Ticks of a run, tick 0 included; how many of them end in the warm-up; length of one. */
int plan__ticks(const struct plan *plan);
int plan__warmup_ticks(const struct plan *plan);
uint64_t plan__tick_ns(const struct plan *plan, int tick);

/* The steps of points that can run, as far as was probed; of one role, and in all. */
int plan__runs_of(const struct plan *plan, enum run_role role);
int plan__runs(const struct plan *plan);
/* Wall time that all their measuring will take, in ns; set-up is not in it. */
uint64_t plan__measured_ns(const struct plan *plan);

/* Parameters, producers and trigger of a point: the document's `params`. */
json_t *point__params(const struct point *point);
/* The document's `tool.plan`. */
json_t *plan__json(const struct plan *plan);

#endif
