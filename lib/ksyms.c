// SPDX-License-Identifier: GPL-2.0-only
#include "lib/ksyms.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ksym {
	uint64_t address;
	size_t name; /* offset into `names`, which moves while it grows */
};

struct ksyms {
	struct ksym *syms;
	size_t nr, room;
	char *names;
	size_t used, size;
};

static int by_address(const void *a, const void *b)
{
	const struct ksym *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

/* A dot begins a suffix; the names themselves have none, but for the section ".text" and so on. */
static void strip_suffix(char *name)
{
	char *dot = strchr(name + 1, '.');

	if (dot)
		*dot = '\0';
}

static int grow(void **array, size_t *room, size_t wanted, size_t size)
{
	size_t more = *room ? *room * 2 : 65536;
	void *larger;

	if (wanted <= *room)
		return 0;
	larger = reallocarray(*array, more, size);
	if (!larger)
		return -ENOMEM;
	*array = larger;
	*room = more;
	return 0;
}

static int add(struct ksyms *ksyms, uint64_t address, char *name)
{
	size_t len;

	strip_suffix(name);
	len = strlen(name) + 1;
	if (grow((void **)&ksyms->syms, &ksyms->room, ksyms->nr + 1, sizeof(*ksyms->syms)) ||
	    grow((void **)&ksyms->names, &ksyms->size, ksyms->used + len, 1))
		return -ENOMEM;
	memcpy(ksyms->names + ksyms->used, name, len);
	ksyms->syms[ksyms->nr++] = (struct ksym){address, ksyms->used};
	ksyms->used += len;
	return 0;
}

static int read_all(FILE *file, struct ksyms *ksyms)
{
	char *line = NULL;
	size_t size = 0;
	int err = 0;

	while (!err && getline(&line, &size, file) > 0) {
		unsigned long long address;
		char type, name[256];

		if (sscanf(line, "%llx %c %255s", &address, &type, name) == 3 && address &&
		    strchr("tTwW", type))
			err = add(ksyms, address, name);
	}
	free(line);
	return err;
}

int ksyms__load(const char *path, struct ksyms **ret, struct why *why)
{
	struct ksyms *ksyms = calloc(1, sizeof(*ksyms));
	FILE *file = fopen(path, "re");
	int err = !ksyms ? -ENOMEM : file ? 0 : -errno;

	if (!err)
		err = read_all(file, ksyms);
	if (file)
		fclose(file);
	if (!err && !ksyms->nr)
		err = -EPERM;
	if (!err) {
		qsort(ksyms->syms, ksyms->nr, sizeof(*ksyms->syms), by_address);
		*ret = ksyms;
		return 0;
	}
	ksyms__free(ksyms);
	if (err == -EPERM)
		return why__set(why, err,
				"no kernel addresses in '%s' (needs CAP_SYSLOG; without it, "
				"kernel.kptr_restrict=0 and kernel.perf_event_paranoid=1)",
				path);
	return why__errno(why, err, "cannot read '%s'", path);
}

void ksyms__free(struct ksyms *ksyms)
{
	if (!ksyms)
		return;
	free(ksyms->syms);
	free(ksyms->names);
	free(ksyms);
}

const char *ksyms__name(const struct ksyms *ksyms, uint64_t address)
{
	size_t lo = 0, hi = ksyms->nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (ksyms->syms[mid].address <= address)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? ksyms->names + ksyms->syms[lo - 1].name : NULL;
}
