// SPDX-License-Identifier: GPL-2.0-only
#include "lib/bpf_log.h"

#include <bpf/libbpf.h>
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/utsname.h>

#include "tests/unit/unit.h"

/* What libbpf would have printed while it failed. */
__attribute__((format(printf, 1, 2))) static void libbpf_says(const char *fmt, ...)
{
	libbpf_print_fn_t print;
	va_list args;

	bpf_log__init();
	print = libbpf_set_print(NULL);
	libbpf_set_print(print);
	bpf_log__clear();
	va_start(args, fmt);
	print(LIBBPF_WARN, fmt, args);
	va_end(args);
}

static void has(const struct why *why, const char *words)
{
	ck_assert_msg(!!strstr(why->text, words), "'%s' is not in '%s'", words, why->text);
}

static void lacks(const struct why *why, const char *words)
{
	ck_assert_msg(!strstr(why->text, words), "'%s' is in '%s'", words, why->text);
}

/* Memory is accounted by cgroup since 5.11; what libbpf says of the limit has misled many. */
START_TEST(report_redbpf_146_memlock_is_not_blamed)
{
	struct why why;

	libbpf_says("libbpf: Error in bpf_object__probe_loading():%s(%d). Couldn't load trivial "
		    "BPF program. Make sure your kernel supports BPF (CONFIG_BPF_SYSCALL=y) and/or "
		    "that RLIMIT_MEMLOCK is set to big enough value.\n",
		    "Invalid argument", EINVAL);
	ck_assert_int_eq(bpf_log__why(&why, -EINVAL, "cannot load", "noop", NULL), -EINVAL);
	ck_assert_str_eq(why.text, "cannot load 'noop': Invalid argument");
	libbpf_says("libbpf: permission error while running as root; try raising 'ulimit -l'? "
		    "current value: %s\n",
		    "8.0 MiB");
	bpf_log__why(&why, -EINVAL, "cannot load", "noop", NULL);
	lacks(&why, "ulimit");
}
END_TEST

START_TEST(report_libbpf_bootstrap_56_errno_524_is_said_in_words)
{
	struct why why;

	bpf_log__init();
	bpf_log__clear();
	ck_assert_int_eq(bpf_log__why(&why, -524, "cannot attach trigger", "fentry", NULL), -524);
	ck_assert_str_eq(why.text, "cannot attach trigger 'fentry': not supported by this kernel");
}
END_TEST

START_TEST(report_bcc_2872_no_btf_is_one_line_with_the_kernel)
{
	static const char *const messages[] = {"failed to find valid kernel BTF",
					       "Error loading vmlinux BTF: -3"};
	struct utsname name;
	struct why why;

	ck_assert_int_eq(uname(&name), 0);
	for (int i = 0; i < 2; i++) {
		libbpf_says("libbpf: %s\nlibbpf: failed to load object 'noop_bpf'\n", messages[i]);
		ck_assert_int_eq(bpf_log__why(&why, -ESRCH, "cannot load", "noop", NULL), -ESRCH);
		has(&why, "cannot load 'noop': this kernel's BTF cannot be read");
		has(&why, name.release);
		has(&why, "CONFIG_DEBUG_INFO_BTF");
		lacks(&why, "\n");
		lacks(&why, "libbpf");
	}
}
END_TEST

UNIT_MAIN("bpf-log", report_redbpf_146_memlock_is_not_blamed,
	  report_libbpf_bootstrap_56_errno_524_is_said_in_words,
	  report_bcc_2872_no_btf_is_one_line_with_the_kernel)
