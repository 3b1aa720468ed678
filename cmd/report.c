// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/cmd.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/arms.h"
#include "lib/document.h"
#include "lib/log.h"
#include "lib/render/render.h"
#include "lib/result.h"

struct report_options {
	const char *separator;
	bool json, intervals, per_thread, quiet;
};

static const struct help help = {
	.usage = "bpfperf report [options] FILE.json",
	.text = "Prints a stored result as 'bpfperf stat' printed it, or in another form. '-' is\n"
		"standard input.",
	.examples = "    bpfperf report before.json\n"
		    "    bpfperf report --intervals --per-thread before.json\n"
		    "    bpfperf report -x , sweep.json >sweep.csv\n",
};

static void print_json(const json_t *document)
{
	char *text = result__dump(document);

	if (text)
		fputs(text, stdout);
	free(text);
}

static void print(const struct report_options *options, const json_t *document, const char *file)
{
	const json_t *warning;
	size_t i;

	if (options->json) {
		print_json(document);
	} else if (options->separator) {
		render__csv(document, options->separator, stdout);
	} else {
		render__stat(document, stdout);
		arms__print(document, file, stdout);
		if (options->per_thread)
			render__per_thread(document, stdout);
		if (options->intervals)
			render__intervals(document, stdout);
	}
	fflush(stdout);
	json_array_foreach(json_object_get(document, "warnings"), i, warning) {
		if (options->quiet)
			break;
		fputs("bpfperf: warning: ", stderr);
		render__string(stderr, json__string(warning, "text", "?"));
		fputc('\n', stderr);
	}
}

int cmd_report(int argc, const char **argv)
{
	struct report_options o = {0};
	const struct option options[] = {
		OPT_BOOLEAN('j', "json", &o.json, "print the document"),
		OPT_STRING('x', "field-separator", &o.separator, "SEP",
			   "print rows with this separator"),
		OPT_BOOLEAN(0, "intervals", &o.intervals, "print the intervals of the runs too"),
		OPT_BOOLEAN(0, "per-thread", &o.per_thread, "print the counters of each producer"),
		OPT_BOOLEAN('q', "quiet", &o.quiet, "no warnings"),
		OPT_END()};
	int nr = cmd__parse(argc, argv, options, &help);
	struct why why = {0};
	json_t *document;

	if (nr != 1 || (o.json && o.separator)) {
		error(nr != 1 ? "report prints one document" : "-j and -x exclude each other");
		return EXIT_USAGE;
	}
	if (cmd__check_separator(o.separator, &why)) {
		error("%s", why.text);
		return EXIT_USAGE;
	}
	if (document__load(argv[0], NULL, &document, &why)) {
		error("%s", why.text);
		return EXIT_CANNOT;
	}
	print(&o, document, argv[0]);
	json_decref(document);
	if (!ferror(stdout))
		return EXIT_DONE;
	error("cannot write to stdout: %s", strerror(errno));
	return EXIT_CANNOT;
}
