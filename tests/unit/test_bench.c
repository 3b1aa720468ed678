// SPDX-License-Identifier: GPL-2.0-only
#include "lib/bench.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/machine.h"
#include "tests/unit/unit.h"

struct toy_args {
	uint64_t keys, size;
};

static const struct param params[] = {
	PARAM_WORD(struct toy_args, keys, "many|one", "which"),
	PARAM_NUMBER(struct toy_args, size, 4, 1, 1000, "how large"),
	{0},
};

/* What a developer may have written; each test in a process of its own. */
static struct bench_alias aliases[2] = {{"toy-alias", NULL}};

static char next[64];

BENCH(toy, .name = "toy", .summary = "nothing", .op = "nothing", .checked = "nothing",
      .aliases = aliases, .next = next, .params = params, .args_size = sizeof(struct toy_args),
      .work = idle_work, .check = idle_check);
BENCH(zoo, .name = "zoo", .summary = "nothing", .op = "nothing", .checked = "nothing",
      .work = idle_work, .check = idle_check);

/* bench__init() in a child: what it said to stderr; true if it aborted. */
static bool aborts(char *said, size_t size)
{
	int fds[2], status;
	ssize_t len;
	pid_t pid;

	ck_assert_int_eq(pipe(fds), 0);
	pid = fork();
	if (!pid) {
		dup2(fds[1], STDERR_FILENO);
		bench__init();
		_exit(0);
	}
	close(fds[1]);
	len = read(fds[0], said, size - 1);
	said[len > 0 ? len : 0] = '\0';
	close(fds[0]);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

START_TEST(settings_of_an_alias_are_checked)
{
	static const char *const good[] = {"", "keys=one", "size=0x10", "keys=many  size=7 batch=5",
					   "keys=one,many"};
	static const struct {
		const char *settings, *said;
	} bad[] = {
		{"keys", "'keys' is no name=value"},
		{"keys=one size", "'size' is no name=value"},
		{"=one", "there is no parameter ''"},
		{"key=one", "there is no parameter 'key'"},
		{"keys=two", "keys='two' is not understood"},
		{"size=1001", "size='1001' is out of range"},
		{"keys=one,two", "keys='two' is not understood"},
		{"producers=2", "there is no parameter 'producers'"},
		/* Of the options of a command an alias has none. */
		{"-L", "'-L' is no name=value"},
	};
	char said[1024];

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		aliases[0].settings = good[i];
		ck_assert_msg(!aborts(said, sizeof(said)), "'%s': %s", good[i], said);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		aliases[0].settings = bad[i].settings;
		ck_assert_msg(aborts(said, sizeof(said)), "'%s' was taken", bad[i].settings);
		ck_assert_msg(strstr(said, "benchmark 'toy', alias 'toy-alias': "), "%s", said);
		ck_assert_msg(strstr(said, bad[i].said), "%s", said);
	}
}
END_TEST

START_TEST(what_is_to_be_tried_next_is_checked)
{
	static const char *const good[] = {"",
					   "(why)",
					   "keys=one,many (why)",
					   "-L",
					   "-L (why)",
					   "keys=many -L (why)",
					   "-L keys=many",
					   "-T tracer size=3 -L (why)"};
	static const struct {
		const char *next, *said;
	} bad[] = {
		{"-T", "-T without a tracer"},
		{"-T (why)", "-T without a tracer"},
		{"-L keys=two", "keys='two' is not understood"},
		{"-T tracer key=one", "there is no parameter 'key'"},
		{"keys=one -p 2", "'-p' is neither -L nor -T"},
	};
	char said[1024];

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		strcpy(next, good[i]);
		ck_assert_msg(!aborts(said, sizeof(said)), "'%s': %s", good[i], said);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		strcpy(next, bad[i].next);
		ck_assert_msg(aborts(said, sizeof(said)), "'%s' was taken", bad[i].next);
		ck_assert_msg(strstr(said, "benchmark 'toy', next: "), "%s", said);
		ck_assert_msg(strstr(said, bad[i].said), "%s", said);
	}
}
END_TEST

START_TEST(an_alias_is_nobody_elses_name)
{
	char said[1024];

	ck_assert(!aborts(said, sizeof(said)));
	aliases[0].name = "zoo";
	ck_assert(aborts(said, sizeof(said)));
	ck_assert_msg(strstr(said, "'zoo': another one has its name for an alias"), "%s", said);
	aliases[0].name = "toy";
	ck_assert(aborts(said, sizeof(said)));
	ck_assert_msg(strstr(said, "its alias 'toy' is another name already"), "%s", said);
}
END_TEST

UNIT_MAIN("bench", settings_of_an_alias_are_checked, what_is_to_be_tried_next_is_checked,
	  an_alias_is_nobody_elses_name)
