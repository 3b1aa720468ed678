// SPDX-License-Identifier: GPL-2.0-only
#include "lib/memory.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/unit.h"

static char root[] = "/tmp/bpfperf-memory-XXXXXX";
static char path[64];

static void write_meminfo(const char *text)
{
	FILE *out;

	ck_assert_ptr_nonnull(mkdtemp(root));
	snprintf(path, sizeof(path), "%s/meminfo", root);
	out = fopen(path, "w");
	ck_assert_ptr_nonnull(out);
	fputs(text, out);
	ck_assert_int_eq(fclose(out), 0);
}

static void remove_meminfo(void)
{
	unlink(path);
	rmdir(root);
}

START_TEST(half_of_what_is_available_is_the_limit)
{
	struct why why = {0};

	write_meminfo("MemTotal:  8000000 kB\nMemFree:  10 kB\nMemAvailable:   2000 kB\n");
	ck_assert_int_eq(memory__check(root, 0, "it", &why), 0);
	ck_assert_int_eq(memory__check(root, 1024000, "it", &why), 0);
	ck_assert_str_eq(why.text, "");
	ck_assert_int_eq(memory__check(root, 1024001, "it", &why), -ENOMEM);
	ck_assert_ptr_nonnull(strstr(why.text, "it would take 1 MB, more than half of the 2 MB"));
	ck_assert_ptr_nonnull(strstr(why.text, "available: free some"));
	remove_meminfo();
}
END_TEST

START_TEST(what_is_not_said_refuses_nothing)
{
	struct why why = {0};

	ck_assert_int_eq(memory__check("/nonexistent", UINT64_MAX, "it", &why), 0);
	write_meminfo("MemTotal:  8000000 kB\n");
	ck_assert_int_eq(memory__check(root, UINT64_MAX, "it", &why), 0);
	ck_assert_str_eq(why.text, "");
	remove_meminfo();
}
END_TEST

/* Freeing some would not help. */
START_TEST(more_than_the_machine_has_is_no_shortage)
{
	struct why why = {0};

	write_meminfo("MemTotal:  4000 kB\nMemFree:  10 kB\nMemAvailable:   2000 kB\n");
	ck_assert_int_eq(memory__check(root, 2048000, "it", &why), -ENOMEM);
	ck_assert_int_eq(memory__check(root, 2048001, "it", &why), -ENOSPC);
	ck_assert_str_eq(why.text,
			 "it would take 2 MB, more than half of the 4 MB of this machine");
	remove_meminfo();
}
END_TEST

START_TEST(without_a_total_all_is_a_shortage)
{
	struct why why = {0};

	write_meminfo("MemAvailable:   2000 kB\n");
	ck_assert_int_eq(memory__check(root, UINT64_MAX, "it", &why), -ENOMEM);
	remove_meminfo();
}
END_TEST

UNIT_MAIN("memory", without_a_total_all_is_a_shortage, more_than_the_machine_has_is_no_shortage,
	  half_of_what_is_available_is_the_limit, what_is_not_said_refuses_nothing)
