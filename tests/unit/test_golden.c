// SPDX-License-Identifier: GPL-2.0-only
/* Every statistic of the program, against the values that scipy, statsmodels and R computed. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/equivalence.h"
#include "lib/multiple.h"
#include "lib/rank.h"
#include "lib/stats.h"
#include "tests/unit/golden.h"
#include "tests/unit/unit.h"

static void golden_descriptive(const json_t *input, const json_t *expected)
{
	struct series s = series_of(member(input, "x"));
	double median, geomean;

	expect(expected, "mean", stats__mean(s.x, s.n), CLOSED_FORM);
	expect(expected, "var_n_minus_1", stats__variance(s.x, s.n), CLOSED_FORM);
	/* The case about a large offset has these two only. */
	if (!json_object_get(expected, "stddev"))
		return;
	expect(expected, "stddev", stats__stddev(s.x, s.n), CLOSED_FORM);
	expect(expected, "cv", stats__cv(s.x, s.n), CLOSED_FORM);
	ck_assert_int_eq(stats__median(s.x, s.n, &median), 0);
	expect(expected, "median", median, CLOSED_FORM);
	ck_assert_int_eq(stats__geomean(s.x, s.n, &geomean), 0);
	expect(expected, "geomean", geomean, CLOSED_FORM);
}

static void golden_geomean(const json_t *input, const json_t *expected)
{
	struct series s = series_of(member(input, "x"));
	double geomean;

	ck_assert_int_eq(stats__geomean(s.x, s.n, &geomean), 0);
	expect(expected, "geomean", geomean, CLOSED_FORM);
}

static void golden_geomean_ratios(const json_t *input, const json_t *expected)
{
	struct series s = series_of(member(input, "ratios"));
	double geomean;

	ck_assert_int_eq(stats__geomean(s.x, s.n, &geomean), 0);
	expect(expected, "geomean", geomean, CLOSED_FORM);
	for (size_t i = 0; i < s.n; i++)
		s.x[i] = 1 / s.x[i];
	ck_assert_int_eq(stats__geomean(s.x, s.n, &geomean), 0);
	expect(expected, "geomean_of_inverses", geomean, CLOSED_FORM);
}

static void golden_t_two_sided_p(const json_t *input, const json_t *expected)
{
	struct series want = series_of(member(expected, "p"));
	json_t *cases = member(input, "t_df");

	ck_assert_uint_eq(json_array_size(cases), want.n);
	for (size_t i = 0; i < want.n; i++) {
		struct series t_df = series_of(json_array_get(cases, i));

		expect_near("p", stats__t_two_sided_p(t_df.x[0], t_df.x[1]), want.x[i], TAIL_P);
	}
}

static void golden_normal_quantiles(const json_t *input, const json_t *expected)
{
	struct series p = series_of(member(input, "p"));
	struct series want = series_of(member(expected, "z"));

	ck_assert_uint_eq(p.n, want.n);
	for (size_t i = 0; i < p.n; i++)
		expect_near("z", stats__normal_quantile(p.x[i]), want.x[i], CLOSED_FORM);
}

static void golden_mean_interval(const json_t *input, const json_t *expected)
{
	struct series s = series_of(member(input, "x"));
	double lo, hi;

	ck_assert_int_eq(stats__mean_interval(s.x, s.n, 0.95, &lo, &hi), 0);
	expect_pair(expected, "ci95", lo, hi);
	ck_assert_int_eq(stats__mean_interval(s.x, s.n, 0.99, &lo, &hi), 0);
	expect_pair(expected, "ci99", lo, hi);
}

static void golden_welch(const json_t *input, const json_t *expected)
{
	struct series x = series_of(member(input, "x")), y = series_of(member(input, "y"));
	struct difference d;

	ck_assert_int_eq(stats__welch(x.x, x.n, y.x, y.n, 0.95, &d), 0);
	expect(expected, "diff_mean_y_minus_x", d.value, CLOSED_FORM);
	expect(expected, "se", d.se, CLOSED_FORM);
	expect(expected, "t", d.t, CLOSED_FORM);
	expect(expected, "df", d.df, CLOSED_FORM);
	expect(expected, "p_two_sided", d.p, TAIL_P);
	expect_pair(expected, "ci95", d.lo, d.hi);
}

static void golden_ratio(const json_t *input, const json_t *expected)
{
	struct series x = series_of(member(input, "x")), y = series_of(member(input, "y"));
	struct ratio r;

	ck_assert_int_eq(stats__ratio(x.x, x.n, y.x, y.n, 0.95, &r), 0);
	ck_assert_uint_eq(r.nr_before, x.n);
	ck_assert_uint_eq(r.nr_after, y.n);
	expect(expected, "ratio", r.value, CLOSED_FORM);
	expect(expected, "t", r.t, CLOSED_FORM);
	expect(expected, "df", r.df, CLOSED_FORM);
	expect(expected, "p_two_sided", r.p, TAIL_P);
	expect_pair(expected, "ci95", r.lo, r.hi);
}

