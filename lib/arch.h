/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_ARCH_H
#define BPFPERF_LIB_ARCH_H

/*
 * All that differs between architectures. The kernel function that a system call enters: since
 * 4.17 each architecture has wrappers with a prefix of its own (ARCH_HAS_SYSCALL_WRAPPER).
 */
#if defined(__x86_64__)
#define ARCH_SYSCALL_FUNCTION(name) "__x64_sys_" name
#elif defined(__aarch64__)
#define ARCH_SYSCALL_FUNCTION(name) "__arm64_sys_" name
#else
#error "this architecture's system call functions have no name here yet"
#endif

#endif
