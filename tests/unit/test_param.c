// SPDX-License-Identifier: GPL-2.0-only
#include "lib/param.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "tests/unit/unit.h"

struct args {
	uint64_t size, any, keys;
};

static const struct param table[] = {
	PARAM_NUMBER(struct args, size, 1000, 1, 1 << 20, "entries of the map"),
	PARAM_NUMBER(struct args, any, 0, 0, UINT64_MAX, "whatever fits"),
	PARAM_WORD(struct args, keys, "absent|one|random", "which keys"),
	{0},
};

static const struct param *const size = &table[0], *const any = &table[1], *const keys = &table[2];

static void accepts(const struct param *param, const char *text, uint64_t value)
{
	struct why why = {0};
	uint64_t got = ~value;

	ck_assert_msg(param__parse(param, text, &got, &why) == 0, "'%s': %s", text, why.text);
	ck_assert_uint_eq(got, value);
	ck_assert_str_eq(why.text, "");
}

/* `words` is all that is said; the value of before must still be there. */
static void refuses(const struct param *param, const char *text, const char *words)
{
	struct why why = {0};
	uint64_t got = 4711;

	ck_assert_msg(param__parse(param, text, &got, &why) == -EINVAL, "took '%s'", text);
	ck_assert_uint_eq(got, 4711);
	ck_assert_str_eq(why.text, words);
}

START_TEST(test_numbers)
{
	accepts(size, "1", 1);
	accepts(size, "1048576", 1048576);
	accepts(size, "1M", 1048576);
	accepts(size, "4k", 4096);
	accepts(size, "0x10", 16);
	accepts(size, "0X1f", 31);
	accepts(size, "0x1k", 1024);
	accepts(any, "0", 0);
	accepts(any, "3G", 3ULL << 30);
	accepts(any, "18446744073709551615", UINT64_MAX);
	accepts(any, "0xffffffffffffffff", UINT64_MAX);
	accepts(any, "17179869183G", 17179869183ULL << 30);
	/* Decimal with zeros in front, and no octal number: 8 would be a silent surprise. */
	accepts(size, "010", 10);
	accepts(size, "08", 8);
}
END_TEST

#define SIZE_BOUNDS "1..1048576, default 1000"

START_TEST(test_out_of_range)
{
	static const char *const texts[] = {
		"18446744073709551616", /* 2^64 */
		"17179869184G",		/* 2^64 */
		"0x10000000000000000",	/* 2^64 */
		"99999999999999999999999999",
		"18446744073709551615k",
	};
	char words[128];

	refuses(size, "0", "size='0' is out of range: " SIZE_BOUNDS);
	refuses(size, "1048577", "size='1048577' is out of range: " SIZE_BOUNDS);
	refuses(size, "1025k", "size='1025k' is out of range: " SIZE_BOUNDS);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		snprintf(words, sizeof(words), "any='%s' is out of range: 0..%s, default 0",
			 texts[i], "18446744073709551615");
		refuses(any, texts[i], words);
	}
}
END_TEST

START_TEST(test_no_numbers)
{
	static const char *const texts[] = {
		"",   "-1",  "+1",  " 1", "1 ",	 "1.5", "1e3", "0x",  "0xk",  "k",   "1K",
		"1m", "1kk", "1kB", "1T", "ten", "1,2", "\t1", "1\n", "0x-1", "--1", "=1",
	};
	char words[128];

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		snprintf(words, sizeof(words), "size='%s' is not understood: " SIZE_BOUNDS,
			 texts[i]);
		refuses(size, texts[i], words);
	}
}
END_TEST

START_TEST(test_words)
{
	static const char *const texts[] = {"",	 "o",	 "ones",    "One", "absent|one",
					    "|", " one", "random ", "1",   "0"};
	char words[128];

	accepts(keys, "absent", 0);
	accepts(keys, "one", 1);
	accepts(keys, "random", 2);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		snprintf(words, sizeof(words), "keys='%s' is not understood: absent, one, random",
			 texts[i]);
		refuses(keys, texts[i], words);
	}
}
END_TEST

