/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_PLURAL_H
#define BPFPERF_LIB_PLURAL_H

/* The end of a regular noun after a number of things: printf("%d run%s", nr, plural(nr)). */
static inline const char *plural(double nr)
{
	return nr == 1 ? "" : "s";
}

#endif
