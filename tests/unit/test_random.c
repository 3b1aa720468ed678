// SPDX-License-Identifier: GPL-2.0-only
#include "lib/random.h"

#include "tests/unit/unit.h"

/* The sequence of seed 1234567 that the authors of SplitMix64 give for their reference code. */
START_TEST(test_known_sequence)
{
	static const uint64_t known[] = {6457827717110365317ULL, 3203168211198807973ULL,
					 9817491932198370423ULL, 4593380528125082431ULL,
					 16408922859458223821ULL};
	uint64_t state = 1234567;

	for (int i = 0; i < 5; i++)
		ck_assert_uint_eq(random__next(&state), known[i]);
}
END_TEST

START_TEST(test_seed_decides)
{
	uint64_t a = 1, b = 1, c = 2;
	int same = 0;

	for (int i = 0; i < 1000; i++) {
		uint64_t value = random__next(&a);

		ck_assert_uint_eq(random__next(&b), value);
		same += random__next(&c) == value;
	}
	ck_assert_int_eq(same, 0);
}
END_TEST

/*
 * Chi square of 60,000 draws from 6 faces: 5 degrees of freedom, and 30 is a chance of 1 in 66,000.
 * The seed is fixed, so that the answer is too.
 */
START_TEST(test_below_is_even)
{
	uint64_t state = 42;
	int faces[6] = {0};
	double chi = 0;

	for (int i = 0; i < 60000; i++) {
		uint64_t face = random__below(&state, 6);

		ck_assert_uint_lt(face, 6);
		faces[face]++;
	}
	for (int i = 0; i < 6; i++)
		chi += (faces[i] - 10000.0) * (faces[i] - 10000.0) / 10000;
	ck_assert_double_lt(chi, 30);
}
END_TEST

/* A plain remainder would give the lowest third twice as often as the others. */
START_TEST(test_below_has_no_bias)
{
	const uint64_t bound = 3ULL << 62;
	uint64_t state = 7;
	int third[3] = {0};

	for (int i = 0; i < 30000; i++) {
		uint64_t value = random__below(&state, bound);

		ck_assert_uint_lt(value, bound);
		third[value >> 62]++;
	}
	for (int i = 0; i < 3; i++) {
		ck_assert_int_gt(third[i], 9500);
		ck_assert_int_lt(third[i], 10500);
	}
}
END_TEST

START_TEST(test_below_at_the_edges)
{
	uint64_t state = 3, before;

	for (int i = 0; i < 100; i++)
		ck_assert_uint_eq(random__below(&state, 1), 0);
	before = state;
	random__below(&state, UINT64_MAX);
	ck_assert_uint_ne(state, before);
}
END_TEST

START_TEST(test_seed)
{
	uint64_t first = random__seed();
	int same = 0;

	for (int i = 0; i < 100; i++) {
		uint64_t seed = random__seed();

		ck_assert_uint_lt(seed, 1ULL << 53);
		same += seed == first;
	}
	ck_assert_int_lt(same, 2);
}
END_TEST

UNIT_MAIN("random", test_known_sequence, test_seed_decides, test_below_is_even,
	  test_below_has_no_bias, test_below_at_the_edges, test_seed)
