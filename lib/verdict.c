// SPDX-License-Identifier: GPL-2.0-only
#include "lib/verdict.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lib/equivalence.h"
#include "lib/finding.h"
#include "lib/plural.h"
#include "lib/rank.h"
#include "lib/stats.h"
#include "lib/units.h"

/* The chance, if nothing or just `min_effect` changed, that `runs_needed` runs will tell. */
#define POWER 0.90

const char *verdict__name(enum verdict verdict)
{
	static const char *const names[] = {
		[VERDICT_REGRESSED] = "REGRESSED",
		[VERDICT_IMPROVED] = "IMPROVED",
		[VERDICT_NO_CHANGE] = "NO CHANGE",
		[VERDICT_INCONCLUSIVE] = "INCONCLUSIVE",
		[VERDICT_NOT_COMPARABLE] = "NOT COMPARABLE",
	};

	return names[verdict];
}

double verdict__min_effect(const struct judge_options *o)
{
	switch (o->class) {
	case METRIC_EXACT: return 0;
	case METRIC_REPEATABLE: return VERDICT_REPEATABLE_EFFECT;
	default: return o->min_effect;
	}
}

__attribute__((format(printf, 2, 3))) static void add_note(struct judgement *j, const char *format,
							   ...)
{
	size_t used = strlen(j->note);
	va_list args;

	if (used)
		used += snprintf(j->note + used, sizeof(j->note) - used, "; ");
	if (used >= sizeof(j->note))
		return;
	va_start(args, format);
	vsnprintf(j->note + used, sizeof(j->note) - used, format, args);
	va_end(args);
}

/* Whether the arm can take part; `lowest` becomes the least value of all. */
static bool check_arm(const struct arm *arm, const char *side, double *lowest, struct judgement *j)
{
	if (!arm->nr)
		add_note(j, "no run %s", side);
	for (size_t i = 0; i < arm->nr; i++) {
		double value = arm->runs[i].value;

		if (!isfinite(value)) {
			add_note(j, "a value %s is not a finite number", side);
			return false;
		}
		if (value < 0) {
			add_note(j, "a value %s is below 0 (%g): it has no ratio", side, value);
			return false;
		}
		*lowest = fmin(*lowest, value);
	}
	return arm->nr;
}

static bool is_constant(const struct arm *arm)
{
	for (size_t i = 1; i < arm->nr; i++)
		if (arm->runs[i].value != arm->runs[0].value)
			return false;
	return true;
}

static void call_change(struct judgement *j, const struct judge_options *o)
{
	if (o->no_direction) {
		j->verdict = VERDICT_INCONCLUSIVE;
		add_note(j, "changed, but neither direction is known to be better");
		return;
	}
	j->verdict = (j->ratio > 1) == o->higher_is_better ? VERDICT_IMPROVED : VERDICT_REGRESSED;
}

static struct estimate exact_estimate(const struct arm *arm)
{
	double value = arm->runs[0].value;

	return (struct estimate){arm->nr, value, value, value, 0};
}

static void judge_exact(const struct arm *before, const struct arm *after,
			const struct judge_options *o, struct judgement *j)
{
	double ratio = finding__ratio(before->runs[0].value, after->runs[0].value);

	j->ratio = j->lo = j->hi = j->lo90 = j->hi90 = ratio;
	j->p = ratio == 1 ? 1 : 0;
	j->before = exact_estimate(before);
	j->after = exact_estimate(after);
	j->units_before = before->nr;
	j->units_after = after->nr;
	j->unit = "run";
	j->method = "exact";
	j->verdict = VERDICT_NO_CHANGE;
	if (ratio != 1)
		call_change(j, o);
}

/* Of the difference of two arms that have few boots, or few hosts, and none in common; in logs. */
struct assumed {
	double of_boots, of_hosts;
};

static struct assumed assumed_se(const struct units *u, const struct judge_options *o,
				 bool all_zero)
{
	struct assumed se = {0};

	/* A spread in proportion to nothing is none. */
	if (all_zero || u->paired || o->class != METRIC_NOISY)
		return se;
	if (o->kernels_differ && !strcmp(u->name, "run"))
		se.of_boots =
			o->assumed_boot_sd * sqrt(1.0 / u->boots_before + 1.0 / u->boots_after);
	if (o->hosts_differ && strcmp(u->name, "host"))
		se.of_hosts =
			o->assumed_host_sd * sqrt(1.0 / u->hosts_before + 1.0 / u->hosts_after);
	return se;
}

