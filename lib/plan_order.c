// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "lib/document.h"
#include "lib/plan.h"
#include "lib/random.h"
#include "lib/why.h"

static int nr_blocks(const struct plan *plan)
{
	return plan->repeats > plan->evidence_runs ? plan->repeats : plan->evidence_runs;
}

/* One clean run of a point; with equal arms a pair of them. */
static int fill_clean(const struct plan *plan, int point, int block, struct step *steps)
{
	bool same = plan->vs.wanted && !plan->vs.param[0];

	for (int i = 0; i <= same; i++)
		steps[i] = (struct step){.point = point,
					 .role = ROLE_CLEAN,
					 .n = same ? 2 * block + i : block,
					 .block = block,
					 .arm = same ? i : plan->points[point].arm};
	return 1 + same;
}

/*
 * The steps of one block: each point once clean, and from block `first_evidence` on once for
 * evidence.
 */
static int fill_block(const struct plan *plan, int block, int first_evidence, struct step *steps)
{
	int nr = 0;

	for (int i = 0; block < plan->repeats && i < plan->nr_points; i++) {
		nr += fill_clean(plan, i, block, &steps[nr]);
		if (plan->bare_runs)
			steps[nr++] = (struct step){.point = i,
						    .role = ROLE_BARE,
						    .n = block,
						    .block = block,
						    .arm = plan->points[i].arm};
	}
	for (int i = 0; block >= first_evidence && i < plan->nr_points; i++)
		steps[nr++] = (struct step){.point = i,
					    .role = ROLE_EVIDENCE,
					    .n = block - first_evidence,
					    .block = block,
					    .arm = plan->points[i].arm};
	return nr;
}

/* Within a block the order is drawn: drift hits all points, roles and arms alike. */
static void order_block(struct plan *plan, int block, int first_evidence)
{
	struct step *steps = &plan->steps[plan->nr_steps];
	int nr = fill_block(plan, block, first_evidence, steps);

	for (int i = nr - 1; i > 0; i--) {
		int j = random__below(&plan->order_state, i + 1);
		struct step other = steps[j];

		steps[j] = steps[i];
		steps[i] = other;
	}
	plan->nr_steps += nr;
}

/* Most steps of a block: a pair of arms and a bare run of each point, and its evidence. */
#define STEPS_PER_POINT 4

static int order_steps(struct plan *plan)
{
	int blocks = nr_blocks(plan);

	free(plan->steps);
	plan->nr_steps = 0;
	plan->order_state = plan->seed;
	plan->steps =
		calloc((size_t)plan->nr_points * blocks * STEPS_PER_POINT, sizeof(*plan->steps));
	if (!plan->steps)
		return -ENOMEM;
	for (int block = 0; block < blocks; block++)
		order_block(plan, block, blocks - plan->evidence_runs);
	return 0;
}

int plan__extend(struct plan *plan, int repeats)
{
	int first = nr_blocks(plan), nr = repeats - plan->repeats;
	size_t size = plan->nr_steps + (size_t)plan->nr_points * nr * STEPS_PER_POINT;
	struct step *steps = reallocarray(plan->steps, size, sizeof(*steps));

	if (!steps)
		return -ENOMEM;
	plan->steps = steps;
	plan->repeats = first + nr;
	for (int block = first; block < first + nr; block++)
		order_block(plan, block, INT_MAX);
	plan->repeats = repeats;
	return 0;
}

static int check_threads(const struct plan *plan, struct why *why)
{
	for (int i = 0; i < plan->nr_points; i++) {
		int producers = plan->points[i].nr_producers,
		    runs = plan->nr_steps / plan->nr_points;

		if (runs <= DOCUMENT_MAX_THREADS / producers)
			continue;
		return why__set(
			why, -EINVAL,
			"-r, -p: %d runs of %d producers are too many for a document; of so "
			"many producers it can have %d",
			runs, producers, DOCUMENT_MAX_THREADS / producers);
	}
	return 0;
}

/* Interval 0 begins at tick 0. */
static int check_intervals(const struct plan *plan, struct why *why)
{
	int64_t intervals = plan__ticks(plan) - 1, most = DOCUMENT_MAX_INTERVALS / plan->nr_steps;

	if (intervals <= most)
		return 0;
	if (!most)
		return why__set(why, -EINVAL,
				"-r: %d runs are too many for a document, which can "
				"have %d intervals in all",
				plan->nr_steps, DOCUMENT_MAX_INTERVALS);
	return why__set(why, -EINVAL,
			"-I: %lld intervals in each of %d runs are too many for a document; it can "
			"have %lld in each (-I %.0f)",
			(long long)intervals, plan->nr_steps, (long long)most,
			ceil((plan->warmup_ns + plan->duration_ns) / 1e6 / most));
}

int plan__check_size(const struct plan *plan, struct why *why)
{
	return check_threads(plan, why) ?: check_intervals(plan, why);
}

int plan__most_repeats(const struct plan *plan)
{
	int evidence = plan->nr_points * plan->evidence_runs;
	int per_block = (plan->nr_steps - evidence) / plan->repeats;
	int64_t intervals = plan__ticks(plan) - 1,
		most = (DOCUMENT_MAX_INTERVALS / intervals - evidence) / per_block;

	for (int i = 0; i < plan->nr_points; i++) {
		int64_t runs = DOCUMENT_MAX_THREADS / plan->points[i].nr_producers,
			fit = (runs - plan->evidence_runs) / (per_block / plan->nr_points);

		most = fit < most ? fit : most;
	}
	return most;
}

int plan__set_roles(struct plan *plan, int evidence_runs, bool bare)
{
	plan->evidence_runs = evidence_runs;
	plan->bare_runs = bare;
	return order_steps(plan);
}
