// SPDX-License-Identifier: GPL-2.0-only
#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "lib/run.h"
#include "lib/sensor.h"
#include "lib/worker.h"
#include "perf/absent.h"
#include "perf/counters.h"
#include "tests/unit/counters.h"
#include "tests/unit/unit.h"

#define NR_PAGES  5000
#define NR_SLEEPS 50
#define SPIN_NS	  60000000ULL

static const struct sensor *find_sensor(void)
{
	const struct sensor *const *pos;

	for_each_sensor(pos)
		if (!strcmp((*pos)->name, "counters"))
			return *pos;
	ck_abort_msg("no sensor named counters");
	return NULL;
}

/* The real thing: three threads of which it is known what they do. */

struct job {
	const struct sensor *sensor;
	void *state;
	struct worker worker;
	void (*work)(void);
};

static pthread_barrier_t barrier;

static void spin(void)
{
	struct timespec now;

	do
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	while (now.tv_sec * 1000000000ULL + now.tv_nsec < SPIN_NS);
}

static void touch(void)
{
	size_t page = sysconf(_SC_PAGESIZE), size = NR_PAGES * page;
	char *area = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (area == MAP_FAILED)
		return;
	madvise(area, size, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < size; i += page)
		((volatile char *)area)[i] = 1;
	munmap(area, size);
}

static void nap(void)
{
	for (int i = 0; i < NR_SLEEPS; i++)
		usleep(500);
}

static void *run_job(void *arg)
{
	struct job *job = arg;

	job->worker.tid = gettid();
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	job->sensor->snapshot_worker(job->state, &job->worker, 0);
	job->work();
	job->sensor->snapshot_worker(job->state, &job->worker, 1);
	job->sensor->snapshot_worker(job->state, &job->worker, 2);
	/* Rows that were not asked for do no harm. */
	job->sensor->snapshot_worker(job->state, &job->worker, 3);
	job->sensor->snapshot_worker(job->state, &job->worker, -1);
	return NULL;
}

/* Runs the three jobs under the sensor, which stays open: `ret_state` is for sensor->close(). */
static json_t *measure(const struct sensor *sensor, const void *config, void **ret_state)
{
	void (*const works[])(void) = {spin, touch, nap};
	struct worker workers[3];
	struct job jobs[3] = {0};
	struct run run = {.nr_workers = 3, .workers = workers, .nr_ticks = 3, .last_tick = 2};
	json_t *doc = new_doc(2);
	struct why why;

	pthread_barrier_init(&barrier, NULL, 4);
	for (int i = 0; i < 3; i++) {
		jobs[i] = (struct job){.sensor = sensor, .worker.index = i, .work = works[i]};
		ck_assert(!pthread_create(&jobs[i].worker.thread, NULL, run_job, &jobs[i]));
	}
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < 3; i++)
		workers[i] = jobs[i].worker;
	ck_assert_int_eq(sensor->open(&run, config, ret_state, &why), 0);
	for (int i = 0; i < 3; i++)
		jobs[i].state = *ret_state;
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < 3; i++)
		pthread_join(jobs[i].worker.thread, NULL);
	pthread_barrier_destroy(&barrier);
	if (sensor->stop)
		sensor->stop(*ret_state);
	sensor->emit(*ret_state, &run, 0, 2, doc);
	return doc;
}

static void check_software(json_t *doc)
{
	json_int_t faults[3], switches[3], clock[3];

	for (int i = 0; i < 3; i++) {
		faults[i] = count_of(doc, "page-faults", i, "value");
		switches[i] = count_of(doc, "context-switches", i, "value");
		clock[i] = count_of(doc, "task-clock", i, "value");
		ck_assert_int_eq(count_of(doc, "task-clock", i, "enabled_ns"),
				 count_of(doc, "task-clock", i, "running_ns"));
		ck_assert_int_eq(count_of(doc, "task-clock", i, "scaled"), clock[i]);
		ck_assert_str_eq(json_string_value(json_object_get(row_of(doc, "cs", i), "scope")),
				 "thread");
	}
	ck_assert_int_lt(faults[0], 100);
	ck_assert_int_ge(faults[1], NR_PAGES);
	ck_assert_int_lt(faults[1], NR_PAGES + 1000);
	ck_assert_int_lt(faults[2], 100);
	ck_assert_int_ge(switches[2], NR_SLEEPS);
	ck_assert_int_lt(switches[2], 2 * NR_SLEEPS + 50);
	/* In ns: the spinning thread used SPIN_NS less what it took to get to row 0. */
	ck_assert_int_gt(clock[0], SPIN_NS / 2);
	ck_assert_int_lt(clock[0], 2 * SPIN_NS);
	ck_assert_int_lt(clock[2], SPIN_NS / 2);
	/* All of it in the first interval, the sum of the three; between rows 1 and 2 is nothing. */
	ck_assert_int_ge(json_integer_value(cell(doc, 0, 3)), faults[1]);
	ck_assert_int_lt(json_integer_value(cell(doc, 1, 3)), 50);
}

