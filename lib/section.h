/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_SECTION_H
#define BPFPERF_LIB_SECTION_H

/*
 * Tables that grow without a central list: a descriptor defined anywhere in the program puts a
 * pointer to itself into the linker section of its set, and the linker concatenates them.
 *
 * Pointers, not structs: a table of structs gets padded by ASan and by odd alignments. `used`
 * keeps the compiler from dropping the entry, `retain` keeps ld --gc-sections from it. Objects
 * must be linked directly: a static archive drops members that nothing refers to.
 *
 * The bounds are weak, so that a program without any entry of a set (a unit test) still links.
 */
#if defined(__has_attribute) && __has_attribute(retain)
#define SECTION_RETAIN __attribute__((retain))
#else
#define SECTION_RETAIN
#endif

#define SECTION_BOUNDS(set, type)                            \
	extern const type *const __start_bpfperf_##set[]     \
		__attribute__((weak, visibility("hidden"))); \
	extern const type *const __stop_bpfperf_##set[] __attribute__((weak, visibility("hidden")))

#define REGISTER(set, type, object)                                      \
	static const type *const bpfperf_##set##_##object SECTION_RETAIN \
		__attribute__((used, section("bpfperf_" #set))) = &(object)

/* `pos` is a `const type *const *`. */
#define for_each_registered(set, pos) \
	for ((pos) = __start_bpfperf_##set; (pos) < __stop_bpfperf_##set; (pos)++)

#endif
