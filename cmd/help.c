// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/cmd.h"

#include <string.h>

#define OPTION_COLUMN 30

static const char *argument_of(const struct option *option)
{
	switch (option->type) {
	case OPTION_STRING:
	case OPTION_CALLBACK: return option->argh;
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

void help__print(FILE *out, const struct option *options, const struct help *help)
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
