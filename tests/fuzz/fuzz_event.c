// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "perf/event.h"
#include "tests/fuzz/fuzz.h"

/* Stored trees, so that what is found here is found everywhere. */
static const struct event_env machines[] = {
	{"tests/data/sysfs-intel-hybrid", "tests/data/tracefs-6.12", "/proc"},
	{"tests/data/sysfs-amd", "tests/data/tracefs-6.1", "/proc"},
};

static void parse(const char *text, const struct event_env *env)
{
	struct event_list list, again;
	struct why why;

	if (event_list__parse(text, env, &list, &why))
		return;
	fuzz_assert(list.nr <= EVENT_LIST_MAX);
	for (int i = 0; i < list.nr; i++)
		fuzz_assert(list.events[i].name && list.events[i].unit);
	fuzz_assert(!event_list__parse(text, env, &again, &why) && again.nr == list.nr);
	event_list__free(&again);
	event_list__free(&list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);

	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		parse(text, &machines[i]);
	free(text);
	return 0;
}
