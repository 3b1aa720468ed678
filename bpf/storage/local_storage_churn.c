// SPDX-License-Identifier: GPL-2.0-only
#include "bpf/storage/local_storage_churn.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bpf/storage/local_storage_churn.skel.h"
#include "lib/bench.h"
#include "lib/memory.h"

/* A batch is a reader that grace periods wait for, so a long one would measure itself. */
#define BATCH_MAX 64

/* The kernel's benchmark takes up to 150,000; more than this many tell nothing new. */
#define PROCS_MAX 20000

/* Stack, page tables and what is written to after the fork, as measured for 1,000 of them. */
#define BYTES_PER_PROC (256 * 1024)

/* Whole seconds below this, drawn anew before every turn, as in the kernel's benchmark. */
#define SLEEP_SECONDS 4

struct churn_args {
	uint64_t procs, observe;
};

static const struct param params[] = {
	PARAM_NUMBER(struct churn_args, procs, 1000, 0, PROCS_MAX,
		     "processes that sleep for 0 to 3 s and then create and delete once"),
	PARAM_NUMBER(struct churn_args, observe, 0, 0, 1 << 20,
		     "watch the free of every N-th element, N a power of two; costs CPU"),
	{0},
};

static const struct bench_count counts[] = {
	{"deletes", "elements that were deleted, and wait for their free"},
	{"busy", "creates and deletes refused: another task was preempted in the map"},
	{"stale", "creates that found what a refused delete had left"},
	{0},
};

static const struct metric metrics[] = {
	{"free_delay_ns", "ns", BETTER_LOWER, "time", METRIC_NOISY,
	 "mean time from a delete to its free (observe=N, kernels from 6.12)",
	 .absent = METRIC_UNASKED ", or no free was seen: observe=N"},
	{0},
};

struct sleepers {
	pid_t *pids;
	int nr;
};

static int validate(const void *arg, int nr_producers, struct why *why)
{
	const struct churn_args *args = arg;

	(void)nr_producers;
	if (args->observe & (args->observe - 1))
		return why__set(why, -EINVAL, "observe=%" PRIu64 " is no power of two",
				args->observe);
	return 0;
}

static uint64_t read_limit(const char *path)
{
	FILE *file = fopen(path, "re");
	uint64_t limit = UINT64_MAX;

	if (file && fscanf(file, "%" SCNu64, &limit) != 1)
		limit = UINT64_MAX;
	if (file)
		fclose(file);
	return limit;
}

/* Half of what the machine allows: whoever runs out of numbers cannot log in to end it. */
static int check_limits(uint64_t procs, struct why *why)
{
	static const char *const files[] = {"kernel/pid_max", "kernel/threads-max"};
	char path[64];

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		uint64_t limit;

		snprintf(path, sizeof(path), "/proc/sys/%s", files[i]);
		limit = read_limit(path);
		if (procs > limit / 2)
			return why__set(why, -EAGAIN,
					"procs=%" PRIu64 " is more than half of %s (%" PRIu64 ")",
					procs, path, limit);
	}
	return memory__check("/proc", procs * BYTES_PER_PROC, "that many processes", why);
}

static int open_churn(struct run *run)
{
	const struct churn_args *args = run->args;
	struct local_storage_churn_bpf *skel;
	int err = check_limits(args->procs, &run->why);

	if (err)
		return err;
	skel = RUN_OPEN(run, local_storage_churn);
	run->user_data = calloc(1, sizeof(struct sleepers));
	if (!skel || !run->user_data)
		return -ENOMEM;
	skel->rodata->observe = args->observe;
	bpf_program__set_autoload(skel->progs.churn_free, args->observe);
	run->batch_max = BATCH_MAX;
	return 0;
}

/* Never returns. Of what it inherits it keeps the program alone, so that no map outlives a run. */
static void sleeper_main(int prog_fd, pid_t parent, unsigned int seed)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	prctl(PR_SET_NAME, "sleeper");
	dup2(prog_fd, 0);
	close_range(1, ~0U, 0);
	for (;;) {
		sleep(rand_r(&seed) % SLEEP_SECONDS);
		if (bpf_prog_test_run_opts(0, &opts))
			_exit(1);
	}
}

