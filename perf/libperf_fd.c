// SPDX-License-Identifier: GPL-2.0-only
#include "perf/libperf_fd.h"

#include <internal/evsel.h>
#include <internal/xyarray.h>

int libperf__fd(const struct perf_evsel *evsel)
{
	return *(const int *)xyarray__entry(evsel->fd, 0, 0);
}
