// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/multiple.h"
#include "lib/verdict.h"

static bool is_change(enum verdict verdict)
{
	return verdict == VERDICT_REGRESSED || verdict == VERDICT_IMPROVED;
}

static void withdraw(struct judgement *j, double raw, size_t nr_tested)
{
	size_t used = strlen(j->note);

	j->verdict = VERDICT_INCONCLUSIVE;
	snprintf(j->note + used, sizeof(j->note) - used,
		 "%sp = %.2g alone, but %.2g among %zu primary metrics (Holm)", used ? "; " : "",
		 raw, j->p, nr_tested);
}

int verdict__holm(struct judgement *family, size_t nr)
{
	double *p = calloc(nr ? nr : 1, sizeof(*p));
	size_t nr_tested = 0;
	int err;

	if (!p)
		return -ENOMEM;
	for (size_t i = 0; i < nr; i++) {
		p[i] = family[i].p;
		nr_tested += !isnan(p[i]);
	}
	err = multiple__holm(p, nr, p);
	for (size_t i = 0; !err && i < nr; i++) {
		double raw = family[i].p;

		family[i].p = p[i];
		if (is_change(family[i].verdict) && p[i] > VERDICT_ALPHA)
			withdraw(&family[i], raw, nr_tested);
	}
	free(p);
	return err;
}

static bool has_moved(const struct secondary *s, double min_ratio)
{
	double ratio = s->judgement->ratio;

	return s->q <= VERDICT_ALPHA && fabs(log(ratio)) >= log1p(min_ratio) &&
	       fabs(s->change) >= s->floor;
}

int verdict__moved(struct secondary *family, size_t nr, double min_ratio)
{
	double *p = calloc(nr ? nr : 1, sizeof(*p));
	int err;

	if (!p)
		return -ENOMEM;
	for (size_t i = 0; i < nr; i++)
		p[i] = family[i].judgement->p;
	err = multiple__benjamini_hochberg(p, nr, p);
	for (size_t i = 0; !err && i < nr; i++) {
		family[i].q = p[i];
		family[i].moved = has_moved(&family[i], min_ratio);
	}
	free(p);
	return err;
}
