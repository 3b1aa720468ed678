// SPDX-License-Identifier: GPL-2.0-only
#include "lib/render/render.h"

#include <math.h>
#include <string.h>

#include "lib/result.h"

/* From here on a factor says more than per cent: "x 12.5". */
static bool is_factor(double ratio)
{
	return isfinite(ratio) && (ratio >= 2 || ratio <= 0.5);
}

static void print_change(char *buf, size_t size, double ratio, bool factor)
{
	if (!isfinite(ratio))
		snprintf(buf, size, "-");
	else if (factor)
		snprintf(buf, size, "x %.3g", ratio);
	else if (fabs(ratio - 1) < 0.00995)
		snprintf(buf, size, "%+.2f %%", (ratio - 1) * 100);
	else
		snprintf(buf, size, "%+.1f %%", (ratio - 1) * 100);
}

void render__change(char *buf, size_t size, double ratio)
{
	print_change(buf, size, ratio, is_factor(ratio));
}

struct change render__change_of(const json_t *row, const char *lo_key, const char *hi_key)
{
	double ratio = json__number(row, "ratio");
	double lo = json__number(row, lo_key), hi = json__number(row, hi_key);
	bool factor = is_factor(ratio) || is_factor(lo) || is_factor(hi);
	struct change change = {.interval = "-"};
	char low[32], high[32];

	print_change(change.text, sizeof(change.text), ratio, factor);
	print_change(low, sizeof(low), lo, factor);
	print_change(high, sizeof(high), hi, factor);
	if (isfinite(lo) && isfinite(hi))
		snprintf(change.interval, sizeof(change.interval), "%s .. %s", low, high);
	return change;
}

void render__value(char *buf, size_t size, double value, const char *unit)
{
	char text[48];

	if (!isfinite(value)) {
		snprintf(buf, size, "-");
	} else if (!strcmp(unit, "op/s")) {
		render__si(buf, size, value);
	} else if (!strcmp(unit, "ns") && value >= 0.01) {
		render__number(text, sizeof(text), value);
		snprintf(buf, size, "%s ns", text);
	} else {
		snprintf(buf, size, "%.4g", value);
	}
}
