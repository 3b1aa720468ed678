// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/cmd.h"

#include <stdlib.h>

#include "lib/doctor.h"
#include "lib/host.h"
#include "lib/log.h"
#include "lib/render/render.h"
#include "lib/result.h"
#include "lib/why.h"
#include "perf/event_try.h"

static const struct help help = {
	.usage = "bpfperf doctor [options]",
	.text = "Says what this machine can measure, by trying it: programs are loaded, attached and\n"
		"run, events opened, and all of it is closed again. Each gap comes with the command\n"
		"that mends it, or with the statement that nothing does. Nothing is changed. Works\n"
		"without root as far as it can; the exit code is 0 also with gaps.\n",
	.examples =
		"    bpfperf doctor\n"
		"    bpfperf doctor -j | jq -r '.checks[] | select(.status == \"gap\").remedy'\n",
};

int cmd_doctor(int argc, const char **argv)
{
	const struct host_roots roots = HOST_ROOTS_DEFAULT;
	bool json = false;
	const struct option options[] = {OPT_BOOLEAN('j', "json", &json, "print JSON"), OPT_END()};
	struct why why = {0};
	json_t *report;

	if (cmd__parse(argc, argv, options, &help)) {
		error("'%.40s': doctor takes no words (see 'bpfperf doctor --help')", argv[0]);
		return EXIT_USAGE;
	}
	report = doctor__examine(&roots, event__try, &why);
	if (!report) {
		error("%s", why.text);
		return EXIT_CANNOT;
	}
	if (json) {
		char *text = result__dump(report);

		fputs(text ? text : "", stdout);
		free(text);
	} else {
		render__doctor(report, stdout);
	}
	json_decref(report);
	return fflush(stdout) ? EXIT_CANNOT : EXIT_DONE;
}
