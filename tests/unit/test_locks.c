// SPDX-License-Identifier: GPL-2.0-only
#include "tests/unit/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/hist.h"
#include "lib/ksyms.h"
#include "lib/lock_selftest.h"
#include "tracepoints/lock_class.h"
#include "tracepoints/lock_report.h"

#define NR(array) (sizeof(array) / sizeof((array)[0]))

START_TEST(test_class_of_real_stacks)
{
	static const struct {
		const char *class, *caller;
		const char *frames[8];
	} stacks[] = {
		/* 6.12, one key and four producers; 6.1 ends in bpf_map_update_value.isra.0 */
		{"hash bucket",
		 "htab_map_update_elem",
		 {"native_queued_spin_lock_slowpath", "_raw_spin_lock", "htab_lock_bucket",
		  "htab_map_update_elem", "bpf_map_update_value"}},
		/* the same with htab_lock_bucket inlined, and rqspinlock of 6.15 */
		{"hash bucket",
		 "htab_map_delete_elem",
		 {"resilient_queued_spin_lock_slowpath", "htab_map_delete_elem",
		  "bpf_prog_1234_op"}},
		/* a freelist is taken below the map's functions, and wins */
		{"percpu_freelist",
		 "___pcpu_freelist_pop",
		 {"native_queued_spin_lock_slowpath", "_raw_spin_lock", "___pcpu_freelist_pop",
		  "htab_map_update_elem"}},
		{"LRU",
		 "bpf_common_lru_pop_free",
		 {"_raw_spin_lock_irqsave", "bpf_common_lru_pop_free", "prealloc_lru_pop",
		  "htab_lru_map_update_elem"}},
		{"allocator",
		 "___slab_alloc",
		 {"_raw_spin_lock_irqsave", "___slab_alloc", "alloc_htab_elem",
		  "htab_map_update_elem"}},
		{"ring buffer",
		 "__bpf_ringbuf_reserve",
		 {"_raw_spin_lock_irqsave", "__bpf_ringbuf_reserve"}},
		{"LPM trie", "trie_update_elem", {"_raw_spin_lock_irqsave", "trie_update_elem"}},
		{"queue/stack",
		 "queue_stack_map_push_elem",
		 {"_raw_spin_lock", "queue_stack_map_push_elem"}},
		{"local storage",
		 "bpf_selem_unlink_storage",
		 {"_raw_spin_lock_irqsave", "bpf_selem_unlink_storage", "bpf_selem_unlink"}},
		{"mmap",
		 "vm_mmap_pgoff",
		 {"rwsem_down_write_slowpath", "down_write_killable", "vm_mmap_pgoff",
		  "ksys_mmap_pgoff"}},
		{"other",
		 "try_to_wake_up",
		 {"_raw_spin_lock", "try_to_wake_up", "wake_up_process"}},
		/* an interrupt that came while a map was updated wants no lock of the map */
		{"other",
		 "sched_tick",
		 {"_raw_spin_lock", "sched_tick", "asm_sysvec_apic_timer_interrupt",
		  "htab_map_update_elem"}},
		{"unresolved", NULL, {NULL}},
	};

	for (size_t i = 0; i < NR(stacks); i++) {
		const char *caller;
		size_t nr = 0;

		while (nr < 8 && stacks[i].frames[nr])
			nr++;
		nr = nr ? nr : 1;
		ck_assert_str_eq(lock_class__of(stacks[i].frames, nr), stacks[i].class);
		caller = lock_class__caller(stacks[i].frames, nr);
		ck_assert_pstr_eq(caller, stacks[i].caller);
	}
}
END_TEST

START_TEST(test_types)
{
	ck_assert_str_eq(lock_type(0), "semaphore");
	ck_assert_str_eq(lock_type(LCB_F_SPIN), "spinlock");
	ck_assert_str_eq(lock_type(LCB_F_WRITE), "rwsem:W");
	ck_assert_str_eq(lock_type(LCB_F_SPIN | LCB_F_READ), "rwlock:R");
	ck_assert_str_eq(lock_type(LCB_F_SPIN | LCB_F_MUTEX), "mutex");
	ck_assert_str_eq(lock_type(1 << 30), "unknown");
}
END_TEST

