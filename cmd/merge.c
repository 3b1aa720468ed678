// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/cmd.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmd/output.h"
#include "lib/document.h"
#include "lib/log.h"
#include "lib/merge.h"
#include "lib/plural.h"
#include "lib/result.h"

static const struct help help = {
	.usage = "bpfperf merge [options] FILE.json FILE.json...",
	.text = "Joins results of one kernel on several boots or hosts into one document, so that\n"
		"'bpfperf compare' takes the boot as its unit. What does not belong together is\n"
		"refused, with the field that differs.",
	.examples = "    bpfperf merge boot1.json boot2.json boot3.json -o before.json\n",
};

static int load_all(int nr, const char **files, json_t **documents, struct why *why)
{
	int err = 0;

	for (int i = 0; !err && i < nr; i++)
		err = document__load(files[i], NULL, &documents[i], why);
	return err;
}

static size_t count_runs(const json_t *document)
{
	const json_t *benchmark;
	size_t i, nr = 0;

	json_array_foreach(json_object_get(document, "benchmarks"), i, benchmark)
		nr += json_array_size(json_object_get(benchmark, "runs"));
	return nr;
}

static void print_part(const char *before, size_t nr, const char *noun)
{
	printf("%s%zu %s%s", before, nr, noun, plural(nr));
}

static void print_sum(const json_t *merged)
{
	print_part("", json_array_size(json_object_get(merged, "merged")), "document");
	print_part(", ", json_array_size(json_object_get(merged, "boots")), "boot");
	print_part(", ", json_array_size(json_object_get(merged, "benchmarks")), "benchmark");
	print_part(", ", count_runs(merged), "run");
	putchar('\n');
}

static int deliver(const json_t *merged, const char *output)
{
	char *text = result__dump(merged);
	struct why why;
	int err = 0;

	if (!text) {
		error("out of memory while writing the document");
		return EXIT_CANNOT;
	}
	if (!output)
		fputs(text, stdout);
	else if (output__save(output, text, &why))
		err = -1;
	else
		print_sum(merged);
	free(text);
	if (err)
		error("%s", why.text);
	if (fflush(stdout) || ferror(stdout)) {
		error("cannot write to stdout: %s", strerror(errno));
		err = -1;
	}
	return err ? EXIT_CANNOT : EXIT_DONE;
}

static bool is_input(int nr, const char **files, const char *output)
{
	struct stat in, out;

	if (!output || stat(output, &out) || !S_ISREG(out.st_mode))
		return false;
	for (int i = 0; i < nr; i++)
		if (!stat(files[i], &in) && in.st_dev == out.st_dev && in.st_ino == out.st_ino)
			return true;
	return false;
}

static int run(int nr, const char **files, const char *output)
{
	json_t **documents = calloc(nr + 1, sizeof(*documents));
	json_t *merged = NULL;
	struct why why = {0};
	int err = documents ? 0 : why__errno(&why, -ENOMEM, "merge"), code;

	err = err ?: output__check(output, &why);
	err = err ?: load_all(nr, files, documents, &why);
	err = err ?: merge__documents((const json_t *const *)documents, files, nr, &merged, &why);
	if (err)
		error("%s", why.text);
	code = err ? EXIT_CANNOT : deliver(merged, output);
	for (int i = 0; documents && i < nr; i++)
		json_decref(documents[i]);
	free(documents);
	json_decref(merged);
	return code;
}

int cmd_merge(int argc, const char **argv)
{
	const char *output = NULL;
	const struct option options[] = {
		OPT_STRING('o', "output", &output, "FILE",
			   "write the document there; the default is stdout"),
		OPT_END()};
	int nr = cmd__parse(argc, argv, options, &help);

	if (nr < 2) {
		error("merge joins two documents or more");
		return EXIT_USAGE;
	}
	if (is_input(nr, argv, output)) {
		error("-o '%s' is one of the documents to join, and would be lost", output);
		return EXIT_USAGE;
	}
	return run(nr, argv, output);
}
