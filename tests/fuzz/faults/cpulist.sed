# SPDX-License-Identifier: GPL-2.0-only
# lib/cpulist.c: the bound of a CPU's number is wrong, and the set on the stack is overrun.
s/if (number > CPULIST_MAX_CPU)/if (number > 100 * CPULIST_MAX_CPU)/
