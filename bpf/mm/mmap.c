// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "lib/bench.h"
#include "lib/plural.h"

/* bench_io.count[], beside BENCH_OPS */
enum { COUNT_FAULTS = 1, COUNT_FAILED };

static const struct bench_count counts[] = {
	{"faults", "minor page faults of the producers"},
	{"failed", "calls of mmap() or munmap() that failed; the check wants none"},
	{0},
};

/*
 * All producers are threads of one process and so have one mmap_lock: mmap() and munmap() take it
 * for writing, on every kernel, where page faults may do without it.
 */
static bool map_touch_unmap(size_t page)
{
	char *at = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		return false;
	*(volatile char *)at = 1;
	return !munmap(at, page);
}

static uint64_t own_faults(void)
{
	struct rusage usage = {0};

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_minflt;
}

static void map_pages(struct worker *worker, uint64_t iters)
{
	size_t page = sysconf(_SC_PAGESIZE);
	uint64_t before = own_faults();

	for (uint64_t i = 0; i < iters; i++)
		if (!map_touch_unmap(page))
			worker->io->count[COUNT_FAILED]++;
	worker->io->count[COUNT_FAULTS] += own_faults() - before;
	worker->io->count[BENCH_OPS] += iters;
}

/* A page that was touched without a fault was not new. */
static int check_pages(struct run *run)
{
	for (int i = 0; i < run->nr_workers; i++) {
		const __u64 *count = run->workers[i].io->count;

		if (count[COUNT_FAILED])
			return why__set(&run->why, -EIO, "producer %d: %llu call%s failed", i,
					count[COUNT_FAILED], plural(count[COUNT_FAILED]));
		if (count[COUNT_FAULTS] < count[BENCH_OPS])
			return why__set(&run->why, -EIO,
					"producer %d: %llu page faults for %llu new pages", i,
					count[COUNT_FAULTS], count[BENCH_OPS]);
	}
	return 0;
}

BENCH(mmap, .name = "mmap",
      .summary = "map, touch and unmap a page in user space: contention for one mmap_lock",
      .op = "one mmap(), page fault and munmap()", .counts = counts,
      .checked = "every page was new", .next = "-L (where they wait)", .every_cpu = true,
      .work = map_pages, .check = check_pages);
