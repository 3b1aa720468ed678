// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/stat_exit.h"

#include <string.h>

#include "cmd/cmd.h"
#include "lib/interrupt.h"
#include "lib/log.h"
#include "lib/need.h"
#include "lib/result.h"

/* Sets ret[] to what the caller lacks of what reasons name, and of what nearly all runs need. */
static void find_missing(json_t *reasons, char *ret, size_t size)
{
	static const char *const named[] = {"CAP_NET_ADMIN", "CAP_SYS_ADMIN", "CAP_SYSLOG"};
	const char *reason;
	json_t *unused;

	need__missing(NEED_BPF, ret, size);
	for (size_t i = 0; i < sizeof(named) / sizeof(named[0]) && !ret[0]; i++)
		json_object_foreach(reasons, reason, unused)
			if (strstr(reason, named[i]))
				need__missing(named[i], ret, size);
}

/*
 * All was skipped. What the caller may not do is no property of the kernel: where a job of a CI
 * lacks the rights, it shall not be as green as where the kernel lacks the feature.
 */
static int skipped_code(json_t *reasons)
{
	char missing[128], remedy[512];

	find_missing(reasons, missing, sizeof(missing));
	if (!missing[0])
		return EXIT_SKIPPED;
	need__remedy(missing, remedy, sizeof(remedy));
	error("nothing could run without %s: %s ('bpfperf doctor' shows what is missing)", missing,
	      remedy);
	return EXIT_CANNOT;
}

int stat__exit_code(const json_t *result)
{
	const json_t *benchmark, *run;
	json_t *reasons = json_object();
	int ok = 0, failed = 0, code;
	size_t i, j;

	json_array_foreach(json_object_get(result, "benchmarks"), i, benchmark) {
		json_array_foreach(json_object_get(benchmark, "runs"), j, run) {
			ok += !strcmp(json__string(run, "status", ""), "ok");
			failed += !strcmp(json__string(run, "status", ""), "failed");
			json_object_set_new(reasons, json__string(run, "reason", ""), json_null());
		}
	}
	if (interrupt__signal())
		code = interrupt__exit_code(interrupt__signal());
	else if (failed)
		code = EXIT_CANNOT;
	else
		code = ok ? EXIT_DONE : skipped_code(reasons);
	json_decref(reasons);
	return code;
}
