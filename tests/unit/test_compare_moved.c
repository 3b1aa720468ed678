// SPDX-License-Identifier: GPL-2.0-only
#include "tests/unit/compare_two.h"
#include "tests/unit/unit.h"

/* What moved beside the verdict: counters, programs, and what the tracers of evidence runs saw. */

/* Counts that are the operations themselves are no news; a share that changes is. */
START_TEST(test_also_moved)
{
	struct two two = make_two(1e6, 10, 0.9e6, 10);
	const json_t *also, *moved;

	for (int i = 0; i < 10; i++) {
		double rate =
			json__number(json_object_get(nth_run(two.before, i), "values"), "ops_rate");

		json_object_set_new(json_object_get(nth_run(two.before, i), "values"),
				    "failed_rate", json_real(rate * 0.1));
		json_object_set_new(json_object_get(nth_run(two.after, i), "values"), "failed_rate",
				    json_real(rate * 0.9 * (0.5 + i * 0.001)));
		json_object_set_new(nth_run(two.before, i), "counters",
				    json_of("[" COUNT("branches", 0, 5000000, 1, 1) "]"));
		json_object_set_new(nth_run(two.after, i), "counters",
				    json_of("[" COUNT("branches", 0, 5000000, 1, 1) "]"));
	}
	compare(&two);
	also = json_object_get(two.comparison, "also_moved");
	moved = json_object_get(also, "moved");
	ck_assert_int_eq(json_integer_value(json_object_get(also, "tested")), 2);
	ck_assert_uint_eq(json_array_size(moved), 2);
	ck_assert_str_eq(json__string(json_array_get(moved, 0), "figure", ""), "failed");
	ck_assert_str_eq(json__string(json_array_get(moved, 1), "figure", ""), "branches");
	ck_assert_double_eq_tol(json__number(json_array_get(moved, 0), "before"), 0.1, 1e-9);
	drop(&two);
}
END_TEST

static void add_evidence(const json_t *document, double share)
{
	json_t *run = json_of("{'status': 'ok', 'reason': null, 'role': 'evidence', 'boot': 0,"
			      " 'values': {'ops_rate': 1.0}, 'locks': [{'class': 'htab bucket',"
			      " 'type': 'spinlock', 'caller': 'htab_map_update_elem'}]}");

	json_object_set_new(json_array_get(json_object_get(run, "locks"), 0), "share",
			    json_real(share));
	json_array_append_new(json_object_get(first_benchmark(document), "runs"), run);
}

START_TEST(test_evidence)
{
	struct two two = make_two(1e6, 10, 1e6, 10);
	const json_t *also;

	add_evidence(two.before, 0.1);
	add_evidence(two.after, 0.2);
	compare(&two);
	expect(&two, "NO CHANGE");
	also = json_object_get(two.comparison, "also_moved");
	ck_assert_uint_eq(json_array_size(json_object_get(also, "descriptive")), 1);
	ck_assert(!json_object_get(json_array_get(json_object_get(also, "descriptive"), 0), "lo"));
	for (int i = 0; i < 4; i++) {
		add_evidence(two.before, 0.1 + i * 0.001);
		add_evidence(two.after, 0.2 + i * 0.001);
	}
	compare(&two);
	also = json_object_get(two.comparison, "also_moved");
	ck_assert_uint_eq(json_array_size(json_object_get(also, "descriptive")), 0);
	ck_assert_uint_eq(json_array_size(json_object_get(also, "moved")), 1);
	drop(&two);
}
END_TEST

static const json_t *also_moved(const struct two *two, const char *list, size_t i)
{
	return json_array_get(json_object_get(json_object_get(two->comparison, "also_moved"), list),
			      i);
}

