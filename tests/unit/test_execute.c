// SPDX-License-Identifier: GPL-2.0-only
#include "lib/execute.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/pulse.h"
#include "tests/unit/machine.h"
#include "tests/unit/unit.h"

/* In this process, not in the runs that it forks: every look at the clock is an hour later. */
static pid_t hurried;
static time_t hours;

/*
 * A run has given its last sign of life: to the one that waits for it an hour passes. Shared with
 * the runs. (Going back in the run instead fails on a machine that has been up for less.)
 */
static atomic_bool *silent;
static pid_t waiter;

/* Takes the place of libc's. */
int clock_gettime(clockid_t clock, struct timespec *now)
{
	int err = syscall(SYS_clock_gettime, clock, now);

	if (clock == CLOCK_MONOTONIC && hurried == getpid())
		now->tv_sec += 3600 * ++hours;
	if (clock == CLOCK_MONOTONIC && silent && atomic_load(silent) && waiter == getpid())
		now->tv_sec += 3600;
	return err;
}

/* Takes the place of libc's: who waits for a run looks at its signs of life 100 times a second. */
int poll(struct pollfd *fds, nfds_t nr, int timeout_ms)
{
	const struct timespec timeout = {.tv_nsec = 10000000};

	(void)timeout_ms;
	return syscall(SYS_ppoll, fds, nr, &timeout, NULL, 0);
}

static void hang(struct worker *worker, uint64_t iters)
{
	(void)worker, (void)iters;
	for (;;)
		pause();
}

BENCH(hung, .name = "hung", .summary = "never returns", .op = "nothing", .checked = "nothing",
      .work = hang, .check = idle_check);

__attribute__((noreturn)) static void hang_late(void)
{
	pulse__beat();
	atomic_store(silent, true);
	for (;;)
		pause();
}

static int hang_filling(struct run *run)
{
	(void)run;
	hang_late();
}

static void hang_measuring(struct worker *worker, uint64_t iters)
{
	worker->io->count[BENCH_OPS] += iters;
	if (atomic_load(&worker->run->tick))
		hang_late();
}

static int die(struct run *run)
{
	(void)run;
	return raise(SIGKILL);
}

static void achieve_nothing(struct worker *worker, uint64_t iters)
{
	(void)worker, (void)iters;
}

static int refuse_eperm(struct run *run)
{
	return why__set(&run->why, -EPERM, "not for you");
}

static int refuse_enomem(struct run *run)
{
	return why__set(&run->why, -ENOMEM, "no room");
}

static int refuse_emfile(struct run *run)
{
	return why__set(&run->why, -EMFILE, "no files");
}

static int refuse_einval(struct run *run)
{
	return why__set(&run->why, -EINVAL, "these contradict each other");
}

static int refuse_e2big(struct run *run)
{
	return why__set(&run->why, -E2BIG, "too many");
}

static uint64_t cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

/* A microsecond each. */
static void spin(struct worker *worker, uint64_t iters)
{
	uint64_t end = cpu_ns() + iters * 1000;

	while (cpu_ns() < end)
		;
	worker->io->count[BENCH_OPS] += iters;
}

/* There was nothing but whole batches. */
static int check_batches(struct run *run)
{
	uint64_t rest = run__turns(run) % run->batch;

	return rest ? why__set(&run->why, -EIO, "%d turns too many", (int)rest) : 0;
}

