// SPDX-License-Identifier: GPL-2.0-only
#include "lib/pulse.h"

#include <sys/mman.h>

#include "lib/clock.h"

/* A process is one run at most. */
static struct pulse *own;

struct pulse *pulse__new(void)
{
	struct pulse *pulse = mmap(NULL, sizeof(*pulse), PROT_READ | PROT_WRITE,
				   MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (pulse == MAP_FAILED)
		return NULL;
	atomic_store(&pulse->phase, PULSE_LOAD);
	atomic_store(&pulse->beat_ns, clock__now());
	return pulse;
}

void pulse__free(struct pulse *pulse)
{
	if (pulse)
		munmap(pulse, sizeof(*pulse));
}

void pulse__adopt(struct pulse *pulse)
{
	own = pulse;
}

void pulse__beat(void)
{
	if (own)
		atomic_store(&own->beat_ns, clock__now());
}

/* The beat comes first: seen alone, it only puts the old phase's end off. */
void pulse__enter(enum pulse_phase phase)
{
	pulse__beat();
	if (own)
		atomic_store(&own->phase, phase);
}

uint64_t pulse__deadline(const struct pulse *pulse, uint64_t measured_ns)
{
	int phase = atomic_load(&pulse->phase);

	return atomic_load(&pulse->beat_ns) + PULSE_GRACE_NS +
	       (phase == PULSE_MEASURE ? measured_ns : 0);
}

const char *pulse__doing(const struct pulse *pulse)
{
	static const char *const words[] = {
		[PULSE_LOAD] = "loading its programs", [PULSE_FILL] = "filling its maps",
		[PULSE_OPEN] = "starting its sensors", [PULSE_CALIBRATE] = "calibrating",
		[PULSE_MEASURE] = "measuring",	       [PULSE_CHECK] = "checking its result",
	};

	return words[atomic_load(&pulse->phase)];
}
