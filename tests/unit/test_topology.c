// SPDX-License-Identifier: GPL-2.0-only
#include "lib/topology.h"

#include <errno.h>
#include <ftw.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/why.h"
#include "tests/unit/unit.h"

/* What the replaced sched_getaffinity() below pretends; 0: ask the kernel. */
static int fake_kernel_cpus;
static const int *fake_cpus;
static int nr_fake_cpus;

/* Takes the place of libc's: no machine at hand has more than 1024 CPUs. */
int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *mask)
{
	CPU_ZERO_S(size, mask);
	if (!fake_kernel_cpus)
		return syscall(SYS_sched_getaffinity, pid, size, mask) < 0 ? -1 : 0;
	if (size * 8 < (size_t)fake_kernel_cpus) {
		errno = EINVAL;
		return -1;
	}
	for (int i = 0; i < nr_fake_cpus; i++)
		CPU_SET_S(fake_cpus[i], size, mask);
	return 0;
}

#define FAKE_AFFINITY(kernel_cpus, ...)                          \
	do {                                                     \
		static const int cpus_[] = {__VA_ARGS__};        \
		fake_kernel_cpus = kernel_cpus;                  \
		fake_cpus = cpus_;                               \
		nr_fake_cpus = sizeof(cpus_) / sizeof(cpus_[0]); \
	} while (0)

static char root[64];

