// SPDX-License-Identifier: GPL-2.0-only
#include "lib/render/render.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

void render__string(FILE *out, const char *text)
{
	for (text = text ? text : "?"; *text; text++) {
		/* U+0080 to U+009F are controls too, U+009B opens a sequence as ESC [ does. */
		bool c1 = *text == '\xc2' && (text[1] & '\xe0') == '\x80';

		text += c1;
		fputc(c1 || iscntrl((unsigned char)*text) ? '?' : *text, out);
	}
}

void render__column(FILE *out, const char *text, int width)
{
	int len = strlen(text);

	render__string(out, text);
	fprintf(out, "%*s", len < width ? width - len : 1, "");
}

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
	char number[24];
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
	snprintf(digits, sizeof(digits), "%.0f", value);
	len = strlen(digits);
	for (size_t i = 0; i < len && used + 2 < size; i++) {
		if (i && (len - i) % 3 == 0 && isdigit((unsigned char)digits[i - 1]))
			buf[used++] = ',';
		buf[used++] = digits[i];
	}
	buf[used] = '\0';
}
