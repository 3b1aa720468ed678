/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_SHORTAGE_H
#define BPFPERF_LIB_SHORTAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/why.h"

/*
 * What is short at the moment (memory, open files, threads, a call that a signal ended) is not
 * missing: a run that this stops has failed, where one that needs what the kernel does not have is
 * skipped. `err` is an errno of either sign.
 */
bool shortage__is(int err);

/*
 * What limits it, which is where to raise it: "this process may have 12: ulimit -n". The empty
 * string for all other errors. Where the kernel says ENOMEM for something else, see lib/memory.h.
 */
void shortage__remedy(int err, char *buf, size_t size);

/*
 * Can `nr` more files be opened? 0; or -EMFILE or -ENFILE, and `why`. To be asked before a load:
 * libbpf finds out what the kernel can do by trying, and takes a file that could not be opened for
 * something that the kernel does not have, until the verifier complains of what is left out.
 */
int shortage__check_files(int nr, struct why *why);

#endif
