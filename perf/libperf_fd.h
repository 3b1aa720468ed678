/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_PERF_LIBPERF_FD_H
#define BPFPERF_PERF_LIBPERF_FD_H

struct perf_evsel;

/*
 * The file descriptor of an open evsel with one CPU and one thread. The library has no function for
 * it; libperf_fd.c, with the library's private headers, is compiled against the same tree.
 */
int libperf__fd(const struct perf_evsel *evsel);

#endif
