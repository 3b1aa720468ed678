// SPDX-License-Identifier: GPL-2.0-only
#include "bpf/storage/local_storage_create.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bpf/storage/local_storage_create.skel.h"
#include "lib/bench.h"
#include "lib/bpf_log.h"
#include "lib/prog.h"

enum { STORAGE_TASK, STORAGE_SOCKET };

/* Of the kernel's benchmark: so many objects live at once. */
#define OBJECTS_MAX 1024

/* Enough for a thread that returns at once. */
#define STACK_BYTES (64 * 1024)

struct create_args {
	uint64_t storage, objects, count_allocs;
};

static const struct param params[] = {
	PARAM_WORD(struct create_args, storage, "task|socket",
		   "what gets a storage when it is new"),
	PARAM_NUMBER(struct create_args, objects, 32, 1, OBJECTS_MAX,
		     "how many are made before they are ended again"),
	PARAM_NUMBER(struct create_args, count_allocs, 1, 0, 1,
		     "0: do not watch the kernel's allocations"),
	{0},
};

static const struct bench_count counts[] = {
	{"created", "storages that were created"},
	{"failed", "creates that returned nothing; the check wants none"},
	{"allocs", "kmalloc and kmem_cache_alloc calls within the creates"},
	{0},
};

static const struct metric metrics[] = {
	{"allocs_create", "count", BETTER_LOWER, "scalar", METRIC_REPEATABLE,
	 "allocations per create; those that the BPF allocator makes ahead are in none",
	 .absent = METRIC_UNASKED ": needs count_allocs=1"},
	{0},
};

/* A producer's own; made when it first works, on its thread. */
struct producer {
	bool ready;
	struct bpf_link *sockets;
};

struct creation {
	struct create_slot *slots;
	struct producer *producers;
};

static void select_programs(struct local_storage_create_bpf *skel, const struct create_args *args)
{
	bool socket = args->storage == STORAGE_SOCKET;

	bpf_program__set_autoload(skel->progs.create_task, !socket);
	bpf_program__set_autoload(skel->progs.create_socket, socket);
	bpf_program__set_autoload(skel->progs.create_kmalloc, args->count_allocs);
	bpf_program__set_autoload(skel->progs.create_cache_alloc, args->count_allocs);
	bpf_program__set_autoattach(skel->progs.enroll, false);
	bpf_program__set_autoattach(skel->progs.create_socket, false);
}

static int load(struct run *run, struct local_storage_create_bpf *skel)
{
	int err;

	bpf_map__set_max_entries(skel->maps.enrolled, run->nr_workers);
	bpf_map__set_max_entries(skel->maps.slots, run->nr_workers);
	bpf_log__clear();
	err = local_storage_create_bpf__load(skel);
	err = err ?: local_storage_create_bpf__attach(skel);
	if (err)
		return bpf_log__why(&run->why, err, "cannot start", "local-storage-create",
				    "CAP_PERFMON");
	return 0;
}

static size_t slots_size(const struct run *run)
{
	return run->nr_workers * sizeof(struct create_slot);
}

static int arm_create(struct run *run)
{
	struct local_storage_create_bpf *skel = RUN_OPEN(run, local_storage_create);
	struct creation *creation = calloc(1, sizeof(*creation));
	int err;

	run->user_data = creation;
	if (!skel || !creation)
		return -ENOMEM;
	creation->producers = calloc(run->nr_workers, sizeof(*creation->producers));
	if (!creation->producers)
		return -ENOMEM;
	select_programs(skel, run->args);
	err = load(run, skel);
	if (err)
		return err;
	creation->slots = mmap(NULL, slots_size(run), PROT_READ, MAP_SHARED,
			       bpf_map__fd(skel->maps.slots), 0);
	if (creation->slots == MAP_FAILED)
		creation->slots = NULL;
	return creation->slots ? 0 : -errno;
}

/*
 * A file table of its own, so that the iterator over its files finds no other producer's sockets;
 * what is open by now is in both.
 */
static int prepare(struct worker *worker, struct producer *producer)
{
	struct local_storage_create_bpf *skel = worker->run->skel;
	union bpf_iter_link_info info = {.task.tid = worker->tid};
	LIBBPF_OPTS(bpf_iter_attach_opts, iter, .link_info = &info, .link_info_len = sizeof(info));
	int err = prog__enroll(skel->obj, worker->index);

	if (err)
		return err;
	producer->ready = true;
	if (!bpf_program__autoload(skel->progs.create_socket))
		return 0;
	if (unshare(CLONE_FILES))
		return -errno;
	producer->sockets = bpf_program__attach_iter(skel->progs.create_socket, &iter);
	return producer->sockets ? 0 : -errno;
}