/* A run that saw no lock at all makes the mean an arithmetic one, and then on both sides. */
START_TEST(test_zeros_in_evidence)
{
	struct two two = make_two(1e6, 10, 1e6, 10);
	json_t *run;

	/* Geometric, the mean before would be 0.01. */
	add_evidence(two.before, 0.0002);
	add_evidence(two.before, 0.5);
	add_evidence(two.after, 0.25);
	compare(&two);
	ck_assert_ptr_nonnull(also_moved(&two, "descriptive", 0));
	ck_assert_double_eq_tol(json__number(also_moved(&two, "descriptive", 0), "before"), 0.01,
				1e-9);
	run = json_array_get(json_object_get(first_benchmark(two.after), "runs"), 10);
	json_array_clear(json_object_get(run, "locks"));
	compare(&two);
	ck_assert_double_eq_tol(json__number(also_moved(&two, "descriptive", 0), "before"), 0.2501,
				1e-9);
	ck_assert(json__number(also_moved(&two, "descriptive", 0), "after") == 0);
	for (int i = 0; i < 20; i++) {
		add_evidence(two.before, i % 2 ? 0.0002 : 0.5);
		add_evidence(two.after, 0.9);
	}
	compare(&two);
	ck_assert_double_eq_tol(json__number(also_moved(&two, "moved", 0), "after") /
					json__number(also_moved(&two, "moved", 0), "before"),
				json__number(also_moved(&two, "moved", 0), "ratio"), 1e-9);
	drop(&two);
}
END_TEST

static void add_grace(const json_t *document, double gp_ns)
{
	json_t *run = json_of("{'status': 'ok', 'reason': null, 'role': 'evidence', 'boot': 0,"
			      " 'values': {'ops_rate': 1.0, 'gp_rate': 4.0}}");

	json_object_set_new(json_object_get(run, "values"), "gp_ns",
			    gp_ns > 0 ? json_real(gp_ns) : json_null());
	json_array_append_new(json_object_get(first_benchmark(document), "runs"), run);
	json_object_set_new(json_object_get(document, "metrics"), "gp_ns",
			    json_of("{'unit': 'ns', 'better': 'lower', 'kind': 'time', 'class':"
				    " 'noisy'}"));
	json_object_set_new(json_object_get(document, "metrics"), "gp_rate",
			    json_of("{'unit': '1/s', 'better': 'none', 'kind': 'rate', 'class':"
				    " 'noisy'}"));
}

/*
 * What only evidence runs have: a hint from single ones, from several a finding with an interval.
 * Geometric means of 20 and 22.05 ms against 30 and 33.075: exactly 1.5 times.
 */
START_TEST(test_grace_periods)
{
	struct two two = make_two(1e6, 10, 1e6, 10);
	const json_t *also, *hint, *found;

	add_grace(two.before, 20e6);
	add_grace(two.after, 30e6);
	compare(&two);
	also = json_object_get(two.comparison, "also_moved");
	hint = json_array_get(json_object_get(also, "descriptive"), 0);
	ck_assert_uint_eq(json_array_size(json_object_get(also, "descriptive")), 1);
	ck_assert_str_eq(json__string(hint, "figure", ""), "gp_ns");
	ck_assert(!json_object_get(hint, "lo"));
	ck_assert_double_eq_tol(json__number(hint, "after"), 30e6, 1e-3);
	for (int i = 0; i < 4; i++) {
		add_grace(two.before, i % 2 ? 20e6 : 22.05e6);
		add_grace(two.after, i % 2 ? 30e6 : 33.075e6);
		add_grace(two.after, NAN);
	}
	compare(&two);
	also = json_object_get(two.comparison, "also_moved");
	found = json_array_get(json_object_get(also, "moved"), 0);
	ck_assert_uint_eq(json_array_size(json_object_get(also, "descriptive")), 0);
	ck_assert_uint_eq(json_array_size(json_object_get(also, "moved")), 1);
	ck_assert_str_eq(json__string(found, "figure", ""), "gp_ns");
	ck_assert_double_eq_tol(json__number(found, "ratio"), 1.5, 1e-9);
	ck_assert(json__number(found, "lo") < 1.5 && json__number(found, "hi") > 1.5);
	/* Its direction is known, and no note says that it was not. */
	ck_assert_str_eq(json__string(found, "note", ""), "");
	/* gp_rate was tested as well, and did not move; nulls are no zeros. */
	ck_assert_int_eq(json_integer_value(json_array_get(json_object_get(found, "units"), 1)), 5);
	drop(&two);
}
END_TEST

START_TEST(test_programs_are_exact)
{
	struct two two = make_two(1e6, 10, 1e6, 10);
	const json_t *moved;

	json_object_set_new(first_benchmark(two.before), "progs",
			    json_of("[{'name': 'p', 'verified_insns': 93, 'jited_len': 400}]"));
	json_object_set_new(first_benchmark(two.after), "progs",
			    json_of("[{'name': 'p', 'verified_insns': 94, 'jited_len': 400}]"));
	compare(&two);
	moved = json_object_get(json_object_get(two.comparison, "also_moved"), "moved");
	ck_assert_uint_eq(json_array_size(moved), 1);
	ck_assert_str_eq(json__string(json_array_get(moved, 0), "figure", ""),
			 "verified_insns of p");
	drop(&two);
}
END_TEST

