// SPDX-License-Identifier: GPL-2.0-only
#include "lib/render/render.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "lib/plural.h"
#include "lib/result.h"

#define NAME_WIDTH 24
#define CELL_WIDTH 14

static const json_t *find_cell(const json_t *line, size_t from, size_t to)
{
	const json_t *cells = json_object_get(line, "cells"), *cell;
	size_t i;

	json_array_foreach(cells, i, cell)
		if (json_integer_value(json_object_get(cell, "from")) == (json_int_t)from &&
		    json_integer_value(json_object_get(cell, "to")) == (json_int_t)to)
			return cell;
	return NULL;
}

/* A column has room for the value of "param=value", or for the end of a path. */
static const char *column_name(const json_t *comparison, size_t i)
{
	const char *name = render__side(comparison, i), *equals = strchr(name, '=');
	size_t len;

	name = equals ? equals + 1 : name;
	len = strlen(name);
	return len > CELL_WIDTH ? name + len - CELL_WIDTH : name;
}

/* '*' sure, '=' proven equal, '?' cannot tell, '!' not comparable. */
static char mark_of(const json_t *cell)
{
	const char *verdict = json__string(cell, "verdict", "");

	if (!strcmp(verdict, "REGRESSED") || !strcmp(verdict, "IMPROVED"))
		return '*';
	if (!strcmp(verdict, "NO CHANGE"))
		return '=';
	return strcmp(verdict, "INCONCLUSIVE") ? '!' : '?';
}

/* From the side of the row to that of the column; a pair is judged once, and stands twice. */
static void print_cell(const json_t *line, size_t row, size_t column, FILE *out)
{
	const json_t *cell =
		find_cell(line, row < column ? row : column, row < column ? column : row);
	double ratio = json__number(cell, "ratio");
	char text[32], marked[40] = ".";

	render__change(text, sizeof(text), row < column ? ratio : 1 / ratio);
	if (row != column)
		snprintf(marked, sizeof(marked), "%s%c", text, mark_of(cell));
	fprintf(out, " %*s", CELL_WIDTH, marked);
}

static void print_name(const char *name, int width, FILE *out)
{
	int len = strlen(name);

	/* The end of a path tells it from the others. */
	render__column(out, len < width ? name : name + len - (width - 1), width);
}

static void print_line(const json_t *comparison, const json_t *line, FILE *out)
{
	size_t nr = json_array_size(json_object_get(comparison, "sides"));
	const json_t *best = json_object_get(line, "best");
	const char *unit = json__string(line, "unit_of_value", "");

	fputc('\n', out);
	render__string(out, json__string(line, "name", "?"));
	fputs("   ", out);
	render__string(out, json__string(line, "metric", "?"));
	fprintf(out, "   %s is better\n    %-*s %10s", json__string(line, "better", "none"),
		NAME_WIDTH - 1, "from \\ to", "value");
	for (size_t i = 0; i < nr; i++) {
		const char *name = column_name(comparison, i);

		fprintf(out, " %*s", (int)(CELL_WIDTH - strlen(name)), "");
		render__string(out, name);
	}
	fputc('\n', out);
	for (size_t i = 0; i < nr; i++) {
		const json_t *side = json_array_get(json_object_get(line, "values"), i);
		char value[48];

		fputs("    ", out);
		print_name(render__side(comparison, i), NAME_WIDTH, out);
		render__value(value, sizeof(value), json__number(side, "value"), unit);
		fprintf(out, "%10s", value);
		for (size_t j = 0; j < nr; j++)
			print_cell(line, i, j, out);
		fputs(json_is_integer(best) && json_integer_value(best) == (json_int_t)i
			      ? "   best\n"
			      : "\n",
		      out);
	}
}

static void print_reasons(const json_t *line, FILE *out)
{
	const json_t *cell, *cells = json_object_get(line, "cells");
	size_t i;

	json_array_foreach(cells, i, cell) {
		const char *reason = json__string(cell, "reason", NULL);

		if (!reason)
			continue;
		fputs("    ", out);
		render__string(out, reason);
		fputc('\n', out);
		return;
	}
}

static void print_best(const json_t *comparison, FILE *out)
{
	const json_t *best = json_object_get(comparison, "best");

	if (json_is_integer(best))
		render__string(out, render__side(comparison, json_integer_value(best)));
	else
		fputs("none", out);
}

static bool is_blocked(const json_t *comparison)
{
	return json_is_true(
		       json_object_get(json_object_get(comparison, "comparability"), "blocked")) &&
	       !json_is_true(json_object_get(comparison, "forced"));
}

void render__matrix(const json_t *comparison, FILE *out)
{
	const json_t *lines = json_object_get(comparison, "matrix"), *line;
	const json_t *first = json_array_get(lines, 0);
	const char *verdict = json__string(comparison, "verdict", "?");
	size_t i;

	fprintf(out, "%zu sides, every pair compared, %zu benchmark%s\n",
		json_array_size(json_object_get(comparison, "sides")), json_array_size(lines),
		plural(json_array_size(lines)));
	render__string(out, verdict);
	fputs("   ", out);
	if (json_is_integer(json_object_get(comparison, "best")))
		print_best(comparison, out);
	else if (is_blocked(comparison))
		render__blocking(comparison, out);
	else if (!first)
		fputs("the sides have no benchmark in common", out);
	else
		fputs("no side beats all others", out);
	if (json_is_true(json_object_get(comparison, "forced")))
		fputs("   (FORCED, although the machines differ)", out);
	fputc('\n', out);
	render__differences(comparison, out);
	json_array_foreach(lines, i, line) {
		print_line(comparison, line, out);
		print_reasons(line, out);
	}
	if (first)
		fputs("\n  * sure   = no change, proven   ? cannot tell   ! not comparable\n", out);
	fputs("\nverdict=", out);
	for (const char *c = verdict; *c; c++)
		fputc(isalpha((unsigned char)*c) ? *c : '_', out);
	fputs(" primary=", out);
	render__string(out, json__string(first, "metric", "none"));
	fputs(" best=", out);
	print_best(comparison, out);
	fputs(json_is_true(json_object_get(comparison, "forced")) ? " forced=yes\n" : "\n", out);
}
