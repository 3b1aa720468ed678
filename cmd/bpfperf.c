// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/cmd.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <subcmd/exec-cmd.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cmd/output.h"
#include "lib/bench.h"
#include "lib/bpf_log.h"
#include "lib/interrupt.h"
#include "lib/log.h"
#include "lib/suggest.h"
#include "version.h"

struct verb {
	const char *name;
	int (*run)(int argc, const char **argv);
	const char *summary;
};

static const struct verb verbs[] = {
	{"stat", cmd_stat, "run a benchmark, count, and say how fast it went"},
	{"compare", cmd_compare, "is it slower? a verdict, its interval, and an exit status"},
	{"report", cmd_report, "print a stored result again, or export it"},
	{"merge", cmd_merge, "join the results of several boots or hosts"},
	{"list", cmd_list, "benchmarks, parameters, and what this kernel can run"},
	{"doctor", cmd_doctor, "what this machine can measure, and how to mend each gap"},
};

#define NR_VERBS (sizeof(verbs) / sizeof(verbs[0]))

static void print_usage(FILE *out)
{
	fputs("Usage: bpfperf VERB [options] ...\n\n"
	      "Measures the BPF subsystem of the running kernel.\n\n",
	      out);
	for (size_t i = 0; i < NR_VERBS; i++)
		fprintf(out, "    %-10s %s\n", verbs[i].name, verbs[i].summary);
	fputs("\n'bpfperf VERB --help' explains a verb. Start with:\n\n"
	      "    bpfperf list\n"
	      "    bpfperf stat hashmap-full\n",
	      out);
}

static int unknown_verb(const char *name)
{
	struct suggest suggest = {.word = name};
	char near[128];

	for (size_t i = 0; i < NR_VERBS; i++)
		suggest__offer(&suggest, verbs[i].name);
	suggest__format(&suggest, near, sizeof(near));
	error("unknown verb '%.40s'%s%s ('bpfperf --help' has them)", name, near[0] ? ": " : "",
	      near);
	return EXIT_USAGE;
}

/* One descriptor per event, thread and ring: the soft limit of 1024 is soon reached. */
static void raise_open_files(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/*
 * A stream that was closed stays an error to use, but its number is taken: the pipe of a run had
 * become its stderr.
 */
static void occupy_closed_streams(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
			open("/dev/null", fd ? O_RDONLY : O_WRONLY);
}

static int run_verb(int argc, const char **argv)
{
	const char *verb = argc > 1 ? argv[1] : NULL;

	exec_cmd_init("bpfperf", "", "", "");
	bpf_log__init();
	bench__init();
	raise_open_files();
	/* A reader that went away is an error of that write, not the end of the measurement. */
	signal(SIGPIPE, SIG_IGN);
	/* So is a file that may grow no further (ulimit -f). */
	signal(SIGXFSZ, SIG_IGN);
	if (!verb) {
		print_usage(stderr);
		return EXIT_USAGE;
	}
	if (!strcmp(verb, "--help") || !strcmp(verb, "-h") || !strcmp(verb, "help")) {
		print_usage(stdout);
		return EXIT_DONE;
	}
	if (!strcmp(verb, "--version")) {
		printf("bpfperf %s (%s)\n%s\n%s\n", BPFPERF_VERSION, BPFPERF_GIT, BPFPERF_CC,
		       BPFPERF_CLANG);
		return EXIT_DONE;
	}
	for (size_t i = 0; i < NR_VERBS; i++)
		if (!strcmp(verbs[i].name, verb))
			return verbs[i].run(argc - 1, argv + 1);
	return unknown_verb(verb);
}

int main(int argc, const char **argv)
{
	occupy_closed_streams();
	return output__finish(run_verb(argc, argv));
}
