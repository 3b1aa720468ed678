// SPDX-License-Identifier: GPL-2.0-only
#include <check.h>
#include <errno.h>
#include <string.h>

#include "perf/event.h"
#include "tests/unit/unit.h"

/* Events through the sysfs of machines that this one is not. */

#define TREE(name)                                                                     \
	{                                                                              \
		.sysfs = TESTDATA "/sysfs-" name, .tracefs = TESTDATA "/tracefs-6.12", \
		.procfs = "/nonexistent"                                               \
	}

static const struct event_env intel = TREE("intel");
static const struct event_env hybrid = TREE("intel-hybrid");
static const struct event_env amd = TREE("amd");
static const struct event_env arm64 = TREE("arm64");

static struct event_list parse(const struct event_env *env, const char *spec)
{
	struct event_list list;
	struct why why = {0};
	int err = event_list__parse(spec, env, &list, &why);

	ck_assert_msg(!err, "'%s': %d %s", spec, err, why.text);
	return list;
}

static void refuse(const struct event_env *env, const char *spec, int column, const char *message)
{
	struct event_list list;
	struct why why = {0};
	char expected[640];

	snprintf(expected, sizeof(expected), "event syntax error: '%s'\n%*s\\___ %s", spec,
		 (int)strlen("event syntax error: '") + column, "", message);
	ck_assert_int_eq(event_list__parse(spec, env, &list, &why), -EINVAL);
	ck_assert_str_eq(why.text, expected);
	ck_assert_ptr_null(list.events);
}

START_TEST(test_encodings)
{
	static const struct {
		const struct event_env *env;
		const char *spec;
		unsigned int type;
		unsigned long long config, config1, config2, config3;
	} rows[] = {
		{&intel, "cpu/event=0x3c,umask=1/", 4, 0x13c},
		{&intel, "cpu/event=60,inv,cmask=0x10/", 4, 0x1080003c},
		{&intel, "cpu/event=1,in_tx=1,in_tx_cp/", 4, 0x300000001},
		{&intel, "cpu/mem-loads/", 4, 0x1cd, 3},
		{&intel, "cpu/mem-loads,ldlat=30/", 4, 0x1cd, 30},
		{&intel, "mem-loads", 4, 0x1cd, 3},
		{&intel, "cpu/event=0xb7,offcore_rsp=0x3fbfc00001/", 4, 0xb7, 0x3fbfc00001},
		{&intel, "cpu/config=0x1234,config1=1,config2=2,config3=3/", 4, 0x1234, 1, 2, 3},
		{&intel, "cpu/r1a8/", 4, 0x1a8},
		{&intel, "cpu//", 4, 0},
		{&intel, "cpu/instructions/", 4, 0xc0},
		{&intel, "cpu/cycles/", 0, 0},
		{&intel, "cpu/LLC-load-misses/", 3, 0x10002},
		{&intel, "r1a8", 4, 0x1a8},
		{&intel, "msr/tsc/", 11, 0},
		{&intel, "software/config=1/", 1, 1},
		{&amd, "cpu/event=0xfff,umask=0xff/", 4, 0xf0000ffff},
		{&amd, "cpu/event=0x1c0/", 4, 0x1000000c0},
		{&amd, "cpu/cache-misses/", 4, 0x964},
		{&amd, "ibs_op/cnt_ctl=1/", 8, 0x80000},
		{&arm64, "armv8_pmuv3_0/cpu_cycles/", 8, 0x11},
		{&arm64, "armv8_pmuv3_0/event=0x11,long/", 8, 0x11, 1},
		{&arm64, "l1d_cache", 8, 4},
		{&arm64, "cycles", 0, 0},
		{&hybrid, "cpu_core/mem-loads,ldlat=7/", 4, 0x1cd, 7},
		{&hybrid, "cpu_atom/mem-loads/", 10, 0x5d0, 3},
		{&hybrid, "cpu_core/cycles/", 0, 0x400000000},
		{&hybrid, "cpu_atom/LLC-loads/", 3, 0xa00000002},
		{&hybrid, "cpu_atom/r1a8/", 10, 0x1a8},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct event_list list = parse(rows[i].env, rows[i].spec);
		const struct event *event = &list.events[0];

		ck_assert_int_eq(list.nr, 1);
		ck_assert_str_eq(event->name, rows[i].spec);
		ck_assert_msg(event->attr.type == rows[i].type &&
				      event->attr.config == rows[i].config,
			      "%s: type %u config 0x%llx", rows[i].spec, event->attr.type,
			      (unsigned long long)event->attr.config);
		ck_assert_uint_eq(event->attr.config1, rows[i].config1);
		ck_assert_uint_eq(event->attr.config2, rows[i].config2);
		ck_assert_uint_eq(event->config3, rows[i].config3);
		event_list__free(&list);
	}
}
END_TEST