/* The program creates while this reads; it writes nothing. */
static int visit_sockets(const struct producer *producer)
{
	int fd = bpf_iter_create(bpf_link__fd(producer->sockets));
	char nothing[8];

	if (fd < 0)
		return fd;
	while (read(fd, nothing, sizeof(nothing)) > 0)
		;
	return close(fd);
}

static int make_sockets(const struct producer *producer, uint64_t nr)
{
	int fds[OBJECTS_MAX], made, err = 0;

	for (made = 0; made < (int)nr; made++) {
		fds[made] = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
		if (fds[made] < 0) {
			err = -errno;
			break;
		}
	}
	err = err ?: visit_sockets(producer);
	while (made)
		close(fds[--made]);
	return err;
}

static void *thread_main(void *arg)
{
	return arg;
}

static int make_threads(uint64_t nr)
{
	pthread_t threads[OBJECTS_MAX];
	pthread_attr_t attr;
	int made, err = 0;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	for (made = 0; !err && made < (int)nr; made += !err)
		err = pthread_create(&threads[made], &attr, thread_main, NULL);
	while (made)
		pthread_join(threads[--made], NULL);
	pthread_attr_destroy(&attr);
	return -err;
}

static void work(struct worker *worker, uint64_t iters)
{
	const struct create_args *args = worker->run->args;
	const struct creation *creation = worker->run->user_data;
	struct producer *producer = &creation->producers[worker->index];
	const struct create_slot *slot = &creation->slots[worker->index];
	int err = producer->ready ? 0 : prepare(worker, producer);

	for (uint64_t done = 0, nr; !err && done < iters; done += nr) {
		nr = iters - done < args->objects ? iters - done : args->objects;
		err = args->storage == STORAGE_SOCKET ? make_sockets(producer, nr)
						      : make_threads(nr);
		if (!err)
			worker->io->count[BENCH_OPS] += nr;
	}
	worker->io->count[COUNT_CREATED] = slot->created;
	worker->io->count[COUNT_FAILED] = slot->failed;
	worker->io->count[COUNT_ALLOCS] = slot->allocs;
	if (err && !worker->err) {
		worker->err = err;
		worker->failed = "cannot make tasks or sockets";
	}
}

static void values(const struct run *run, int first, int last, json_t *doc)
{
	const struct create_args *args = run->args;
	double created = run__delta(run, COUNT_CREATED, first, last);
	double allocs = run__delta(run, COUNT_ALLOCS, first, last);
	bool counted = args->count_allocs && created > 0;

	json_object_set_new(doc, "allocs_create",
			    counted ? json_real(allocs / created) : json_null());
}

static int check_create(struct run *run)
{
	for (int i = 0; i < run->nr_workers; i++) {
		const __u64 *count = run->workers[i].io->count;

		if (count[COUNT_FAILED] || count[COUNT_CREATED] != count[BENCH_OPS])
			return why__set(&run->why, -EIO,
					"producer %d: %llu objects, %llu storages, %llu failed", i,
					count[BENCH_OPS], count[COUNT_CREATED],
					count[COUNT_FAILED]);
	}
	return 0;
}

static void close_create(struct run *run)
{
	struct creation *creation = run->user_data;

	if (!creation)
		return;
	for (int i = 0; creation->producers && i < run->nr_workers; i++)
		bpf_link__destroy(creation->producers[i].sockets);
	if (creation->slots)
		munmap(creation->slots, slots_size(run));
	free(creation->producers);
	free(creation);
}

BENCH(local_storage_create, .name = "local-storage-create",
      .summary = "make tasks or sockets that get a storage, and end them",
      .op = "one thread or socket, the create of its storage, and its end", .params = params,
      .args_size = sizeof(struct create_args), .counts = counts, .metrics = metrics,
      .values = values, .needs = "CAP_BPF and CAP_PERFMON",
      .checked = "every object got one new storage", .next = "storage=task,socket",
      .arm = arm_create, .work = work, .check = check_create, .close = close_create);