START_TEST(test_set_and_get)
{
	struct args args;

	memset(&args, 0xff, sizeof(args));
	param__defaults(table, &args);
	ck_assert_uint_eq(args.size, 1000);
	ck_assert_uint_eq(args.any, 0);
	ck_assert_uint_eq(args.keys, 0);
	param__set(any, &args, UINT64_MAX);
	ck_assert_uint_eq(args.any, UINT64_MAX);
	ck_assert_uint_eq(param__get(any, &args), UINT64_MAX);
	/* Its neighbours stayed as they were. */
	ck_assert_uint_eq(args.size, 1000);
	ck_assert_uint_eq(args.keys, 0);
	param__defaults(NULL, &args);
	ck_assert_uint_eq(args.any, UINT64_MAX);
}
END_TEST

START_TEST(test_find)
{
	ck_assert_ptr_eq(param__find(table, "keys"), keys);
	ck_assert_ptr_null(param__find(table, "key"));
	ck_assert_ptr_null(param__find(table, ""));
	ck_assert_ptr_null(param__find(NULL, "keys"));
}
END_TEST

START_TEST(test_text_and_bounds)
{
	char text[64], small[8];

	ck_assert_str_eq(param__text(any, UINT64_MAX, text, sizeof(text)), "18446744073709551615");
	ck_assert_str_eq(param__text(keys, 1, text, sizeof(text)), "one");
	ck_assert_str_eq(param__text(keys, 2, text, sizeof(text)), "random");
	ck_assert_str_eq(param__text(keys, 3, text, sizeof(text)), "");
	param__bounds(size, text, sizeof(text));
	ck_assert_str_eq(text, SIZE_BOUNDS);
	param__bounds(keys, text, sizeof(text));
	ck_assert_str_eq(text, "absent, one, random");
	param__bounds(keys, small, sizeof(small));
	ck_assert_str_eq(small, "absent,");
}
END_TEST

/* What was shown is understood again. */
START_TEST(test_text_is_parsed)
{
	char text[64];

	for (uint64_t word = 0; word < 3; word++)
		accepts(keys, param__text(keys, word, text, sizeof(text)), word);
	for (int bit = 0; bit < 64; bit++)
		accepts(any, param__text(any, 1ULL << bit, text, sizeof(text)), 1ULL << bit);
}
END_TEST

START_TEST(test_json)
{
	const struct args args = {.size = 4096, .keys = 1};
	json_t *number = param__json(size, &args), *word = param__json(keys, &args);

	ck_assert(json_is_integer(number));
	ck_assert_int_eq(json_integer_value(number), 4096);
	ck_assert_str_eq(json_string_value(word), "one");
	json_decref(number);
	json_decref(word);
}
END_TEST

static void table_refused(const struct param *faulty, size_t args_size, const char *words)
{
	struct why why = {0};

	ck_assert_int_eq(param__check_table(faulty, args_size, &why), -EINVAL);
	ck_assert_str_eq(why.text, words);
}

START_TEST(test_table)
{
	const struct param twice[] = {table[0], table[1], table[0], {0}};
	const struct param low[] = {PARAM_NUMBER(struct args, size, 0, 1, 2, "x"), {0}};
	const struct param high[] = {PARAM_NUMBER(struct args, size, 3, 1, 2, "x"), {0}};
	const struct param mute[] = {PARAM_NUMBER(struct args, size, 1, 1, 2, NULL), {0}};

	ck_assert_int_eq(param__check_table(table, sizeof(struct args), NULL), 0);
	ck_assert_int_eq(param__check_table(NULL, 0, NULL), 0);
	table_refused(twice, sizeof(struct args), "parameter 'size' stands twice");
	table_refused(low, sizeof(struct args), "parameter 'size': default out of bounds");
	table_refused(high, sizeof(struct args), "parameter 'size': default out of bounds");
	table_refused(mute, sizeof(struct args), "parameter 'size' has no help");
	/* The last one needs all of its eight bytes. */
	table_refused(table, sizeof(struct args) - 1, "parameter 'keys' lies outside its struct");
	table_refused(table, 0, "parameter 'size' lies outside its struct");
}
END_TEST

UNIT_MAIN("param", test_numbers, test_out_of_range, test_no_numbers, test_words, test_set_and_get,
	  test_find, test_text_and_bounds, test_text_is_parsed, test_json, test_table)
