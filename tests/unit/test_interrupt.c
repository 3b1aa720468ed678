// SPDX-License-Identifier: GPL-2.0-only
#include "lib/interrupt.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/unit.h"

/* Each test runs in a process of its own: signals are as they were at the start. */

static int readable(int fd)
{
	struct pollfd poll_fd = {.fd = fd, .events = POLLIN};

	return poll(&poll_fd, 1, 0);
}

#define SOON 0
#define LATE (INTERRUPT_REPEAT_NS / 1000 + 50000)

/*
 * How a process ends that gets `first`, and after `wait_us` the signal `second`, while it watches
 * `child`: 2 if it goes on.
 */
static int status_after(int first, int second, useconds_t wait_us, pid_t child)
{
	pid_t pid = fork();
	int status;

	ck_assert_int_ge(pid, 0);
	if (!pid) {
		if (interrupt__init())
			_exit(1);
		interrupt__watch(child);
		raise(first);
		usleep(wait_us);
		if (second)
			raise(second);
		_exit(2);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFEXITED(status));
	return WEXITSTATUS(status);
}

START_TEST(test_before_init)
{
	ck_assert_int_eq(interrupt__fd(), -1);
	ck_assert_int_eq(interrupt__signal(), 0);
}
END_TEST

START_TEST(test_first_asks)
{
	ck_assert_int_eq(interrupt__init(), 0);
	ck_assert_int_ge(interrupt__fd(), 0);
	ck_assert_int_eq(readable(interrupt__fd()), 0);
	raise(SIGTERM);
	ck_assert_int_eq(interrupt__signal(), SIGTERM);
	/* And stays readable: every loop that polls it has to see it. */
	ck_assert_int_eq(readable(interrupt__fd()), 1);
	ck_assert_int_eq(readable(interrupt__fd()), 1);
}
END_TEST

/* The write of the handler fails, of which nothing may be seen: not even in errno. */
START_TEST(test_full_event)
{
	const uint64_t full = UINT64_MAX - 1;

	ck_assert_int_eq(interrupt__init(), 0);
	ck_assert_int_eq(write(interrupt__fd(), &full, sizeof(full)), sizeof(full));
	errno = 4711;
	raise(SIGINT);
	ck_assert_int_eq(errno, 4711);
	ck_assert_int_eq(interrupt__signal(), SIGINT);
}
END_TEST

START_TEST(test_second_ends)
{
	ck_assert_int_eq(status_after(SIGINT, 0, SOON, 0), 2);
	ck_assert_int_eq(status_after(SIGINT, SIGINT, LATE, 0), 130);
	ck_assert_int_eq(status_after(SIGINT, SIGTERM, LATE, 0), 143);
	ck_assert_int_eq(status_after(SIGHUP, SIGHUP, LATE, 0), 143);
}
END_TEST

/* 128 + SIGHUP is the code of a mistake in the command line. */
START_TEST(test_exit_codes)
{
	ck_assert_int_eq(interrupt__exit_code(SIGINT), 130);
	ck_assert_int_eq(interrupt__exit_code(SIGTERM), 143);
	ck_assert_int_eq(interrupt__exit_code(SIGHUP), 143);
}
END_TEST

/* `timeout -s INT 1 bpfperf ...` sends two within microseconds, and lost what was measured. */
START_TEST(test_a_repeat_is_the_same_request)
{
	ck_assert_int_eq(status_after(SIGINT, SIGINT, SOON, 0), 2);
	ck_assert_int_eq(status_after(SIGTERM, SIGINT, SOON, 0), 2);
}
END_TEST

START_TEST(report_mtr_4_second_signal_kills_the_run)
{
	pid_t child = fork();
	int status;

	ck_assert_int_ge(child, 0);
	if (!child)
		for (;;)
			pause();
	ck_assert_int_eq(status_after(SIGINT, 0, SOON, child), 2);
	ck_assert_int_eq(waitpid(child, &status, WNOHANG), 0);
	ck_assert_int_eq(status_after(SIGINT, SIGINT, LATE, child), 130);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFSIGNALED(status));
	ck_assert_int_eq(WTERMSIG(status), SIGKILL);
}
END_TEST

/* nohup, and background jobs of a script. */
START_TEST(test_ignored_stays_ignored)
{
	signal(SIGHUP, SIG_IGN);
	ck_assert_int_eq(interrupt__init(), 0);
	raise(SIGHUP);
	ck_assert_int_eq(interrupt__signal(), 0);
	raise(SIGINT);
	ck_assert_int_eq(interrupt__signal(), SIGINT);
}
END_TEST

START_TEST(test_ignore)
{
	ck_assert_int_eq(interrupt__init(), 0);
	interrupt__ignore();
	raise(SIGINT);
	raise(SIGTERM);
	raise(SIGHUP);
	ck_assert_int_eq(interrupt__signal(), 0);
}
END_TEST

UNIT_MAIN("interrupt", test_before_init, test_first_asks, test_full_event, test_second_ends,
	  test_exit_codes, test_a_repeat_is_the_same_request,
	  report_mtr_4_second_signal_kills_the_run, test_ignored_stays_ignored, test_ignore)
