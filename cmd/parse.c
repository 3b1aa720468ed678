// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/cmd.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/output.h"
#include "lib/log.h"
#include "lib/suggest.h"

/* More than any verb has: for suggestions alone. */
#define MAX_OPTIONS 64

/*
 * What libsubcmd has to say it prints, with all options below it, and exits. Unknown options can be
 * kept from that (PARSE_OPT_KEEP_UNKNOWN; it would start a pager for them), but nothing else can: a
 * value that is missing or too much, an abbreviation of two names. So stderr is another stream
 * meanwhile, which glibc allows, and of what is there when it exits the first line is told in the
 * words of this program. The other way would be a second parser that finds the mistake before it.
 */
static struct {
	FILE *real, *instead;
	char *text;
	size_t size;
	const char *verb;
} heard;

__attribute__((noreturn, format(printf, 2, 3))) static void refuse(const char *verb,
								   const char *fmt, ...)
{
	char text[512];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	error("%s ('bpfperf %s --help' shows the options)", text, verb);
	exit(EXIT_USAGE);
}

static void stop_listening(void)
{
	if (!heard.real)
		return;
	fclose(heard.instead);
	stderr = heard.real;
	heard.real = NULL;
}

/* " Error: switch `d' requires a value" becomes "option '-d' requires a value". */
static void retell(void)
{
	static const char *const kinds[][2] = {{"switch `", "option '-"},
					       {"option `", "option '--"},
					       {"Ambiguous option: ", "ambiguous option --"},
					       {"", ""}};
	const char *const *kind = kinds[0];
	char *line;

	if (!heard.real)
		return;
	stop_listening();
	if (!heard.text)
		return;
	line = strstr(heard.text, "Error: ");
	line = line ? line + strlen("Error: ") : heard.text;
	while (strncmp(line, kind[0], strlen(kind[0])))
		kind += 2;
	line += strlen(kind[0]);
	for (char *c = line; *c; c++)
		if (*c == '`')
			*c = '\'';
	error("%s%.*s ('bpfperf %s --help' shows the options)", kind[1], (int)strcspn(line, "\n"),
	      line, heard.verb);
}

static void listen_to_library(const char *verb)
{
	static bool registered;

	heard.verb = verb;
	heard.instead = open_memstream(&heard.text, &heard.size);
	if (!heard.instead)
		return;
	heard.real = stderr;
	stderr = heard.instead;
	if (!registered)
		atexit(retell);
	registered = true;
}

__attribute__((noreturn)) static void unknown(const char *word, const char *verb,
					      const struct option *options)
{
	bool is_long = word[1] == '-';
	char name[64], near[160], names[MAX_OPTIONS][32];
	struct suggest suggest = {.word = name};

	snprintf(name, sizeof(name), "%.*s", is_long ? (int)strcspn(word, "=") : 2, word);
	for (size_t i = 0; is_long && options[i].type != OPTION_END && i < MAX_OPTIONS; i++) {
		if (!options[i].long_name)
			continue;
		snprintf(names[i], sizeof(names[i]), "--%s", options[i].long_name);
		suggest__offer(&suggest, names[i]);
	}
	suggest__format(&suggest, near, sizeof(near));
	refuse(verb, "unknown option '%s'%s%s", name, near[0] ? ": " : "", near);
}

/* The words that are left, without the "--" that may stand among them. */
static int check_words(int nr, const char **words, const char *verb, const struct option *options,
		       const struct help *help)
{
	for (int i = 0; i < nr; i++) {
		if (words[i][0] != '-' || !words[i][1])
			continue;
		if (!strcmp(words[i], "--")) {
			memmove(words + i, words + i + 1, (nr - i) * sizeof(*words));
			return nr - 1;
		}
		if (!strcmp(words[i], "-h")) {
			/* As in -qh. */
			help__print(stdout, options, help);
			exit(output__finish(EXIT_DONE));
		}
		unknown(words[i], verb, options);
	}
	return nr;
}

/* An empty value is a variable of a script that was not set: never the default. */
static void check_values(const char *verb, const struct option *options)
{
	const struct option *o;

	for (o = options; o->type != OPTION_END; o++) {
		const char *value = o->type == OPTION_STRING ? *(const char **)o->value : NULL;
		char name[] = {'-', (char)o->short_name, '\0'};

		if (value && !*value)
			refuse(verb, "%s%s '': the value is empty, %s is expected: %s",
			       o->short_name ? "" : "--", o->short_name ? name : o->long_name,
			       o->argh, o->help);
	}
}

/* Without "--no-duration", which would make a NULL of a default. The caller frees it. */
static struct option *without_negation(const struct option *options)
{
	struct option *copy;
	size_t nr = 0;

	while (options[nr].type != OPTION_END)
		nr++;
	copy = calloc(nr + 1, sizeof(*copy));
	if (!copy)
		bug("out of memory");
	memcpy(copy, options, (nr + 1) * sizeof(*copy));
	for (size_t i = 0; i < nr; i++)
		if (copy[i].type == OPTION_STRING || copy[i].type == OPTION_CALLBACK)
			copy[i].flags |= PARSE_OPT_NONEG;
	return copy;
}

int cmd__parse(int argc, const char **argv, const struct option *options, const struct help *help)
{
	const char *usage[] = {help->usage, NULL}, *verb = argv[0];
	struct option *positive;
	int nr;

	for (int i = 1; i < argc && strcmp(argv[i], "--"); i++) {
		/* What libsubcmd has for the completion of perf. */
		if (!strcmp(argv[i], "--list-opts") || !strcmp(argv[i], "--list-cmds"))
			unknown(argv[i], verb, options);
		if (strcmp(argv[i], "--help") && strcmp(argv[i], "-h"))
			continue;
		help__print(stdout, options, help);
		exit(output__finish(EXIT_DONE));
	}
	positive = without_negation(options);
	listen_to_library(verb);
	nr = parse_options(argc, argv, positive, usage,
			   PARSE_OPT_KEEP_UNKNOWN | PARSE_OPT_KEEP_DASHDASH |
				   PARSE_OPT_NO_INTERNAL_HELP);
	stop_listening();
	if (heard.size)
		fwrite(heard.text, 1, heard.size, stderr);
	free(heard.text);
	free(positive);
	nr = check_words(nr, argv, verb, options, help);
	check_values(verb, options);
	return nr;
}
