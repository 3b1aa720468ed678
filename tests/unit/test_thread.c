// SPDX-License-Identifier: GPL-2.0-only
#include "tests/unit/unit.h"

#include <stdio.h>
#include <unistd.h>

#include "lib/thread.h"

static int64_t wait_of(const char *text)
{
	FILE *file = tmpfile();
	int64_t ns;

	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fflush(file);
	ns = thread__wait_ns(fileno(file));
	fclose(file);
	return ns;
}

START_TEST(test_wait)
{
	ck_assert_int_eq(wait_of("7000 123456789012 42\n"), 123456789012);
	ck_assert_int_eq(wait_of("7000 0 1\n"), 0);
}
END_TEST

/* Not told is not a wait of 0. */
START_TEST(test_not_told)
{
	ck_assert_int_eq(wait_of(""), -1);
	ck_assert_int_eq(wait_of("7000\n"), -1);
	ck_assert_int_eq(wait_of("-\n"), -1);
	ck_assert_int_eq(thread__wait_ns(-1), -1);
}
END_TEST

/* Read again it goes on from there. */
START_TEST(test_own)
{
	int fd = thread__open_schedstat();
	int64_t first;

	if (fd < 0)
		return;
	first = thread__wait_ns(fd);
	ck_assert_int_ge(first, 0);
	ck_assert_int_ge(thread__wait_ns(fd), first);
	close(fd);
}
END_TEST

UNIT_MAIN("thread", test_wait, test_not_told, test_own)