static void check_hardware(json_t *doc)
{
	for (int i = 0; i < 3; i++) {
		json_t *row = row_of(doc, "cycles", i);

		if (absent__has_core_pmu(&event_env_system)) {
			ck_assert(json_is_integer(json_object_get(row, "value")) ||
				  strlen(reason_of(row)) > 0);
			continue;
		}
		ck_assert_str_eq(reason_of(row), "not supported: no PMU in this machine");
		ck_assert(json_is_null(json_object_get(row, "value")));
		ck_assert(json_is_null(json_object_get(row, "scaled")));
		ck_assert(json_is_null(json_object_get(row, "running_ns")));
		ck_assert(json_is_null(cell(doc, 0, 5)));
	}
}

START_TEST(report_benchmark_1929_each_thread_has_its_own_counts)
{
	const struct sensor *sensor = find_sensor();
	void *config, *state;
	struct why why;
	json_t *doc;

	if (!may_count())
		return;
	ck_assert_int_eq(sensor->parse("task-clock,context-switches,page-faults,cs,cycles", &config,
				       &why),
			 0);
	doc = measure(sensor, config, &state);
	ck_assert_uint_eq(json_array_size(json_object_get(doc, "counters")), 15);
	if (!reason_of(row_of(doc, "cs", 0))[0])
		check_software(doc);
	check_hardware(doc);
	sensor->close(state);
	sensor->free_config(config);
	json_decref(doc);
}
END_TEST

START_TEST(test_config)
{
	const struct sensor *sensor = find_sensor();
	json_t *metrics = json_object();
	struct why why = {0};
	void *config;
	json_t *row;

	ck_assert_int_eq(sensor->parse("cycels", &config, &why), -EINVAL);
	ck_assert_ptr_nonnull(strstr(why.text, "did you mean 'cycles'?"));

	ck_assert_int_eq(sensor->parse("none", &config, &why), 0);
	sensor->describe(config, metrics);
	ck_assert_uint_eq(json_object_size(metrics), 0);
	sensor->free_config(config);

	ck_assert_int_eq(sensor->parse("", &config, &why), 0);
	sensor->describe(config, metrics);
	ck_assert_uint_eq(json_object_size(metrics), 12);
	sensor->free_config(config);
	json_object_clear(metrics);

	ck_assert_int_eq(sensor->parse(NULL, &config, &why), 0);
	sensor->describe(config, metrics);
	ck_assert_uint_eq(json_object_size(metrics), 12);
	row = json_object_get(metrics, "LLC-load-misses");
	ck_assert_str_eq(json_string_value(json_object_get(row, "unit")), "misses");
	ck_assert_str_eq(json_string_value(json_object_get(row, "better")), "lower");
	ck_assert_str_eq(json_string_value(json_object_get(row, "kind")), "counter");
	ck_assert_str_eq(json_string_value(json_object_get(row, "per")), "op");
	ck_assert_str_eq(json_string_value(json_object_get(row, "event")), "LLC-load-misses");
	ck_assert_str_eq(json_string_value(json_object_get(row, "class")), "noisy");
	sensor->free_config(config);
	json_decref(metrics);
}
END_TEST

/* Opening, and why it fails. */

static void open_on_self(struct counted *s)
{
	struct worker worker = {.tid = gettid()};
	struct run run = {.nr_workers = 1, .workers = &worker};

	counters__open(s->counters, &run, &event_env_system);
}

START_TEST(test_close_on_exec)
{
	struct counted s;
	struct dirent *entry;
	int nr = 0;
	DIR *dir;

	prepare(&s, "task-clock:u,dummy:u", 1, 1);
	if (!may_count()) {
		drop(&s);
		return;
	}
	open_on_self(&s);
	dir = opendir("/proc/self/fd");
	while ((entry = readdir(dir))) {
		char link[64] = "";

		if (readlinkat(dirfd(dir), entry->d_name, link, sizeof(link) - 1) < 0 ||
		    strcmp(link, "anon_inode:[perf_event]"))
			continue;
		ck_assert_int_eq(fcntl(atoi(entry->d_name), F_GETFD), FD_CLOEXEC);
		nr++;
	}
	closedir(dir);
	ck_assert_int_eq(nr, 2);
	drop(&s);
}
END_TEST

START_TEST(test_too_many_files)
{
	struct counted s;
	struct rlimit limit;
	const char *reason;
	rlim_t soft;
	int next;

	prepare(&s, "task-clock:u,faults:u", 1, 1);
	if (!may_count()) {
		drop(&s);
		return;
	}
	next = dup(0);
	close(next);
	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
	soft = limit.rlim_cur;
	limit.rlim_cur = next + 1;
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
	open_on_self(&s);
	limit.rlim_cur = soft;
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
	ck_assert_ptr_null(counters__thread(s.counters, 0, 0)->reason);
	reason = counters__thread(s.counters, 0, 1)->reason;
	ck_assert_ptr_nonnull(reason);
	ck_assert_ptr_nonnull(strstr(reason, "not counted: too many open files: 2 events x 1 "
					     "threads need 2, the limit is "));
	drop(&s);
}
END_TEST

