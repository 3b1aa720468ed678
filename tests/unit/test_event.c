// SPDX-License-Identifier: GPL-2.0-only
#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "perf/event.h"
#include "perf/event_names.h"
#include "tests/unit/unit.h"

static const struct event_env env = {
	.sysfs = "/nonexistent",
	.tracefs = "/nonexistent",
	.procfs = "/nonexistent",
};

/* Numbers of the kernel's ABI, written out: type 0 hardware, 1 software, 3 cache, 4 raw. */
static const struct {
	const char *spec;
	unsigned int type;
	unsigned long long config;
} known[] = {
	{"cycles", 0, 0},
	{"cpu-cycles", 0, 0},
	{"instructions", 0, 1},
	{"cache-references", 0, 2},
	{"cache-misses", 0, 3},
	{"branches", 0, 4},
	{"branch-instructions", 0, 4},
	{"branch-misses", 0, 5},
	{"bus-cycles", 0, 6},
	{"stalled-cycles-frontend", 0, 7},
	{"idle-cycles-frontend", 0, 7},
	{"stalled-cycles-backend", 0, 8},
	{"idle-cycles-backend", 0, 8},
	{"ref-cycles", 0, 9},

	{"cpu-clock", 1, 0},
	{"task-clock", 1, 1},
	{"page-faults", 1, 2},
	{"faults", 1, 2},
	{"context-switches", 1, 3},
	{"cs", 1, 3},
	{"cpu-migrations", 1, 4},
	{"migrations", 1, 4},
	{"minor-faults", 1, 5},
	{"major-faults", 1, 6},
	{"alignment-faults", 1, 7},
	{"emulation-faults", 1, 8},
	{"dummy", 1, 9},
	{"bpf-output", 1, 10},
	{"cgroup-switches", 1, 11},

	{"L1-dcache-loads", 3, 0x0},
	{"L1-dcache-load-misses", 3, 0x10000},
	{"L1-dcache-stores", 3, 0x100},
	{"L1-dcache-store-misses", 3, 0x10100},
	{"L1-dcache-prefetches", 3, 0x200},
	{"L1-dcache-prefetch-misses", 3, 0x10200},
	{"L1-icache-loads", 3, 0x1},
	{"L1-icache-load-misses", 3, 0x10001},
	{"L1-icache-prefetches", 3, 0x201},
	{"L1-icache-prefetch-misses", 3, 0x10201},
	{"LLC-loads", 3, 0x2},
	{"LLC-load-misses", 3, 0x10002},
	{"LLC-stores", 3, 0x102},
	{"LLC-store-misses", 3, 0x10102},
	{"LLC-prefetches", 3, 0x202},
	{"LLC-prefetch-misses", 3, 0x10202},
	{"dTLB-loads", 3, 0x3},
	{"dTLB-load-misses", 3, 0x10003},
	{"dTLB-stores", 3, 0x103},
	{"dTLB-store-misses", 3, 0x10103},
	{"dTLB-prefetches", 3, 0x203},
	{"dTLB-prefetch-misses", 3, 0x10203},
	{"iTLB-loads", 3, 0x4},
	{"iTLB-load-misses", 3, 0x10004},
	{"branch-loads", 3, 0x5},
	{"branch-load-misses", 3, 0x10005},
	{"node-loads", 3, 0x6},
	{"node-load-misses", 3, 0x10006},
	{"node-stores", 3, 0x106},
	{"node-store-misses", 3, 0x10106},
	{"node-prefetches", 3, 0x206},
	{"node-prefetch-misses", 3, 0x10206},

	/* perf's other spellings */
	{"LLC", 3, 0x2},
	{"LLC-misses", 3, 0x10002},
	{"LLC-misses-load", 3, 0x10002},
	{"L2-read-miss", 3, 0x10002},
	{"llc-write", 3, 0x102},
	{"l1d-read-access", 3, 0x0},
	{"l1-d-write-refs", 3, 0x100},
	{"L1-data", 3, 0x0},
	{"l1i", 3, 0x1},
	{"L1-instruction-speculative-read", 3, 0x201},
	{"l1-i-speculative-load-miss", 3, 0x10201},
	{"d-tlb-store-ops", 3, 0x103},
	{"Data-TLB-loads", 3, 0x3},
	{"i-tlb-miss", 3, 0x10004},
	{"Instruction-TLB", 3, 0x4},
	{"bpu-load-misses", 3, 0x10005},
	{"btb", 3, 0x5},
	{"bpc-Reference", 3, 0x5},

	{"r0", 4, 0x0},
	{"r1a8", 4, 0x1a8},
	{"rC0", 4, 0xc0},
	{"r0x3c", 4, 0x3c},
	{"rfedcba9876543210", 4, 0xfedcba9876543210ULL},
	{"rffffffffffffffff", 4, 0xffffffffffffffffULL},
};