static void golden_ratio_paired(const json_t *input, const json_t *expected)
{
	json_t *pairs = member(input, "pairs"), *unpaired;
	struct series x = {.n = json_array_size(pairs)}, y = x;
	struct ratio r;

	for (size_t i = 0; i < x.n; i++) {
		struct series pair = series_of(json_array_get(pairs, i));

		x.x[i] = pair.x[0];
		y.x[i] = pair.x[1];
	}
	ck_assert_int_eq(stats__ratio_paired(x.x, y.x, x.n, 0.95, &r), 0);
	expect(expected, "ratio", r.value, CLOSED_FORM);
	expect(expected, "t", r.t, CLOSED_FORM);
	expect(expected, "df", r.df, CLOSED_FORM);
	expect(expected, "p_two_sided", r.p, TAIL_P);
	expect_pair(expected, "ci95", r.lo, r.hi);

	unpaired = member(expected, "unpaired_for_contrast");
	ck_assert_int_eq(stats__ratio(x.x, x.n, y.x, x.n, 0.95, &r), 0);
	expect(unpaired, "p_two_sided", r.p, TAIL_P);
	expect_pair(unpaired, "ci95", r.lo, r.hi);
}

static void golden_scaling(const json_t *input, const json_t *expected)
{
	uint64_t scaled;

	ck_assert_int_eq(stats__scale_count(json_integer_value(member(input, "raw")),
					    json_integer_value(member(input, "time_enabled_ns")),
					    json_integer_value(member(input, "time_running_ns")),
					    &scaled),
			 0);
	ck_assert_uint_eq(scaled, (uint64_t)llround(json_number_value(member(expected, "scaled"))));
}

static void golden_mann_whitney(const json_t *input, const json_t *expected)
{
	struct series x = series_of(member(input, "x")), y = series_of(member(input, "y"));
	json_t *u_y = json_object_get(expected, "U_y");
	struct rank_test test;

	ck_assert_int_eq(rank__mann_whitney(x.x, x.n, y.x, y.n, &test), 0);
	ck_assert(test.exact);
	expect(expected, "U_x", test.statistic, EXACT_P);
	expect(expected, "p_two_sided_exact_enumerated", test.p, EXACT_P);
	ck_assert_int_eq(rank__mann_whitney_normal(x.x, x.n, y.x, y.n, &test), 0);
	expect(expected, "p_two_sided_asymptotic_tie_continuity", test.p, TAIL_P);
	/* The other way round it is the same test. */
	ck_assert_int_eq(rank__mann_whitney(y.x, y.n, x.x, x.n, &test), 0);
	if (u_y)
		expect(expected, "U_y", test.statistic, EXACT_P);
	expect(expected, "p_two_sided_exact_enumerated", test.p, EXACT_P);
}

