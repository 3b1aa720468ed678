/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_VERDICT_H
#define BPFPERF_LIB_VERDICT_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/metric.h"
#include "lib/stats.h"

/*
 * Is it slower? Pure: numbers in, a verdict with its interval out. The document side decides what
 * may be compared at all, which runs take part (a run is left out for a recorded cause only, never
 * for its value) and which metrics are primary.
 */
enum verdict {
	VERDICT_REGRESSED,
	VERDICT_IMPROVED,
	VERDICT_NO_CHANGE, /* proven: the 90 % interval lies within the least effect */
	VERDICT_INCONCLUSIVE,
	VERDICT_NOT_COMPARABLE,
};

/* Half the width of the band around 1 within which a repeatable metric counts as unchanged. */
#define VERDICT_REPEATABLE_EFFECT 0.002
/* Of p and q, in every test. */
#define VERDICT_ALPHA 0.05
/*
 * So many boots (hosts) on both sides make the boot (the host) the unit. A noisy metric of fewer
 * pairs of hosts has no verdict.
 */
#define VERDICT_MIN_BOOTS 3
/*
 * Fewer runs (pairs of runs) than this, and a noisy metric has no verdict, whatever its interval: of
 * two runs on a machine that has two speeds the test is wrong more often than it says.
 */
#define VERDICT_MIN_RUNS 5

/* One run. */
struct observation {
	double value;
	int boot;  /* index within the arm's document */
	int block; /* what it was interleaved with in that boot, or -1 */
	int host;  /* a number of the machine, the same one in both arms */
};

struct arm {
	const struct observation *runs;
	size_t nr;
};

struct judge_options {
	double min_effect; /* 0.01: the band is 1 / 1.01 .. 1.01 */
	bool robust;	   /* ranks instead of t; chosen before the values were seen */
	bool higher_is_better;
	bool no_direction; /* neither is better: a change is told in `note`, but is no verdict */
	enum metric_class class;
	bool kernels_differ; /* or the boots alone: no boot is common to both arms */
	bool hosts_differ;   /* no machine is common to both arms */
	bool paired; /* boots and blocks are common to both arms; ignored if kernels differ */
	double assumed_boot_sd; /* 0.02, of logs; used when there are too few boots to know it */
	double assumed_host_sd; /* 0.05, the same of hosts */
};

/* What is not known is NAN. */
struct judgement {
	enum verdict verdict;
	double ratio, lo, hi; /* after / before with its 95 % interval; INFINITY if before is 0 */
	/* Of the units: the ratio is that of the two values, except by ranks, which have no mean. */
	struct estimate before, after;
	double lo90, hi90;
	double p;  /* two-sided, against a ratio of 1; verdict__holm() adjusts it */
	double df; /* NAN for ranks, INFINITY if all of the error is assumed */
	size_t units_before, units_after; /* of these: */
	const char *unit;		  /* "run", "pair", "boot", "host", "host pair" */
	const char *method;		  /* "Welch t on logs", ... */
	double runs_needed; /* units per side, in all, that settle `min_effect`; NAN: unknown */
	char note[400];	    /* one line, what the reader must know; empty if nothing */
};

/*
 * The unit of analysis is the highest level that differs between the arms and is replicated:
 * pairs within one kernel; pairs by host, if an arm has several and some are common to both, the
 * others being left out; hosts, if none is common; boots, of one host; else runs. Of hosts or boots
 * that are no pairs both sides need VERDICT_MIN_BOOTS. Where the boots differ and are too few,
 * `assumed_boot_sd` enters the error of noisy metrics, and where the hosts are, `assumed_host_sd`; a
 * note says so.
 *
 * Every input has an outcome: an empty side, a value below 0 and one that is not finite are
 * NOT COMPARABLE; of a noisy metric, fewer than VERDICT_MIN_RUNS runs or pairs, or fewer than
 * VERDICT_MIN_BOOTS pairs of hosts, are INCONCLUSIVE, and so is one host in common of several. Each
 * says so in `note`. Class exact: any difference is a difference. A value of 0 leaves ranks only,
 * and no interval. -ENOMEM; -E2BIG if `robust` and without a 0, for more than some 4,000 runs a side.
 */
int verdict__judge(const struct arm *before, const struct arm *after, const struct judge_options *o,
		   struct judgement *ret);

/* The least effect that verdict__judge() uses: of the class, or the one asked for. */
double verdict__min_effect(const struct judge_options *o);

/* "REGRESSED", "NO CHANGE", ... */
const char *verdict__name(enum verdict verdict);

/*
 * The primary metrics of one comparison, as a family: each p becomes Holm's, and a change that
 * does not survive becomes INCONCLUSIVE with a note. Judgements without a p are not counted.
 * -ENOMEM.
 */
int verdict__holm(struct judgement *family, size_t nr);

/* A figure beside the primary metrics: a counter, a lock class, a function. */
struct secondary {
	const struct judgement *judgement;
	double change; /* after - before, in the figure's unit */
	double floor;  /* the least |change| that matters, in that unit; 0: any */
	double q;      /* set by verdict__moved(): Benjamini and Hochberg's; NAN: no p */
	bool moved;    /* set by verdict__moved() */
};

/*
 * Which of the family moved: q <= VERDICT_ALPHA, a ratio outside 1 / (1 + min_ratio) ..
 * 1 + min_ratio, and |change| >= floor. -ENOMEM.
 */
int verdict__moved(struct secondary *family, size_t nr, double min_ratio);

#endif