static int start_sleepers(struct run *run, int nr, int prog_fd)
{
	struct sleepers *sleepers = run->user_data;
	pid_t parent = getpid(), pid;

	sleepers->pids = calloc(nr + 1, sizeof(*sleepers->pids));
	if (!sleepers->pids)
		return -ENOMEM;
	fflush(NULL);
	for (; sleepers->nr < nr; sleepers->nr++) {
		pid = fork();
		if (pid == 0)
			sleeper_main(prog_fd, parent, sleepers->nr);
		if (pid < 0)
			return why__errno(&run->why, -errno,
					  "cannot start process %d of %d (limits of this user, "
					  "pids.max of this cgroup)",
					  sleepers->nr + 1, nr);
		sleepers->pids[sleepers->nr] = pid;
	}
	return 0;
}

/* True if all of them were still there: one that could not run its program has ended. */
static bool end_sleepers(struct sleepers *sleepers)
{
	bool alive = true;
	int status;

	for (int i = 0; i < sleepers->nr; i++)
		kill(sleepers->pids[i], SIGKILL);
	for (int i = 0; i < sleepers->nr; i++)
		if (waitpid(sleepers->pids[i], &status, 0) < 0 || !WIFSIGNALED(status))
			alive = false;
	sleepers->nr = 0;
	return alive;
}

static int arm_churn(struct run *run)
{
	const struct churn_args *args = run->args;
	struct local_storage_churn_bpf *skel = run->skel;
	int procs = run->probe ? args->procs > 0 : args->procs;

	if (args->observe) {
		skel->links.churn_free = bpf_program__attach(skel->progs.churn_free);
		if (!skel->links.churn_free)
			return why__errno(&run->why, -errno, "cannot watch frees");
	}
	return start_sleepers(run, procs, bpf_program__fd(skel->progs.churn_sleeper));
}

static void values(const struct run *run, int first, int last, json_t *doc)
{
	const struct local_storage_churn_bpf *skel = run->skel;
	const struct churn_observed *observed = &skel->bss->observed;

	(void)first;
	(void)last;
	json_object_set_new(doc, "free_delay_ns",
			    observed->freed
				    ? json_real((double)observed->delay_ns / observed->freed)
				    : json_null());
}

static int check_producer(struct run *run, const struct worker *worker)
{
	uint64_t deletes = worker->io->count[COUNT_DELETES];
	uint64_t busy = worker->io->count[COUNT_BUSY];
	uint64_t stale = worker->io->count[COUNT_STALE];

	if (deletes && deletes + busy == worker->turns && stale <= busy)
		return 0;
	return why__set(&run->why, -EIO,
			"producer %d: %" PRIu64 " turns, %" PRIu64 " deletes, %" PRIu64
			" refused, %" PRIu64 " elements found again",
			worker->index, worker->turns, deletes, busy, stale);
}

static int check_churn(struct run *run)
{
	const struct local_storage_churn_bpf *skel = run->skel;
	const struct churn_sleepers *all = &skel->bss->sleepers;
	int err = 0;

	if (!end_sleepers(run->user_data))
		return why__set(&run->why, -EIO, "a sleeping process ended by itself");
	if (all->turns != all->deletes + all->busy)
		return why__set(&run->why, -EIO,
				"the sleepers took %llu turns, but made %llu deletes and were "
				"refused %llu times",
				all->turns, all->deletes, all->busy);
	/* They would be missing where most wait, and so the longest. */
	if (skel->bss->observed.dropped)
		return why__set(
			&run->why, -EIO,
			"more frees were waited for at once than there is room for (%d): take "
			"a larger observe=",
			CHURN_WATCHED);
	for (int i = 0; !err && i < run->nr_workers; i++)
		err = check_producer(run, &run->workers[i]);
	return err;
}

static void close_churn(struct run *run)
{
	struct sleepers *sleepers = run->user_data;

	if (!sleepers)
		return;
	end_sleepers(sleepers);
	free(sleepers->pids);
	free(sleepers);
}

BENCH(local_storage_churn, .name = "local-storage-churn",
      .summary = "create and delete a task's own storage, while other processes sleep",
      .op = "one bpf_task_storage_get() that creates, and its bpf_task_storage_delete()",
      .aliases = (const struct bench_alias[]){{"local-storage-tasks-trace", NULL}, {0}},
      .params = params, .args_size = sizeof(struct churn_args), .counts = counts,
      .metrics = metrics, .values = values, .validate = validate,
      .checked = "every element was new and deleted",
      .next = "-T rcu-tasks-trace (what the deletes wait for)", .open = open_churn,
      .arm = arm_churn, .check = check_churn, .close = close_churn);