static void write_kallsyms(char *path, const char *text)
{
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

START_TEST(test_ksyms)
{
	char path[] = "/tmp/bpfperf-ksyms-XXXXXX";
	struct ksyms *ksyms;
	struct why why;

	/* not sorted, with data symbols, a module and the suffixes of gcc and clang */
	write_kallsyms(path, "ffffffff81002000 t second.isra.0\n"
			     "ffffffff81001000 T first\n"
			     "ffffffff81003000 D data\n"
			     "ffffffff81004000 t third.constprop.0.cold\n"
			     "ffffffffc0001000 t bpf_prog_0123456789abcdef_op\t[bpf]\n");
	ck_assert_int_eq(ksyms__load(path, &ksyms, &why), 0);
	ck_assert_ptr_null(ksyms__name(ksyms, 0xffffffff81000fff));
	ck_assert_str_eq(ksyms__name(ksyms, 0xffffffff81001000), "first");
	ck_assert_str_eq(ksyms__name(ksyms, 0xffffffff81001fff), "first");
	ck_assert_str_eq(ksyms__name(ksyms, 0xffffffff81003500), "second");
	ck_assert_str_eq(ksyms__name(ksyms, 0xffffffff81004001), "third");
	ck_assert_str_eq(ksyms__name(ksyms, 0xffffffffc0001010), "bpf_prog_0123456789abcdef_op");
	ksyms__free(ksyms);
	unlink(path);
}
END_TEST

START_TEST(test_hidden_addresses)
{
	char path[] = "/tmp/bpfperf-ksyms-XXXXXX";
	struct ksyms *ksyms;
	struct why why;

	write_kallsyms(path, "0000000000000000 T first\n0000000000000000 T second\n");
	ck_assert_int_lt(ksyms__load(path, &ksyms, &why), 0);
	ck_assert_ptr_nonnull(strstr(why.text, "CAP_SYSLOG"));
	unlink(path);
	ck_assert_int_lt(ksyms__load("/nonexistent", &ksyms, &why), 0);
}
END_TEST

START_TEST(test_histogram)
{
	static const struct {
		uint64_t value;
		unsigned int bin;
	} known[] = {{0, 0},   {1, 1},	 {7, 7},   {8, 8},   {15, 15},	{16, 16},
		     {17, 16}, {18, 17}, {31, 23}, {32, 24}, {1000, 63}};

	for (size_t i = 0; i < NR(known); i++)
		ck_assert_uint_eq(hist__bin(known[i].value, 3), known[i].bin);
	/* Every bin begins where the one before ends, and is at most an eighth of its value wide. */
	for (unsigned int bin = 0; bin < 256; bin++) {
		uint64_t low = hist__low(bin, 3), next = hist__low(bin + 1, 3);

		ck_assert_uint_eq(hist__bin(low, 3), bin);
		ck_assert_uint_eq(hist__bin(next - 1, 3), bin);
		ck_assert(next - low <= 1 || (next - low) * 8 <= low);
	}
}
END_TEST

/* Two producers that wait in the same function, and one that waits for something else too. */
static void fill_task(struct lock_task *task, uint64_t waits)
{
	memset(task, 0, sizeof(*task));
	task->sites[3] = (struct lock_site){.hash = 9,
					    .flags = LCB_F_SPIN,
					    .nr_frames = 2,
					    .stack = {0x1010, 0x2010},
					    .waits = waits,
					    .total_ns = waits * 100,
					    .max_ns = 100 + waits};
	task->sites[3].bins[hist__bin(100, LOCK_SUB_BITS)] = waits;
	/* Half of the waits had their stack taken: the kind has them all. */
	task->kinds[LCB_F_SPIN] =
		(struct lock_kind){.waits = waits * 2, .total_ns = waits * 300, .max_ns = 500};
	task->lost[LOST_CLOCK] = 1;
	task->pending[0].lock = 1;
}

START_TEST(test_report)
{
	char path[] = "/tmp/bpfperf-ksyms-XXXXXX";
	struct lock_report report = {.wall_ns = 100000};
	static struct lock_task a, b;
	json_t *rows, *row, *lost;

	write_kallsyms(path, "1000 t _raw_spin_lock\n2000 t htab_map_update_elem\n3000 t other\n");
	fill_task(&a, 10);
	fill_task(&b, 30);
	b.sites[7] = (struct lock_site){
		.hash = 11, .flags = LCB_F_MUTEX, .nr_frames = 1, .stack = {0x3010}, .failed = 2};
	ck_assert_int_eq(lock_report__add(&report, &a), 0);
	ck_assert_int_eq(lock_report__add(&report, &b), 0);
	lock_report__resolve(&report, path);
	ck_assert_uint_eq(report.nr_rows, 2);
	rows = lock_report__json(&report);
	row = json_array_get(rows, 0);
	ck_assert_str_eq(json_string_value(json_object_get(row, "class")), "hash bucket");
	ck_assert_str_eq(json_string_value(json_object_get(row, "caller")), "htab_map_update_elem");
	ck_assert_int_eq(json_integer_value(json_object_get(row, "contended")), 80);
	ck_assert_int_eq(json_integer_value(json_object_get(row, "sampled")), 40);
	ck_assert_int_eq(json_integer_value(json_object_get(row, "wait_ns_total")), 12000);
	ck_assert_int_eq(json_integer_value(json_object_get(row, "wait_ns_max")), 150);
	ck_assert_double_eq_tol(json_number_value(json_object_get(row, "share")), 0.12, 1e-12);
	row = json_array_get(rows, 1);
	ck_assert_int_eq(json_integer_value(json_object_get(row, "contended")), 0);
	ck_assert_int_eq(json_integer_value(json_object_get(row, "failed")), 2);
	lost = lock_report__lost(&report);
	ck_assert_int_eq(json_integer_value(json_object_get(lost, "clock")), 2);
	ck_assert_int_eq(json_integer_value(json_object_get(lost, "unfinished")), 2);
	ck_assert_str_eq(report.why.text, "");
	json_decref(rows);
	json_decref(lost);
	lock_report__free(&report);
	unlink(path);
}
END_TEST

static struct lock_site site_of(uint64_t hash, uint64_t stack, uint64_t waits, uint64_t total_ns,
				uint64_t max_ns)
{
	return (struct lock_site){.hash = hash,
				  .flags = LCB_F_SPIN,
				  .nr_frames = 1,
				  .stack = {stack},
				  .waits = waits,
				  .total_ns = total_ns,
				  .max_ns = max_ns};
}

static void row_is(const json_t *rows, const char *caller, json_int_t contended, json_int_t total,
		   json_int_t max)
{
	const json_t *row;
	size_t i;

	json_array_foreach(rows, i, row) {
		if (strcmp(json_string_value(json_object_get(row, "caller")), caller))
			continue;
		ck_assert_int_eq(json_integer_value(json_object_get(row, "contended")), contended);
		ck_assert_int_eq(json_integer_value(json_object_get(row, "wait_ns_total")), total);
		ck_assert_int_eq(json_integer_value(json_object_get(row, "wait_ns_max")), max);
		return;
	}
	ck_abort_msg("no row of %s", caller);
}

/*
 * Of 101 waits one of 10 us is a record, and 10 of the others are the sample: 9 of 100 ns in one
 * place and one of 200 ns in another. All others take 22 us, twice what the sample says: the record
 * counts once, and no row has a mean above its longest wait.
 */
START_TEST(test_records_count_once)
{
	char path[] = "/tmp/bpfperf-ksyms-XXXXXX";
	struct lock_report report = {.wall_ns = 1000000};
	static struct lock_task task;
	json_t *rows;

	write_kallsyms(path, "1000 t often\n2000 t rarely\n3000 t once\n4000 t end\n");
	memset(&task, 0, sizeof(task));
	task.sites[0] = site_of(1, 0x1010, 9, 900, 100);
	task.sites[1] = site_of(2, 0x2010, 1, 200, 200);
	task.sites[2] = site_of(3, 0x3010, 0, 0, 10000);
	task.sites[2].records = 1;
	task.sites[2].records_ns = 10000;
	task.kinds[LCB_F_SPIN] =
		(struct lock_kind){.waits = 101, .total_ns = 32000, .max_ns = 10000};
	lock_report__add(&report, &task);
	lock_report__resolve(&report, path);
	rows = lock_report__json(&report);
	row_is(rows, "once", 1, 10000, 10000);
	row_is(rows, "often", 90, 18000, 200);
	row_is(rows, "rarely", 10, 4000, 400);
	json_decref(rows);
	lock_report__free(&report);
	unlink(path);
}
END_TEST

/* Each wait was the longest so far: there is no sample, and what was seen is all there is. */
START_TEST(test_records_alone)
{
	struct lock_report report = {.wall_ns = 1000000};
	static struct lock_task task;

	memset(&task, 0, sizeof(task));
	task.sites[0] = site_of(1, 0x1010, 0, 0, 9000);
	task.sites[0].records = 2;
	task.sites[0].records_ns = 10000;
	task.kinds[LCB_F_SPIN] = (struct lock_kind){.waits = 3, .total_ns = 12000, .max_ns = 9000};
	lock_report__add(&report, &task);
	lock_report__resolve(&report, "/nonexistent");
	ck_assert_uint_eq(report.nr_rows, 1);
	ck_assert_uint_eq(report.rows[0].waits, 3);
	ck_assert_uint_eq(report.rows[0].sampled, 2);
	ck_assert_uint_eq(report.rows[0].total_ns, 12000);
	ck_assert_uint_eq(report.rows[0].max_ns, 9000);
	lock_report__free(&report);
}
END_TEST

/* Seconds of waits on an idle machine were a bug of perf: more waits than time is said aloud. */
START_TEST(report_linux_287bd5cf_more_waits_than_time)
{
	struct lock_report report = {.wall_ns = 1000};
	static struct lock_task task;

	fill_task(&task, 100);
	lock_report__add(&report, &task);
	lock_report__resolve(&report, "/nonexistent");
	ck_assert_ptr_nonnull(strstr(report.why.text, "more than"));
	ck_assert_str_eq(report.rows[0].class, "unresolved");
	lock_report__free(&report);
}
END_TEST

START_TEST(test_verdicts)
{
	static const struct {
		uint64_t events, updates;
		int cpus;
		bool virtual, pv;
		enum lock_observability status;
		bool lower_bound;
		const char *detail;
	} cases[] = {
		{0, 100000, 1, false, false, LOCKS_NOT_OBSERVABLE, false, "one CPU"},
		{0, 100000, 2, false, false, LOCKS_UNDECIDED, false, "two CPUs"},
		{0, 100000, 2, true, false, LOCKS_NOT_OBSERVABLE, false, "virtual spinlock"},
		{0, 100000, 4, false, false, LOCKS_NOT_OBSERVABLE, false, "no event"},
		{0, 100000, 4, true, false, LOCKS_NOT_OBSERVABLE, false, "virtual spinlock"},
		{1, 100000, 2, false, false, LOCKS_OBSERVABLE, true, "a lower bound"},
		{400, 1000, 4, false, false, LOCKS_OBSERVABLE, true, "a lower bound"},
		{400, 1000, 4, false, true, LOCKS_OBSERVABLE, false, "every wait"},
		{2, 100000, 2, false, true, LOCKS_OBSERVABLE, true, "a lower bound"},
	};

	for (size_t i = 0; i < NR(cases); i++) {
		struct lock_verdict verdict = {.events = cases[i].events,
					       .updates = cases[i].updates};

		lock_verdict__judge(&verdict, cases[i].cpus, cases[i].virtual, cases[i].pv);
		ck_assert_int_eq(verdict.status, cases[i].status);
		ck_assert_int_eq(verdict.lower_bound, cases[i].lower_bound);
		ck_assert_ptr_nonnull(strstr(verdict.detail, cases[i].detail));
	}
}
END_TEST

UNIT_MAIN("locks", test_class_of_real_stacks, test_types, test_ksyms, test_hidden_addresses,
	  test_histogram, test_report, test_records_count_once, test_records_alone,
	  report_linux_287bd5cf_more_waits_than_time, test_verdicts)
