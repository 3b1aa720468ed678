// SPDX-License-Identifier: GPL-2.0-only
/*
 * plain_loop CPU SECONDS: what count-local does, without any harness: atomic additions by one
 * pinned thread, and the clock between batches. Prints additions per second.
 */
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static uint64_t counter __attribute__((aligned(128)));

static double rate(double seconds)
{
	double start = now(), end;
	uint64_t before = counter;

	do {
		for (int i = 0; i < 500000; i++)
			__atomic_fetch_add(&counter, 1, __ATOMIC_RELAXED);
		end = now();
	} while (end - start < seconds);
	return (counter - before) / (end - start);
}

int main(int argc, char **argv)
{
	cpu_set_t cpus;

	if (argc != 3)
		return 129;
	CPU_ZERO(&cpus);
	CPU_SET(atoi(argv[1]), &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus))
		return 2;
	rate(0.2);
	printf("%.0f\n", rate(atof(argv[2])));
	return 0;
}
