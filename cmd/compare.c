// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/cmd.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmd/output.h"
#include "lib/compare.h"
#include "lib/compare_runs.h"
#include "lib/document.h"
#include "lib/log.h"
#include "lib/render/render.h"
#include "lib/result.h"

struct compare_command {
	const char *min_effect, *by, *fail_on, *output;
	bool json, require_conclusive;
	bool fail_regression, fail_change, fail_inconclusive;
	struct compare_options options;
};

/* The documents that were named, and the sides that they make. */
struct inputs {
	json_t *documents[COMPARE_MAX_SIDES];
	struct compare_side sides[COMPARE_MAX_SIDES];
	size_t nr_documents, nr_sides;
	json_t *owner;
};

static const struct help help = {
	.usage = "bpfperf compare [options] BEFORE.json AFTER.json...\n"
		 "       bpfperf compare [options] [--by PARAM] FILE.json",
	.text = "Says whether the second result is slower, faster, proven equal, or whether that cannot\n"
		"be told and how many runs would decide it; and exits accordingly. Within one document\n"
		"it compares the values of a parameter, or the arms of 'stat --vs'. Three and more\n"
		"documents or values make a matrix. '-' is standard input.",
	.examples =
		"    bpfperf compare before.json after.json\n"
		"    bpfperf compare --min-effect 3% --require-conclusive before.json after.json\n"
		"    bpfperf compare --by prealloc sweep.json     # which should I use?\n"
		"    bpfperf compare -j before.json after.json | jq -r .verdict\n",
};

/* Words of --fail-on; a regression always fails, unless it is not in the list. */
static int parse_fail_on(struct compare_command *c, struct why *why)
{
	char *copy = strdup(c->fail_on ? c->fail_on : "regression"), *cursor = copy, *word;
	int err = copy ? 0 : why__errno(why, -ENOMEM, "--fail-on");

	while (!err && (word = strsep(&cursor, ","))) {
		if (!strcmp(word, "regression"))
			c->fail_regression = true;
		else if (!strcmp(word, "change"))
			c->fail_regression = c->fail_change = true;
		else if (!strcmp(word, "inconclusive"))
			c->fail_inconclusive = true;
		else
			err = why__set(why, -EINVAL,
				       "--fail-on '%.40s': a list of regression, change, "
				       "inconclusive",
				       word);
	}
	free(copy);
	return err;
}

static int check_options(struct compare_command *c, int nr_files, struct why *why)
{
	if (c->min_effect && cmd__parse_percent(c->min_effect, &c->options.min_effect))
		return why__set(why, -EINVAL, "--min-effect '%.40s': per cent, as in 1%% or 0.5%%",
				c->min_effect);
	if (!nr_files)
		return why__set(why, -EINVAL, "no document named ('bpfperf stat -o' writes one)");
	if (nr_files > COMPARE_MAX_SIDES)
		return why__set(why, -EINVAL, "more than %d documents", COMPARE_MAX_SIDES);
	if (c->by && nr_files > 1)
		return why__set(why, -EINVAL, "--by compares within one document");
	return parse_fail_on(c, why);
}

/* One file to load, in a thread of its own. */
struct loading {
	const char *file;
	json_t *document;
	struct why why;
	int err;
};

static void *load_one(void *arg)
{
	struct loading *loading = arg;

	loading->err =
		document__load(loading->file, compare__trim, &loading->document, &loading->why);
	return NULL;
}

/* A large one may take all the memory that documents are allowed. */
static bool is_small(const char *file)
{
	struct stat st;

	return !stat(file, &st) && st.st_size <= 64 << 20;
}

/* Of two documents of 42 MiB the parsing took 2.4 of 2.7 s one after the other. */
static void load_two(struct loading *two, bool both)
{
	pthread_t thread;
	bool started = both && is_small(two[0].file) && is_small(two[1].file) &&
		       !pthread_create(&thread, NULL, load_one, &two[1]);

	load_one(&two[0]);
	if (started)
		pthread_join(thread, NULL);
	else if (both)
		load_one(&two[1]);
}

static int load(struct inputs *in, int nr_files, const char **files, struct why *why)
{
	struct loading loadings[COMPARE_MAX_SIDES] = {0};
	int err = 0, nr_stdin = 0;

	for (int i = 0; i < nr_files; i++) {
		nr_stdin += !strcmp(files[i], "-");
		loadings[i].file = files[i];
	}
	if (nr_stdin > 1)
		return why__set(why, -EINVAL, "'-' can be one of the documents only");
	/* The first object would do so, in one thread or the other. */
	json_object_seed(0);
	for (int i = 0; i < nr_files; i++) {
		if (!err && i % 2 == 0)
			load_two(&loadings[i], i + 1 < nr_files);
		if (!err && loadings[i].err) {
			err = loadings[i].err;
			*why = loadings[i].why;
		}
		in->documents[i] = loadings[i].document;
		in->sides[i] = (struct compare_side){
			.document = in->documents[i], .name = files[i], .arm = -1};
	}
	in->nr_documents = in->nr_sides = nr_files;
	/* What is wrong with a file is no matter of usage. */
	return err ? -EIO : 0;
}