static void explain_hosts(const struct units *u, const struct judge_options *o,
			  const struct assumed *se, struct judgement *j)
{
	if (!o->hosts_differ || !strcmp(u->name, "host"))
		return;
	add_note(j, "no host in common, and fewer than %d a side: it may be the hosts",
		 VERDICT_MIN_BOOTS);
	if (se->of_hosts > 0)
		add_note(j, "a spread of %g %% between them is assumed", 100 * o->assumed_host_sd);
}

static void explain_boots(const struct units *u, const struct judge_options *o,
			  const struct assumed *se, struct judgement *j)
{
	if (!(se->of_boots > 0))
		return;
	add_note(j,
		 "%zu boot%s before, %zu after: a spread of %g %% between boots is assumed; five "
		 "boots per side lift that",
		 u->boots_before, plural(u->boots_before), u->boots_after,
		 100 * o->assumed_boot_sd);
}

/*
 * First the number that would find `min_effect` or exclude it. An estimate near the border takes
 * more, and that is computed only where the first is not above what there was.
 */
static double runs_needed(const struct units *u, const struct finding *f, double min_effect)
{
	const double had = fmin(u->nr_before, u->nr_after);
	const double per_unit = u->paired ? 1.0 / u->nr_before
					  : 1.0 / u->nr_before + 1.0 / u->nr_after;
	const struct design design = {
		.sd = f->d.se / sqrt(per_unit),
		.paired = u->paired,
	};
	const double found = expm1(fabs(f->d.value));
	double change = equivalence__runs_for_change(&design, min_effect, POWER);
	double none = equivalence__runs_for_no_change(&design, 0, min_effect, POWER);
	double needed = isnan(change) || isnan(none) ? NAN : fmax(change, none);

	if (!(needed <= had))
		return needed;
	needed = found >= min_effect
			 ? equivalence__runs_for_change(&design, found, POWER)
			 : equivalence__runs_for_no_change(&design, found, min_effect, POWER);
	return needed > had ? needed : NAN;
}

/* Of boots and hosts fewer are enough than of runs, each of them being a mean. */
static bool too_few(const struct units *u, const struct judge_options *o)
{
	const size_t least = units__least(u);

	return o->class == METRIC_NOISY && (u->nr_before < least || u->nr_after < least);
}

/* So few that no result of ranks is below VERDICT_ALPHA. */
static bool too_few_for_ranks(const struct finding *f, bool logs)
{
	return logs && isnan(f->d.lo);
}

static void decide(const struct units *u, const struct finding *f, const struct judge_options *o,
		   bool assumed, bool logs, struct judgement *j)
{
	const double min_effect = verdict__min_effect(o), margin = log1p(min_effect);
	/* NAN: no interval, and then p has to do alone. */
	const bool excludes_1 = !(f->d.lo <= 0 && f->d.hi >= 0);

	j->verdict = VERDICT_INCONCLUSIVE;
	if (f->d.p <= VERDICT_ALPHA && excludes_1 && fabs(f->d.value) >= margin)
		call_change(j, o);
	else if (f->lo90 >= -margin && f->hi90 <= margin)
		j->verdict = VERDICT_NO_CHANGE;
	else if (!assumed)
		j->runs_needed = runs_needed(u, f, min_effect);
	if (!too_few(u, o))
		return;
	j->verdict = VERDICT_INCONCLUSIVE;
	if (!assumed && isfinite(f->d.lo))
		j->runs_needed = fmax(j->runs_needed, units__least(u));
	/* Then there is a note of its own. */
	if (!too_few_for_ranks(f, logs))
		add_note(j, "no verdict on fewer than %zu %ss", units__least(u), u->name);
}

static void report(const struct finding *f, struct judgement *j)
{
	j->ratio = exp(f->d.value);
	j->lo = exp(f->d.lo);
	j->hi = exp(f->d.hi);
	j->lo90 = exp(f->lo90);
	j->hi90 = exp(f->hi90);
	j->p = f->d.p;
	j->df = f->d.df;
	j->method = f->method;
}

