// SPDX-License-Identifier: GPL-2.0-only
#include "lib/render/render.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* The length of the character at `text`, and its number; 0: a byte that begins none. */
static int decode(const char *text, uint32_t *ret)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	const unsigned char *s = (const unsigned char *)text;
	int len = s[0] < 0x80	? 1
		  : s[0] < 0xc2 ? 0
		  : s[0] < 0xe0 ? 2
		  : s[0] < 0xf0 ? 3
		  : s[0] < 0xf5 ? 4
				: 0;

	*ret = len > 1 ? s[0] & (0x7f >> len) : s[0];
	for (int i = 1; i < len; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		*ret = *ret << 6 | (s[i] & 0x3f);
	}
	return len && *ret >= least[len] ? len : 0;
}

/*
 * C0, DEL and C1, where U+009B opens a sequence as ESC [ does; line ends of Unicode; and what turns
 * the direction of all text that follows.
 */
static bool is_control(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x2028 && c <= 0x202e) ||
	       (c >= 0x2066 && c <= 0x2069) || c == 0x200e || c == 0x200f || c == 0x61c;
}

/* A text that was cut within a character ends in bytes that a terminal may take for controls. */
void render__part(FILE *out, const char *text, size_t size)
{
	const char *end = text + size;
	uint32_t c;
	int len;

	for (; text < end; text += len ? len : 1) {
		len = decode(text, &c);
		if (!len || is_control(c))
			fputc('?', out);
		else
			fwrite(text, 1, len, out);
	}
}

void render__string(FILE *out, const char *text)
{
	text = text ? text : "?";
	render__part(out, text, strlen(text));
}

void render__column(FILE *out, const char *text, int width)
{
	int len = strlen(text);

	render__string(out, text);
	fprintf(out, "%*s", len < width ? width - len : 1, "");
}

/* More digits than this are none that anybody reads, and the column ends before they do. */
#define LARGE 1e15

/* Digits after the point that leave three significant ones. */
static int decimals(double value)
{
	value = fabs(value);
	return value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
}

void render__number(char *buf, size_t size, double value)
{
	if (!isfinite(value))
		snprintf(buf, size, "-");
	else if (fabs(value) >= LARGE)
		snprintf(buf, size, "%.3g", value);
	else
		snprintf(buf, size, "%.*f", decimals(value), value);
}

struct si render__si_unit(double value)
{
	static const char *const unit[] = {"", " k", " M", " G", " T"};
	struct si si = {1, ""};

	for (size_t i = 1; i < sizeof(unit) / sizeof(unit[0]); i++) {
		if (!(fabs(value) >= 999.95 * si.divisor))
			break;
		si.divisor *= 1000;
		si.unit = unit[i];
	}
	return si;
}

/* One digit more than render__number(): rates are compared by eye. */
void render__si_in(char *buf, size_t size, double value, const struct si *si)
{
	int places = 2;

	value /= si->divisor;
	if (!value || fabs(value) >= 999.95)
		places = 0;
	else if (fabs(value) >= 99.995)
		places = 1;
	if (!isfinite(value))
		snprintf(buf, size, "-");
	else if (fabs(value) >= LARGE)
		snprintf(buf, size, "%.3g", value);
	else
		snprintf(buf, size, "%.*f", places, value);
}

void render__si(char *buf, size_t size, double value)
{
	struct si si = render__si_unit(value);
	char number[32];

	render__si_in(number, sizeof(number), value, &si);
	snprintf(buf, size, "%s%s", number, isfinite(value) ? si.unit : "");
}

void render__time(char *buf, size_t size, double ns)
{
	static const char *const unit[] = {"ns", "us", "ms", "s"};
	char number[32];
	int i = 0;

	for (; ns >= 999.5 && i < 3; i++)
		ns /= 1000;
	render__number(number, sizeof(number), ns);
	snprintf(buf, size, "%s %s", number, unit[i]);
}

void render__grouped(char *buf, size_t size, double value)
{
	char digits[64];
	size_t len, used = 0;

	if (!isfinite(value)) {
		snprintf(buf, size, "-");
		return;
	}
	if (fabs(value) >= 1e20) {
		snprintf(buf, size, "%.4g", value);
		return;
	}
	snprintf(digits, sizeof(digits), "%.0f", value);
	len = strlen(digits);
	for (size_t i = 0; i < len && used + 2 < size; i++) {
		if (i && (len - i) % 3 == 0 && isdigit((unsigned char)digits[i - 1]))
			buf[used++] = ',';
		buf[used++] = digits[i];
	}
	buf[used] = '\0';
}
