# SPDX-License-Identifier: GPL-2.0-only
#
# bpfperf: measures the Linux kernel's BPF subsystem. `make help` lists the targets.

VERSION := 0.1.0

# Another architecture has a folder of its own in there.
O ?= build$(ARCH:%=/%)
MAKEFLAGS += -rR --no-print-directory
SHELL := /bin/bash

.DELETE_ON_ERROR:
.SECONDARY:
.DEFAULT_GOAL := all

include scripts/Makefile.cross
include scripts/Makefile.config
include scripts/Makefile.libperf
include scripts/Makefile.build
include scripts/Makefile.dist
include scripts/Makefile.doc
include scripts/Makefile.test
include scripts/Makefile.fuzz

.PHONY: all demo install clean help

## all          build the program (the default)
all: $(O)/bpfperf

## demo         install what is missing, build, and run hashmap-full on this kernel (root)
demo:
	$(Q)scripts/install-deps build
	$(Q)scripts/as-invoker '$(O)' $(MAKE) O='$(O)' all
	$(Q)$(O)/bpfperf stat hashmap-full

## install      into DESTDIR and prefix (default /usr/local)
install: $(O)/bpfperf man
	$(Q)install -D -m 755 $(O)/bpfperf $(DESTDIR)$(prefix)/bin/bpfperf
	$(Q)install -d $(DESTDIR)$(prefix)/share/man/man1 $(DESTDIR)$(prefix)/share/man/man5
	$(Q)install -m 644 $(filter %.1,$(man-pages)) $(DESTDIR)$(prefix)/share/man/man1
	$(Q)install -m 644 $(filter %.5,$(man-pages)) $(DESTDIR)$(prefix)/share/man/man5

## clean        remove everything that was built
clean:
	$(Q)rm -rf '$(O)'

## help         this text
help:
	@echo 'Targets:'
	@sed -n 's/^## /  /p' $(MAKEFILE_LIST)
	@echo
	@echo 'Variables:'
	@echo '  O=DIR        build in DIR (default build)'
	@echo '  V=1          print the commands'
	@echo '  W=1          more warnings, all of them errors'
	@echo '  STAGES="unit cli kernel style stats fuzz vm"   what check runs; the first four'
	@echo '  SAN=1        the program with AddressSanitizer and UndefinedBehaviorSanitizer'
	@echo '  CC=clang     another compiler'
	@echo '  ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu-   for another machine, in O=build/arm64'
	@echo '  LIBPERF_SRC=DIR  take libperf, libapi and libsubcmd from this kernel tree'
	@echo '  DESTDIR= prefix=/usr/local   for install'
