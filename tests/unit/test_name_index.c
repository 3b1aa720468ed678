// SPDX-License-Identifier: GPL-2.0-only
#include "lib/name_index.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/unit.h"

struct toy {
	int number;
	double sum;
};

START_TEST(the_same_name_is_the_same_element)
{
	struct name_index index = NAME_INDEX(struct toy);
	struct toy *toys;
	char name[16];

	ck_assert_ptr_null(name_index__find(&index, "0"));
	for (int i = 0; i < 1000; i++) {
		struct toy *toy;

		snprintf(name, sizeof(name), "%d", i % 500);
		toy = name_index__get(&index, name);
		ck_assert_ptr_nonnull(toy);
		ck_assert(i < 500 ? toy->number == 0 && toy->sum == 0 : toy->number == i % 500);
		toy->number = i % 500;
		toy->sum += i;
		ck_assert_ptr_eq(name_index__find(&index, name), toy);
	}
	ck_assert_uint_eq(index.nr, 500);
	/* In the order in which they came. */
	toys = index.items;
	for (int i = 0; i < 500; i++) {
		ck_assert_int_eq(toys[i].number, i);
		ck_assert(toys[i].sum == 2 * i + 500);
	}
	ck_assert_ptr_null(name_index__find(&index, "500"));
	name_index__free(&index);
	ck_assert_uint_eq(index.nr, 0);
	ck_assert_ptr_null(name_index__find(&index, "0"));
}
END_TEST

/* Of two bytes of one character the first alone, as a buffer's end leaves it. */
START_TEST(a_name_need_not_be_text)
{
	struct name_index index = NAME_INDEX(struct toy);
	struct toy *toy = name_index__get(&index, "caf\xc3");

	ck_assert_ptr_nonnull(toy);
	ck_assert_ptr_eq(name_index__get(&index, "caf\xc3"), toy);
	ck_assert_ptr_ne(name_index__get(&index, "caf\xc3\xa9"), toy);
	ck_assert_ptr_nonnull(name_index__get(&index, ""));
	ck_assert_uint_eq(index.nr, 3);
	name_index__free(&index);
}
END_TEST

UNIT_MAIN("name_index", the_same_name_is_the_same_element, a_name_need_not_be_text)
