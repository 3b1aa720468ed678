// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "tracepoints/rcu_tasks_trace_gp.h"

/* From a start to the next: until its end, while its callbacks are called, and after. */
#define STRETCHES 3

/* Halvings of the range in which a quantile lies: far below a nanosecond. */
#define BISECTIONS 64

/*
 * Callbacks queued over one span of time: their delays run evenly from `first`, of the earliest,
 * to `last`. A mixture of such spans, each weighted by its length, is the whole distribution.
 */
struct span {
	double weight, first, last;
};

static double share_below(const struct span *span, double delay)
{
	double lo = fmin(span->first, span->last), hi = fmax(span->first, span->last);

	if (delay >= hi)
		return 1;
	return delay <= lo ? 0 : (delay - lo) / (hi - lo);
}

static double quantile(const struct span *spans, size_t nr, double p, double max)
{
	double lo = 0, hi = max, total = 0;

	for (size_t i = 0; i < nr; i++)
		total += spans[i].weight;
	for (int n = 0; n < BISECTIONS; n++) {
		double middle = (lo + hi) / 2, below = 0;

		for (size_t i = 0; i < nr; i++)
			below += spans[i].weight * share_below(&spans[i], middle);
		if (below < p * total)
			lo = middle;
		else
			hi = middle;
	}
	return hi;
}

static bool is_usable(const struct grace_period *before, const struct grace_period *gp)
{
	return before->start_ns && gp->start_ns > before->start_ns && gp->end_ns >= gp->start_ns &&
	       gp->invoked_ns >= gp->end_ns && gp->number == before->number + 1;
}

/* Of the usual rate of deletes, what is left while callbacks are called. */
static double rate_beside(const struct grace_period *gp, double taken)
{
	if (gp->invoked_ns <= gp->end_ns)
		return 1;
	return fmax(0, 1 - taken * gp->calling_ns / ((double)gp->invoked_ns - gp->end_ns));
}

/* What was queued from the start of `before` to that of `gp`, in STRETCHES spans. */
static double add(struct gp_delay *sum, struct span *spans, const struct grace_period *before,
		  const struct grace_period *gp, double taken)
{
	double wait = (double)gp->end_ns - before->start_ns;
	double after = (double)gp->invoked_ns - gp->end_ns;
	double length = (double)gp->start_ns - before->start_ns;
	double end = fmin((double)before->end_ns - before->start_ns, length);
	double invoked = end + fmin(fdim(before->invoked_ns, before->end_ns), length - end);
	const double edge[] = {0, end, invoked, length};
	double total = length - (1 - rate_beside(before, taken)) * (invoked - end), ahead = 0;

	for (int i = 0; i < STRETCHES; i++) {
		struct span *span = &spans[i];

		span->weight = edge[i + 1] - edge[i];
		span->weight *= i == 1 ? rate_beside(before, taken) : 1;
		span->first = wait + after * ahead / total - edge[i];
		ahead += span->weight;
		span->last = wait + after * ahead / total - edge[i + 1];
		sum->max_ns = fmax(sum->max_ns, fmax(span->first, span->last));
		sum->mean_ns += span->weight * (span->first + span->last) / 2;
		sum->lo_mean_ns += span->weight * (wait - (edge[i] + edge[i + 1]) / 2);
		sum->hi_mean_ns += span->weight * (wait + after - (edge[i] + edge[i + 1]) / 2);
	}
	return total;
}

bool gp_delay__derive(const struct gp_window *window, double taken, struct gp_delay *ret)
{
	struct span *spans = calloc(STRETCHES * window->nr + 1, sizeof(*spans));
	double total = 0;

	*ret = (struct gp_delay){0};
	for (size_t i = 1; spans && i < window->nr; i++) {
		if (!is_usable(&window->gps[i - 1], &window->gps[i]))
			continue;
		total += add(ret, &spans[STRETCHES * ret->nr], &window->gps[i - 1], &window->gps[i],
			     taken);
		ret->nr++;
	}
	if (ret->nr) {
		ret->mean_ns /= total;
		ret->lo_mean_ns /= total;
		ret->hi_mean_ns /= total;
		ret->median_ns = quantile(spans, STRETCHES * ret->nr, 0.5, ret->max_ns);
		ret->p99_ns = quantile(spans, STRETCHES * ret->nr, 0.99, ret->max_ns);
	}
	free(spans);
	return ret->nr;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The smallest value with at least this share of all at or below it; of few, p99 is the largest. */
static double rank(const double *sorted, size_t nr, double p)
{
	size_t i = ceil(p * nr);

	return nr ? sorted[i ? i - 1 : 0] : NAN;
}

/* Means of what every grace period has, and of what only some have. */
static void add_means(const struct gp_window *window, struct gp_times *ret)
{
	size_t queued = 0, invoked = 0;

	for (size_t i = 0; i < window->nr; i++) {
		const struct grace_period *gp = &window->gps[i];

		for (int part = 0; gp->start_ns && part < NR_GP_PARTS; part++)
			ret->part_ns[part] += (double)gp->part_ns[part] / ret->nr;
		if (gp->callbacks >= 0) {
			ret->callbacks += gp->callbacks;
			queued++;
		}
		if (gp->invoked_ns) {
			ret->invoke_ns += gp->invoked_ns - gp->end_ns;
			invoked++;
		}
	}
	ret->callbacks = queued ? ret->callbacks / queued : NAN;
	ret->invoke_ns = invoked ? ret->invoke_ns / invoked : NAN;
}

int gp_times__derive(const struct gp_window *window, struct gp_times *ret)
{
	double *durations = calloc(window->nr + 1, sizeof(*durations)), sum = 0;

	*ret = (struct gp_times){0};
	if (!durations)
		return -ENOMEM;
	for (size_t i = 0; i < window->nr; i++) {
		if (!window->gps[i].start_ns)
			continue;
		durations[ret->nr++] = gp__duration(&window->gps[i]);
		sum += durations[ret->nr - 1];
	}
	qsort(durations, ret->nr, sizeof(*durations), ascending);
	ret->mean_ns = sum / ret->nr;
	ret->median_ns = rank(durations, ret->nr, 0.5);
	ret->p99_ns = rank(durations, ret->nr, 0.99);
	ret->min_ns = rank(durations, ret->nr, 0);
	ret->max_ns = rank(durations, ret->nr, 1);
	add_means(window, ret);
	free(durations);
	return 0;
}
