// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "lib/param.h"
#include "tests/fuzz/fuzz.h"

struct args {
	uint64_t number, wide, word;
};

static const struct param params[] = {
	PARAM_NUMBER(struct args, number, 5, 1, 1000, "a number"),
	PARAM_NUMBER(struct args, wide, 0, 0, UINT64_MAX, "any number"),
	PARAM_WORD(struct args, word, "absent|one|random", "a word"),
	{0},
};

/* What is accepted is within its bounds, and its text gives the value again. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size), buf[64];
	const struct param *p;

	for_each_param(p, params) {
		uint64_t value, again;
		struct why why;

		if (param__parse(p, text, &value, &why))
			continue;
		fuzz_assert(p->words ? value < 3 : value >= p->min && value <= p->max);
		fuzz_assert(
			!param__parse(p, param__text(p, value, buf, sizeof(buf)), &again, &why));
		fuzz_assert(again == value);
	}
	free(text);
	return 0;
}
