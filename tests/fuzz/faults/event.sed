# SPDX-License-Identifier: GPL-2.0-only
# perf/event.c: an event that is written twice is forgotten instead of freed.
s/^\t\tif (err || same)$/\t\tif (err || (same \&\& 0))/
s/^\t\telse$/\t\telse if (!same)/
