// SPDX-License-Identifier: GPL-2.0-only
#include "lib/thread.h"

#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

/* CPU numbers may exceed what a cpu_set_t holds (1024). */
static void pin(pthread_attr_t *attr, int cpu)
{
	size_t size = CPU_ALLOC_SIZE(cpu + 1);
	cpu_set_t *cpus = CPU_ALLOC(cpu + 1);

	if (!cpus)
		return;
	CPU_ZERO_S(size, cpus);
	CPU_SET_S(cpu, size, cpus);
	pthread_attr_setaffinity_np(attr, size, cpus);
	CPU_FREE(cpus);
}

int thread__start(pthread_t *ret, const char *name, int cpu, void *(*main)(void *), void *arg)
{
	pthread_attr_t attr;
	char cut[16];
	int err;

	pthread_attr_init(&attr);
	if (cpu >= 0)
		pin(&attr, cpu);
	err = pthread_create(ret, &attr, main, arg);
	pthread_attr_destroy(&attr);
	if (err)
		return -err;
	snprintf(cut, sizeof(cut), "%s", name);
	pthread_setname_np(*ret, cut);
	return 0;
}

int thread__open_schedstat(void)
{
	return open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
}

/* Time on the CPU, time waited for one, number of turns. */
int64_t thread__wait_ns(int schedstat_fd)
{
	char text[80];
	ssize_t got = pread(schedstat_fd, text, sizeof(text) - 1, 0);
	int64_t ns;

	if (got <= 0)
		return -1;
	text[got] = '\0';
	return sscanf(text, "%*u %" SCNd64, &ns) == 1 ? ns : -1;
}
