// SPDX-License-Identifier: GPL-2.0-only
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "perf/event.h"
#include "perf/tracepoint.h"
#include "tests/unit/unit.h"

#define KERNEL(version)                                            \
	{                                                          \
		.sysfs = "/nonexistent", .procfs = "/nonexistent", \
		.tracefs = TESTDATA "/tracefs-" version            \
	}

static const struct event_env kernels[] = {KERNEL("6.1"), KERNEL("6.12"), KERNEL("6.18")};
static const struct event_env nothing = KERNEL("none");

START_TEST(test_formats)
{
	static const struct {
		int contention, sched;
		bool comm_signed; /* char is unsigned since 6.2 */
	} expected[] = {{337, 316, true}, {391, 357, false}, {408, 372, false}};

	for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++) {
		struct tracepoint_field field;
		struct tracepoint *tracepoint;
		struct why why;

		ck_assert_int_eq(tracepoint__new(&tracepoint, "lock", "contention_begin",
						 &kernels[i], &why),
				 0);
		ck_assert_int_eq(tracepoint__id(tracepoint), expected[i].contention);
		ck_assert_int_eq(tracepoint__field(tracepoint, "lock_addr", &field), 0);
		ck_assert_int_eq(field.offset, 8);
		ck_assert_int_eq(field.size, 8);
		ck_assert_int_eq(tracepoint__field(tracepoint, "flags", &field), 0);
		ck_assert_int_eq(field.offset, 16);
		ck_assert_int_eq(field.size, 4);
		ck_assert(!field.is_signed);
		ck_assert_int_eq(tracepoint__field(tracepoint, "no", &field), -ENOENT);
		tracepoint__free(tracepoint);

		ck_assert_int_eq(tracepoint__new(&tracepoint, "sched", "sched_switch", &kernels[i],
						 &why),
				 0);
		ck_assert_int_eq(tracepoint__id(tracepoint), expected[i].sched);
		ck_assert_int_eq(tracepoint__field(tracepoint, "prev_state", &field), 0);
		ck_assert_int_eq(field.offset, 32);
		ck_assert_int_eq(field.size, 8);
		ck_assert(field.is_signed);
		ck_assert_int_eq(tracepoint__field(tracepoint, "next_comm", &field), 0);
		ck_assert_int_eq(field.offset, 40);
		ck_assert_int_eq(field.size, 16);
		ck_assert_int_eq(field.is_signed, expected[i].comm_signed);
		ck_assert_int_eq(tracepoint__field(tracepoint, "common_pid", &field), 0);
		ck_assert_int_eq(field.offset, 4);
		tracepoint__free(tracepoint);
	}
}
END_TEST

START_TEST(test_absent)
{
	static const char *const names[] = {"", ".", "..", "../sched/sched_switch", "no", "*"};
	struct tracepoint *tracepoint;
	struct event_list list;
	struct why why;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		ck_assert_int_eq(tracepoint__new(&tracepoint, "sched", names[i], &kernels[0], &why),
				 -ENOENT);
		ck_assert_ptr_null(tracepoint);
	}
	ck_assert_int_eq(tracepoint__probe(&kernels[0], &why), 0);
	ck_assert_int_eq(tracepoint__probe(&nothing, &why), -ENODEV);
	ck_assert_str_eq(why.text,
			 "not supported: tracefs is not mounted (mount -t tracefs nodev " TESTDATA
			 "/tracefs-none)");
	/* What is right but cannot be had is an event with a reason. */
	ck_assert_int_eq(event_list__parse("cs,sched:sched_switch:k", &nothing, &list, &why), 0);
	ck_assert_int_eq(list.nr, 2);
	ck_assert_str_eq(list.events[1].name, "sched:sched_switch:k");
	ck_assert_ptr_nonnull(strstr(list.events[1].absent, "tracefs is not mounted"));
	event_list__free(&list);
}
END_TEST

START_TEST(test_events)
{
	struct event_list list;
	struct why why = {0};

	ck_assert_int_eq(event_list__parse("sched:sched_switch,lock:contention_*:u,*:sched_switch",
					   &kernels[1], &list, &why),
			 0);
	ck_assert_int_eq(list.nr, 2);
	ck_assert_uint_eq(list.events[0].attr.type, PERF_TYPE_TRACEPOINT);
	ck_assert_uint_eq(list.events[0].attr.config, 357);
	ck_assert(list.events[0].kernel_only && !list.events[0].absent);
	ck_assert_str_eq(list.events[1].name, "lock:contention_begin:u");
	ck_assert_uint_eq(list.events[1].attr.config, 391);
	event_list__free(&list);

	ck_assert_int_eq(event_list__parse("cs,sched:sched_swich", &kernels[1], &list, &why),
			 -EINVAL);
	ck_assert_str_eq(why.text,
			 "event syntax error: 'cs,sched:sched_swich'\n"
			 "                              \\___ unknown tracepoint 'sched_swich', "
			 "did you mean 'sched_switch'?");
	ck_assert_int_eq(event_list__parse("shed:sched_switch", &kernels[1], &list, &why), -EINVAL);
	ck_assert_str_eq(why.text, "event syntax error: 'shed:sched_switch'\n"
				   "                     \\___ unknown tracepoint system 'shed', "
				   "did you mean 'sched'?");
}
END_TEST

static void write_format(const char *root, const char *text, size_t len)
{
	char path[128];
	FILE *file;

	for (int i = 0; i < 3; i++) {
		static const char *const dirs[] = {"/events", "/events/s", "/events/s/n"};

		snprintf(path, sizeof(path), "%s%s", root, dirs[i]);
		mkdir(path, 0755);
	}
	snprintf(path, sizeof(path), "%s/events/s/n/format", root);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	fwrite(text, 1, len, file);
	fclose(file);
}

/* What libtraceevent 1.7 leaves behind when a format is wrong is not ours. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:libtraceevent";
}

/* Cut anywhere, and with a byte of it changed: an error or a tracepoint, and never a crash. */
START_TEST(test_hostile)
{
	char root[] = "/tmp/bpfperf-test-XXXXXX", text[4096], command[128];
	struct event_env env = {.sysfs = root, .tracefs = root, .procfs = root};
	struct tracepoint *tracepoint;
	struct why why;
	FILE *file;
	size_t len;

	ck_assert_ptr_nonnull(mkdtemp(root));
	write_format(root, "ID: 0\n", 6);
	ck_assert_int_eq(tracepoint__new(&tracepoint, "s", "n", &env, &why), -EINVAL);
	ck_assert_str_eq(why.text, "not supported: the format of s:n cannot be understood");

	file = fopen(TESTDATA "/tracefs-6.12/events/lock/contention_begin/format", "r");
	ck_assert_ptr_nonnull(file);
	len = fread(text, 1, sizeof(text), file);
	fclose(file);
	for (size_t i = 0; i < len; i++) {
		write_format(root, text, i);
		if (!tracepoint__new(&tracepoint, "s", "n", &env, &why))
			tracepoint__free(tracepoint);
	}
	for (size_t i = 0; i < len; i++) {
		char old = text[i];

		text[i] = "x;:\t(,\"0"[i % 8];
		write_format(root, text, len);
		if (!tracepoint__new(&tracepoint, "s", "n", &env, &why))
			tracepoint__free(tracepoint);
		text[i] = old;
	}
	snprintf(command, sizeof(command), "rm -rf '%s'", root);
	ck_assert_int_eq(system(command), 0);
}
END_TEST

UNIT_MAIN("tracepoint", test_formats, test_absent, test_events, test_hostile)