static void make_root(void)
{
	strcpy(root, "/tmp/bpfperf-topology-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(root));
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static void remove_root(void)
{
	nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* Writes `text` to root/devices/system/cpu/<format>; a path that ends in '/' is a folder only. */
__attribute__((format(printf, 2, 3))) static void put(const char *text, const char *format, ...)
{
	char name[128], path[256];
	va_list args;
	FILE *file;

	va_start(args, format);
	vsnprintf(name, sizeof(name), format, args);
	va_end(args);
	snprintf(path, sizeof(path), "%s/devices/system/cpu/%s", root, name);
	for (char *p = path + strlen(root) + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(path, 0755);
		*p = '/';
	}
	if (path[strlen(path) - 1] == '/')
		return;
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
}

static void expect_list(struct cpulist *list, const char *want)
{
	char text[256];

	ck_assert_int_eq(cpulist__format(list, text, sizeof(text)), (int)strlen(want));
	ck_assert_str_eq(text, want);
	cpulist__free(list);
	ck_assert_int_eq(list->nr, 0);
}

static void expect_parsed(const char *text, const char *want)
{
	struct cpulist list;
	struct why why;

	ck_assert_msg(!cpulist__parse(text, &list, &why), "'%s' refused", text);
	expect_list(&list, want);
}

START_TEST(test_parse)
{
	expect_parsed("0", "0");
	expect_parsed("0-3,8,10-11", "0-3,8,10-11");
	expect_parsed("0-1,16-17", "0-1,16-17");
	expect_parsed("5,3,4", "3-5");
	expect_parsed("2,2,1-3", "1-3");
	expect_parsed("7-7", "7");
	expect_parsed("0,2", "0,2");
	expect_parsed("8191", "8191");
	expect_parsed("0-8191", "0-8191");
}
END_TEST

START_TEST(test_parse_refuses)
{
	static const struct {
		const char *text;
		int err;
	} bad[] = {
		{"", -EINVAL},
		{" 0", -EINVAL},
		{"0 ", -EINVAL},
		{"0\n", -EINVAL},
		{"5-3", -EINVAL},
		{"0-", -EINVAL},
		{"-1", -EINVAL},
		{"+1", -EINVAL},
		{"0x1", -EINVAL},
		{"0,,1", -EINVAL},
		{"0,", -EINVAL},
		{",0", -EINVAL},
		{"0-1-2", -EINVAL},
		{"all", -EINVAL},
		{"0-3:2/4", -EINVAL},
		{"8192", -ERANGE},
		{"0-8192", -ERANGE},
		{"4294967296", -ERANGE},
		{"99999999999999999999", -ERANGE},
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct cpulist list = {.nr = -7};
		struct why why = {0};

		ck_assert_msg(cpulist__parse(bad[i].text, &list, &why) == bad[i].err, "'%s'",
			      bad[i].text);
		ck_assert_msg(strstr(why.text, bad[i].text) != NULL, "%s", why.text);
		ck_assert_int_eq(list.nr, -7);
	}
}
END_TEST

START_TEST(test_format_room)
{
	struct cpulist list, empty = {0};
	char text[8];

	ck_assert_int_eq(cpulist__parse("0-1,3", &list, NULL), 0);
	ck_assert_int_eq(cpulist__format(&list, text, 5), -ENOSPC);
	ck_assert_str_eq(text, "");
	ck_assert_int_eq(cpulist__format(&list, text, 6), 5);
	ck_assert_str_eq(text, "0-1,3");
	/* Cut between the ends of a range, where "0" alone would look whole. */
	ck_assert_int_eq(cpulist__format(&list, text, 2), -ENOSPC);
	ck_assert_str_eq(text, "");
	ck_assert_int_eq(cpulist__format(&empty, text, 1), 0);
	ck_assert_str_eq(text, "");
	cpulist__free(&list);
}
END_TEST

START_TEST(test_sets)
{
	struct cpulist a, b, both;

	ck_assert_int_eq(cpulist__parse("0-3,8", &a, NULL), 0);
	ck_assert_int_eq(cpulist__parse("2-9", &b, NULL), 0);
	ck_assert(cpulist__contains(&a, 8));
	ck_assert(!cpulist__contains(&a, 4));
	ck_assert(!cpulist__contains(&a, -1));
	ck_assert_int_eq(cpulist__intersect(&a, &b, &both), 0);
	expect_list(&both, "2-3,8");
	ck_assert_int_eq(cpulist__intersect(&b, &a, &both), 0);
	expect_list(&both, "2-3,8");
	cpulist__free(&b);
	ck_assert_int_eq(cpulist__intersect(&a, &b, &both), 0);
	expect_list(&both, "");
	cpulist__free(&a);
}
END_TEST

START_TEST(test_append)
{
	struct cpulist list = {0};

	for (int cpu = 2; cpu < 40; cpu += 3)
		ck_assert_int_eq(cpulist__append(&list, cpu), 0);
	ck_assert(cpulist__contains(&list, 2) && !cpulist__contains(&list, 3));
	ck_assert_int_eq(list.cpu[list.nr - 1], 38);
	cpulist__free(&list);
}
END_TEST

/* A memory node without CPUs has an empty list, where an option may not be empty. */
START_TEST(test_read)
{
	struct cpulist list = {.nr = -7};
	struct why why = {0};
	char deep[600];

	make_root();
	put("\n", "empty");
	ck_assert_int_eq(cpulist__read(&list, &why, "%s/devices/system/cpu/empty", root), 0);
	expect_list(&list, "");
	put("0-1,4\n", "some");
	ck_assert_int_eq(cpulist__read(&list, &why, "%s/devices/system/cpu/%s", root, "some"), 0);
	expect_list(&list, "0-1,4");
	list.nr = -7;
	put("0-1 4\n", "bad");
	ck_assert_int_eq(cpulist__read(&list, &why, "%s/devices/system/cpu/bad", root), -EINVAL);
	ck_assert_ptr_nonnull(strstr(why.text, "0-1 4"));
	ck_assert_int_eq(cpulist__read(&list, NULL, "%s/none", root), -ENOENT);
	memset(deep, 'd', sizeof(deep) - 1);
	deep[sizeof(deep) - 1] = '\0';
	ck_assert_int_eq(cpulist__read(&list, &why, "%s/%s", root, deep), -ENAMETOOLONG);
	ck_assert_int_eq(list.nr, -7);
	remove_root();
}
END_TEST

/* The longest of all: no list of the kernel's is too long for the text. */
START_TEST(test_longest_text)
{
	char text[CPULIST_TEXT_SIZE];
	struct cpulist list = {0};

	for (int cpu = 0; cpu <= CPULIST_MAX_CPU; cpu++)
		if (cpu % 3 != 2)
			ck_assert_int_eq(cpulist__append(&list, cpu), 0);
	ck_assert_int_eq(cpulist__format(&list, text, sizeof(text)), 26568);
	ck_assert_str_eq(text + strlen(text) - 10, ",8190-8191");
	cpulist__free(&list);
}
END_TEST

START_TEST(report_bcc_893_online_list_with_gaps)
{
	struct cpulist list = {.nr = -7};
	struct why why = {0};

	make_root();
	ck_assert_int_eq(topology__online(root, &list, &why), -ENOENT);
	ck_assert_ptr_nonnull(strstr(why.text, "devices/system/cpu/online"));
	put("0-1,16-17\n", "online");
	ck_assert_int_eq(topology__online(root, &list, &why), 0);
	expect_list(&list, "0-1,16-17");
	list.nr = -7;
	put("0-x\n", "online");
	ck_assert_int_eq(topology__online(root, &list, &why), -EINVAL);
	ck_assert_ptr_nonnull(strstr(why.text, "0-x"));
	ck_assert_int_eq(list.nr, -7);
	remove_root();
}
END_TEST

START_TEST(test_affinity)
{
	struct cpulist list;
	cpu_set_t mask;

	fake_kernel_cpus = 0;
	ck_assert_int_eq(sched_getaffinity(0, sizeof(mask), &mask), 0);
	ck_assert_int_eq(topology__affinity(&list, NULL), 0);
	ck_assert_int_eq(list.nr, CPU_COUNT(&mask));
	for (int i = 0; i < list.nr; i++)
		ck_assert(CPU_ISSET(list.cpu[i], &mask));
	cpulist__free(&list);
}
END_TEST

START_TEST(test_affinity_of_large_kernel)
{
	struct cpulist list;
	struct why why = {0};

	FAKE_AFFINITY(5000, 3, 1023, 1024, 4999);
	ck_assert_int_eq(topology__affinity(&list, &why), 0);
	expect_list(&list, "3,1023-1024,4999");
	/* A kernel that never agrees must not be asked for ever. */
	FAKE_AFFINITY(1 << 30, 0);
	ck_assert_int_eq(topology__affinity(&list, &why), -EINVAL);
	ck_assert_ptr_nonnull(strstr(why.text, "affinity"));
}
END_TEST

START_TEST(test_allowed)
{
	struct cpulist list;
	struct why why = {0};

	make_root();
	put("0-1,16-17\n", "online");
	FAKE_AFFINITY(64, 1, 2, 17, 18);
	ck_assert_int_eq(topology__allowed(root, &list, &why), 0);
	expect_list(&list, "1,17");
	FAKE_AFFINITY(64, 2, 3);
	ck_assert_int_eq(topology__allowed(root, &list, &why), -ENODEV);
	ck_assert_str_ne(why.text, "");
	remove_root();
}
END_TEST

UNIT_MAIN("topology", test_parse, test_parse_refuses, test_format_room, test_sets, test_append,
	  test_read, test_longest_text, report_bcc_893_online_list_with_gaps, test_affinity,
	  test_affinity_of_large_kernel, test_allowed)
