/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_EQUIVALENCE_H
#define BPFPERF_LIB_EQUIVALENCE_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/stats.h"

/*
 * "No change" is a claim of its own, and needs a proof: a difference that was not found may have
 * been hidden by noise. Two one-sided tests, at 5 % each, show that a ratio lies within a band;
 * that is the case exactly if its 90 % interval does.
 */
#define EQUIVALENCE_LEVEL 0.90

struct equivalence {
	double p_lower, p_upper; /* against a ratio at or below the band, at or above it */
	double p;		 /* the larger one */
	double lo, hi;		 /* ratio, EQUIVALENCE_LEVEL */
	bool equivalent;
};

/*
 * Of a difference of logs, of which `value`, `se` and `df` count, and the ratios lower < upper.
 * -EINVAL if they are none. An error that is not known proves nothing: NAN and false.
 */
int equivalence__test(const struct difference *d, double lower, double upper,
		      struct equivalence *ret);

/* What an experiment on logs has: sd of a run (of a pair's difference), and how it is analysed. */
struct design {
	double sd;
	bool paired;
};

/* The chance that a t test at 5 % finds a ratio of 1 + effect with n runs per side (n pairs). */
double equivalence__power_of_change(const struct design *design, double effect, size_t n);
/* That a ratio of 1 + truth is shown to lie within 1 / (1 + margin) .. 1 + margin. */
double equivalence__power_of_no_change(const struct design *design, double truth, double margin,
				       size_t n);

/*
 * Runs per side (pairs) for that chance, 2 at least. NAN if no number will do (the truth is not
 * within the margin), or only more than a million.
 */
double equivalence__runs_for_change(const struct design *design, double effect, double power);
double equivalence__runs_for_no_change(const struct design *design, double truth, double margin,
				       double power);

/*
 * Runs for a t interval of one mean with a half width of `width`, in logs, when `sd` comes from a
 * pilot of nr_pilot runs (Stein 1945): its quantile keeps the level although sd was guessed.
 */
double equivalence__runs_for_width(double sd, size_t nr_pilot, double width, double level);

#endif