static void set_locks(const json_t *run, const char *class, int nr, double share)
{
	json_t *locks = json_object_get(run, "locks");

	json_array_clear(locks);
	for (int i = 0; i < nr; i++)
		json_array_append_new(locks, json_pack("{s:o, s:s, s:s, s:f}", "class",
						       json_sprintf("%s%d", class, i), "type",
						       "spinlock", "caller", "f", "share", share));
}

/* However many locks there are, they push no metric out. */
START_TEST(test_many_locks)
{
	struct two two = make_two(1e6, 10, 1e6, 10);
	const json_t *hint;

	add_grace(two.before, 20e6);
	add_grace(two.after, 30e6);
	add_evidence(two.before, 0.1);
	add_evidence(two.after, 0.1);
	set_locks(nth_run(two.before, 11), "lock", 300, 0.001);
	compare(&two);
	hint = also_moved(&two, "descriptive", 0);
	ck_assert_str_eq(json__string(hint, "figure", ""), "gp_ns");
	drop(&two);
}
END_TEST

/* A name is cut between two characters: half of one is no JSON. */
START_TEST(test_long_names)
{
	struct two two = make_two(1e6, 10, 1e6, 10);
	char class[96];
	json_t *lock;

	memset(class, 'a', 79);
	strcpy(class + 79, "\xc3\xa9");
	add_evidence(two.before, 0.9);
	add_evidence(two.after, 0.1);
	for (int side = 0; side < 2; side++) {
		lock = json_pack("{s:s, s:s, s:s, s:f}", "class", class, "type", "mutex", "caller",
				 "g", "share", side ? 0.2 : 0.8);
		json_array_insert_new(json_object_get(nth_run(side ? two.after : two.before, 10),
						      "locks"),
				      0, lock);
	}
	compare(&two);
	class[79] = '\0';
	ck_assert_ptr_nonnull(
		strstr(json__string(also_moved(&two, "descriptive", 0), "figure", ""), class));
	ck_assert_ptr_nonnull(strstr(json__string(also_moved(&two, "descriptive", 1), "figure", ""),
				     "htab bucket"));
	drop(&two);
}
END_TEST

static json_t *programs(const char *name, int nr, int insns)
{
	json_t *progs = json_array();

	for (int i = 0; i < nr; i++)
		json_array_append_new(progs,
				      json_pack("{s:o, s:i}", "name", json_sprintf("%s%d", name, i),
						"verified_insns", insns));
	return progs;
}

/* Joined by name and not by place, once each, and a long name is cut between two characters. */
START_TEST(test_many_programs)
{
	struct two two = make_two(1e6, 10, 1e6, 10);
	json_t *before = programs("p", 3000, 100), *after = programs("p", 3000, 100);
	char name[120];

	memset(name, 'n', 99);
	strcpy(name + 99, "\xc3\xa9");
	json_array_insert_new(before, 0,
			      json_pack("{s:s, s:i}", "name", name, "verified_insns", 7));
	json_array_append_new(after, json_pack("{s:s, s:i}", "name", name, "verified_insns", 8));
	json_array_append_new(after, json_pack("{s:s, s:i}", "name", name, "verified_insns", 9));
	json_array_append_new(before, json_of("{'verified_insns': 1}"));
	json_array_append_new(after, json_of("{'verified_insns': 2}"));
	json_object_set_new(first_benchmark(two.before), "progs", before);
	json_object_set_new(first_benchmark(two.after), "progs", after);
	compare(&two);
	ck_assert_ptr_nonnull(also_moved(&two, "moved", 0));
	ck_assert(json__number(also_moved(&two, "moved", 0), "after") == 8);
	name[99] = '\0';
	ck_assert_ptr_nonnull(
		strstr(json__string(also_moved(&two, "moved", 0), "figure", ""), name));
	ck_assert_ptr_null(also_moved(&two, "moved", 1));
	drop(&two);
}
END_TEST

UNIT_MAIN("compare-moved", test_also_moved, test_evidence, test_zeros_in_evidence,
	  test_grace_periods, test_programs_are_exact, test_many_programs, test_many_locks,
	  test_long_names)
