// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <string.h>
#include <sys/capability.h>

#include "lib/need.h"
#include "lib/why.h"
#include "tests/unit/unit.h"

/* The capabilities that the functions below are told of, instead of those of this process. */
static cap_value_t held[8];
static int nr_held;

/* Take the place of libcap's. */
cap_t cap_get_proc(void)
{
	cap_t caps = cap_init();

	ck_assert_ptr_nonnull(caps);
	if (nr_held)
		ck_assert_int_eq(cap_set_flag(caps, CAP_EFFECTIVE, nr_held, held, CAP_SET), 0);
	return caps;
}

#define HOLD(...)                                           \
	do {                                                \
		const cap_value_t held_[] = {__VA_ARGS__};  \
		memcpy(held, held_, sizeof(held_));         \
		nr_held = sizeof(held_) / sizeof(held_[0]); \
	} while (0)

static void missing(const char *needs, const char *expected)
{
	char text[128] = "old";

	need__missing(needs, text, sizeof(text));
	ck_assert_str_eq(text, expected);
}

START_TEST(test_nothing_held)
{
	nr_held = 0;
	ck_assert(!need__capability("CAP_BPF"));
	ck_assert(!need__capability("CAP_SYS_ADMIN"));
	missing("CAP_BPF, CAP_PERFMON", "CAP_BPF, CAP_PERFMON");
	missing("CAP_BPF,CAP_NET_ADMIN", "CAP_BPF, CAP_NET_ADMIN");
}
END_TEST

START_TEST(test_each_by_its_name)
{
	HOLD(CAP_BPF);
	ck_assert(need__capability("CAP_BPF"));
	ck_assert(!need__capability("CAP_PERFMON"));
	missing("CAP_BPF, CAP_PERFMON", "CAP_PERFMON");
	HOLD(CAP_BPF, CAP_PERFMON);
	missing("CAP_BPF, CAP_PERFMON", "");
	missing("CAP_NET_ADMIN, CAP_BPF", "CAP_NET_ADMIN");
}
END_TEST

/* As in the kernel: it stands for the two that were split off it, and for no other. */
START_TEST(test_sys_admin)
{
	HOLD(CAP_SYS_ADMIN);
	ck_assert(need__capability("CAP_BPF"));
	ck_assert(need__capability("CAP_PERFMON"));
	ck_assert(need__capability("CAP_SYS_ADMIN"));
	ck_assert(!need__capability("CAP_NET_ADMIN"));
	ck_assert(!need__capability("CAP_SYSLOG"));
}
END_TEST

START_TEST(test_words_that_are_none)
{
	nr_held = 0;
	ck_assert(!need__capability("CAP_NO_SUCH"));
	ck_assert(!need__capability(""));
	missing("CAP_PERFMON, tracefs", "CAP_PERFMON");
	missing("tracefs", "");
	missing("", "");
	missing(NULL, "");
	missing("CAP_NO_SUCH", "CAP_NO_SUCH");
}
END_TEST

START_TEST(test_missing_without_room)
{
	char text[12];

	nr_held = 0;
	need__missing("CAP_BPF, CAP_PERFMON, CAP_NET_ADMIN", text, sizeof(text));
	ck_assert_str_eq(text, "CAP_BPF, CA");
}
END_TEST

START_TEST(test_why)
{
	struct why why = {"old"};

	ck_assert_int_eq(why__set(&why, -EPERM, "cannot load '%s'", "noop"), -EPERM);
	ck_assert_str_eq(why.text, "cannot load 'noop'");
	ck_assert_int_eq(why__errno(&why, -ENOENT, "map %d", 3), -ENOENT);
	ck_assert_str_eq(why.text, "map 3: No such file or directory");
	/* Some callers have an errno, others a return value. */
	ck_assert_int_eq(why__errno(&why, ENOENT, "map"), ENOENT);
	ck_assert_str_eq(why.text, "map: No such file or directory");
	ck_assert_int_eq(why__set(NULL, -EPERM, "nobody %s", "asks"), -EPERM);
	ck_assert_int_eq(why__errno(NULL, -EPERM, "nobody %s", "asks"), -EPERM);
}
END_TEST

START_TEST(test_why_too_long)
{
	char text[2000];
	struct why why;

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	why__set(&why, 0, "%s", text);
	ck_assert_uint_eq(strlen(why.text), sizeof(why.text) - 1);
	why__errno(&why, -ENOENT, "%s", text);
	ck_assert_uint_eq(strlen(why.text), sizeof(why.text) - 1);
}
END_TEST

START_TEST(test_errno_text)
{
	ck_assert_str_eq(errno_text(-ENOENT), errno_text(ENOENT));
	/* strerror() only knows "Unknown error 524". */
	ck_assert_str_eq(errno_text(-524), "not supported by this kernel");
}
END_TEST

UNIT_MAIN("need-why", test_nothing_held, test_each_by_its_name, test_sys_admin,
	  test_words_that_are_none, test_missing_without_room, test_why, test_why_too_long,
	  test_errno_text)
