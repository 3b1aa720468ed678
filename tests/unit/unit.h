/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_TESTS_UNIT_H
#define BPFPERF_TESTS_UNIT_H

#include <check.h>
#include <stdlib.h>

/* The main() of a test program: runs the START_TEST()s named, TAP on stdout. */
#define UNIT_MAIN(name, ...)                                                  \
	int main(void)                                                        \
	{                                                                     \
		const TTest *tests[] = {__VA_ARGS__};                         \
		Suite *suite = suite_create(name);                            \
		TCase *tcase = tcase_create(name);                            \
		SRunner *runner = srunner_create(suite);                      \
		int failed;                                                   \
                                                                              \
		for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) \
			tcase_add_test(tcase, tests[i]);                      \
		tcase_set_timeout(tcase, 60);                                 \
		suite_add_tcase(suite, tcase);                                \
		srunner_set_tap(runner, "-");                                 \
		srunner_run_all(runner, CK_SILENT);                           \
		failed = srunner_ntests_failed(runner);                       \
		srunner_free(runner);                                         \
		return failed ? EXIT_FAILURE : EXIT_SUCCESS;                  \
	}

#endif
