// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "lib/cpulist.h"
#include "lib/why.h"
#include "tests/fuzz/fuzz.h"

/* What is accepted can be written, and read again as the same set. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size), again[65536];
	struct cpulist list = {0}, copy = {0};
	struct why why;

	if (!cpulist__parse(text, &list, &why)) {
		for (int i = 0; i < list.nr; i++)
			fuzz_assert(list.cpu[i] <= CPULIST_MAX_CPU &&
				    (!i || list.cpu[i] > list.cpu[i - 1]));
		fuzz_assert(cpulist__format(&list, again, sizeof(again)) >= 0);
		fuzz_assert(!cpulist__parse(again, &copy, &why));
		fuzz_assert(copy.nr == list.nr &&
			    !memcmp(copy.cpu, list.cpu, list.nr * sizeof(*list.cpu)));
	}
	cpulist__free(&list);
	cpulist__free(&copy);
	free(text);
	return 0;
}
