// SPDX-License-Identifier: GPL-2.0-only
#include "lib/random.h"

#include <sys/random.h>
#include <time.h>

/* SplitMix64 (Steele, Lea, Flood 2014): any seed is good, and 64 bits of state are enough here. */
uint64_t random__next(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15ULL);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

uint64_t random__below(uint64_t *state, uint64_t bound)
{
	uint64_t limit = UINT64_MAX - UINT64_MAX % bound, value;

	do {
		value = random__next(state);
	} while (value >= limit);
	return value % bound;
}

uint64_t random__seed(void)
{
	struct timespec now;
	uint64_t seed;

	if (getrandom(&seed, sizeof(seed), GRND_NONBLOCK) != sizeof(seed)) {
		clock_gettime(CLOCK_REALTIME, &now);
		seed = now.tv_sec * 1000000007ULL + now.tv_nsec;
	}
	return seed >> 11;
}