/* One event per kind of core, the performance cores first; software events stay one. */
START_TEST(report_rustc_perf_1480_one_event_per_kind_of_core)
{
	static const struct {
		const char *name, *cpus;
		unsigned int type;
		unsigned long long config;
	} rows[] = {
		{"cpu_core/cycles/u", "0-15", 0, 0x400000000},
		{"cpu_atom/cycles/u", "16-23", 0, 0xa00000000},
		{"cpu_core/LLC-load-misses/", "0-15", 3, 0x400010002},
		{"cpu_atom/LLC-load-misses/", "16-23", 3, 0xa00010002},
		{"cpu_core/r1a8/", "0-15", 4, 0x1a8},
		{"cpu_atom/r1a8/", "16-23", 10, 0x1a8},
		{"task-clock", NULL, 1, 1},
		{"cpu_core/slots/", "0-15", 4, 0x400},
		{"cpu_core/topdown-retiring/", "0-15", 4, 0x8000},
		{"cpu_atom/topdown-retiring/", "16-23", 10, 0xc2},
		{"cpu_core/x/", "0-15", 0, 0x400000001},
		{"cpu_atom/x/", "16-23", 0, 0xa00000001},
	};
	struct event_list list = parse(&hybrid, "cycles:u,LLC-load-misses,r1a8,task-clock,slots,"
						"topdown-retiring,instructions/name=x/");

	ck_assert_int_eq(list.nr, sizeof(rows) / sizeof(rows[0]));
	for (int i = 0; i < list.nr; i++) {
		ck_assert_str_eq(list.events[i].name, rows[i].name);
		ck_assert_uint_eq(list.events[i].attr.type, rows[i].type);
		ck_assert_uint_eq(list.events[i].attr.config, rows[i].config);
		ck_assert_pstr_eq(list.events[i].cpus, rows[i].cpus);
	}
	event_list__free(&list);

	/* No group holds events of two PMUs. */
	list = parse(&hybrid, "{cycles,instructions,task-clock}");
	ck_assert_int_eq(list.nr, 5);
	ck_assert_int_eq(list.events[0].group, list.events[2].group);
	ck_assert_int_eq(list.events[1].group, list.events[3].group);
	ck_assert_int_ne(list.events[0].group, list.events[1].group);
	ck_assert_int_eq(list.events[0].group, list.events[4].group);
	event_list__free(&list);
	list = parse(&hybrid, EVENT_DEFAULTS);
	ck_assert_int_eq(list.nr, 4 + 2 * 8);
	event_list__free(&list);
}
END_TEST

START_TEST(test_names_and_units)
{
	struct event_list list = parse(&intel, "cpu/event=1,name=mine/u,cpu/event=2/:uk,"
					       "topdown-total-slots,cpu/instructions/,"
					       "cycles/period=1000,name='a,b/c'/k");
	const struct event *events = list.events;

	ck_assert_int_eq(list.nr, 5);
	ck_assert_str_eq(events[0].name, "mine");
	ck_assert(events[0].attr.exclude_kernel && !events[0].attr.exclude_user);
	ck_assert_str_eq(events[1].name, "cpu/event=2/uk");
	ck_assert_str_eq(events[1].unit, "events");
	ck_assert_double_eq(events[1].scale, 1);
	ck_assert_double_eq(events[2].scale, 2);
	ck_assert_str_eq(events[3].unit, "instructions");
	ck_assert_int_eq(events[3].class, METRIC_REPEATABLE);
	ck_assert_str_eq(events[4].name, "a,b/c");
	ck_assert_uint_eq(events[4].period, 1000);
	/* A period would make the kernel sample: it is kept beside. */
	ck_assert_uint_eq(events[4].attr.sample_period, 0);
	event_list__free(&list);
}
END_TEST