START_TEST(test_dead_thread)
{
	struct counted s;
	struct worker worker = {.tid = 0x3fffffff};
	struct run run = {.nr_workers = 1, .workers = &worker};

	prepare(&s, "dummy", 1, 1);
	if (may_count() && !geteuid()) {
		counters__open(s.counters, &run, &event_env_system);
		ck_assert_str_eq(counters__thread(s.counters, 0, 0)->reason,
				 "not counted: the thread has ended");
	}
	drop(&s);
}
END_TEST

/* A zero that could be nothing else is no count. */
START_TEST(test_not_observable)
{
	struct counted s;

	prepare(&s, "cs:u", 1, 1);
	open_on_self(&s);
	ck_assert_ptr_null(counters__thread(s.counters, 0, 0)->counter);
	ck_assert_str_eq(counters__thread(s.counters, 0, 0)->reason,
			 "not observable: it happens in the kernel, which ':u' leaves out");
	drop(&s);
}
END_TEST

static bool is_mapped(const char *name)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512];
	bool found = false;

	ck_assert_ptr_nonnull(maps);
	while (!found && fgets(line, sizeof(line), maps))
		found = strstr(line, name);
	fclose(maps);
	return found;
}

static void *read_for_another(void *arg)
{
	struct counted *s = arg;

	ck_assert_int_eq(counter__read(counters__thread(s->counters, 0, 0)->counter,
				       counters__value(s->counters, 0, 1, 0)),
			 0);
	return NULL;
}

/*
 * rdpmc reads the counter of the CPU that it runs on, whosever it is. Nothing is mapped for it, and
 * a count is the same whoever reads it.
 */
START_TEST(report_papi_39_counts_are_read_by_the_kernel)
{
	struct counted s;
	pthread_t reader;

	prepare(&s, "task-clock,cycles", 1, 3);
	if (!may_count()) {
		drop(&s);
		return;
	}
	open_on_self(&s);
	spin();
	ck_assert_int_eq(counter__read(counters__thread(s.counters, 0, 0)->counter,
				       counters__value(s.counters, 0, 0, 0)),
			 0);
	ck_assert(!pthread_create(&reader, NULL, read_for_another, &s));
	pthread_join(reader, NULL);
	ck_assert_int_eq(counter__read(counters__thread(s.counters, 0, 0)->counter,
				       counters__value(s.counters, 0, 2, 0)),
			 0);
	for (int row = 0; row < 2; row++)
		ck_assert_uint_le(counters__value(s.counters, 0, row, 0)->val,
				  counters__value(s.counters, 0, row + 1, 0)->val);
	ck_assert_uint_gt(counters__value(s.counters, 0, 1, 0)->val, 0);
	ck_assert(!is_mapped("perf_event"));
	drop(&s);
}
END_TEST

/* Root turned into nobody, where kernel.perf_event_paranoid is 2. */
START_TEST(test_user_only)
{
	struct counted s;
	char paranoid[64];

	prepare(&s, "faults,cs,faults:k,task-clock", 1, 1);
	absent__paranoid(&event_env_system, paranoid, sizeof(paranoid));
	if (geteuid() || !may_count() || strcmp(paranoid, "kernel.perf_event_paranoid is 2")) {
		drop(&s);
		return;
	}
	ck_assert_int_eq(setgroups(0, NULL), 0);
	ck_assert_int_eq(setgid(65534), 0);
	ck_assert_int_eq(setuid(65534), 0);
	open_on_self(&s);
	ck_assert_ptr_nonnull(counters__thread(s.counters, 0, 0)->counter);
	ck_assert_str_eq(counters__thread(s.counters, 0, 0)->note,
			 "user space only, as with ':u': kernel.perf_event_paranoid is 2");
	/* A clock does not tell the two apart: its number is whole. */
	ck_assert_ptr_nonnull(counters__thread(s.counters, 0, 3)->counter);
	ck_assert_ptr_null(counters__thread(s.counters, 0, 3)->note);
	for (int i = 1; i < 3; i++) {
		ck_assert_ptr_null(counters__thread(s.counters, 0, i)->counter);
		ck_assert_str_eq(counters__thread(s.counters, 0, i)->reason,
				 "no permission: kernel.perf_event_paranoid is 2, CapEff "
				 "0000000000000000 (sysctl kernel.perf_event_paranoid=1, or "
				 "CAP_PERFMON)");
	}
	drop(&s);
}
END_TEST

UNIT_MAIN("counters", report_benchmark_1929_each_thread_has_its_own_counts, test_config,
	  test_close_on_exec, test_too_many_files, test_dead_thread, test_not_observable,
	  report_papi_39_counts_are_read_by_the_kernel, test_user_only)
