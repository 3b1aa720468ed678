// SPDX-License-Identifier: GPL-2.0-only
/* As simulate.c, of two kernels on several hosts: those of both sides, and those of one. */
#include <math.h>
#include <stdio.h>

#include "tests/stats/simulation.h"

/* Hosts that both sides have, and that differ by 20 %; each side has so many boots on each. */
static void draw_hosts(struct experiment *e, int hosts, int boots, double ratio, uint64_t *random)
{
	int boot = 0;

	e->nr = 0;
	for (int h = 0; h < hosts; h++) {
		double level = 0.2 * normal(random);

		for (int b = 0; b < boots; b++, boot++) {
			double before = level + 0.007 * normal(random);
			double after = level + log(ratio) + 0.007 * normal(random);

			for (int i = 0; i < 3; i++, e->nr++) {
				e->before[e->nr] = run(before + 0.005 * normal(random), boot, -1);
				e->after[e->nr] = run(after + 0.005 * normal(random), boot, -1);
				e->before[e->nr].host = e->after[e->nr].host = h;
			}
		}
	}
}

/* How often a change is called, by host and, for contrast, as if the hosts were not known. */
static void count_hosts(int hosts, int boots, double ratio, int *ret_by_host, int *ret_by_boot)
{
	struct judge_options o = defaults;
	struct experiment e;
	uint64_t random = 5600 + 10 * hosts + boots;

	o.kernels_differ = true;
	*ret_by_host = *ret_by_boot = 0;
	for (int i = 0; i < NR_SIMS; i++) {
		draw_hosts(&e, hosts, boots, ratio, &random);
		*ret_by_host += is_called(&e, &o);
		for (size_t r = 0; r < e.nr; r++)
			e.before[r].host = e.after[r].host = 0;
		*ret_by_boot += is_called(&e, &o);
	}
}

static void simulate_hosts(void)
{
	static const struct {
		int hosts, boots;
		double power;
	} cases[] = {{2, 5, 0}, {3, 5, 90}, {5, 1, 80}, {5, 3, 90}};
	int by_host, by_boot;
	char what[100];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		count_hosts(cases[i].hosts, cases[i].boots, 1, &by_host, &by_boot);
		snprintf(what, sizeof(what), "%d common hosts x %d, 20 %% apart, false positives",
			 cases[i].hosts, cases[i].boots);
		report_at_most(what, by_host, MAX_FALSE);
		report_for_contrast("the same, boot as unit", by_boot);
		count_hosts(cases[i].hosts, cases[i].boots, 1.02, &by_host, &by_boot);
		snprintf(what, sizeof(what), "%d common hosts x %d, +2 %% is found", cases[i].hosts,
			 cases[i].boots);
		if (cases[i].power > 0)
			report_at_least(what, by_host, cases[i].power);
		else
			report_for_contrast(what, by_host);
		report_for_contrast("the same, boot as unit", by_boot);
	}
}

/* On a machine of its own speed; 20 % is what hosts differ by. */
static void add_host(struct observation *runs, size_t *nr, int host, double level, uint64_t *random)
{
	for (int b = 0; b < 5; b++) {
		double boot = level + 0.007 * normal(random);

		for (int i = 0; i < 3; i++, ++*nr) {
			runs[*nr] = run(boot + 0.005 * normal(random), 5 * host + b, -1);
			runs[*nr].host = host;
		}
	}
}

/* The hosts of each side by their letters, five boots a host, and nothing changed. */
static void simulate_hosts_partly_common(const char *hosts_before, const char *hosts_after)
{
	int by_p = 0, called = 0, by_boot = 0;
	struct judge_options o = defaults;
	uint64_t random = 5700;
	char what[100];

	o.kernels_differ = true;
	for (int i = 0; i < NR_SIMS; i++) {
		struct observation before[MAX_RUNS], after[MAX_RUNS];
		struct arm a = {before, 0}, b = {after, 0};
		struct judgement j;
		double level[26];

		for (int h = 0; h < 26; h++)
			level[h] = 0.2 * normal(&random);
		for (const char *h = hosts_before; *h; h++)
			add_host(before, &a.nr, *h - 'A', level[*h - 'A'], &random);
		for (const char *h = hosts_after; *h; h++)
			add_host(after, &b.nr, *h - 'A', level[*h - 'A'], &random);
		judge_arms(&a, &b, &o, &j);
		by_p += j.p <= VERDICT_ALPHA;
		called += is_change(&j);
		for (size_t r = 0; r < a.nr; r++)
			before[r].host = 0;
		for (size_t r = 0; r < b.nr; r++)
			after[r].host = 0;
		judge_arms(&a, &b, &o, &j);
		by_boot += j.p <= VERDICT_ALPHA;
	}
	snprintf(what, sizeof(what), "hosts %s and %s, 20 %% apart, false positives", hosts_before,
		 hosts_after);
	report_at_most(what, by_p, MAX_FALSE);
	snprintf(what, sizeof(what), "hosts %s and %s, 20 %% apart, false verdicts", hosts_before,
		 hosts_after);
	report_at_most(what, called, MAX_FALSE);
	report_for_contrast("the same, boot as unit", by_boot);
}

/* Steady in either speed, so that two runs of one speed look as if they were sure. */
static double two_speeds(uint64_t *random)
{
	return (random__below(random, 2) ? 0.05 : -0.05) + 0.003 * normal(random);
}

/* Hosts that both sides have, with a run on each, in one of the two speeds that each host has. */
static void simulate_hosts_of_two_speeds(int hosts)
{
	int by_p = 0, called = 0;
	struct judge_options o = defaults;
	uint64_t random = 5800 + hosts;
	struct experiment e;
	struct judgement j;
	char what[100];

	o.kernels_differ = true;
	e.nr = hosts;
	for (int i = 0; i < NR_SIMS; i++) {
		for (int h = 0; h < hosts; h++) {
			double level = 0.2 * normal(&random);

			e.before[h] = run(level + two_speeds(&random), h, -1);
			e.after[h] = run(level + two_speeds(&random), h, -1);
			e.before[h].host = e.after[h].host = h;
		}
		judge(&e, &o, &j);
		by_p += j.p <= VERDICT_ALPHA;
		called += is_change(&j);
	}
	snprintf(what, sizeof(what), "%d common hosts of two speeds, a run each, p", hosts);
	if (hosts < VERDICT_MIN_BOOTS)
		report_for_contrast(what, by_p);
	else
		report_at_most(what, by_p, MAX_FALSE);
	snprintf(what, sizeof(what), "%d common hosts of two speeds, a run each, false verdicts",
		 hosts);
	report_at_most(what, called, MAX_FALSE);
}

int main(void)
{
	simulate_hosts();
	simulate_hosts_partly_common("ABC", "AB");
	simulate_hosts_partly_common("AB", "AD");
	simulate_hosts_partly_common("ABCDE", "ABCX");
	simulate_hosts_of_two_speeds(2);
	simulate_hosts_of_two_speeds(3);
	simulate_hosts_of_two_speeds(5);
	return end();
}