#define NR_KNOWN (sizeof(known) / sizeof(known[0]))

static struct event_list parse(const char *spec)
{
	struct event_list list;
	struct why why = {0};
	int err = event_list__parse(spec, &env, &list, &why);

	ck_assert_msg(!err, "'%s': %d %s", spec, err, why.text);
	return list;
}

static void refuse(const char *spec, const char *message)
{
	struct event_list list;
	struct why why = {0};

	ck_assert_int_eq(event_list__parse(spec, &env, &list, &why), -EINVAL);
	ck_assert_str_eq(why.text, message);
	ck_assert_int_eq(list.nr, 0);
	ck_assert_ptr_null(list.events);
}

START_TEST(test_every_name)
{
	for (size_t i = 0; i < NR_KNOWN; i++) {
		struct event_list list = parse(known[i].spec);
		const struct perf_event_attr *attr = &list.events[0].attr;

		ck_assert_int_eq(list.nr, 1);
		ck_assert_str_eq(list.events[0].name, known[i].spec);
		ck_assert_msg(attr->type == known[i].type && attr->config == known[i].config,
			      "%s: type %u config 0x%llx", known[i].spec, attr->type,
			      (unsigned long long)attr->config);
		ck_assert_uint_eq(attr->size, sizeof(*attr));
		ck_assert_uint_eq(attr->read_format,
				  PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING);
		ck_assert(!attr->disabled && !attr->inherit && !attr->exclude_kernel &&
			  !attr->exclude_user && !attr->exclude_hv);
		ck_assert_int_eq(attr->exclude_guest, known[i].type != PERF_TYPE_SOFTWARE);
		ck_assert_ptr_nonnull(list.events[0].unit);
		event_list__free(&list);
	}
}
END_TEST

START_TEST(test_names_offered)
{
	char name[EVENT_NAME_SIZE];
	int nr = 0;

	for (; event_name__nth(nr, name, sizeof(name)); nr++) {
		bool found = false;

		for (size_t i = 0; i < NR_KNOWN; i++)
			found |= !strcmp(known[i].spec, name);
		ck_assert_msg(found, "%s is not in the table of this test", name);
	}
	/* 10 hardware, 12 software, 32 cache events */
	ck_assert_int_eq(nr, 54);
	ck_assert(!event_name__nth(-1, name, sizeof(name)));
}
END_TEST

START_TEST(test_what_a_count_means)
{
	struct event_list list = parse("cycles,instructions,branches,task-clock,LLC-load-misses,"
				       "LLC-loads,cs,faults,rc0");
	const struct event *events = list.events;

	ck_assert_str_eq(events[0].unit, "cycles");
	ck_assert_int_eq(events[0].better, BETTER_LOWER);
	ck_assert_int_eq(events[0].class, METRIC_NOISY);
	ck_assert_int_eq(events[1].class, METRIC_REPEATABLE);
	ck_assert_int_eq(events[2].better, BETTER_NONE);
	ck_assert_str_eq(events[3].unit, "ns");
	ck_assert_int_eq(events[4].better, BETTER_LOWER);
	ck_assert_str_eq(events[4].unit, "misses");
	ck_assert_int_eq(events[5].better, BETTER_NONE);
	ck_assert(events[6].kernel_only && !events[7].kernel_only);
	ck_assert_int_eq(events[8].better, BETTER_NONE);
	event_list__free(&list);
}
END_TEST

