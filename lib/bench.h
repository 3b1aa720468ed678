/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_BENCH_H
#define BPFPERF_LIB_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/consumer.h"
#include "lib/metric.h"
#include "lib/param.h"
#include "lib/run.h"
#include "lib/section.h"
#include "lib/why.h"

/* Another name, which selects settings: those of the kernel's own benchmark of that name. */
struct bench_alias {
	const char *name;
	const char *settings; /* "keys=one" as a user would type it; NULL: none */
};

/* What bench_io.count[i] means: the metric is the count per second of wall time. */
struct bench_count {
	const char *name; /* "failed"; its metric is "failed_rate" */
	const char *help;
};

/*
 * What is worth trying when the mean of a value of `metrics` is above a limit. One number alone is
 * a rise: it is no advice for a plan that has as much already.
 */
struct bench_hint {
	const char *metric;
	double above;
	const char *next; /* as in struct bench */
};

/*
 * A benchmark: what it does, never how it is driven, timed or printed. All fields are constant;
 * a NULL callback means that there is nothing to do.
 */
struct bench {
	const char *name;		   /* kebab-case, unique */
	const char *summary;		   /* one line, lower case, no full stop */
	const char *op;			   /* what one operation is, one line */
	const struct bench_alias *aliases; /* ends with a row without a name */
	const struct param *params;	   /* ends with a row without a name */
	size_t args_size;
	const struct bench_count *counts; /* of count[1] on; ends with a row without a name */
	const char *primary;		  /* metric that decides a comparison; NULL: "ops_rate" */
	const char *needs; /* of one in user space: "CAP_BPF and CAP_PERFMON"; NULL: nothing */
	const char *loop;  /* NULL: "callback" in BPF, "loop" in user space */
	/* Where a parameter chooses the form of the loop; NULL: it is always `loop`. */
	const char *(*loop_form)(const void *args);
	const char *checked; /* what `check` proves, for the first screen: "every update failed" */
	/*
	 * Settings worth trying next, and why: "churn=100 (the production case)"; -L and -T TRACER
	 * may be among them. They are shown unless the plan has them already; the hints, which the
	 * result gave, come first.
	 */
	const char *next;
	const struct bench_hint *hints; /* ends with a row without a metric */
	bool every_cpu;			/* -p defaults to all allowed CPUs, else to 1 */
	int consumers;			/* default of -c; only with `consume` */
	bool keyed;			/* the BPF half used BENCH_OP_KEYED() */

	/* Parameters that contradict each other: -EINVAL and `why`. */
	int (*validate)(const void *args, int nr_producers, struct why *why);
	/* How many consumers these settings need, where they decide that; -c may only repeat it. */
	int (*nr_consumers)(const void *args);
	/* BPF: RUN_OPEN(), map sizes, read-only data. User space: worker->user_data. */
	int (*open)(struct run *run);
	/* After the load, before the workers exist: fill maps. */
	int (*arm)(struct run *run);
	/* User space only: `iters` operations; adds to worker->io->count[]. */
	void (*work)(struct worker *worker, uint64_t iters);
	/* On the producer's thread after each batch; in wall time, but not in the program's. */
	void (*after_batch)(struct worker *worker);
	/*
	 * On the thread of each consumer, again and again: takes what there is, waits at most some
	 * 10 ms for it, and returns how much it was, or -errno. Called once more, until it
	 * returns 0, after the producers have ended.
	 */
	int (*consume)(struct consumer *consumer);
	/*
	 * Values that are no rate of a count, such as a share of errors: one for each row of
	 * `metrics`, from run__delta() between two rows; json_null() when it is not defined.
	 */
	const struct metric *metrics; /* ends with a row without a name */
	void (*values)(const struct run *run, int first, int last, json_t *values);
	/* After the workers were joined: does the effect agree with the counts? */
	int (*check)(struct run *run);
	void (*close)(struct run *run);
};

SECTION_BOUNDS(benches, struct bench);
#define BENCH(id, ...)                                        \
	static const struct bench bench_##id = {__VA_ARGS__}; \
	REGISTER(benches, struct bench, bench_##id)

/* In the order of their names, once bench__init() ran. */
size_t bench__count(void);
const struct bench *bench__at(size_t i);

/* Sorts, and calls bug() on a descriptor that contradicts itself or another one. */
void bench__init(void);

/* By name or alias; *ret_alias is NULL for a name. NULL: none, `why` has the nearest. */
const struct bench *bench__find(const char *name, const struct bench_alias **ret_alias,
				struct why *why);

static inline bool bench__is_user(const struct bench *bench)
{
	return bench->work;
}

/* `args` NULL: with the parameters' defaults. */
const char *bench__loop(const struct bench *bench, const void *args);
/* Under icount the time inside the program is virtual and repeats: it decides there. */
const char *bench__primary(const struct bench *bench, const char *timing);

/* Adds every metric of the benchmark to the document's `metrics`. */
void bench__describe(const struct bench *bench, json_t *metrics);

#endif
