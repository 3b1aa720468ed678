// SPDX-License-Identifier: GPL-2.0-only
#include "lib/units.h"

#include <string.h>

#include "tests/unit/golden.h"
#include "tests/unit/unit.h"

/* Two boots with two runs on each of `nr` hosts, alike within a host: level, 1.1 level, 1.2 level... */
static struct observation *hosts_of(struct observation *runs, double level, int nr)
{
	for (int i = 0; i < 4 * nr; i++)
		runs[i] = (struct observation){.value = level * (1 + 0.1 * (i / 4)),
					       .boot = i / 2,
					       .block = i,
					       .host = i / 4 * 2};
	return runs;
}

static struct units build(int before, int after, bool hosts_differ)
{
	struct judge_options o = {.kernels_differ = true, .hosts_differ = hosts_differ};
	struct observation a[64], b[64];
	const struct arm x = {hosts_of(a, 100, before), 4 * before};
	const struct arm y = {hosts_of(b, 100, after), 4 * after};
	struct units units;

	ck_assert_int_eq(units__build(&x, &y, &o, true, &units), 0);
	return units;
}

/* Hosts that both sides have are no difference of the sides, and their boots are the unit. */
START_TEST(test_hosts)
{
	struct units units = build(3, 4, true);

	ck_assert_str_eq(units.name, "host");
	ck_assert(units.nr_before == 3 && units.nr_after == 4 && units.boots_before == 6);
	expect_near("second host", units.before[1], log(1.1), CLOSED_FORM);
	units__free(&units);
	units = build(3, 4, false);
	ck_assert_str_eq(units.name, "boot");
	ck_assert(units.nr_before == 6 && units.nr_after == 8);
	units__free(&units);
}
END_TEST

/* Two hosts say too little of what hosts do, but not nothing of the boots. */
START_TEST(test_few_hosts)
{
	struct units units = build(2, 4, true);

	ck_assert_str_eq(units.name, "boot");
	units__free(&units);
	units = build(1, 1, true);
	ck_assert_str_eq(units.name, "run");
	ck_assert(units.nr_before == 4 && units.boots_before == 2);
	units__free(&units);
}
END_TEST

static struct judgement judge(int nr, bool hosts_differ)
{
	struct judge_options o = {.min_effect = 0.01,
				  .kernels_differ = true,
				  .hosts_differ = hosts_differ,
				  .assumed_boot_sd = 0.02};
	struct observation a[64], b[64];
	const struct arm x = {hosts_of(a, 100, nr), 4 * nr};
	const struct arm y = {hosts_of(b, 120, nr), 4 * nr};
	struct judgement j;

	ck_assert_int_eq(verdict__judge(&x, &y, &o, &j), 0);
	return j;
}

/* By the boots 20 % are sure; by the hosts, which differ as much, they are not. */
START_TEST(test_verdicts)
{
	struct judgement boots = judge(3, false), hosts = judge(3, true), few = judge(2, true);

	ck_assert_int_eq(boots.verdict, VERDICT_REGRESSED);
	ck_assert_str_eq(boots.unit, "boot");
	ck_assert_int_eq(hosts.verdict, VERDICT_INCONCLUSIVE);
	ck_assert_str_eq(hosts.unit, "host");
	ck_assert(hosts.lo < boots.lo && hosts.hi > boots.hi && hosts.df < boots.df);
	ck_assert_msg(strstr(few.note, "it may be the hosts"), "%s", few.note);
	ck_assert_ptr_null(strstr(hosts.note, "it may be the hosts"));
}
END_TEST

UNIT_MAIN("units", test_hosts, test_few_hosts, test_verdicts)
