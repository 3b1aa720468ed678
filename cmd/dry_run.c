// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/dry_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmd/cmd.h"
#include "lib/log.h"
#include "lib/plan.h"
#include "lib/plural.h"
#include "lib/result.h"
#include "lib/sensor.h"
#include "lib/trigger.h"

/* Load, control loops and calibration of a run: some 0.2 s on a machine that does nothing else. */
#define SETUP_NS 200000000ULL

static void print_role(FILE *out, const char *before, int nr, const char *role)
{
	fprintf(out, "%s%d %srun%s", before, nr, role, plural(nr));
}

static void print_clean(FILE *out, const struct plan *plan)
{
	int arms = plan->vs.wanted ? 2 : 1;

	print_role(out, "    ", plan->repeats, "");
	if (arms > 1)
		fputs(" of each arm", out);
	if (plan->precision.width)
		fputs(" as a pilot", out);
	fprintf(out, " x %g s after %g s of warm-up", plan->duration_ns / 1e9,
		plan->warmup_ns / 1e9);
}

/* The runs of a point that are not clean, and what they have. */
static void print_other(FILE *out, const struct plan *plan)
{
	if (plan->bare_runs)
		fputs("    as many without counters\n", out);
	if (!plan->evidence_runs)
		return;
	print_role(out, "    ", plan->evidence_runs, "evidence ");
	fprintf(out, " of the same length, with tracer%s", plural(plan->nr_evidence));
	for (int i = 0; i < plan->nr_evidence; i++)
		fprintf(out, "%s%s", i ? ", " : " ", plan->evidence[i].ops->name);
	fputc('\n', out);
}

static void print_point(FILE *out, const struct plan *plan, const struct point *point)
{
	char trigger[64], cpus[CPULIST_TEXT_SIZE];

	fprintf(out, "%s\n", point->key);
	print_clean(out, plan);
	if (plan->affinity) {
		cpulist__format(&plan->prod_cpus, cpus, sizeof(cpus));
		fprintf(out, ", on CPUs %s", cpus);
	}
	if (point->skip.text[0]) {
		fprintf(out, "\n    cannot run: %s\n", point->skip.text);
		return;
	}
	if (point->trigger)
		trigger__describe(point->trigger, trigger, sizeof(trigger));
	fprintf(out, ", %s%s\n", point->trigger ? "trigger " : "in user space",
		point->trigger ? trigger : "");
	print_other(out, plan);
}

static double seconds_in_all(const struct plan *plan)
{
	return (plan__measured_ns(plan) + plan__runs(plan) * SETUP_NS) / 1e9;
}

/* "14.4 s", with so many decimals, or "7 h 36 min". */
static void print_seconds(FILE *out, double seconds, int decimals)
{
	long minutes = lround(seconds / 60);

	if (seconds > 3600)
		fprintf(out, "%ld h %ld min", minutes / 60, minutes % 60);
	else
		fprintf(out, "%.*f s", decimals, seconds);
}

static void print_sum(FILE *out, const struct plan *plan)
{
	int evidence = plan__runs_of(plan, ROLE_EVIDENCE), bare = plan__runs_of(plan, ROLE_BARE);

	if (!plan__runs(plan)) {
		fputs("nothing can run here\n", out);
		return;
	}
	print_role(out, "", plan__runs(plan), "");
	if (evidence || bare) {
		fprintf(out, " (%d clean", plan__runs_of(plan, ROLE_CLEAN));
		if (bare)
			fprintf(out, ", %d bare", bare);
		if (evidence)
			fprintf(out, ", %d evidence", evidence);
		fputc(')', out);
	}
	fprintf(out, " in random blocks, seed %llu, ", (unsigned long long)plan->seed);
	print_seconds(out, plan__measured_ns(plan) / 1e9, 1);
	fputs(" of measuring, about ", out);
	print_seconds(out, seconds_in_all(plan), 0);
	fputs(" in all\n", out);
	if (plan->precision.width)
		fprintf(out, "then as many more as the precision needs, for %g s at most\n",
			plan->precision.max_ns / 1e9);
}

static void print_text(FILE *out, const struct plan *plan, const char *no_evidence)
{
	for (int i = 0; i < plan->nr_points; i++)
		print_point(out, plan, &plan->points[i]);
	if (no_evidence[0])
		fprintf(out, "no evidence runs: %s\n", no_evidence);
	print_sum(out, plan);
}

int dry_run__print(const struct plan *plan, bool json, const char *no_evidence)
{
	json_t *doc;
	char *text;

	if (!json) {
		print_text(stdout, plan, no_evidence);
		return EXIT_DONE;
	}
	doc = result__plan(plan);
	if (doc && no_evidence[0])
		result__no_evidence(doc, no_evidence);
	text = doc ? result__dump(doc) : NULL;
	json_decref(doc);
	if (!text) {
		error("out of memory while writing the plan");
		return EXIT_CANNOT;
	}
	fputs(text, stdout);
	free(text);
	return EXIT_DONE;
}
