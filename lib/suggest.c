// SPDX-License-Identifier: GPL-2.0-only
#include "lib/suggest.h"

#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* No name of ours is as long; what is longer has no neighbour. */
#define MAX_LEN 64

/* Scores: a whole prefix is nearer than one edit, a part inside the name is not. */
#define SCORE_EDIT   4
#define SCORE_PREFIX 2
#define SCORE_PART   6
#define SCORE_FAR    INT_MAX
/* Shorter words begin, or are part of, too many names. */
#define MIN_PREFIX 2
#define MIN_PART   3

static int min(int a, int b)
{
	return a < b ? a : b;
}

static bool same(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/*
 * Edits that turn `a` into `b`: insert, drop, change, or swap two neighbours. Three rows of the
 * usual table are enough, the swap being the one that looks two rows back.
 */
static int distance(const char *a, int len_a, const char *b, int len_b)
{
	int rows[3][MAX_LEN + 1];

	for (int j = 0; j <= len_b; j++)
		rows[0][j] = j;
	for (int i = 1; i <= len_a; i++) {
		int *row = rows[i % 3], *above = rows[(i + 2) % 3], *above2 = rows[(i + 1) % 3];

		row[0] = i;
		for (int j = 1; j <= len_b; j++) {
			row[j] = above[j - 1] + !same(a[i - 1], b[j - 1]);
			row[j] = min(row[j], min(above[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
				row[j] = min(row[j], above2[j - 2] + 1);
		}
	}
	return rows[len_a % 3][len_b];
}

static int score_of(const char *word, const char *name)
{
	size_t len_word = strnlen(word, MAX_LEN + 1), len_name = strnlen(name, MAX_LEN + 1);
	size_t longer = len_word > len_name ? len_word : len_name;
	int score = SCORE_FAR;
	size_t edits;

	if (!len_word || longer > MAX_LEN)
		return SCORE_FAR;
	edits = distance(word, len_word, name, len_name);
	if (3 * edits <= longer + 1)
		score = edits * SCORE_EDIT;
	if (len_word >= MIN_PREFIX && !strncasecmp(name, word, len_word))
		score = min(score, SCORE_PREFIX);
	if (len_word >= MIN_PART && strcasestr(name, word))
		score = min(score, SCORE_PART);
	return score;
}

static bool has_name(const struct suggest *suggest, const char *name)
{
	for (int i = 0; i < suggest->nr; i++)
		if (!strcmp(suggest->hit[i].name, name))
			return true;
	return false;
}

void suggest__offer(struct suggest *suggest, const char *name)
{
	struct suggest_hit hit = {.name = name, .score = score_of(suggest->word, name)};
	int i;

	if (hit.score == SCORE_FAR || has_name(suggest, name))
		return;
	if (suggest->nr < SUGGEST_MAX)
		suggest->nr++;
	else if (hit.score >= suggest->hit[SUGGEST_MAX - 1].score)
		return;
	for (i = suggest->nr - 1; i > 0 && suggest->hit[i - 1].score > hit.score; i--)
		suggest->hit[i] = suggest->hit[i - 1];
	suggest->hit[i] = hit;
}

/* A name much farther off than the best one only distracts. */
static int nr_plausible(const struct suggest *suggest)
{
	int nr = 0;

	while (nr < suggest->nr && suggest->hit[nr].score <= suggest->hit[0].score + SCORE_EDIT)
		nr++;
	return nr;
}

void suggest__format(const struct suggest *suggest, char *buf, size_t size)
{
	const char *const before[] = {"did you mean ", ", ", " or "};
	int nr = nr_plausible(suggest);
	size_t len = 0;

	if (!size)
		return;
	buf[0] = '\0';
	for (int i = 0; i < nr; i++) {
		const char *glue = before[!i ? 0 : i < nr - 1 ? 1 : 2];

		len += snprintf(buf + len, size - len, "%s'%s'%s", glue, suggest->hit[i].name,
				i == nr - 1 ? "?" : "");
		if (len >= size) {
			/* Half a name would be worse than none. */
			buf[0] = '\0';
			return;
		}
	}
}