/* Without an error there is an estimate at best. */
static bool has_error(const struct units *u, bool logs, struct judgement *j)
{
	double before = stats__mean(u->before, u->nr_before);
	double after = stats__mean(u->after, u->nr_after);

	if (!u->few_common && u->nr_before > 1 && u->nr_after > 1)
		return true;
	j->ratio = logs ? exp(after - before) : finding__ratio(before, after);
	if (u->few_common) {
		add_note(j, "several hosts, and %s in common: error not known",
			 u->paired ? "one" : "none");
		return false;
	}
	add_note(j, "one run%s: error not known",
		 u->nr_before > 1  ? " after"
		 : u->nr_after > 1 ? " before"
				   : "");
	return false;
}

static void explain_ranks(const struct units *u, const struct judge_options *o, struct judgement *j)
{
	const size_t for_ranks = u->paired ? RANK_MIN_PAIRS : RANK_MIN_RUNS;
	const size_t least = o->class == METRIC_NOISY ? units__least(u) : 0;

	add_note(j, "too few %ss for ranks: %zu%s are the least", u->name,
		 least > for_ranks ? least : for_ranks, u->paired ? "" : " per side");
}

static void explain_finding(const struct units *u, bool logs, const struct finding *f,
			    const struct judge_options *o, struct judgement *j)
{
	if (!logs && isnan(f->d.lo))
		add_note(j, "a value is 0, which has no log: ranks, and no interval");
	else if (!logs)
		add_note(j, "0 in every run");
	else if (too_few_for_ranks(f, logs))
		explain_ranks(u, o, j);
	else if (f->d.se == 0 && o->class == METRIC_NOISY)
		add_note(j, "no spread within either side: is the clock too coarse?");
}

static int judge_units(const struct units *u, const struct judge_options *o, bool logs,
		       struct judgement *j)
{
	struct assumed se;
	struct finding f;
	double both;
	int err = units__estimate(u, &j->before, &j->after);

	if (err)
		return err;
	j->unit = u->name;
	j->units_before = u->nr_before;
	j->units_after = u->nr_after;
	if (u->paired && u->nr_alone)
		add_note(j, "%zu run%s without a partner left out", u->nr_alone,
			 plural(u->nr_alone));
	else if (u->hosts_alone)
		add_note(j, "%zu host%s that one side does not have left out, with %zu boot%s",
			 u->hosts_alone, plural(u->hosts_alone), u->boots_alone,
			 plural(u->boots_alone));
	else if (o->paired && !o->kernels_differ && !u->paired)
		add_note(j, "fewer than two pairs in common: analysed as unpaired");
	if (!has_error(u, logs, j))
		return 0;
	err = finding__make(u, o->robust, logs, &f);
	if (err)
		return err;
	explain_finding(u, logs, &f, o, j);
	se = assumed_se(u, o, !logs && f.d.se == 0);
	both = hypot(se.of_boots, se.of_hosts);
	finding__widen(&f, both);
	report(&f, j);
	decide(u, &f, o, both > 0, logs, j);
	explain_boots(u, o, &se, j);
	explain_hosts(u, o, &se, j);
	return 0;
}

int verdict__judge(const struct arm *before, const struct arm *after, const struct judge_options *o,
		   struct judgement *ret)
{
	struct judge_options options = *o;
	double lowest = INFINITY;
	struct units units;
	int err;

	*ret = (struct judgement){.verdict = VERDICT_NOT_COMPARABLE, .unit = "run", .method = ""};
	ret->ratio = ret->lo = ret->hi = ret->lo90 = ret->hi90 = NAN;
	ret->p = ret->df = ret->runs_needed = NAN;
	ret->before = ret->after = (struct estimate){0, NAN, NAN, NAN, NAN};
	if (!check_arm(before, "before", &lowest, ret) || !check_arm(after, "after", &lowest, ret))
		return 0;
	if (o->class == METRIC_EXACT) {
		if (is_constant(before) && is_constant(after)) {
			judge_exact(before, after, o, ret);
			return 0;
		}
		options.class = METRIC_REPEATABLE;
		add_note(ret, "should be constant but is not %s: tested as repeatable",
			 is_constant(before) ? "after" : "before");
	}
	err = units__build(before, after, &options, lowest > 0, &units);
	if (err)
		return err;
	ret->verdict = VERDICT_INCONCLUSIVE;
	err = judge_units(&units, &options, lowest > 0, ret);
	units__free(&units);
	return err;
}