START_TEST(test_modifiers)
{
	static const struct {
		const char *spec;
		int user, kernel, hv;
	} rows[] = {
		{"cycles", 0, 0, 0},
		{"cycles:u", 0, 1, 1},
		{"cycles:k", 1, 0, 1},
		{"cycles:uk", 0, 0, 1},
		{"r1a8:k", 1, 0, 1},
		{"LLC-load-misses:u", 0, 1, 1},
		{"context-switches:k", 1, 0, 1},
		{"cycles:h", 1, 1, 0},
		{"cycles:ukh", 0, 0, 0},
		{"cycles:p", 0, 0, 0},
	};
	static const struct {
		const char *spec;
		int guest, host, precise, pinned, idle, exclusive;
	} others[] = {
		{"cycles", 1, 0, 0, 0, 0, 0},	{"cycles:G", 0, 1, 0, 0, 0, 0},
		{"cycles:H", 1, 0, 0, 0, 0, 0}, {"cycles:GH", 0, 0, 0, 0, 0, 0},
		{"cs:G", 0, 1, 0, 0, 0, 0},	{"cycles:uppp", 1, 0, 3, 0, 0, 0},
		{"cycles:D", 1, 0, 0, 1, 0, 0}, {"cycles:IeW", 1, 0, 0, 0, 1, 1},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct event_list list = parse(rows[i].spec);
		const struct perf_event_attr *attr = &list.events[0].attr;

		ck_assert_str_eq(list.events[0].name, rows[i].spec);
		ck_assert_int_eq(attr->exclude_user, rows[i].user);
		ck_assert_int_eq(attr->exclude_kernel, rows[i].kernel);
		ck_assert_int_eq(attr->exclude_hv, rows[i].hv);
		event_list__free(&list);
	}

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		struct event_list list = parse(others[i].spec);
		const struct perf_event_attr *attr = &list.events[0].attr;

		ck_assert_int_eq(attr->exclude_guest, others[i].guest);
		ck_assert_int_eq(attr->exclude_host, others[i].host);
		ck_assert_int_eq(attr->precise_ip, others[i].precise);
		ck_assert_int_eq(attr->pinned, others[i].pinned);
		ck_assert_int_eq(attr->exclude_idle, others[i].idle);
		ck_assert_int_eq(attr->exclusive, others[i].exclusive);
		event_list__free(&list);
	}
}
END_TEST

START_TEST(test_lists)
{
	struct event_list list = parse("none");

	ck_assert_int_eq(list.nr, 0);
	event_list__free(&list);

	/* The same word counts once, another spelling is another row. */
	list = parse("cs,cycles,cycles:u,cs,context-switches,cycles");
	ck_assert_int_eq(list.nr, 4);
	ck_assert_str_eq(list.events[0].name, "cs");
	ck_assert_str_eq(list.events[1].name, "cycles");
	ck_assert_str_eq(list.events[2].name, "cycles:u");
	ck_assert_str_eq(list.events[3].name, "context-switches");
	event_list__free(&list);

	list = parse(EVENT_DEFAULTS);
	ck_assert_int_eq(list.nr, 12);
	event_list__free(&list);
}
END_TEST

#define USE "use u, k, h, G, H, p, D, I, e or W"

START_TEST(test_errors)
{
	refuse("cycles,instr",
	       "event syntax error: 'cycles,instr'\n"
	       "                            \\___ unknown event 'instr', did you mean "
	       "'instructions'?");
	refuse("cycels:u", "event syntax error: 'cycels:u'\n"
			   "                     \\___ unknown event 'cycels', did you mean "
			   "'cycles'?");
	refuse("zzzzzzzz", "event syntax error: 'zzzzzzzz'\n"
			   "                     \\___ unknown event 'zzzzzzzz'");
	refuse("", "event syntax error: ''\n"
		   "                     \\___ event name expected");
	refuse("cycles,", "event syntax error: 'cycles,'\n"
			  "                            \\___ event name expected");
	refuse(",cycles", "event syntax error: ',cycles'\n"
			  "                     \\___ event name expected");
	refuse("cycles:", "event syntax error: 'cycles:'\n"
			  "                            \\___ modifier expected: " USE);
	refuse("cycles:ux",
	       "event syntax error: 'cycles:ux'\n"
	       "                             \\___ modifier 'x' is not accepted: " USE);
	refuse("cycles:kuk", "event syntax error: 'cycles:kuk'\n"
			     "                              \\___ modifier 'k' is given twice");
	refuse("cycles:u:k", "event syntax error: 'cycles:u:k'\n"
			     "                             \\___ ':' is not expected here");
	refuse("cycles}", "event syntax error: 'cycles}'\n"
			  "                           \\___ '}' is not expected here");
	refuse("cs,none", "event syntax error: 'cs,none'\n"
			  "                        \\___ 'none' stands alone");
	refuse("cs,r0123456789abcdef0",
	       "event syntax error: 'cs,r0123456789abcdef0'\n"
	       "                        \\___ a raw event has 1 to 16 hexadecimal digits");
}
END_TEST