START_TEST(test_refusals)
{
	refuse(&intel, "cpy/event=1/", 0, "unknown PMU 'cpy', did you mean 'cpu'?");
	refuse(&intel, "zzzz/x/", 0,
	       "unknown PMU 'zzzz': this machine has breakpoint, cpu, msr, power, software, "
	       "tracepoint, uncore_imc_0");
	refuse(&hybrid, "cs,cpu/cycles/", 3,
	       "unknown PMU 'cpu', did you mean 'cpu_atom' or 'cpu_core'?");
	refuse(&amd, "cpu/evnt=1/", 4,
	       "unknown term 'evnt', did you mean 'event'? 'cpu' has cmask, edge, event, inv, "
	       "umask, config to config3, name and period");
	refuse(&arm64, "armv8_pmuv3_0/zzzz/", 14,
	       "unknown term 'zzzz': 'armv8_pmuv3_0' has event, long, rdpmc, config to config3, "
	       "name and period");
	refuse(&intel, "cpu/event=0x100/", 10, "too large for 'event': the maximum is 0xff");
	refuse(&intel, "cpu/event=x/", 10, "'x' is no number, as in 0x1f or 31");
	refuse(&intel, "cpu/event=/", 10, "'' is no number, as in 0x1f or 31");
	refuse(&intel, "cpu/event=1", 3, "this '/' wants another behind the terms");
	refuse(&intel, "cpu/", 3, "this '/' wants another behind the terms");
	refuse(&intel, "cpu/event=1,/", 12, "term expected");
	refuse(&intel, "cpu/name='x/", 9, "the quote is not closed");
	refuse(&intel, "cpu/cycles,inv/", 11,
	       "the event before is an encoding of its own: no terms of 'cpu' with it");
	refuse(&intel, "cpu/freq=1/", 4,
	       "'freq' is for sampling or for other threads: it means nothing in a count");
	refuse(&intel, "cpu/name=ns_op/", 9, "'ns_op' is the name of another figure");
	refuse(&intel, "cycles,cpu/event=1,name=cycles/", 7,
	       "two different events have the name 'cycles'");
	refuse(&intel, "msr/cpu_thermal_margin/", 4,
	       "'cpu_thermal_margin' of 'msr' is a level, not a count");
	refuse(&intel, "mem-load", 0, "unknown event 'mem-load', did you mean 'mem-loads'?");
}
END_TEST

START_TEST(test_uncore)
{
	refuse(&intel, "cs,uncore_imc_0/cas_count_read/", 3,
	       "'uncore_imc_0' counts a socket, not a thread");
	refuse(&intel, "power/energy-pkg/", 0, "'power' counts a socket, not a thread");
	refuse(&intel, "14:0x304", 0, "'uncore_imc_0' counts a socket, not a thread");
	refuse(&amd, "amd_l3//", 0, "'amd_l3' counts a socket, not a thread");
	refuse(&arm64, "arm_cmn_0/hnf_cache_miss/", 0, "'arm_cmn_0' counts a socket, not a thread");
}
END_TEST

START_TEST(test_hostile)
{
	static const char letters[] = "cpu/event=1,name='x'/{}:kD.%\\*[\"\n\377";
	struct event_list list;
	struct why why;
	char spec[32];
	unsigned int seed = 1;

	refuse(&intel, "../x/", 0,
	       "unknown PMU '..': this machine has breakpoint, cpu, msr, power, software, "
	       "tracepoint, uncore_imc_0");
	refuse(&intel, "cpu/../", 4,
	       "unknown term '..': 'cpu' has any, cmask, edge, event, frontend, in_tx, in_tx_cp, "
	       "inv, ldlat, offcore_rsp, pc, umask, config to config3, name and period");
	for (int i = 0; i < 20000; i++) {
		size_t len = 4 + i % 20;

		strcpy(spec, i % 2 ? "cpu/" : "{cs:");
		for (size_t j = 4; j < len; j++) {
			seed = seed * 1103515245 + 12345;
			spec[j] = letters[(seed >> 16) % (sizeof(letters) - 1)];
		}
		spec[len] = '\0';
		why.text[0] = '\0';
		if (!event_list__parse(spec, &intel, &list, &why)) {
			event_list__free(&list);
			continue;
		}
		ck_assert_ptr_nonnull(strstr(why.text, "\\___ "));
		for (const char *c = why.text; *c; c++)
			ck_assert_msg((*c >= ' ' && *c <= '~') || *c == '\n', "'%s'", spec);
	}
}
END_TEST

UNIT_MAIN("event_pmu", test_encodings, report_rustc_perf_1480_one_event_per_kind_of_core,
	  test_names_and_units, test_refusals, test_uncore, test_hostile)
