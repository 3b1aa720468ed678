/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_TESTS_UNIT_JUDGED_H
#define BPFPERF_TESTS_UNIT_JUDGED_H

#include <string.h>

#include "lib/verdict.h"
#include "tests/unit/sides.h"
#include "tests/unit/unit.h"

/* Two sides of known noise, judged. */

#define MAX_RUNS 64

/* Five runs with a CV of 0.45 %, ten with 0.5 %, of which the values below are multiples. */
#define NOISE_5                                   \
	{                                         \
		0.995, 1.002, 1.006, 0.998, 0.999 \
	}
#define NOISE_10                                                                   \
	{                                                                          \
		0.993, 1.004, 1.006, 0.997, 0.999, 1.001, 1.008, 0.994, 1.0, 0.998 \
	}

static const double noise_5[] = NOISE_5, noise_10[] = NOISE_10;

/* Times, lower is better, one kernel, not paired. */
static const struct judge_options defaults = {.min_effect = 0.01, .assumed_boot_sd = 0.02};

struct runs {
	struct observation of[MAX_RUNS];
	size_t nr;
};

static inline struct runs runs_of(double level, const double *noise, size_t nr)
{
	struct runs runs = {.nr = nr};

	for (size_t i = 0; i < nr; i++)
		runs.of[i] = (struct observation){.value = level * noise[i], .block = -1};
	return runs;
}

static inline struct judgement judge(const struct runs *before, const struct runs *after,
				     const struct judge_options *o)
{
	const struct arm a = {before->of, before->nr}, b = {after->of, after->nr};
	struct judgement j;

	ck_assert_int_eq(verdict__judge(&a, &b, o, &j), 0);
	ck_assert(!memchr(j.note, '\n', sizeof(j.note)));
	expect_ratio_of_sides(&j, o->robust);
	return j;
}

/* Of single values on either side. */
static inline struct judgement judge_values(const double *x, size_t nx, const double *y, size_t ny,
					    const struct judge_options *o)
{
	struct runs before = runs_of(1, x, nx), after = runs_of(1, y, ny);

	return judge(&before, &after, o);
}

static inline void expect_verdict(const struct judgement *j, enum verdict want)
{
	ck_assert_msg(j->verdict == want, "%s instead of %s: %g (%g .. %g), p %g, %s",
		      verdict__name(j->verdict), verdict__name(want), j->ratio, j->lo, j->hi, j->p,
		      j->note);
}

static inline void expect_note(const struct judgement *j, const char *part)
{
	ck_assert_msg(strstr(j->note, part) != NULL, "no '%s' in '%s'", part, j->note);
}

#endif