static int make_sides(struct inputs *in, const struct compare_command *c, struct why *why)
{
	if (in->nr_documents > 1)
		return 0;
	return compare__split(in->documents[0], c->by, in->sides, COMPARE_MAX_SIDES, &in->nr_sides,
			      &in->owner, why);
}

static void release(struct inputs *in)
{
	for (size_t i = 0; i < in->nr_documents; i++)
		json_decref(in->documents[i]);
	json_decref(in->owner);
}

static json_int_t count(const json_t *comparison, const char *key)
{
	return json_integer_value(json_object_get(json_object_get(comparison, "counts"), key));
}

/* A matrix asks which is best: it has no before, and so no regression. */
static int matrix_exit(const struct compare_command *c, const char *verdict)
{
	if (!strcmp(verdict, "NOT COMPARABLE"))
		return EXIT_NOT_COMPARABLE;
	return c->require_conclusive && strcmp(verdict, "BEST") ? EXIT_INCONCLUSIVE : EXIT_DONE;
}

static int exit_code(const struct compare_command *c, const json_t *comparison)
{
	const char *verdict = json__string(comparison, "verdict", "");

	if (json_object_get(comparison, "matrix"))
		return matrix_exit(c, verdict);
	if (c->fail_regression && !strcmp(verdict, "REGRESSED"))
		return EXIT_REGRESSED;
	if (!strcmp(verdict, "NOT COMPARABLE"))
		return EXIT_NOT_COMPARABLE;
	if (c->fail_change && count(comparison, "improved"))
		return EXIT_REGRESSED;
	if (!count(comparison, "inconclusive"))
		return EXIT_DONE;
	if (c->require_conclusive)
		return EXIT_INCONCLUSIVE;
	return c->fail_inconclusive ? EXIT_REGRESSED : EXIT_DONE;
}

static int deliver(const struct compare_command *c, const json_t *comparison)
{
	char *text = result__dump(comparison);
	struct why why;
	int err = 0;

	if (!text) {
		error("out of memory while writing the comparison");
		return EXIT_CANNOT;
	}
	if (c->json)
		fputs(text, stdout);
	else
		render__compare(comparison, stdout);
	if (fflush(stdout) || ferror(stdout)) {
		error("cannot write to stdout: %s", strerror(errno));
		err = EXIT_CANNOT;
	}
	if (c->output && output__save(c->output, text, &why)) {
		error("%s", why.text);
		err = EXIT_CANNOT;
	}
	free(text);
	return err;
}

static int run(struct compare_command *c, int nr_files, const char **files)
{
	struct inputs in = {0};
	struct why why = {0};
	json_t *comparison = NULL;
	int err = check_options(c, nr_files, &why), code;

	err = err ?: output__check(c->output, &why);
	err = err ?: load(&in, nr_files, files, &why);
	err = err ?: make_sides(&in, c, &why);
	if (!err) {
		comparison = compare__documents(in.sides, in.nr_sides, &c->options, &why);
		err = comparison ? 0 : -errno;
	}
	if (err) {
		error("%s", why.text);
		release(&in);
		return err == -EINVAL ? EXIT_USAGE : EXIT_CANNOT;
	}
	err = deliver(c, comparison);
	code = exit_code(c, comparison);
	json_decref(comparison);
	release(&in);
	return err ? err : code;
}

int cmd_compare(int argc, const char **argv)
{
	struct compare_command c = {.options = {.min_effect = COMPARE_MIN_EFFECT}};
	const struct option options[] = {
		OPT_GROUP("What is compared"),
		OPT_STRING(0, "by", &c.by, "PARAM",
			   "the values of this parameter, or of 'trigger', in one document"),
		OPT_STRING(0, "primary", &c.options.primary, "METRIC[,...]",
			   "what decides, instead of each benchmark's own"),
		OPT_GROUP("Judgement"),
		OPT_STRING(0, "min-effect", &c.min_effect, "PERCENT",
			   "the least change that matters (1%)"),
		OPT_BOOLEAN(0, "robust", &c.options.robust,
			    "ranks instead of t, for runs that are disturbed at times"),
		OPT_BOOLEAN(0, "force", &c.options.force,
			    "although the machines differ; the output says so"),
		OPT_GROUP("Exit status"),
		OPT_STRING(0, "fail-on", &c.fail_on, "LIST",
			   "exit 1 on regression (the default), change, inconclusive"),
		OPT_BOOLEAN(0, "require-conclusive", &c.require_conclusive,
			    "exit 3 if anything cannot be told"),
		OPT_GROUP("Output"),
		OPT_STRING('o', "output", &c.output, "FILE", "write the comparison as JSON"),
		OPT_BOOLEAN('j', "json", &c.json, "print it as JSON instead of text"),
		OPT_END()};
	int nr_files = cmd__parse(argc, argv, options, &help);

	return run(&c, nr_files, argv);
}
