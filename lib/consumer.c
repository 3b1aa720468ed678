// SPDX-License-Identifier: GPL-2.0-only
#include "lib/consumer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/bench.h"
#include "lib/plan.h"
#include "lib/thread.h"

static void *consumer_main(void *arg)
{
	struct consumer *consumer = arg;
	struct run *run = consumer->run;
	int got;

	do {
		/* Before the call: what came before the end is then taken by this one. */
		bool ended = atomic_load(&run->producers_ended);

		got = run->bench->consume(consumer);
		if (got > 0)
			consumer->consumed += got;
		if (ended && got == 0)
			break;
	} while (got >= 0);
	if (got < 0)
		consumer->err = got;
	return NULL;
}

int consumer__start_all(struct run *run)
{
	char name[32];
	int err;

	if (!run->nr_consumers)
		return 0;
	run->consumers = calloc(run->nr_consumers, sizeof(*run->consumers));
	if (!run->consumers)
		return why__errno(&run->why, -ENOMEM, "cannot start the consumers");
	for (int i = 0; i < run->nr_consumers; i++) {
		struct consumer *consumer = &run->consumers[i];

		consumer->run = run;
		consumer->index = i;
		consumer->cpu = plan__consumer_cpu(run->plan, run->point, i);
		snprintf(name, sizeof(name), "consumer/%d", i);
		err = thread__start(&consumer->thread, name, consumer->cpu, consumer_main,
				    consumer);
		if (err)
			return why__errno(&run->why, err, "cannot start consumer %d on CPU %d", i,
					  consumer->cpu);
	}
	return 0;
}

int consumer__join_all(struct run *run)
{
	int err = 0;

	atomic_store(&run->producers_ended, true);
	for (int i = 0; i < run->nr_consumers; i++) {
		pthread_join(run->consumers[i].thread, NULL);
		if (run->consumers[i].err)
			err = why__errno(&run->why, run->consumers[i].err, "consumer %d", i);
	}
	return err;
}
