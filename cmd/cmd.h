/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_CMD_CMD_H
#define BPFPERF_CMD_CMD_H

#include <stdio.h>
#include <subcmd/parse-options.h>

/* Exit codes; design: 0 done, 1 regression, 2 could not, 77 all skipped, 129 usage, 128 + signal. */
enum exit_code { EXIT_DONE = 0, EXIT_CANNOT = 2, EXIT_SKIPPED = 77, EXIT_USAGE = 129 };

/* A verb: argv[0] is its name; returns an exit code. */
int cmd_stat(int argc, const char **argv);
int cmd_list(int argc, const char **argv);
int cmd_doctor(int argc, const char **argv);

/* What `--help` prints. */
struct help {
	const char *usage;    /* "bpfperf stat [options] BENCH..." */
	const char *text;     /* what it does, some lines */
	const char *examples; /* lines */
};

/*
 * libsubcmd's parse_options(), but --help and -h go to stdout and exit 0. Returns the number of
 * words left in argv; a mistake ends the program with EXIT_USAGE.
 */
int cmd__parse(int argc, const char **argv, const struct option *options, const struct help *help);

/* Seconds: "1", "0.2", "200ms". 0 or -1. */
int cmd__parse_seconds(const char *text, double *ret_seconds);

#endif