#define TOY(id, ...)                                                                     \
	BENCH(id, .name = #id, .summary = "none", .op = "nothing", .checked = "nothing", \
	      ##__VA_ARGS__)

TOY(stuck_filling, .work = idle_work, .arm = hang_filling, .check = idle_check);
TOY(stuck_measuring, .work = hang_measuring, .check = idle_check);
TOY(dead_filling, .work = idle_work, .arm = die, .check = idle_check);
TOY(dead_checking, .work = idle_work, .check = die);
TOY(fruitless, .work = achieve_nothing, .check = idle_check);
TOY(unarmed, .work = idle_work, .arm = refuse_eperm, .check = idle_check);
TOY(no_room, .open = refuse_enomem, .check = idle_check);
TOY(no_files, .work = idle_work, .arm = refuse_emfile, .check = idle_check);
TOY(contradictory, .open = refuse_einval, .check = idle_check);
TOY(slow, .work = spin, .check = check_batches);
TOY(too_large, .open = refuse_e2big, .check = idle_check);

/* So ends one run of this benchmark; a run that hangs never gets to the end of its time. */
static void ends(const char *name, double duration_s, const char *status, const char *reason)
{
	struct plan_request request = machine__request(WORDS(name));
	const struct step step = {.role = ROLE_CLEAN, .arm = -1};
	struct plan *plan;
	struct why why;
	json_t *run;

	request.affinity = false;
	request.duration_s = duration_s;
	request.warmup_s = 0;
	request.interval_s = 0.01;
	ck_assert_msg(!machine__build(&request, &plan, &why), "%s", why.text);
	silent = mmap(NULL, sizeof(*silent), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	ck_assert_ptr_ne(silent, MAP_FAILED);
	waiter = getpid();
	run = execute__run(plan, &step);
	munmap(silent, sizeof(*silent));
	silent = NULL;
	ck_assert_str_eq(json_string_value(json_object_get(run, "status")), status);
	ck_assert_str_eq(json_string_value(json_object_get(run, "reason")), reason);
	ck_assert(json_is_null(json_object_get(run, "values")));
	json_decref(run);
	plan__free(plan);
}

START_TEST(a_hung_run_says_where)
{
	ends("stuck_filling", 0.02, "failed",
	     "the run hung while filling its maps, and was ended after 180 s without progress");
	ends("stuck_measuring", 60, "failed",
	     "the run hung while measuring, and was ended after 180 s without progress");
}
END_TEST

START_TEST(a_dead_run_says_where)
{
	ends("dead_filling", 0.02, "failed",
	     "the run died of signal 9 (Killed) while filling its maps");
	ends("dead_checking", 0.02, "failed",
	     "the run died of signal 9 (Killed) while checking its result");
}
END_TEST

/* A rate of 0 would spoil every mean, and is none: all that was tried was refused. */
START_TEST(no_operation_is_no_number)
{
	ends("fruitless", 0.02, "failed",
	     "nothing that was tried in the measured time became an operation");
}
END_TEST

/*
 * What the machine or the user cannot do is skipped; what contradicts itself fails anywhere, and
 * what is short at the moment may be there for the next one.
 */
START_TEST(what_cannot_be_is_skipped_what_is_wrong_fails)
{
	ends("unarmed", 0.02, "skipped", "not for you");
	ends("no_room", 0.02, "failed", "no room");
	ends("no_files", 0.02, "failed", "no files");
	ends("contradictory", 0.02, "failed", "these contradict each other");
	ends("too_large", 0.02, "failed", "too many");
}
END_TEST

static json_t *run_of(const char *name, const char *setting)
{
	struct plan_request request = machine__request(WORDS(name, setting));
	const struct step step = {.role = ROLE_CLEAN, .arm = -1};
	struct plan *plan;
	struct why why;
	json_t *run;

	request.affinity = false;
	request.duration_s = 0.01;
	request.warmup_s = 0;
	request.interval_s = 0.01;
	ck_assert_msg(!machine__build(&request, &plan, &why), "%s", why.text);
	run = execute__run(plan, &step);
	plan__free(plan);
	return run;
}

/* Nothing could end it: 4 s here, and with many producers on few CPUs as many minutes. */
START_TEST(a_batch_that_would_take_too_long_is_refused)
{
	json_t *run = run_of("slow", "batch=4M");
	const char *reason = json_string_value(json_object_get(run, "reason"));
	unsigned long fits;
	double seconds;

	ck_assert_str_eq(json_string_value(json_object_get(run, "status")), "failed");
	ck_assert_int_eq(sscanf(reason,
				"batch=4194304 would take some %lf s with 1 producer, which nobody "
				"could interrupt: at most batch=%lu",
				&seconds, &fits),
			 2);
	/* CPU time of whole turns: no less than 1 us each, and more where a timer came in between. */
	ck_assert_double_ge(seconds, 4.1);
	ck_assert_uint_ge(fits, 1000);
	ck_assert_uint_le(fits, 1000000);
	json_decref(run);
}
END_TEST

/* Who fixes the batch wants nothing else to happen. */
START_TEST(no_other_turn_comes_before_a_small_fixed_batch)
{
	json_t *run = run_of("slow", "batch=16384");

	ck_assert_str_eq(json_string_value(json_object_get(run, "status")), "ok");
	json_decref(run);
}
END_TEST

/* Filling a large map may take as long as it likes, while it goes on. */
START_TEST(a_sign_of_life_puts_the_end_off)
{
	struct pulse *pulse = pulse__new();
	uint64_t first = pulse__deadline(pulse, 0);

	ck_assert_uint_gt(first, PULSE_GRACE_NS);
	ck_assert_str_eq(pulse__doing(pulse), "loading its programs");
	pulse__adopt(pulse);
	pulse__enter(PULSE_FILL);
	ck_assert_str_eq(pulse__doing(pulse), "filling its maps");
	first = pulse__deadline(pulse, 0);
	pulse__beat();
	ck_assert_uint_gt(pulse__deadline(pulse, 0), first);
	/* The measured time is no silence, and belongs to no other phase. */
	ck_assert_uint_eq(pulse__deadline(pulse, 5000000000), pulse__deadline(pulse, 0));
	pulse__enter(PULSE_MEASURE);
	ck_assert_uint_eq(pulse__deadline(pulse, 5000000000),
			  pulse__deadline(pulse, 0) + 5000000000);
	pulse__adopt(NULL);
	pulse__beat();
	pulse__free(pulse);
}
END_TEST

/* "or a stuck run never ends": the run is killed, reaped, and told; nothing is measured of it. */
START_TEST(report_mtr_4_a_hung_run_is_ended)
{
	struct plan_request request = machine__request(WORDS("hung"));
	const struct step step = {.role = ROLE_CLEAN, .arm = -1};
	struct plan *plan;
	struct why why;
	json_t *run;

	request.affinity = false;
	ck_assert_msg(!machine__build(&request, &plan, &why), "%s", why.text);
	hurried = getpid();
	run = execute__run(plan, &step);
	hurried = 0;
	ck_assert_str_eq(json_string_value(json_object_get(run, "status")), "failed");
	ck_assert(json_is_null(json_object_get(run, "values")));
	ck_assert_ptr_nonnull(strstr(json_string_value(json_object_get(run, "reason")), "hung"));
	ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
	ck_assert_int_eq(errno, ECHILD);
	json_decref(run);
	plan__free(plan);
}
END_TEST

UNIT_MAIN("execute", report_mtr_4_a_hung_run_is_ended, a_hung_run_says_where, a_dead_run_says_where,
	  a_batch_that_would_take_too_long_is_refused,
	  no_other_turn_comes_before_a_small_fixed_batch, no_operation_is_no_number,
	  what_cannot_be_is_skipped_what_is_wrong_fails, a_sign_of_life_puts_the_end_off)
