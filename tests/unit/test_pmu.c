// SPDX-License-Identifier: GPL-2.0-only
#include <check.h>
#include <errno.h>
#include <string.h>

#include "perf/event.h"
#include "perf/event_dir.h"
#include "perf/pmu.h"
#include "tests/unit/unit.h"

static const struct event_env hybrid = {.sysfs = TESTDATA "/sysfs-intel-hybrid"};
static const struct event_env intel = {.sysfs = TESTDATA "/sysfs-intel"};
static const struct event_env nothing = {.sysfs = "/nonexistent"};

START_TEST(test_formats)
{
	static const struct {
		const char *text;
		int word;
		unsigned long long mask, max;
	} rows[] = {
		{"config:0-7", 0, 0xff, 0xff},
		{"config:21", 0, 1 << 21, 1},
		{"config:0-7,32-35", 0, 0xf000000ff, 0xfff},
		{"config:0-7,32-35,59-60", 0, 0x1800000f000000ff, 0x3fff},
		{"config1:0-63", 1, ~0ULL, ~0ULL},
		{"config2:63", 2, 1ULL << 63, 1},
		{"config3:1,6-10,44", 3, 1ULL << 44 | 0x7c2, 0x7f},
	};
	static const char *const wrong[] = {
		"",
		"config",
		"config:",
		"config4:0",
		"config0:1",
		"conf:0",
		"config:64",
		"config:-1",
		"config:7-0",
		"config:0-",
		"config:0,",
		"config:0 ",
		"config:0-64",
		"config:x",
		"config:0-7;8",
		"config: 0",
		"config1",
		"config:0--1",
		"config:99999999999999999999",
	};
	struct pmu_format format;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		ck_assert_int_eq(pmu_format__parse(&format, rows[i].text), 0);
		ck_assert_int_eq(format.word, rows[i].word);
		ck_assert_uint_eq(format.mask, rows[i].mask);
		ck_assert_uint_eq(pmu_format__max(&format), rows[i].max);
	}
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		ck_assert_msg(pmu_format__parse(&format, wrong[i]) == -EINVAL, "'%s'", wrong[i]);
}
END_TEST

/* The low bits of a value go to the low positions, and what else is in the word stays. */
START_TEST(test_put)
{
	struct pmu_format split = {.mask = 0xf000000ff}, all = {.mask = UINT64_MAX};

	ck_assert_uint_eq(pmu_format__put(&split, 0, 0xfff), 0xf000000ff);
	ck_assert_uint_eq(pmu_format__put(&split, 0, 0x1c0), 0x1000000c0);
	ck_assert_uint_eq(pmu_format__put(&split, 0xff00, 0x812), 0x80000ff12);
	ck_assert_uint_eq(pmu_format__put(&split, UINT64_MAX, 0), ~0xf000000ffULL);
	ck_assert_uint_eq(pmu_format__put(&all, 1, UINT64_MAX - 1), UINT64_MAX - 1);
}
END_TEST

START_TEST(test_find)
{
	static const char *const absent[] = {"", ".", "..", "cpu", "cpu_core/..", "no", "cpu_*"};
	struct pmu pmu;

	ck_assert_int_eq(pmu__find(&pmu, "cpu_atom", &hybrid), 0);
	ck_assert_uint_eq(pmu.type, 10);
	ck_assert(pmu.core && !pmu.per_die);
	ck_assert_str_eq(pmu.cpus, "16-23");
	ck_assert_int_eq(pmu__find(&pmu, "uncore_cbox_0", &hybrid), 0);
	ck_assert(!pmu.core && pmu.per_die);
	ck_assert_int_eq(pmu__find(&pmu, "msr", &hybrid), 0);
	ck_assert(!pmu.core && !pmu.per_die);
	for (size_t i = 0; i < sizeof(absent) / sizeof(absent[0]); i++)
		ck_assert_int_eq(pmu__find(&pmu, absent[i], &hybrid), -ENOENT);
	ck_assert_int_eq(pmu__find_type(&pmu, 11, &hybrid), 0);
	ck_assert_str_eq(pmu.name, "msr");
	ck_assert_int_eq(pmu__find_type(&pmu, 99, &hybrid), -ENOENT);
}
END_TEST

START_TEST(test_cores)
{
	struct pmu cores[PMU_CORES_MAX];

	ck_assert_int_eq(pmu__cores(cores, &hybrid), 2);
	ck_assert_str_eq(cores[0].name, "cpu_core");
	ck_assert_str_eq(cores[1].name, "cpu_atom");
	ck_assert_int_eq(pmu__cores(cores, &intel), 1);
	ck_assert_str_eq(cores[0].name, "cpu");
	ck_assert_int_eq(pmu__cores(cores, &nothing), 0);
}
END_TEST

START_TEST(test_aliases)
{
	struct pmu_alias alias;
	struct names names;
	struct pmu pmu;

	ck_assert_int_eq(pmu__find(&pmu, "uncore_imc_0", &intel), 0);
	ck_assert_int_eq(pmu__alias(&pmu, "cas_count_read", &alias, &intel), 0);
	ck_assert_str_eq(alias.terms, "event=0x04,umask=0x03");
	ck_assert_str_eq(alias.unit, "MiB");
	ck_assert_double_eq(alias.scale, 6.103515625e-5);
	ck_assert(!alias.snapshot);
	/* A file about an event is none. */
	ck_assert_int_eq(pmu__alias(&pmu, "cas_count_read.unit", &alias, &intel), -ENOENT);
	ck_assert_int_eq(pmu__alias(&pmu, "../type", &alias, &intel), -ENOENT);
	pmu__aliases(&pmu, &names, &intel);
	ck_assert_int_eq(names.nr, 1);
	names__free(&names);

	ck_assert_int_eq(pmu__find(&pmu, "msr", &intel), 0);
	ck_assert_int_eq(pmu__alias(&pmu, "cpu_thermal_margin", &alias, &intel), 0);
	ck_assert(alias.snapshot);
}
END_TEST

START_TEST(test_words)
{
	struct names names;
	uint64_t number;
	char text[20];

	ck_assert(names__number("0x1f", &number) && number == 31);
	ck_assert(names__number("010", &number) && number == 10);
	ck_assert(names__number("18446744073709551615", &number) && number == UINT64_MAX);
	ck_assert(!names__number("18446744073709551616", &number));
	ck_assert(!names__number("0x", &number) && !names__number("", &number));
	ck_assert(!names__number("-1", &number) && !names__number(" 1", &number));
	ck_assert(!names__number("1f", &number) && !names__number("0x1g", &number));

	names__read(&names, "%s/bus/event_source/devices/cpu/format", intel.sysfs);
	names__join(&names, text, sizeof(text));
	ck_assert_str_eq(text, "any, cmask, ..");
	names__free(&names);
	names__join(&names, text, sizeof(text));
	ck_assert_str_eq(text, "");
}
END_TEST

UNIT_MAIN("pmu", test_formats, test_put, test_find, test_cores, test_aliases, test_words)