static void golden_mann_whitney_least_p(const json_t *input, const json_t *expected)
{
	struct series n = series_of(member(input, "n"));
	struct series want = series_of(member(expected, "min_p"));
	const double values[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
	struct rank_test test;

	for (size_t i = 0; i < n.n; i++) {
		size_t nr = n.x[i];

		ck_assert_uint_le(2 * nr, ARRAY_SIZE(values));
		ck_assert_int_eq(rank__mann_whitney(values, nr, values + nr, nr, &test), 0);
		expect_near("p", test.p, want.x[i], EXACT_P);
	}
}

static void golden_signed_rank(const json_t *input, const json_t *expected)
{
	struct series d = series_of(member(input, "d"));
	struct rank_test test;

	ck_assert_int_eq(rank__signed_rank(d.x, d.n, &test), 0);
	expect(expected, "W_min", fmin(test.statistic, d.n * (d.n + 1) / 2.0 - test.statistic),
	       EXACT_P);
	expect(expected, "p_two_sided", test.p, EXACT_P);
}

static void expect_order(const json_t *expected, size_t n, double quantile)
{
	struct rank_order order;
	int err = rank__order(n, quantile, 0.95, &order);

	if (json_is_null(expected)) {
		ck_assert_int_eq(err, -ENODATA);
		ck_assert_uint_gt(rank__order_needs(quantile, 0.95), n);
		return;
	}
	ck_assert_int_eq(err, 0);
	ck_assert_uint_le(rank__order_needs(quantile, 0.95), n);
	expect(expected, "lo_rank", order.lo, 0);
	expect(expected, "hi_rank", order.hi, 0);
	expect(expected, "coverage", order.coverage, CLOSED_FORM);
}

static void golden_median_ranks(const json_t *input, const json_t *expected)
{
	json_t *n;
	size_t i;

	json_array_foreach(member(input, "n"), i, n)
		expect_order(member(expected, json_string_value(n)),
			     strtoul(json_string_value(n), NULL, 10), 0.5);
}

static void golden_percentile_ranks(const json_t *input, const json_t *expected)
{
	expect_order(expected, json_integer_value(member(input, "n")),
		     json_number_value(member(input, "p")));
}

static void golden_median_interval(const json_t *input, const json_t *expected)
{
	struct series s = series_of(member(input, "x"));
	double median, lo, hi;

	ck_assert_int_eq(stats__median(s.x, s.n, &median), 0);
	expect(expected, "median", median, CLOSED_FORM);
	ck_assert_int_eq(rank__quantile_interval(s.x, s.n, 0.5, 0.95, &lo, &hi), 0);
	expect_pair(expected, "ci", lo, hi);
}

static void golden_adjust(const json_t *input, const json_t *expected)
{
	struct series p = series_of(member(input, "p"));
	struct series holm = series_of(member(expected, "holm"));
	struct series bh = series_of(member(expected, "bh"));
	double ret[MAX_VALUES];

	ck_assert_int_eq(multiple__holm(p.x, p.n, ret), 0);
	for (size_t i = 0; i < p.n; i++)
		expect_near("holm", ret[i], holm.x[i], CLOSED_FORM);
	ck_assert_int_eq(multiple__benjamini_hochberg(p.x, p.n, ret), 0);
	for (size_t i = 0; i < p.n; i++)
		expect_near("bh", ret[i], bh.x[i], CLOSED_FORM);
}

static void golden_equivalence(const json_t *input, const json_t *expected)
{
	struct series x = series_of(member(input, "x")), y = series_of(member(input, "y"));
	double margin = json_number_value(member(input, "margin"));
	struct difference d;
	struct equivalence e;

	for (size_t i = 0; i < x.n; i++)
		x.x[i] = log(x.x[i]);
	for (size_t i = 0; i < y.n; i++)
		y.x[i] = log(y.x[i]);
	ck_assert_int_eq(stats__welch(x.x, x.n, y.x, y.n, 0.95, &d), 0);
	ck_assert_int_eq(equivalence__test(&d, 1 - margin, 1 + margin, &e), 0);
	expect(expected, "p_lower", e.p_lower, TAIL_P);
	expect(expected, "p_upper", e.p_upper, TAIL_P);
	expect(expected, "p_tost", e.p, TAIL_P);
	expect_pair(expected, "ci90_ratio", e.lo, e.hi);
	ck_assert_int_eq(e.equivalent, json_is_true(member(expected, "equivalent_at_0.05")));
}

static const struct golden {
	const char *id;
	void (*check)(const json_t *input, const json_t *expected);
} goldens[] = {
	{"descriptive_A", golden_descriptive},
	{"descriptive_B", golden_descriptive},
	{"variance_large_offset", golden_descriptive},
	{"geomean_no_overflow", golden_geomean},
	{"geomean_ratios", golden_geomean_ratios},
	{"student_t_two_sided_p", golden_t_two_sided_p},
	{"normal_quantiles", golden_normal_quantiles},
	{"mean_ci_A", golden_mean_interval},
	{"welch_A_C", golden_welch},
	{"welch_D_E", golden_welch},
	{"welch_log_ratio_A_B", golden_ratio},
	{"paired_log_ratio", golden_ratio_paired},
	{"counter_scaling", golden_scaling},
	{"mann_whitney_A_C", golden_mann_whitney},
	{"mann_whitney_D_E", golden_mann_whitney},
	{"mann_whitney_sep3", golden_mann_whitney},
	{"mann_whitney_sep5", golden_mann_whitney},
	{"mann_whitney_ties", golden_mann_whitney},
	{"mann_whitney_min_p", golden_mann_whitney_least_p},
	{"wilcoxon_signed_rank_paired", golden_signed_rank},
	{"median_ci_ranks_95", golden_median_ranks},
	{"median_ci_A", golden_median_interval},
	{"p99_ci_ranks_n1000", golden_percentile_ranks},
	{"p_adjust_10", golden_adjust},
	{"p_adjust_unsorted", golden_adjust},
	{"tost_A_C_0.5pct", golden_equivalence},
	{"tost_A_B_2pct", golden_equivalence},
};

static const struct golden *find_golden(const char *id)
{
	for (size_t i = 0; i < ARRAY_SIZE(goldens); i++)
		if (!strcmp(goldens[i].id, id))
			return &goldens[i];
	return NULL;
}

START_TEST(test_golden)
{
	json_t *doc = load_data(TESTDATA "/golden_stats.json");
	size_t i, nr_used = 0;
	json_t *entry;

	json_array_foreach(member(doc, "cases"), i, entry) {
		const char *id = json_string_value(member(entry, "id"));
		const struct golden *golden = find_golden(id);

		if (!golden) {
			printf("# not used: %s\n", id);
			continue;
		}
		golden->check(member(entry, "input"), member(entry, "expected"));
		nr_used++;
	}
	fflush(stdout);
	ck_assert_uint_eq(nr_used, ARRAY_SIZE(goldens));
	json_decref(doc);
}
END_TEST

UNIT_MAIN("golden", test_golden)
