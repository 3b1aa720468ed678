// SPDX-License-Identifier: GPL-2.0-only
#include "lib/shortage.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>

#include "lib/bpf_log.h"
#include "tests/unit/unit.h"

static void has(const struct why *why, const char *words)
{
	ck_assert_msg(!!strstr(why->text, words), "'%s' is not in '%s'", words, why->text);
}

static void limit_files(rlim_t nr)
{
	struct rlimit limit;

	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
	limit.rlim_cur = nr;
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

START_TEST(test_what_is_short_and_what_is_missing)
{
	static const int shortages[] = {EAGAIN, EINTR, EMFILE, ENFILE, ENOMEM};
	static const int others[] = {0, EPERM, ENOENT, E2BIG, EINVAL, ENOSPC, EOPNOTSUPP};

	for (size_t i = 0; i < sizeof(shortages) / sizeof(shortages[0]); i++)
		ck_assert(shortage__is(-shortages[i]) && shortage__is(shortages[i]));
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		ck_assert(!shortage__is(-others[i]));
}
END_TEST

START_TEST(test_a_reason_names_the_limit)
{
	struct why why;

	limit_files(123);
	ck_assert_int_eq(why__errno(&why, -EMFILE, "it"), -EMFILE);
	ck_assert_str_eq(why.text,
			 "it: Too many open files (this process may have 123: ulimit -n)");
	why__errno(&why, -EAGAIN, "it");
	has(&why, "ulimit -u");
	why__errno(&why, -ENOMEM, "it");
	has(&why, "memory.max");
	why__errno(&why, -ENOENT, "it");
	ck_assert_str_eq(why.text, "it: No such file or directory");
}
END_TEST

static int free_below(int end)
{
	int nr = 0;

	for (int fd = 0; fd < end; fd++)
		nr += fcntl(fd, F_GETFD) < 0;
	return nr;
}

START_TEST(test_files_are_tried_and_closed_again)
{
	struct why why = {0};
	int room = free_below(40);

	ck_assert_int_ge(room, 1);
	limit_files(40);
	ck_assert_int_eq(shortage__check_files(room, &why), 0);
	ck_assert_str_eq(why.text, "");
	ck_assert_int_eq(shortage__check_files(room + 1, &why), -EMFILE);
	has(&why, "this process may have 40: ulimit -n");
	ck_assert_int_eq(free_below(40), room);
}
END_TEST

/* What libbpf said last is of something else: the errno tells. */
START_TEST(test_the_verifier_is_not_blamed)
{
	struct why why;

	bpf_log__clear();
	ck_assert_int_eq(bpf_log__why(&why, -EMFILE, "cannot load", "x", NULL), -EMFILE);
	has(&why, "cannot load 'x': Too many open files (this process may have ");
	/* bpf(2) starts no thread. */
	bpf_log__why(&why, -EAGAIN, "cannot load", "x", NULL);
	has(&why, "a signal came in between");
}
END_TEST

UNIT_MAIN("shortage", test_what_is_short_and_what_is_missing, test_a_reason_names_the_limit,
	  test_files_are_tried_and_closed_again, test_the_verifier_is_not_blamed)
