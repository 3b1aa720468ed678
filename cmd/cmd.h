/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_CMD_CMD_H
#define BPFPERF_CMD_CMD_H

#include <stdint.h>
#include <stdio.h>
#include <subcmd/parse-options.h>

#include "lib/why.h"

/* Exit codes; and interrupt__exit_code() of a signal. */
enum exit_code {
	EXIT_DONE = 0,
	EXIT_REGRESSED = 1,
	EXIT_CANNOT = 2,
	EXIT_INCONCLUSIVE = 3, /* where --require-conclusive asks for it */
	EXIT_NOT_COMPARABLE = 4,
	EXIT_SKIPPED = 77, /* all of it */
	EXIT_USAGE = 129,
};

/* A verb: argv[0] is its name; returns an exit code. */
int cmd_stat(int argc, const char **argv);
int cmd_compare(int argc, const char **argv);
int cmd_report(int argc, const char **argv);
int cmd_merge(int argc, const char **argv);
int cmd_list(int argc, const char **argv);
int cmd_doctor(int argc, const char **argv);

/* What `--help` prints. */
struct help {
	const char *usage;    /* "bpfperf stat [options] BENCH..." */
	const char *text;     /* what it does, some lines */
	const char *examples; /* lines */
};

void help__print(FILE *out, const struct option *options, const struct help *help);

/*
 * libsubcmd's parse_options(), but --help and -h go to stdout and exit 0. Returns the number of
 * words left in argv; a mistake ends the program with one line and EXIT_USAGE. So does an empty
 * value of an OPT_STRING, and the negation of an option that takes a value. A number is an
 * OPT_STRING as well: libsubcmd's own are cut to their size in silence.
 */
int cmd__parse(int argc, const char **argv, const struct option *options, const struct help *help);

/* Seconds: "1", "0.2", "200ms". 0 or -1. */
int cmd__parse_seconds(const char *text, double *ret_seconds);

/* Per cent: "1%", "0.5". A ratio: 0.01, 0.005. 0 or -1. */
int cmd__parse_percent(const char *text, double *ret_ratio);

/* A whole decimal number in these bounds, digits only. 0 or -1. */
int cmd__parse_number(const char *text, uint64_t min, uint64_t max, uint64_t *ret_value);

/*
 * Of -x: numbers stand between separators as they are, so that none may have what is part of a
 * number or of a quoted field. -EINVAL and `why`; 0 also for NULL.
 */
int cmd__check_separator(const char *separator, struct why *why);

#endif
