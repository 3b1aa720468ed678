// SPDX-License-Identifier: GPL-2.0-only
#include "lib/suggest.h"

#include <string.h>

#include "tests/unit/unit.h"

static const char *const names[] = {
	"count-global",	     "count-local",
	"hashmap-full",	     "hashmap-lookup",
	"hashmap-lru",	     "local-storage-get",
	"local-storage-put", "ringbuf-libbpf",
	"ringbuf-perfbuf",   "keys",
	"nr_maps",
};

/* What is said about `word`; valid until the next call. */
static const char *ask(const char *word)
{
	static char text[128];
	struct suggest suggest = {.word = word};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		suggest__offer(&suggest, names[i]);
	suggest__format(&suggest, text, sizeof(text));
	return text;
}

START_TEST(test_edits)
{
	ck_assert_str_eq(ask("hashmap-fulll"), "did you mean 'hashmap-full'?");
	ck_assert_str_eq(ask("hashmap-lokup"), "did you mean 'hashmap-lookup'?");
	ck_assert_str_eq(ask("hashmap_lookup"), "did you mean 'hashmap-lookup'?");
	ck_assert_str_eq(ask("HASHMAP-LOKUP"), "did you mean 'hashmap-lookup'?");
	/* Four letters allow one edit: a swap of neighbours is one, not two. */
	ck_assert_str_eq(ask("keys"), "did you mean 'keys'?");
	ck_assert_str_eq(ask("ekys"), "did you mean 'keys'?");
	ck_assert_str_eq(ask("eksy"), "");
}
END_TEST

START_TEST(test_nearest_first)
{
	ck_assert_str_eq(ask("local-storage-pt"),
			 "did you mean 'local-storage-put' or 'local-storage-get'?");
	/* Equally near: in the order offered. */
	ck_assert_str_eq(ask("local-storage-pet"),
			 "did you mean 'local-storage-get' or 'local-storage-put'?");
	ck_assert_str_eq(ask("local-storage-pu"), "did you mean 'local-storage-put'?");
}
END_TEST

START_TEST(test_parts)
{
	ck_assert_str_eq(ask("hashmap"),
			 "did you mean 'hashmap-full', 'hashmap-lookup' or 'hashmap-lru'?");
	ck_assert_str_eq(ask("lookup"), "did you mean 'hashmap-lookup'?");
	ck_assert_str_eq(ask("nr"), "did you mean 'nr_maps'?");
}
END_TEST

START_TEST(test_nothing_near)
{
	char long_word[200];

	memset(long_word, 'k', sizeof(long_word) - 1);
	long_word[sizeof(long_word) - 1] = '\0';
	ck_assert_str_eq(ask(""), "");
	ck_assert_str_eq(ask("k"), "");
	ck_assert_str_eq(ask("xyzzy"), "");
	ck_assert_str_eq(ask(long_word), "");
}
END_TEST

START_TEST(test_twice_and_long_candidates)
{
	struct suggest suggest = {.word = "keyz"};
	char text[64], long_name[100];

	memset(long_name, 'k', sizeof(long_name) - 1);
	long_name[sizeof(long_name) - 1] = '\0';
	suggest__offer(&suggest, "keys");
	suggest__offer(&suggest, long_name);
	suggest__offer(&suggest, "keys");
	suggest__format(&suggest, text, sizeof(text));
	ck_assert_str_eq(text, "did you mean 'keys'?");
}
END_TEST

START_TEST(test_no_room)
{
	struct suggest suggest = {.word = "keyz"};
	const char *whole = "did you mean 'keys'?";
	char text[64] = "old";

	suggest__offer(&suggest, "keys");
	suggest__format(&suggest, text, strlen(whole));
	ck_assert_str_eq(text, "");
	suggest__format(&suggest, text, strlen(whole) + 1);
	ck_assert_str_eq(text, whole);
}
END_TEST

UNIT_MAIN("suggest", test_edits, test_nearest_first, test_parts, test_nothing_near,
	  test_twice_and_long_candidates, test_no_room)
