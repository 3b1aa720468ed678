// SPDX-License-Identifier: GPL-2.0-only
#include "lib/comparability.h"

#include <string.h>

#include "lib/result.h"
#include "tests/unit/compared.h"
#include "tests/unit/unit.h"

/* The one difference after `key` of this object of the after side's boot was set to `value`. */
static json_t *one_difference(const char *object, const char *key, const char *value)
{
	json_t *a = make_document("a", "6.12"), *b = make_document("b", "6.12"), *at, *list;

	at = object ? json_object_get(first_boot(b), object) : first_boot(b);
	json_object_set_new(at, key, json_of(value));
	list = comparability__differences(a, b);
	ck_assert_uint_eq(json_array_size(list), 1);
	json_decref(a);
	json_decref(b);
	return list;
}

static void expect_class(const char *object, const char *key, const char *value, const char *class)
{
	json_t *list = one_difference(object, key, value), *item = json_array_get(list, 0);

	ck_assert_str_eq(json__string(item, "class", ""), class);
	ck_assert(comparability__blocks(list) == !strcmp(class, "block"));
	json_decref(list);
}

START_TEST(test_equal_machines)
{
	json_t *a = make_document("a", "6.12"), *b = make_document("b", "6.12");
	json_t *list = comparability__differences(a, b);

	ck_assert_uint_eq(json_array_size(list), 0);
	ck_assert(!comparability__blocks(list));
	ck_assert(!comparability__kernels_differ(a, b));
	ck_assert(!comparability__same_boot(a, b));
	ck_assert(comparability__same_boot(a, a));
	json_decref(list);
	json_decref(a);
	json_decref(b);
}
END_TEST

START_TEST(test_three_classes)
{
	expect_class("cpu", "model", "'another CPU'", "block");
	expect_class("cpu", "online", "'0-3'", "block");
	expect_class("bpf", "jit_enable", "0", "block");
	expect_class(NULL, "timing", "'emulated'", "block");
	expect_class(NULL, "host", "'other'", "warn");
	expect_class("kernel", "version", "'#2'", "expected");
	expect_class("kernel", "config_selected", "{'CONFIG_KASAN': 'y'}", "block");
}
END_TEST

/* An older document does not have it: that must not make everything not comparable. */
START_TEST(test_unknown_on_one_side_is_a_warning)
{
	json_t *list = one_difference("cpu", "microcode", "'0x1'");
	const json_t *item = json_array_get(list, 0);

	ck_assert_str_eq(json__string(item, "class", ""), "warn");
	ck_assert(json_is_null(json_object_get(item, "before")));
	json_decref(list);
}
END_TEST

START_TEST(test_members_of_an_object)
{
	json_t *a = make_document("a", "6.12"), *b = make_document("b", "6.12"), *list;

	json_object_set_new(first_boot(a), "mitigations", json_of("{'x': 'off', 'y': 'same'}"));
	json_object_set_new(first_boot(b), "mitigations", json_of("{'x': 'on', 'y': 'same'}"));
	json_object_set_new(json_object_get(first_boot(b), "kernel"), "config_selected",
			    json_of("{'CONFIG_KASAN': 'n', 'CONFIG_HZ': '250'}"));
	list = comparability__differences(a, b);
	ck_assert_uint_eq(json_array_size(list), 2);
	ck_assert_str_eq(json__string(json_array_get(list, 0), "field", ""), "mitigations.x");
	ck_assert_str_eq(json__string(json_array_get(list, 1), "field", ""),
			 "kernel.config_selected.CONFIG_HZ");
	json_decref(list);
	json_decref(a);
	json_decref(b);
}
END_TEST

/* jq writes 1000 for 1000.0. */
START_TEST(test_a_number_is_its_value)
{
	json_t *a = make_document("a", "6.12"), *b = make_document("b", "6.12"), *list;
	json_t *plan = json_object_get(json_object_get(b, "tool"), "plan");

	json_object_set_new(plan, "duration_ms", json_integer(1000));
	list = comparability__differences(a, b);
	ck_assert_uint_eq(json_array_size(list), 0);
	json_decref(list);
	json_object_set_new(plan, "duration_ms", json_real(1000.5));
	list = comparability__differences(a, b);
	ck_assert_str_eq(json__string(json_array_get(list, 0), "after", ""), "1000.5");
	json_decref(list);
	json_decref(a);
	json_decref(b);
}
END_TEST

START_TEST(test_several_boots_are_a_set)
{
	json_t *a = make_document("a", "6.12"), *b = make_document("b", "6.12"), *list;

	json_array_append_new(json_object_get(a, "boots"), make_boot("a2", "6.12"));
	list = comparability__differences(a, b);
	ck_assert_uint_eq(json_array_size(list), 0);
	json_decref(list);
	json_object_set_new(json_array_get(json_object_get(a, "boots"), 1), "timing",
			    json_string("emulated"));
	list = comparability__differences(a, b);
	ck_assert(comparability__blocks(list));
	ck_assert_str_eq(json__string(json_array_get(list, 0), "before", ""), "emulated, native");
	ck_assert_str_eq(comparability__timing(a), "mixed");
	json_decref(list);
	json_decref(a);
	json_decref(b);
}
END_TEST

START_TEST(test_blocking_ones_come_first)
{
	json_t *a = make_document("a", "6.12"), *b = make_document("b", "6.13"), *list;

	json_object_set_new(first_boot(b), "host", json_string("other"));
	json_object_set_new(json_object_get(first_boot(b), "cpu"), "model", json_string("x"));
	list = comparability__differences(a, b);
	ck_assert_str_eq(json__string(json_array_get(list, 0), "field", ""), "cpu.model");
	ck_assert_str_eq(json__string(json_array_get(list, 1), "field", ""), "host");
	ck_assert_str_eq(json__string(json_array_get(list, 2), "class", ""), "expected");
	ck_assert(comparability__kernels_differ(a, b));
	json_decref(list);
	json_decref(a);
	json_decref(b);
}
END_TEST

START_TEST(test_missing_privilege_blocks)
{
	json_t *a = make_document("a", "6.12"), *b = make_document("b", "6.12"), *list;

	json_object_set_new(b, "warnings", json_of("[{'code': 'NO_PERFMON', 'text': 'x'}]"));
	list = comparability__differences(a, b);
	ck_assert(comparability__blocks(list));
	json_decref(list);
	json_decref(a);
	json_decref(b);
}
END_TEST

START_TEST(test_fields_stand_once)
{
	enum difference_class class;
	const char *field, *other;

	for (size_t i = 0; (field = comparability__field(i, &class)); i++)
		for (size_t j = 0; j < i && (other = comparability__field(j, &class)); j++)
			ck_assert_str_ne(field, other);
}
END_TEST

UNIT_MAIN("comparability", test_equal_machines, test_three_classes,
	  test_unknown_on_one_side_is_a_warning, test_members_of_an_object,
	  test_a_number_is_its_value, test_several_boots_are_a_set, test_blocking_ones_come_first,
	  test_missing_privilege_blocks, test_fields_stand_once)
