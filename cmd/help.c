// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/cmd.h"
#include "cmd/output.h"

#include <stdlib.h>
#include <string.h>

#define OPTION_COLUMN 30

static const char *argument_of(const struct option *option)
{
	switch (option->type) {
	case OPTION_STRING:
	case OPTION_CALLBACK: return option->argh;
	case OPTION_INTEGER:
	case OPTION_UINTEGER:
	case OPTION_U64: return "N";
	default: return NULL;
	}
}

static void print_option(FILE *out, const struct option *option)
{
	const char *argument = argument_of(option);
	int column = 4;

	if (option->type == OPTION_GROUP) {
		fprintf(out, "\n%s\n", option->help);
		return;
	}
	fputs("    ", out);
	if (option->short_name)
		column += fprintf(out, "-%c%s", option->short_name, option->long_name ? ", " : "");
	else
		column += fprintf(out, "    ");
	if (option->long_name)
		column += fprintf(out, "--%s", option->long_name);
	if (argument)
		column += fprintf(out, " %s", argument);
	if (column >= OPTION_COLUMN) {
		fputc('\n', out);
		column = 0;
	}
	fprintf(out, "%*s%s\n", OPTION_COLUMN - column, "", option->help);
}

static void print_help(FILE *out, const struct option *options, const struct help *help)
{
	const struct option *option;

	fprintf(out, "Usage: %s\n\n%s", help->usage, help->text);
	if (help->text[strlen(help->text) - 1] != '\n')
		fputc('\n', out);
	/* Tables with groups begin with one, and its blank line. */
	if (options->type != OPTION_GROUP)
		fputs("\nOptions\n", out);
	for (option = options; option->type != OPTION_END; option++)
		print_option(out, option);
	if (help->examples)
		fprintf(out, "\nExamples:\n%s", help->examples);
}

int cmd__parse(int argc, const char **argv, const struct option *options, const struct help *help)
{
	const char *usage[] = {help->usage, NULL};

	for (int i = 1; i < argc && strcmp(argv[i], "--"); i++) {
		if (strcmp(argv[i], "--help") && strcmp(argv[i], "-h"))
			continue;
		print_help(stdout, options, help);
		exit(output__finish(EXIT_DONE));
	}
	return parse_options(argc, argv, options, usage, 0);
}

int cmd__parse_seconds(const char *text, double *ret_seconds)
{
	char *end;
	double value = strtod(text, &end);

	if (end == text)
		return -1;
	if (!strcmp(end, "ms"))
		value /= 1000;
	else if (*end && strcmp(end, "s"))
		return -1;
	*ret_seconds = value;
	return value == value ? 0 : -1;
}

int cmd__parse_percent(const char *text, double *ret_ratio)
{
	char *end;
	double value = strtod(text, &end);

	if (end == text || (*end && strcmp(end, "%")))
		return -1;
	*ret_ratio = value / 100;
	return value > 0 && value <= 10000 ? 0 : -1;
}
