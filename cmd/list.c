// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/cmd.h"

#include <stdlib.h>
#include <string.h>

#include "lib/bench.h"
#include "lib/execute.h"
#include "lib/inventory.h"
#include "lib/log.h"
#include "lib/render/render.h"
#include "lib/result.h"

static const struct help help = {
	.usage = "bpfperf list [options] [BENCH...]",
	.text = "Lists benchmarks with their parameters, metrics and checks, and whether this kernel\n"
		"can run them. Each is tried: loaded, and one small batch of it run.",
	.examples = "    bpfperf list\n"
		    "    bpfperf list -v hashmap-full\n"
		    "    bpfperf list -j | jq -r '.benchmarks[].name'\n",
};

int cmd_list(int argc, const char **argv)
{
	bool json = false, verbose = false;
	const struct option options[] = {
		OPT_BOOLEAN('j', "json", &json, "print JSON"),
		OPT_BOOLEAN('v', "verbose", &verbose, "parameters and metrics of all"), OPT_END()};
	struct why why = {0};
	json_t *inventory;
	int words = cmd__parse(argc, argv, options, &help);

	inventory = inventory__new(argv, words, &why);
	if (!inventory) {
		error("%s", why.text);
		return why.text[0] ? EXIT_USAGE : EXIT_CANNOT;
	}
	if (json) {
		char *text = result__dump(inventory);

		fputs(text ? text : "", stdout);
		free(text);
	} else {
		render__list(inventory, verbose || words, stdout);
	}
	json_decref(inventory);
	if (!fflush(stdout) && !ferror(stdout))
		return EXIT_DONE;
	error("cannot write to stdout");
	return EXIT_CANNOT;
}
