// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/cmd.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What follows the number, or NULL: strtod() would take blanks before it, and hexadecimal. */
static const char *parse_real(const char *text, double *ret_value)
{
	char *end;

	if (strchr(" \t\n\v\f\r", *text) || strpbrk(text, "xX"))
		return NULL;
	*ret_value = strtod(text, &end);
	return end == text || *ret_value != *ret_value ? NULL : end;
}

int cmd__parse_seconds(const char *text, double *ret_seconds)
{
	double value;
	const char *unit = parse_real(text, &value);

	if (!unit)
		return -1;
	if (!strcmp(unit, "ms"))
		value /= 1000;
	else if (*unit && strcmp(unit, "s"))
		return -1;
	*ret_seconds = value;
	return 0;
}

int cmd__parse_percent(const char *text, double *ret_ratio)
{
	double value;
	const char *unit = parse_real(text, &value);

	if (!unit || (*unit && strcmp(unit, "%")))
		return -1;
	*ret_ratio = value / 100;
	return value > 0 && value <= 10000 ? 0 : -1;
}

int cmd__parse_number(const char *text, uint64_t min, uint64_t max, uint64_t *ret_value)
{
	char *end;

	/* strtoull() takes a minus for a number near 2^64, and libsubcmd cuts it to 32 bits. */
	if (*text < '0' || *text > '9')
		return -1;
	errno = 0;
	*ret_value = strtoull(text, &end, 10);
	return errno || *end || *ret_value < min || *ret_value > max ? -1 : 0;
}

int cmd__check_separator(const char *separator, struct why *why)
{
	if (!separator || !strpbrk(separator, "0123456789+-.eE\"\r\n"))
		return 0;
	return why__set(
		why, -EINVAL,
		"-x '%.40s': a separator has nothing of a number, no quote and no line end, "
		"as , or ;",
		separator);
}
