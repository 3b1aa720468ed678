// SPDX-License-Identifier: GPL-2.0-only
#include "lib/units.h"

#include <string.h>

#include "tests/unit/golden.h"
#include "tests/unit/sides.h"
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

START_TEST(test_hosts)
{
	struct units units = build(3, 4, true);

	ck_assert_str_eq(units.name, "host");
	ck_assert(units.nr_before == 3 && units.nr_after == 4 && units.boots_before == 6);
	expect_near("second host", units.before[1], log(1.1), CLOSED_FORM);
	units__free(&units);
	/* Not of single hosts, which may be one: their boots. */
	units = build(1, 1, false);
	ck_assert_str_eq(units.name, "run");
	units__free(&units);
}
END_TEST

/* Three boots on each of the hosts, the second side 3 % above the first, and a host has `level`. */
static size_t boots_on(const char *hosts, double factor, struct observation *runs)
{
	static const double levels[] = {100, 150, 80, 200}, noise[] = {1, 1.001, 0.999};
	size_t nr = 0;

	for (const char *h = hosts; *h; h++)
		for (int boot = 0; boot < 3; boot++, nr++)
			runs[nr] = (struct observation){
				.value = factor * levels[*h - 'A'] *
					 (1 + 0.001 * (*h - 'A') * (factor > 1)) * noise[boot],
				.boot = nr,
				.block = -1,
				.host = *h - 'A'};
	return nr;
}

static struct judgement judge_hosts(const char *before, const char *after)
{
	struct judge_options o = {.min_effect = 0.01,
				  .kernels_differ = true,
				  .assumed_boot_sd = 0.02,
				  .assumed_host_sd = 0.05};
	struct observation a[16], b[16];
	const struct arm x = {a, boots_on(before, 1, a)}, y = {b, boots_on(after, 1.03, b)};
	struct judgement j;

	ck_assert_int_eq(verdict__judge(&x, &y, &o, &j), 0);
	expect_ratio_of_sides(&j, false);
	return j;
}

/* What a host is apart from the others by must not enter, whichever side it is missing on. */
START_TEST(test_partly_common_hosts)
{
	struct judgement j = judge_hosts("ABCD", "ABC");

	ck_assert_str_eq(j.unit, "host pair");
	ck_assert(j.units_before == 3 && j.units_after == 3);
	ck_assert_str_eq(j.note, "1 host that one side does not have left out, with 3 boots");
	ck_assert_int_eq(j.verdict, VERDICT_REGRESSED);
	expect_near("ratio", j.ratio, 1.03 * cbrt(1.001 * 1.002), CLOSED_FORM);
	expect_near("before", j.before.value, cbrt(100 * 150 * 80) * cbrt(1.001 * 0.999),
		    CLOSED_FORM);
	/* As if it had never been measured. */
	ck_assert(judge_hosts("ABC", "ABC").p == j.p);
	ck_assert(judge_hosts("ABC", "ABCD").p == j.p);

	/* Two pairs have an interval, and no verdict. */
	j = judge_hosts("ABC", "AB");
	ck_assert_int_eq(j.verdict, VERDICT_INCONCLUSIVE);
	ck_assert_msg(!strcmp(j.note, "1 host that one side does not have left out, with 3 boots; "
				      "no verdict on fewer than 3 host pairs"),
		      "%s", j.note);
	ck_assert(j.units_before == 2 && j.runs_needed >= 3 && isfinite(j.lo));
	expect_near("ratio", j.ratio, 1.03 * sqrt(1.001), CLOSED_FORM);
}
END_TEST

START_TEST(test_one_common_host)
{
	static const char *const others[] = {"AD", "A"};
	struct judgement j;

	for (int i = 0; i < 2; i++) {
		j = judge_hosts("AB", others[i]);
		ck_assert_int_eq(j.verdict, VERDICT_INCONCLUSIVE);
		ck_assert_msg(strstr(j.note, i ? "1 host that one side does not have left out, "
						 "with 3 boots; several hosts, and one in common: "
						 "error not known"
					       : "2 hosts that one side does not have left out, "
						 "with 6 boots; several hosts, and one in common"),
			      "%s", j.note);
		ck_assert(isnan(j.p) && isnan(j.lo) && j.units_before == 1);
		expect_near("ratio", j.ratio, 1.03, CLOSED_FORM);
	}
	/* One whose name is not known may be any of them. */
	j = judge_hosts("AB", "CD");
	ck_assert_int_eq(j.verdict, VERDICT_INCONCLUSIVE);
	ck_assert_str_eq(j.note, "several hosts, and none in common: error not known");
	ck_assert(isnan(j.p) && isnan(j.lo));
	/* One and the same host: its boots. */
	j = judge_hosts("A", "A");
	ck_assert_str_eq(j.unit, "boot");
	ck_assert_int_eq(j.verdict, VERDICT_REGRESSED);
}
END_TEST