START_TEST(test_refusals)
{
	refuse("cs,cpu/event=0x3c/", "event syntax error: 'cs,cpu/event=0x3c/'\n"
				     "                        \\___ unknown PMU 'cpu'");
	refuse("cycles/event=1/",
	       "event syntax error: 'cycles/event=1/'\n"
	       "                            \\___ unknown term 'event': an event "
	       "by name has name and period");
	refuse("mem:0x1000:rw", "event syntax error: 'mem:0x1000:rw'\n"
				"                     \\___ breakpoints are not accepted");
	refuse("1:x", "event syntax error: '1:x'\n"
		      "                       \\___ a number of 64 bits is expected, as in 0x1f "
		      "or 31");
	refuse("4294967296:0", "event syntax error: '4294967296:0'\n"
			       "                     \\___ a type has 32 bits");
	refuse("cycles:uP", "event syntax error: 'cycles:uP'\n"
			    "                             \\___ modifier 'P' lets perf try how "
			    "precise it gets: say p, pp or ppp");
	refuse("cycles:S", "event syntax error: 'cycles:S'\n"
			   "                            \\___ modifier 'S' reads a group at each "
			   "sample: counting takes none");
	refuse("cycles:pppp",
	       "event syntax error: 'cycles:pppp'\n"
	       "                               \\___ 'ppp' is as precise as it gets");
}
END_TEST

START_TEST(test_numeric)
{
	struct event_list list = parse("1:0,4:0x1a8,0x3:65538:u,4294967295:0xffffffffffffffff");

	ck_assert_int_eq(list.nr, 4);
	ck_assert_str_eq(list.events[0].name, "1:0");
	ck_assert_uint_eq(list.events[0].attr.type, 1);
	ck_assert_uint_eq(list.events[1].attr.type, 4);
	ck_assert_uint_eq(list.events[1].attr.config, 0x1a8);
	ck_assert_str_eq(list.events[2].name, "0x3:65538:u");
	ck_assert_uint_eq(list.events[2].attr.config, 0x10002);
	ck_assert(list.events[2].attr.exclude_kernel);
	ck_assert_uint_eq(list.events[3].attr.type, 0xffffffff);
	ck_assert_uint_eq(list.events[3].attr.config, 0xffffffffffffffffULL);
	event_list__free(&list);
}
END_TEST

/* Members share a number, the next group has another, and group and member modifiers add up. */
START_TEST(test_groups)
{
	struct event_list list = parse("{cycles:k,instructions}:uD,cs,{faults,cs,LLC-loads:p}:pp");
	static const struct {
		const char *name;
		int user, kernel, precise, pinned;
	} rows[] = {
		{"cycles:kuD", 0, 0, 0, 1}, {"instructions:uD", 0, 1, 0, 1},
		{"cs", 0, 0, 0, 0},	    {"faults:pp", 0, 0, 2, 0},
		{"cs:pp", 0, 0, 2, 0},	    {"LLC-loads:pp", 0, 0, 2, 0},
	};

	ck_assert_int_eq(list.nr, 6);
	for (int i = 0; i < list.nr; i++) {
		const struct perf_event_attr *attr = &list.events[i].attr;

		ck_assert_str_eq(list.events[i].name, rows[i].name);
		ck_assert_int_eq(attr->exclude_user, rows[i].user);
		ck_assert_int_eq(attr->exclude_kernel, rows[i].kernel);
		ck_assert_int_eq(attr->precise_ip, rows[i].precise);
		ck_assert_int_eq(attr->pinned, rows[i].pinned);
	}
	ck_assert_int_gt(list.events[0].group, 0);
	ck_assert_int_eq(list.events[0].group, list.events[1].group);
	ck_assert_int_eq(list.events[2].group, 0);
	ck_assert_int_ne(list.events[3].group, list.events[0].group);
	ck_assert_int_eq(list.events[3].group, list.events[5].group);
	event_list__free(&list);

	refuse("cs,{cycles,faults", "event syntax error: 'cs,{cycles,faults'\n"
				    "                        \\___ this '{' is not closed");
	refuse("{cs,{faults}}", "event syntax error: '{cs,{faults}}'\n"
				"                         \\___ a group does not contain another");
	refuse("{}", "event syntax error: '{}'\n"
		     "                      \\___ event name expected");
	refuse("{cs}x", "event syntax error: '{cs}x'\n"
			"                         \\___ 'x' is not expected here");
	refuse("{cs}:", "event syntax error: '{cs}:'\n"
			"                          \\___ modifier expected: " USE);
}
END_TEST

