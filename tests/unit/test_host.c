// SPDX-License-Identifier: GPL-2.0-only
#include "tests/unit/unit.h"

#include <unistd.h>

#include "lib/digest.h"
#include "tests/unit/host_tree.h"

START_TEST(empty_tree_is_all_null)
{
	struct tree tree;
	json_t *boot, *filled, *is_filled;
	const char *path;

	tree_make(&tree);
	boot = host__describe(&tree.roots, "icount");
	filled = check_absences(boot);
	expect_text(boot, "timing", "icount");
	expect_absent(boot, "power.driver", "no cpufreq driver");
	expect_absent(boot, "kernel.config_sha256", "config");
	/* Programs are counted by a system call, which no root redirects. */
	json_object_foreach(filled, path, is_filled)
		ck_assert_msg(!json_is_true(is_filled) || !strcmp(path, "timing") ||
				      !strcmp(path, "bpf.loaded_progs_before"),
			      "%s is filled from nothing", path);
	json_decref(filled);
	json_decref(boot);
	tree_remove(&tree);
}
END_TEST

START_TEST(live_machine)
{
	const struct host_roots roots = HOST_ROOTS_DEFAULT;
	json_t *boot = host__describe(&roots, "native");
	char name[256];

	json_decref(check_absences(boot));
	ck_assert_int_eq(gethostname(name, sizeof(name)), 0);
	expect_text(boot, "host", name);
	ck_assert_uint_ge(json_array_size(at(boot, "cpu.topology")), sysconf(_SC_NPROCESSORS_ONLN));
	ck_assert_int_eq(json_integer_value(at(boot, "memory.total_kb")),
			 sysconf(_SC_PHYS_PAGES) * (sysconf(_SC_PAGESIZE) / 1024));
	json_decref(boot);
}
END_TEST

/* A note of another kind, then the build id; each has name size, content size, type first. */
static const char notes[] = "\6\0\0\0\1\0\0\0\1\1\0\0Linux\0\0\0\7\0\0\0"
			    "\4\0\0\0\10\0\0\0\3\0\0\0GNU\0\x01\x23\x45\x67\x89\xab\xcd\xef";
static const size_t notes_size = sizeof(notes) - 1;

static const char config_text[] = "CONFIG_HZ=1000\n# CONFIG_KASAN is not set\nCONFIG_PREEMPT=y\n"
				  "CONFIG_RETPOLINE=y\nCONFIG_KPROBES=m\n";
static const char config_sha256[] =
	"e49f75ae355834c71d571c9ef27918895af71b3a044169a35ec084c2226f95bf";

static void expect_config(json_t *boot)
{
	expect_text(boot, "kernel.config_sha256", config_sha256);
	expect_text(boot, "kernel.config_selected.CONFIG_HZ", "1000");
	expect_text(boot, "kernel.config_selected.CONFIG_PREEMPT", "y");
	expect_text(boot, "kernel.config_selected.CONFIG_PREEMPT_RT", "n");
	expect_text(boot, "kernel.config_selected.CONFIG_KASAN", "n");
	expect_text(boot, "kernel.config_selected.CONFIG_KPROBES", "m");
	expect_text(boot, "kernel.config_selected.CONFIG_MITIGATION_RETPOLINE", "y");
}

START_TEST(kernel)
{
	struct tree tree;
	json_t *boot;

	tree_make(&tree);
	put_bytes(&tree, "sys/kernel/notes", notes, notes_size);
	put(&tree, "sys/kernel/btf/vmlinux", "BTF content");
	put(&tree, "proc/sys/kernel/osrelease", "6.12.0-rc3-00123-g0123456789ab-dirty\n");
	put_gzip(&tree, "proc/config.gz", config_text);
	put(&tree, "boot/config-6.12.0-rc3-00123-g0123456789ab-dirty", "CONFIG_HZ=1\n");
	put(&tree, "proc/modules", "virtio 1 0 - Live 0x0\next4 9 1 x, Live 0x0\nnf_tables 1 0\n");
	put(&tree, "proc/cmdline", "\n");
	put(&tree, "proc/sys/kernel/tainted", "512\n");
	boot = describe(&tree);
	expect_text(boot, "kernel.build_id", "0123456789abcdef");
	expect_text(boot, "kernel.git", "0123456789ab");
	expect_text(boot, "kernel.cmdline", "");
	expect_int(boot, "kernel.taint", 512);
	expect_text(boot, "kernel.btf.sha256",
		    "ed7fc9670d9948a5730c2714757eb65651cc001238e8c8bd047952eb7661dd21");
	expect_int(boot, "kernel.btf.size", 11);
	expect_text(boot, "kernel.modules_sha256",
		    "57b805b441b65cbc1eae8bdf4ad8d061e0548653590b107e207438c64eca0499");
	expect_config(boot);
	json_decref(boot);
	tree_remove(&tree);
}
END_TEST

START_TEST(config_from_boot)
{
	struct tree tree;
	json_t *boot;

	tree_make(&tree);
	put(&tree, "proc/sys/kernel/osrelease", "6.1.0-generic\n");
	put(&tree, "boot/config-6.1.0-generic", config_text);
	boot = describe(&tree);
	expect_config(boot);
	json_decref(boot);
	put_bytes(&tree, "proc/config.gz", "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x73\xf6", 12);
	boot = describe(&tree);
	expect_absent(boot, "kernel.config_sha256", "damaged");
	json_decref(boot);
	tree_remove(&tree);
}
END_TEST

START_TEST(git_is_a_commit)
{
	static const char *const none[] = {"6.1.0-generic", "6.1.0-gabcdef", "6.1.0-gabcdef01x",
					   "6.1.0"};
	struct tree tree;
	json_t *boot;

	tree_make(&tree);
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		put(&tree, "proc/sys/kernel/osrelease", none[i]);
		boot = describe(&tree);
		expect_absent(boot, "kernel.git", "names no commit");
		json_decref(boot);
	}
	put(&tree, "proc/sys/kernel/osrelease", "6.1.0-generic-gabcdef0");
	boot = describe(&tree);
	expect_text(boot, "kernel.git", "abcdef0");
	json_decref(boot);
	tree_remove(&tree);
}
END_TEST

START_TEST(damaged_notes)
{
	char bad[sizeof(notes)];
	struct tree tree;
	json_t *boot;

	tree_make(&tree);
	for (size_t len = 0; len < notes_size; len++) {
		put_bytes(&tree, "sys/kernel/notes", notes, len);
		boot = describe(&tree);
		expect_absent(boot, "kernel.build_id", "without a build id");
		json_decref(boot);
	}
	memcpy(bad, notes, sizeof(bad));
	memset(bad, 0xff, 8);
	put_bytes(&tree, "sys/kernel/notes", bad, notes_size);
	boot = describe(&tree);
	expect_absent(boot, "kernel.build_id", "without a build id");
	json_decref(boot);
	tree_remove(&tree);
}
END_TEST

START_TEST(digests)
{
	char a[] = "a", b[] = "b", *lines[] = {a, b}, hex[DIGEST_SIZE];

	digest__bytes("abc", 3, hex);
	ck_assert_str_eq(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	digest__lines(lines, 2, hex);
	ck_assert_str_eq(hex, "911169ddaaf146aff539f58c26c489af3b892dff0fe283c1c264c65ae5aa59a2");
	digest__lines(lines, 0, hex);
	ck_assert_str_eq(hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}
END_TEST

UNIT_MAIN("host", empty_tree_is_all_null, live_machine, kernel, config_from_boot, git_is_a_commit,
	  damaged_notes, digests)
