// SPDX-License-Identifier: GPL-2.0-only
#include "lib/render/render.h"

#include <stdbool.h>
#include <string.h>

#include "lib/result.h"

static void print_row(FILE *out, const char *a, const char *b, const char *c)
{
	fprintf(out, "        %-16s %-36s %s\n", a, b, c);
}

static void print_params(FILE *out, const json_t *params)
{
	const json_t *param;
	size_t i;

	json_array_foreach(params, i, param)
		print_row(out, json__string(param, "name", "?"), json__string(param, "values", "?"),
			  json__string(param, "help", "?"));
}

static void print_metrics(FILE *out, const json_t *benchmark)
{
	const json_t *metric;
	const char *name;

	json_object_foreach(json_object_get(benchmark, "metrics"), name, metric)
		print_row(out, name, json__string(metric, "unit", "?"),
			  json__string(metric, "help", "?"));
}

static void print_details(FILE *out, const json_t *benchmark)
{
	const json_t *alias;
	size_t i;

	fprintf(out, "    operation   %s\n", json__string(benchmark, "op", "?"));
	fprintf(out, "    check       %s\n", json__string(benchmark, "checked", "?"));
	fprintf(out, "    needs       %s\n", json__string(benchmark, "needs", "?"));
	fprintf(out, "    loop        %s\n", json__string(benchmark, "loop", "?"));
	fprintf(out, "    producers   %s by default\n", json__string(benchmark, "producers", "?"));
	json_array_foreach(json_object_get(benchmark, "aliases"), i, alias)
		fprintf(out, "    alias       %s %s\n", json__string(alias, "name", "?"),
			json__string(alias, "settings", ""));
	if (json_array_size(json_object_get(benchmark, "params")))
		fputs("    parameters\n", out);
	print_params(out, json_object_get(benchmark, "params"));
	fprintf(out, "    metrics (%s is the primary one)\n",
		json__string(benchmark, "primary", "?"));
	print_metrics(out, benchmark);
}

static void print_can_run(FILE *out, const json_t *benchmark)
{
	const char *trigger = json__string(benchmark, "trigger", NULL);

	fputs("    can run here: ", out);
	if (json_is_true(json_object_get(benchmark, "can_run"))) {
		fprintf(out, "yes%s%s%s\n", trigger ? " (" : "", trigger ? trigger : "",
			trigger ? ")" : "");
		return;
	}
	fputs("no, because: ", out);
	render__string(out, json__string(benchmark, "because", "no reason given"));
	fputc('\n', out);
}

static void print_tracers(FILE *out, const json_t *tracers)
{
	const json_t *tracer;
	size_t i;

	if (json_array_size(tracers))
		fputs("\ntracers, for -T\n", out);
	json_array_foreach(tracers, i, tracer) {
		fprintf(out, "        %-18s %s\n", json__string(tracer, "name", "?"),
			json__string(tracer, "summary", "?"));
		if (json_is_true(json_object_get(tracer, "can_run")))
			continue;
		fputs("                           not here: ", out);
		render__string(out, json__string(tracer, "because", "no reason given"));
		fputc('\n', out);
	}
}

void render__list(const json_t *inventory, bool details, FILE *out)
{
	const json_t *benchmark, *trigger;
	size_t i;

	json_array_foreach(json_object_get(inventory, "benchmarks"), i, benchmark) {
		fprintf(out, "%s%s\n    %s\n", i ? "\n" : "", json__string(benchmark, "name", "?"),
			json__string(benchmark, "summary", "?"));
		if (details)
			print_details(out, benchmark);
		print_can_run(out, benchmark);
	}
	fputs("\nparameters of every benchmark\n", out);
	print_params(out, json_object_get(inventory, "common_params"));
	fputs("\ntriggers, in order of preference\n", out);
	json_array_foreach(json_object_get(inventory, "triggers"), i, trigger)
		print_row(out, json__string(trigger, "name", "?"),
			  json__string(trigger, "needs", "?"),
			  json_is_true(json_object_get(trigger, "hooked"))
				  ? "hooks a system call that the producers make"
				  : "runs the program directly");
	print_tracers(out, json_object_get(inventory, "tracers"));
	if (!details)
		fputs("\n'bpfperf list BENCH' or -v shows parameters and metrics.\n", out);
}
