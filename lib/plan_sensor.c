// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>

#include "lib/plan.h"
#include "lib/sensor.h"
#include "lib/suggest.h"
#include "lib/trigger.h"

static int unknown_sensor(const char *name, struct why *why)
{
	struct suggest suggest = {.word = name};
	const struct sensor *const *pos;
	char near[160];

	for_each_sensor(pos)
		suggest__offer(&suggest, (*pos)->name);
	suggest__format(&suggest, near, sizeof(near));
	return why__set(why, -EINVAL, "unknown tracer '%.80s'%s%s ('bpfperf list' has them)", name,
			near[0] ? ": " : "", near);
}

static int append_sensor(struct run_sensor **list, int *nr, const struct sensor *ops, void *config)
{
	struct run_sensor *longer = reallocarray(*list, *nr + 1, sizeof(*longer));

	if (!longer)
		return -ENOMEM;
	*list = longer;
	longer[(*nr)++] = (struct run_sensor){.ops = ops, .config = config};
	return 0;
}

int plan__add_sensor(struct plan *plan, enum run_role role, const char *name, const char *spec,
		     struct why *why)
{
	const struct sensor *ops = sensor__find(name);
	void *config = NULL;
	int err;

	if (!ops)
		return unknown_sensor(name, why);
	err = ops->parse(spec, &config, why);
	if (err)
		return err;
	/* The words were understood: an EINVAL of the kernel is not the user's. */
	if (ops->probe && (err = ops->probe(config, why)) == -EINVAL)
		err = -ENOTSUP;
	if (!err && role == ROLE_EVIDENCE)
		err = append_sensor(&plan->evidence, &plan->nr_evidence, ops, config);
	else if (!err)
		err = append_sensor(&plan->sensors, &plan->nr_sensors, ops, config);
	if (err && ops->free_config)
		ops->free_config(config);
	return err;
}

/* The trigger that a point will have: the one that works, or the one that was asked for. */
static const struct trigger *trigger_of(const struct point *point)
{
	const struct trigger *trigger = point->trigger;

	for (size_t i = 0; !trigger && point->trigger_name && i < trigger__count(); i++)
		if (trigger__matches(trigger__at(i), point->trigger_name))
			trigger = trigger__at(i);
	return trigger;
}

int plan__check_pairs(const struct plan *plan, struct why *why)
{
	for (int i = 0; i < plan->nr_evidence; i++) {
		const struct run_sensor *sensor = &plan->evidence[i];

		if (!sensor->ops->skippable || !sensor->ops->skippable(sensor->config))
			continue;
		for (int j = 0; j < plan->nr_points; j++) {
			const struct trigger *trigger = trigger_of(&plan->points[j]);

			if (trigger && trigger->skippable)
				return why__set(
					why, -EINVAL,
					"trigger '%s' and this use of tracer '%s' exclude each other: the "
					"kernel skips the programs of one while the other's run (--trigger "
					"prog-run, fentry, tp-btf or raw-tp)",
					trigger->name, sensor->ops->name);
		}
	}
	return 0;
}
