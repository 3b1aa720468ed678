/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_INTERRUPT_H
#define BPFPERF_LIB_INTERRUPT_H

#include <sys/types.h>

/*
 * SIGINT, SIGTERM and SIGHUP. The first one asks: interrupt__fd() becomes readable, here and in
 * the run's child, which ends its run and reports. The second one does not ask: the child is
 * killed, and this process leaves with interrupt__exit_code(). One that follows the first within
 * INTERRUPT_REPEAT_NS is the same request: timeout(1) signals its child and then the child's whole
 * group, and sudo passes on what the terminal has sent already.
 */
#define INTERRUPT_REPEAT_NS 250000000ULL
int interrupt__init(void);

/* Readable once the user wants an end; never read from it. -1 before interrupt__init(). */
int interrupt__fd(void);

/* The first signal that came, or 0. */
int interrupt__signal(void);

/*
 * 128 + signal, as a shell has it, but for a hangup: 129 says that the command line is wrong. It is
 * an order to end like SIGTERM, and leaves with the code of that.
 */
int interrupt__exit_code(int signal);

/* The child to kill with the second signal; 0: none. */
void interrupt__watch(pid_t child);

/* In the child: the terminal sends these signals to both, and only the parent decides. */
void interrupt__ignore(void);

#endif
