// SPDX-License-Identifier: GPL-2.0-only
#include "lib/why.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/shortage.h"

/* include/linux/errno.h of the kernel; it reaches user space from BPF attach calls. */
#define KERNEL_ENOTSUPP 524

const char *errno_text(int err)
{
	err = abs(err);
	if (err == KERNEL_ENOTSUPP)
		return "not supported by this kernel";
	return strerror(err);
}

int why__set(struct why *why, int err, const char *fmt, ...)
{
	va_list args;

	if (!why)
		return err;
	va_start(args, fmt);
	vsnprintf(why->text, sizeof(why->text), fmt, args);
	va_end(args);
	return err;
}

int why__errno(struct why *why, int err, const char *fmt, ...)
{
	char remedy[128];
	va_list args;
	size_t len;

	if (!why)
		return err;
	va_start(args, fmt);
	vsnprintf(why->text, sizeof(why->text), fmt, args);
	va_end(args);
	len = strlen(why->text);
	shortage__remedy(err, remedy, sizeof(remedy));
	snprintf(why->text + len, sizeof(why->text) - len, ": %s%s%s%s", errno_text(err),
		 remedy[0] ? " (" : "", remedy, remedy[0] ? ")" : "");
	return err;
}
