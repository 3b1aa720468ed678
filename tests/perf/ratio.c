// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads pairs "A B" from stdin and prints the ratio A/B of the paired geometric means with its
 * 90 % interval (the level of the promises), and "done" once that is no wider than +-1 %.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/stats.h"

#define LEVEL	  0.90
#define WIDTH	  0.01
#define MIN_PAIRS 5

int main(void)
{
	double *a = NULL, *b = NULL, x, y;
	struct ratio ratio;
	size_t nr = 0;

	while (scanf("%lf %lf", &x, &y) == 2) {
		a = reallocarray(a, nr + 1, sizeof(*a));
		b = reallocarray(b, nr + 1, sizeof(*b));
		if (!a || !b)
			return EXIT_FAILURE;
		a[nr] = x;
		b[nr++] = y;
	}
	if (stats__ratio_paired(b, a, nr, LEVEL, &ratio)) {
		fprintf(stderr, "ratio: no pairs of positive numbers\n");
		return EXIT_FAILURE;
	}
	printf("%.4f (90 %% interval %.4f .. %.4f, %zu pairs)%s\n", ratio.value, ratio.lo, ratio.hi,
	       nr,
	       nr >= MIN_PAIRS && ratio.hi / ratio.lo <= (1 + WIDTH) / (1 - WIDTH) ? " done" : "");
	free(a);
	free(b);
	return EXIT_SUCCESS;
}
