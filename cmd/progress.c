// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "lib/bench.h"
#include "lib/clock.h"
#include "lib/plan.h"

void progress__start(struct progress *progress, const struct plan *plan, bool quiet)
{
	progress->plan = plan;
	progress->shown = !quiet && isatty(STDERR_FILENO);
	progress->start_ns = clock__now();
}

/* Set-up takes its time too: what past steps took says more than the plan, once there are some. */
static double seconds_left(const struct progress *progress, int step)
{
	int left = progress->plan->nr_steps - step;
	uint64_t spent = clock__now() - progress->start_ns;

	if (step)
		return left * (spent / 1e9 / step);
	return plan__measured_ns(progress->plan) / 1e9;
}

void progress__step(struct progress *progress, int step)
{
	const struct plan *plan = progress->plan;

	if (!progress->shown)
		return;
	fprintf(stderr, "\r\033[K%s  run %d of %d, %.0f s left",
		plan->points[plan->steps[step].point].bench->name, step + 1, plan->nr_steps,
		seconds_left(progress, step));
	fflush(stderr);
}

void progress__end(struct progress *progress)
{
	if (progress->shown)
		fputs("\r\033[K", stderr);
}
