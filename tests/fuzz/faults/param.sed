# SPDX-License-Identifier: GPL-2.0-only
# lib/param.c: numbers below the least one are accepted.
s/(value < param->min || value > param->max)/(value > param->max)/
