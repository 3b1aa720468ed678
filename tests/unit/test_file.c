// SPDX-License-Identifier: GPL-2.0-only
#include "lib/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/why.h"
#include "tests/unit/unit.h"

#define NOBODY 65534

static char dir[64];
/* Room for a folder and the longest name. */
static char path_text[4][512];

static void make_dir(void)
{
	strcpy(dir, "/tmp/bpfperf-file-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	umask(022);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static void remove_dir(void)
{
	nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* The path of `name` in the folder of the test; the last four are valid. */
static const char *in_dir(const char *name)
{
	static int turn;
	char *text = path_text[turn++ % 4];

	snprintf(text, sizeof(path_text[0]), "%s/%s", dir, name);
	return text;
}

static void put(const char *name, const char *text, mode_t mode)
{
	FILE *file = fopen(in_dir(name), "w");

	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
	ck_assert_int_eq(chmod(in_dir(name), mode), 0);
}

static void expect_text(const char *name, const char *want)
{
	struct why why = {0};
	char *data = NULL;
	size_t len;

	ck_assert_msg(!file__read(in_dir(name), 1 << 20, &data, &len, &why), "%s", why.text);
	ck_assert_uint_eq(len, strlen(want));
	ck_assert_str_eq(data, want);
	free(data);
}

static struct stat stat_of(const char *name)
{
	struct stat st;

	ck_assert_msg(!lstat(in_dir(name), &st), "no '%s'", name);
	return st;
}

/* How many files there are, temporaries included; and the name of the last one, unless NULL. */
static int list_files(char *ret_name)
{
	DIR *stream = opendir(dir);
	struct dirent *entry;
	int nr = 0;

	ck_assert_ptr_nonnull(stream);
	while ((entry = readdir(stream))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		if (ret_name)
			strcpy(ret_name, entry->d_name);
		nr++;
	}
	closedir(stream);
	return nr;
}

static int nr_files(void)
{
	return list_files(NULL);
}

static void write_ok(const char *path, const char *text)
{
	struct out_file file;
	struct why why = {0};

	ck_assert_msg(!out_file__open(path, &file, &why), "%s", why.text);
	ck_assert_msg(!out_file__commit(&file, text, strlen(text), &why), "%s", why.text);
}

static void expect_refused(const char *path, int err)
{
	struct out_file file;
	struct why why = {0};

	ck_assert_int_eq(out_file__open(path, &file, &why), err);
	ck_assert_msg(strstr(why.text, path) != NULL, "%s", why.text);
	ck_assert_int_eq(file.fd, -1);
}

START_TEST(test_new_file)
{
	struct out_file file;
	char temp[64];

	make_dir();
	ck_assert_int_eq(out_file__open(in_dir("new.json"), &file, NULL), 0);
	/* Proof that it can be written is there before the run, the name only after it. */
	snprintf(temp, sizeof(temp), ".new.json.bpfperf-%d", getpid());
	stat_of(temp);
	ck_assert_int_ne(access(in_dir("new.json"), F_OK), 0);
	ck_assert_int_eq(out_file__commit(&file, "{}\n", 3, NULL), 0);
	expect_text("new.json", "{}\n");
	ck_assert_uint_eq(stat_of("new.json").st_mode, S_IFREG | 0644);
	out_file__abort(&file);
	/* The same by a name without a folder. */
	ck_assert_int_eq(chdir(dir), 0);
	write_ok("new.json", "[]\n");
	expect_text("new.json", "[]\n");
	ck_assert_int_eq(nr_files(), 1);
	remove_dir();
}
END_TEST

START_TEST(test_old_file)
{
	bool is_root = !geteuid();
	struct out_file file;
	struct stat st;

	make_dir();
	put("old.json", "a long old text", 0640);
	if (is_root)
		ck_assert_int_eq(chown(in_dir("old.json"), NOBODY, NOBODY), 0);
	ck_assert_int_eq(out_file__open(in_dir("old.json"), &file, NULL), 0);
	ck_assert_int_eq(nr_files(), 2);
	out_file__abort(&file);
	out_file__abort(&file);
	ck_assert_int_eq(nr_files(), 1);
	expect_text("old.json", "a long old text");
	write_ok(in_dir("old.json"), "new");
	expect_text("old.json", "new");
	st = stat_of("old.json");
	ck_assert_uint_eq(st.st_mode, S_IFREG | 0640);
	ck_assert_uint_eq(st.st_uid, is_root ? NOBODY : geteuid());
	ck_assert_int_eq(nr_files(), 1);
	remove_dir();
}
END_TEST

/* A killed process with the same number has left its temporary. */
START_TEST(test_temporary_in_the_way)
{
	char temp[64];

	make_dir();
	snprintf(temp, sizeof(temp), ".x.json.bpfperf-%d", getpid());
	put(temp, "stale", 0600);
	write_ok(in_dir("x.json"), "new");
	expect_text("x.json", "new");
	expect_text(temp, "stale");
	ck_assert_int_eq(nr_files(), 2);
	remove_dir();
}
END_TEST

START_TEST(test_symlinks)
{
	make_dir();
	ck_assert_int_eq(mkdir(in_dir("sub"), 0755), 0);
	put("sub/real.json", "old", 0604);
	ck_assert_int_eq(symlink("real.json", in_dir("sub/link")), 0);
	ck_assert_int_eq(symlink(in_dir("sub/link"), in_dir("link")), 0);
	write_ok(in_dir("link"), "new");
	expect_text("sub/real.json", "new");
	ck_assert(S_ISLNK(stat_of("link").st_mode));
	ck_assert(S_ISLNK(stat_of("sub/link").st_mode));
	ck_assert_uint_eq(stat_of("sub/real.json").st_mode, S_IFREG | 0604);

	ck_assert_int_eq(symlink("sub/born.json", in_dir("dangling")), 0);
	write_ok(in_dir("dangling"), "born");
	expect_text("sub/born.json", "born");
	ck_assert(S_ISLNK(stat_of("dangling").st_mode));

	ck_assert_int_eq(symlink("nowhere/x.json", in_dir("lost")), 0);
	expect_refused(in_dir("lost"), -ENOENT);
	ck_assert_int_eq(symlink("loop", in_dir("loop")), 0);
	expect_refused(in_dir("loop"), -ELOOP);
	remove_dir();
}
END_TEST

START_TEST(test_bad_paths)
{
	make_dir();
	expect_refused("", -ENOENT);
	expect_refused(dir, -EISDIR);
	expect_refused(in_dir("none/"), -EISDIR);
	expect_refused(in_dir("none/x.json"), -ENOENT);
	put("plain", "", 0644);
	expect_refused(in_dir("plain/x.json"), -ENOTDIR);
	ck_assert_int_eq(nr_files(), 1);
	remove_dir();
}
END_TEST

/*
 * The temporary's name is longer than the file's, which is as long as can be. Of two-byte letters:
 * the cut must not fall between the two, whatever digits the PID has.
 */
START_TEST(test_longest_name)
{
	char name[NAME_MAX + 2], temp[NAME_MAX + 1], end[32];
	struct out_file file;
	size_t len;

	make_dir();
	snprintf(end, sizeof(end), ".bpfperf-%d", getpid());
	for (int shift = 0; shift < 2; shift++) {
		memset(name, 'x', shift);
		for (int i = shift; i + 1 < NAME_MAX; i += 2)
			memcpy(name + i, "\xc3\xa9", 2);
		name[NAME_MAX - 1 + shift] = '\0';
		ck_assert_int_eq(out_file__open(in_dir(name), &file, NULL), 0);
		ck_assert_int_eq(list_files(temp), 1);
		len = strlen(temp) - strlen(end) - 1;
		ck_assert_str_eq(temp + 1 + len, end);
		ck_assert_int_eq(memcmp(temp + 1, name, len), 0);
		ck_assert_uint_eq((len - shift) % 2, 0);
		ck_assert_int_eq(out_file__commit(&file, "new", 3, NULL), 0);
		expect_text(name, "new");
		ck_assert_int_eq(list_files(temp), 1);
		ck_assert_int_eq(unlink(in_dir(name)), 0);
	}
	strcat(name, "n");
	expect_refused(in_dir(name), -ENAMETOOLONG);
	remove_dir();
}
END_TEST

static bool skip(const char *reason)
{
	printf("# skipped: %s\n", reason);
	fflush(stdout);
	return false;
}

/* For what root could do all the same. False where that cannot be. */
static bool become_nobody(void)
{
	return geteuid() || !seteuid(NOBODY) || skip("cannot drop root");
}

static void become_root(bool was_root)
{
	if (was_root)
		ck_assert_int_eq(seteuid(0), 0);
}

START_TEST(test_not_writable)
{
	bool was_root = !geteuid();

	make_dir();
	put("locked.json", "old", 0444);
	ck_assert_int_eq(chmod(dir, 0777), 0);
	if (!become_nobody())
		return;
	/* A rename would be allowed; that the file is read-only is what counts. */
	expect_refused(in_dir("locked.json"), -EACCES);
	become_root(was_root);
	ck_assert_int_eq(chmod(dir, 0555), 0);
	ck_assert(become_nobody());
	expect_refused(in_dir("new.json"), -EACCES);
	become_root(was_root);
	ck_assert_int_eq(chmod(dir, 0755), 0);
	expect_text("locked.json", "old");
	ck_assert_int_eq(nr_files(), 1);
	remove_dir();
}
END_TEST

/* A file of another user in a shared folder: it would change its owner unnoticed. */
START_TEST(test_owner_cannot_be_kept)
{
	if (geteuid() && !skip("needs root to make another user's file"))
		return;
	make_dir();
	put("roots.json", "old", 0666);
	ck_assert_int_eq(chmod(dir, 0777), 0);
	if (!become_nobody())
		return;
	expect_refused(in_dir("roots.json"), -EPERM);
	ck_assert_int_eq(nr_files(), 1);
	expect_text("roots.json", "old");
	ck_assert_int_eq(seteuid(0), 0);
	remove_dir();
}
END_TEST

/*
 * Not as root: if this code were wrong, root would replace the machine's own /dev/null, where
 * anybody else is refused and only the test fails.
 */
START_TEST(test_devices)
{
	bool was_root = !geteuid();
	struct stat before, after;
	struct out_file file;
	struct why why = {0};

	if (!become_nobody())
		return;
	ck_assert_int_ne(faccessat(AT_FDCWD, "/dev", W_OK, AT_EACCESS), 0);
	ck_assert_int_eq(stat("/dev/null", &before), 0);
	write_ok("/dev/null", "text");
	ck_assert_int_eq(lstat("/dev/null", &after), 0);
	ck_assert(S_ISCHR(after.st_mode));
	ck_assert_uint_eq(before.st_ino, after.st_ino);

	ck_assert_int_eq(out_file__open("/dev/full", &file, &why), 0);
	ck_assert_int_eq(out_file__commit(&file, "text", 4, &why), -ENOSPC);
	ck_assert_str_eq(why.text, "cannot write '/dev/full': No space left on device");
	become_root(was_root);
}
END_TEST

static void *read_fifo(void *arg)
{
	char *data = NULL;
	size_t len;

	return file__read(arg, 100, &data, &len, NULL) ? NULL : data;
}

START_TEST(test_fifo)
{
	pthread_t reader;
	char fifo[512];
	void *data;

	make_dir();
	strcpy(fifo, in_dir("fifo"));
	ck_assert_int_eq(mkfifo(fifo, 0600), 0);
	ck_assert_int_eq(pthread_create(&reader, NULL, read_fifo, fifo), 0);
	write_ok(fifo, "through");
	ck_assert_int_eq(pthread_join(reader, &data), 0);
	ck_assert_ptr_nonnull(data);
	ck_assert_str_eq(data, "through");
	free(data);
	ck_assert(S_ISFIFO(stat_of("fifo").st_mode));
	ck_assert_int_eq(nr_files(), 1);
	remove_dir();
}
END_TEST

/* What `-o /dev/stdout > file` comes to: other text is in the file, or follows. */
START_TEST(test_proc_link)
{
	char link[64];
	int fd;

	make_dir();
	put("stdout", "before\n", 0600);
	fd = open(in_dir("stdout"), O_WRONLY | O_APPEND);
	ck_assert_int_ge(fd, 0);
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	write_ok(link, "document\n");
	ck_assert_int_eq(write(fd, "after\n", 6), 6);
	close(fd);
	expect_text("stdout", "before\ndocument\nafter\n");
	ck_assert_int_eq(nr_files(), 1);
	remove_dir();
}
END_TEST

/* A mount of 64 KiB over the folder, seen by this process only. */
static bool mount_small(void)
{
	if (!geteuid() && !unshare(CLONE_NEWNS) &&
	    !mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) &&
	    !mount("none", dir, "tmpfs", 0, "size=64k"))
		return true;
	return skip("cannot mount a small tmpfs");
}

START_TEST(test_disk_full)
{
	static const char big[256 * 1024];
	struct out_file file;
	struct why why = {0};

	make_dir();
	if (mount_small()) {
		put("old.json", "old", 0600);
		ck_assert_int_eq(out_file__open(in_dir("old.json"), &file, &why), 0);
		ck_assert_int_eq(nr_files(), 2);
		ck_assert_int_eq(out_file__commit(&file, big, sizeof(big), &why), -ENOSPC);
		ck_assert_ptr_nonnull(strstr(why.text, "old.json"));
		ck_assert_int_eq(nr_files(), 1);
		expect_text("old.json", "old");
		write_ok(in_dir("old.json"), "new");
		expect_text("old.json", "new");
		ck_assert_int_eq(umount2(dir, MNT_DETACH), 0);
	}
	remove_dir();
}
END_TEST

START_TEST(test_read)
{
	struct why why = {0};
	char *data = NULL, big[100001] = "";
	size_t len;

	make_dir();
	put("five", "12345", 0600);
	ck_assert_int_eq(file__read(in_dir("five"), 5, &data, &len, &why), 0);
	ck_assert_uint_eq(len, 5);
	ck_assert_str_eq(data, "12345");
	free(data);
	data = NULL;
	ck_assert_int_eq(file__read(in_dir("five"), 4, &data, &len, &why), -EFBIG);
	ck_assert_ptr_nonnull(strstr(why.text, "longer than 4 bytes"));
	ck_assert_ptr_null(data);
	ck_assert_int_eq(file__read(in_dir("none"), 4, &data, &len, &why), -ENOENT);
	ck_assert_int_eq(file__read(dir, 4, &data, &len, &why), -EISDIR);
	ck_assert_ptr_null(data);

	/* Longer than the first buffer, and than the second. */
	memset(big, 'b', sizeof(big) - 1);
	put("big", big, 0600);
	expect_text("big", big);
	ck_assert_int_eq(file__read(in_dir("big"), 99999, &data, &len, &why), -EFBIG);
	put("big", "", 0600);
	expect_text("big", "");
	remove_dir();
}
END_TEST

/* Into eight bytes. */
static void expect_line(const char *text, int err, const char *want)
{
	struct why why = {0};
	char line[8] = "";

	put("line", text, 0600);
	ck_assert_int_eq(file__read_line(in_dir("line"), line, sizeof(line), &why), err);
	if (err)
		ck_assert_ptr_nonnull(strstr(why.text, in_dir("line")));
	else
		ck_assert_str_eq(line, want);
}

START_TEST(test_read_line)
{
	char line[8];

	make_dir();
	expect_line("1234567\n", 0, "1234567");
	expect_line("12\n34\n567890", 0, "12");
	expect_line("1234567", 0, "1234567");
	expect_line("12345678\n", -EFBIG, NULL);
	expect_line("", 0, "");
	ck_assert_int_eq(file__read_line(in_dir("none"), line, sizeof(line), NULL), -ENOENT);
	remove_dir();
}
END_TEST

UNIT_MAIN("file", test_new_file, test_old_file, test_temporary_in_the_way, test_symlinks,
	  test_bad_paths, test_longest_name, test_not_writable, test_owner_cannot_be_kept,
	  test_devices, test_fifo, test_proc_link, test_disk_full, test_read, test_read_line)
