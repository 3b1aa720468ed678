/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_TRIGGER_H
#define BPFPERF_LIB_TRIGGER_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/why.h"

struct bpf_program;
struct run;
struct worker;

/*
 * A way to make a BPF program do a batch: run it directly (BPF_PROG_RUN), or hook it to a system
 * call that the producer then makes.
 */
struct trigger {
	const char *name;    /* "prog-run", "fentry", ... */
	const char *variant; /* program type of a prog-run, else NULL */
	const char *prog;    /* the entry program in bpf/bench.bpf.h */
	const char *needs;   /* beyond CAP_BPF, for `list` and errors */
	bool own_io;	     /* the io is the program's context, not an element of bench_slots */
	bool hooked;	     /* producers have to enroll */
	bool skippable;	     /* see struct sensor */
	/* NULL: nothing. Before the load, and after it. 0 or -errno with `why`. */
	int (*prepare)(struct bpf_program *prog);
	int (*attach)(struct run *run, struct bpf_program *prog);
	/* One batch of worker->io; 0 or -errno. */
	int (*fire)(struct worker *worker);
};

/* All of them, in order of preference. */
size_t trigger__count(void);
const struct trigger *trigger__at(size_t i);

/* "prog-run", "prog-run:xdp", "fentry": does `trigger` answer to this name? */
bool trigger__matches(const struct trigger *trigger, const char *name);

/* 0, or -EINVAL and `why` with the nearest names. */
int trigger__check_name(const char *name, struct why *why);

/* "prog-run:syscall" or "fentry". */
void trigger__describe(const struct trigger *trigger, char *buf, size_t size);

/*
 * Loads the run's object with this trigger's entry program and nothing else of the harness, maps
 * the slots and attaches. run->trigger must be set, and the skeleton open.
 */
int trigger__load(struct run *run);
/* On the producer's own thread: makes hooked programs know it. */
int trigger__enroll(struct worker *worker);
void trigger__detach(struct run *run);

#endif
