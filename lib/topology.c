// SPDX-License-Identifier: GPL-2.0-only
#include "lib/topology.h"

#include <errno.h>
#include <sched.h>

#include "lib/why.h"

int topology__online(const char *sysfs_root, struct cpulist *ret, struct why *why)
{
	return cpulist__read(ret, why, "%s/devices/system/cpu/online", sysfs_root);
}

static int list_of_mask(const cpu_set_t *mask, size_t size, int nr, struct cpulist *ret)
{
	struct cpulist list = {0};
	int err = 0;

	for (int cpu = 0; !err && cpu < nr; cpu++)
		if (CPU_ISSET_S(cpu, size, mask))
			err = cpulist__append(&list, cpu);
	if (err)
		cpulist__free(&list);
	else
		*ret = list;
	return err;
}

/* -EINVAL if the kernel's own mask is longer than `nr` CPUs. */
static int get_affinity(int nr, struct cpulist *ret)
{
	cpu_set_t *mask = CPU_ALLOC(nr);
	size_t size = CPU_ALLOC_SIZE(nr);
	int err;

	if (!mask)
		return -ENOMEM;
	CPU_ZERO_S(size, mask);
	err = sched_getaffinity(0, size, mask) ? -errno : list_of_mask(mask, size, nr, ret);
	CPU_FREE(mask);
	return err;
}

int topology__affinity(struct cpulist *ret, struct why *why)
{
	struct cpulist list;
	int err = -EINVAL;

	/* A kernel built for more CPUs than cpu_set_t holds refuses the short mask. */
	for (int nr = CPU_SETSIZE; err == -EINVAL && nr <= 64 * CPU_SETSIZE; nr *= 2)
		err = get_affinity(nr, &list);
	if (err)
		return why__errno(why, err, "cannot read the CPU affinity");
	*ret = list;
	return 0;
}

int topology__allowed(const char *sysfs_root, struct cpulist *ret, struct why *why)
{
	struct cpulist online, affinity, list;
	int err;

	err = topology__online(sysfs_root, &online, why);
	if (err)
		return err;
	err = topology__affinity(&affinity, why);
	if (err)
		goto free_online;
	err = cpulist__intersect(&affinity, &online, &list);
	if (err) {
		why__errno(why, err, "cannot list the allowed CPUs");
	} else if (!list.nr) {
		cpulist__free(&list);
		err = why__set(why, -ENODEV, "no CPU of the affinity mask is online");
	} else {
		*ret = list;
	}
	cpulist__free(&affinity);
free_online:
	cpulist__free(&online);
	return err;
}