/* The same hosts on both sides are blocks, with however many boots: 2 boots a host, then 3. */
START_TEST(test_common_hosts)
{
	struct judge_options o = {.min_effect = 0.01, .kernels_differ = true};
	const double levels[] = {100, 120, 150}, ratios[] = {1.03, 1.031, 1.029};
	struct observation a[6], b[9];
	const struct arm x = {a, 6}, y = {b, 9};
	struct judgement j;

	for (int i = 0; i < 6; i++)
		a[i] = (struct observation){.value = levels[i / 2], .boot = i, .host = i / 2};
	/* Numbered by the host, in another order. */
	for (int i = 0; i < 9; i++)
		b[i] = (struct observation){
			.value = levels[2 - i / 3] * ratios[i / 3], .boot = i, .host = 2 - i / 3};
	ck_assert_int_eq(verdict__judge(&x, &y, &o, &j), 0);
	ck_assert_str_eq(j.unit, "host pair");
	ck_assert_str_eq(j.method, "paired t on logs");
	ck_assert(j.units_before == 3 && j.units_after == 3 && j.df == 2);
	ck_assert_int_eq(j.verdict, VERDICT_REGRESSED);
	expect_near("ratio", j.ratio, cbrt(1.03 * 1.031 * 1.029), CLOSED_FORM);
	expect_ratio_of_sides(&j, false);
	/* sd of the three logs is 0.0009709, and t of two degrees 4.302653. */
	expect_near("width", log(j.hi / j.lo) / 2, 4.302653 * 0.0009709 / sqrt(3), 1e-3);
	/* A host that only one side has is no pair. */
	a[5].host = a[4].host = 7;
	ck_assert_int_eq(verdict__judge(&x, &y, &o, &j), 0);
	ck_assert_str_eq(j.unit, "host pair");
	ck_assert_uint_eq(j.units_before, 2);
	/* What repeats needs no third. */
	o.class = METRIC_REPEATABLE;
	ck_assert_int_eq(verdict__judge(&x, &y, &o, &j), 0);
	ck_assert_int_eq(j.verdict, VERDICT_REGRESSED);
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

/* The second side is `ratio` times the first, host by host. */
static struct judgement judge_sides(int nr_before, int nr_after, double ratio, bool hosts_differ)
{
	struct judge_options o = {.min_effect = 0.01,
				  .kernels_differ = true,
				  .hosts_differ = hosts_differ,
				  .assumed_boot_sd = 0.02,
				  .assumed_host_sd = 0.05};
	struct observation a[64], b[64];
	const struct arm x = {hosts_of(a, 100, nr_before), 4 * nr_before};
	const struct arm y = {hosts_of(b, 100 * ratio, nr_after), 4 * nr_after};
	struct judgement j;

	ck_assert_int_eq(verdict__judge(&x, &y, &o, &j), 0);
	expect_ratio_of_sides(&j, false);
	return j;
}

static struct judgement judge(int nr, bool hosts_differ)
{
	return judge_sides(nr, nr, 1.2, hosts_differ);
}

/* By pairs of hosts 20 % are sure; by other hosts, which differ as much, they are not. */
START_TEST(test_verdicts)
{
	struct judgement pairs = judge_sides(3, 4, 1.2, false), hosts = judge(3, true);
	struct judgement few = judge(2, true);

	ck_assert_int_eq(pairs.verdict, VERDICT_REGRESSED);
	ck_assert_str_eq(pairs.unit, "host pair");
	ck_assert_int_eq(hosts.verdict, VERDICT_INCONCLUSIVE);
	ck_assert_str_eq(hosts.unit, "host");
	ck_assert(hosts.lo < pairs.lo && hosts.hi > pairs.hi);
	ck_assert_msg(strstr(few.note, "it may be the hosts"), "%s", few.note);
	ck_assert_ptr_null(strstr(hosts.note, "it may be the hosts"));
}
END_TEST

/*
 * One machine against another, three boots of each: 3 % may be the machines. 0.05 sqrt 2 of logs is
 * assumed, of which the interval is 1.96 times: 14 %.
 */
START_TEST(test_one_host_a_side)
{
	const double spreads[] = {0.998, 1, 1.002};
	struct judge_options o = {.min_effect = 0.01,
				  .kernels_differ = true,
				  .assumed_boot_sd = 0.02,
				  .assumed_host_sd = 0.05};
	struct observation a[3], b[3], large[3];
	const struct arm x = {a, 3}, y = {b, 3}, z = {large, 3};
	struct judgement j;

	for (int i = 0; i < 3; i++) {
		a[i] = (struct observation){.value = 100 * spreads[i], .boot = i};
		b[i] = (struct observation){.value = 103 * spreads[i], .boot = i};
		large[i] = (struct observation){.value = 150 * spreads[i], .boot = i};
	}
	ck_assert_int_eq(verdict__judge(&x, &y, &o, &j), 0);
	ck_assert_int_eq(j.verdict, VERDICT_REGRESSED);
	o.hosts_differ = true;
	ck_assert_int_eq(verdict__judge(&x, &y, &o, &j), 0);
	ck_assert_int_eq(j.verdict, VERDICT_INCONCLUSIVE);
	expect_near("hi", j.hi, 1.03 * exp(1.9600 * 0.05 * sqrt(2)), 1e-3);
	ck_assert_int_eq(verdict__judge(&x, &x, &o, &j), 0);
	ck_assert_int_eq(j.verdict, VERDICT_INCONCLUSIVE);
	ck_assert_int_eq(verdict__judge(&x, &z, &o, &j), 0);
	ck_assert_int_eq(j.verdict, VERDICT_REGRESSED);
	/* What repeats on any machine needs no spread between machines. */
	o.class = METRIC_REPEATABLE;
	ck_assert_int_eq(verdict__judge(&x, &y, &o, &j), 0);
	ck_assert_int_eq(j.verdict, VERDICT_REGRESSED);
}
END_TEST

/* Means of hosts, of boots, of runs: whatever the unit, its two sides make its ratio. */
START_TEST(test_sides)
{
	struct judgement j = judge_sides(3, 5, 1.1, true);

	ck_assert_str_eq(j.unit, "host");
	expect_near("three hosts", j.before.value, 100 * cbrt(1.1 * 1.2), CLOSED_FORM);
	j = judge_sides(2, 5, 1.1, true);
	ck_assert_str_eq(j.unit, "boot");
	j = judge_sides(1, 3, 1.1, true);
	ck_assert_str_eq(j.unit, "run");
	ck_assert_uint_eq(j.after.n, 12);
}
END_TEST

/* Nothing of a note is lost, however much there is to say. */
START_TEST(test_long_note)
{
	struct judge_options o = {.min_effect = 0.01,
				  .robust = true,
				  .kernels_differ = true,
				  .hosts_differ = true,
				  .assumed_boot_sd = 0.02,
				  .assumed_host_sd = 0.05};
	const struct observation runs[] = {{.value = 100}, {.value = 101}, {.value = 102}};
	const struct arm arm = {runs, 3};
	struct judgement j;

	ck_assert_int_eq(verdict__judge(&arm, &arm, &o, &j), 0);
	ck_assert_msg(strstr(j.note, "too few runs for ranks: 5 per side are the least; "), "%s",
		      j.note);
	ck_assert_ptr_null(strstr(j.note, "no verdict on fewer"));
	ck_assert_msg(strstr(j.note, "five boots per side lift that"), "%s", j.note);
	ck_assert_msg(strstr(j.note, "a spread of 5 % between them is assumed"), "%s", j.note);
}
END_TEST

UNIT_MAIN("units", test_hosts, test_common_hosts, test_partly_common_hosts, test_one_common_host,
	  test_few_hosts, test_verdicts, test_one_host_a_side, test_sides, test_long_note)