/* Operations that a cache does not have, and words that only look like cache events. */
START_TEST(test_impossible_caches)
{
	static const char *const specs[] = {
		"L1-icache-stores",
		"iTLB-stores",
		"iTLB-prefetches",
		"branch-stores",
		"LLC-",
		"LLC--loads",
		"LLC-loads-",
		"LLC-loads-loads",
		"LLC-misses-refs",
		"LLCloads",
		"LLC-load-misses-x",
		"node-",
	};

	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		struct event_list list;
		struct why why = {0};

		ck_assert_msg(event_list__parse(specs[i], &env, &list, &why) == -EINVAL, "%s",
			      specs[i]);
		ck_assert_ptr_nonnull(strstr(why.text, "\\___ unknown event '"));
	}
}
END_TEST

START_TEST(report_libbpf_482_hostile_event_strings)
{
	char spec[EVENT_SPEC_MAX + 2];
	struct event_list list;
	struct why why;

	/* The column counts what is shown: an escape has four. */
	refuse("\033[31m", "event syntax error: '\\x1b[31m'\n"
			   "                     \\___ unknown event '\\x1b[31m'");
	refuse("cycles:\n",
	       "event syntax error: 'cycles:\\x0a'\n"
	       "                            \\___ modifier '\\x0a' is not accepted: " USE);

	for (int c = 1; c < 256; c++) {
		char text[] = {'c', 's', ',', (char)c, '\0'};

		why.text[0] = '\0';
		ck_assert_int_eq(event_list__parse(text, &env, &list, &why), -EINVAL);
		for (const char *t = why.text; *t; t++)
			ck_assert_msg((*t >= ' ' && *t <= '~') || *t == '\n', "byte %d", c);
	}

	/* Every byte an escape: the message is cut, not overrun, and still says what it is. */
	memset(spec, '\377', EVENT_SPEC_MAX);
	spec[EVENT_SPEC_MAX] = '\0';
	ck_assert_int_eq(event_list__parse(spec, &env, &list, &why), -EINVAL);
	ck_assert_ptr_nonnull(strstr(why.text, "\\___ unknown event '\\xff"));
}
END_TEST

START_TEST(test_limits)
{
	char spec[EVENT_SPEC_MAX + 2];
	struct event_list list;
	size_t len = 0;

	/* "cs,cs,...,rc00": 4096 bytes are taken, one more is not. */
	while (len < EVENT_SPEC_MAX - 4)
		len += sprintf(spec + len, "cs,");
	strcpy(spec + len, "rc00");
	ck_assert_uint_eq(strlen(spec), EVENT_SPEC_MAX);
	list = parse(spec);
	ck_assert_int_eq(list.nr, 2);
	event_list__free(&list);
	strcat(spec, "0");
	refuse(spec, "event list of 4097 bytes: the limit is 4096");

	len = 0;
	for (int i = 0; i < EVENT_LIST_MAX; i++)
		len += sprintf(spec + len, "%sr%x", i ? "," : "", 0x100 + i);
	list = parse(spec);
	ck_assert_int_eq(list.nr, EVENT_LIST_MAX);
	ck_assert_uint_eq(list.events[63].attr.config, 0x13f);
	event_list__free(&list);
	strcpy(spec + len, ",cs");
	refuse(spec, "event syntax error: '..13b,r13c,r13d,r13e,r13f,cs'\n"
		     "                                               \\___ more than 64 events");
}
END_TEST

UNIT_MAIN("event", test_every_name, test_names_offered, test_what_a_count_means, test_modifiers,
	  test_lists, test_errors, test_refusals, test_numeric, test_groups, test_impossible_caches,
	  report_libbpf_482_hostile_event_strings, test_limits)
