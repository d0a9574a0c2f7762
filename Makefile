# Ebb: a to-do list for the terminal that works offline and syncs when you pull.
# Plain `make` prints what there is. The scripts behind the targets are in Resources/run.

PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift
# More words for `swift test`, as in: make test ARGS='--filter ArchitectureTests'
ARGS ?=
FILTER ?=

RELEASE := .build/release/ebb
BENCH := .build/bench
# What `make deb` and `make dist` make.
PACKAGES := .build/packages
# How the program is linked, beside what Package.swift says. Nothing is looked for beside the program (no RUNPATH), and no
# names are kept for libraries to find. Each function is a section of its own, and those that a start runs stand together:
# that takes 10 MiB from the memory of the open list (Resources/run/order.sh lists them). The addresses that every start
# corrects are packed if the C library can read them.
PACKS := $(shell getconf GNU_LIBC_VERSION 2>/dev/null | awk '{ split($$2, v, "."); if (v[1] > 2 || v[2] >= 36) print "yes" }')
ORDER := -Xlinker --symbol-ordering-file=$(CURDIR)/Resources/link/start.order -Xlinker --no-warn-symbol-ordering
SECTIONS := -Xswiftc -Xfrontend -Xswiftc -function-sections
# Types such as the dictionary of a key are made by a function, not found by their names: for a name the runtime goes
# through all conformances of the program, which took a fifth of the instructions of a start.
DIRECT := -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors
LINK := --disable-local-rpath -Xlinker --no-export-dynamic $(ORDER)
# SQLite, curses and zlib become part of the program if the system has them in that form: it starts a twentieth faster.
STATIC = $(shell CC='$(CC)' sh Resources/run/static.sh .build/link/static 2>/dev/null && echo EBB_STATIC=1)
PACKED := $(if $(PACKS),-Xlinker -z -Xlinker pack-relative-relocs)
# Nothing is kept for a debugger: a crash still names its functions, and the build is a tenth shorter.
COMPILED := -c release -debug-info-format none --static-swift-stdlib $(SECTIONS) $(DIRECT)
RELEASE_BUILD := $(COMPILED) $(LINK)
# What a first build begins with: two processors have something to do until the end then.
EARLY := NIOCore ServiceLifecycle CryptoBoringWrapper
SOURCES := Package.swift README.md LICENSE $(shell find Sources Resources -type f -not -path 'Resources/run/*' 2>/dev/null)

.DEFAULT_GOAL := help
.PHONY: help run install uninstall deb dist test test-packages simulate fuzz lint bench race build debug clean deps test-deps

help: ## prints this list
	@echo 'Ebb: a to-do list for the terminal that works offline and syncs when you pull.'
	@echo
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1 \2/p' $(MAKEFILE_LIST) | \
	  while read -r name text; do printf '  make %-14s %s\n' "$$name" "$$text"; done

run: build ## builds Ebb and opens a list with a server of its own behind it (data in ebb-data/; ARGS=postgres: in PostgreSQL)
	@sh Resources/run/play.sh $(RELEASE) $(ARGS)

install: $(RELEASE) ## installs the program, manual and completions under PREFIX (/usr/local), with DESTDIR before it
	@EBB=$(RELEASE) sh Resources/run/install.sh install '$(DESTDIR)' '$(PREFIX)'
	@echo 'Installed $(DESTDIR)$(PREFIX)/bin/ebb.'

uninstall: ## removes what `make install` installed (your lists stay where they are)
	@sh Resources/run/install.sh remove '$(DESTDIR)' '$(PREFIX)'
	@echo 'Removed $(DESTDIR)$(PREFIX)/bin/ebb.'

# Linked with the libraries of the system, which Debian keeps safe. The next build links it again.
deb: deps .build/link/libstdc++.a ## builds the Debian packages ebb and ebb-server into .build/packages/
	@SWIFT='$(SWIFT)' sh Resources/run/build.sh 'the program of the packages' $(RELEASE_BUILD) $(PACKED) --product ebb
	@sh Resources/run/hardened.sh $(RELEASE)
	@mkdir -p $(PACKAGES) && mv $(RELEASE) $(PACKAGES)/ebb
	@SWIFT='$(SWIFT)' sh Resources/run/deb.sh $(PACKAGES)/ebb $(PACKAGES)

# So linked that the C library of Ubuntu 22.04 can read it. The next build links it again.
dist: deps .build/link/libstdc++.a ## builds a tarball that runs on Debian 12, Ubuntu 22.04 and later, without Swift
	@CC='$(CC)' sh Resources/run/static.sh .build/link/static
	@EBB_STATIC=1 SWIFT='$(SWIFT)' sh Resources/run/build.sh 'the program of the tarball' $(RELEASE_BUILD) --product ebb
	@sh Resources/run/hardened.sh $(RELEASE)
	@mkdir -p $(PACKAGES) && mv $(RELEASE) $(PACKAGES)/ebb
	@SWIFT='$(SWIFT)' sh Resources/run/dist.sh $(PACKAGES)/ebb $(PACKAGES)

test: test-deps ## builds and runs every test, the ones in a real terminal too (FILTER=name, ARGS=…, VERBOSE=1)
	@SWIFT='$(SWIFT)' sh Resources/run/test.sh $(if $(FILTER),--filter '$(FILTER)') $(ARGS)

test-packages: deb dist ## installs, uses, upgrades and removes the packages in systems of their own (as root; some minutes)
	@SWIFT='$(SWIFT)' sh Resources/run/test-packages.sh $(PACKAGES)

# Without SEED: SEEDS worlds, the first of them from SEED_BASE. With it that one, request by request.
SEEDS ?= 10000
SEED_BASE ?= 1
SEED ?=
simulate: test-deps ## runs worlds of devices, faults and a server from seeds (SEEDS=n SEED_BASE=n, or SEED=n; ARGS="+EDGE -LAW")
	@$(SWIFT) build $(COMPILED) --product simulate --quiet
	@.build/release/simulate $(if $(SEED),$(SEED),$(SEEDS) $(SEED_BASE)) $(ARGS)

# With SEED the run that printed it again. RUNS is for each parser.
REQUESTS ?= 500000
RUNS ?= 1000000
fuzz: test-deps ## sends hostile requests to a server and hostile bytes to the parsers (REQUESTS=n RUNS=n SEED=n)
	@SWIFT='$(SWIFT)' SEED='$(SEED)' sh Resources/run/fuzz.sh $(REQUESTS) $(RUNS)

lint: ## checks the format of the sources and the shape of the repository
	@SWIFT='$(SWIFT)' sh Resources/run/lint.sh

bench: build $(BENCH)/bench $(BENCH)/floor ## measures Ebb beside a small C program that does the least (ARGS=list, background, sync, server or postgres for a part)
	@$(BENCH)/bench $(RELEASE) $(BENCH)/floor $(ARGS)

# SIZES="1000 10000" for lists of these sizes.
SIZES ?=
race: build ## measures Ebb beside other to-do programs and syncs, which it installs (ARGS=quick, or list, commands, sync; SIZES)
	@SIZES='$(SIZES)' sh Resources/run/race.sh $(RELEASE) $(ARGS)

build: deps .build/link/libstdc++.a ## builds the program (release, static) as .build/release/ebb
	@[ -e $(RELEASE) ] || echo 'The first build takes some minutes; later ones take seconds.'
	@$(STATIC) SWIFT='$(SWIFT)' PRODUCT=ebb EARLY='$(if $(wildcard $(RELEASE)),,$(EARLY))' \
	  sh Resources/run/build.sh Ebb $(RELEASE_BUILD) $(PACKED)
	@sh Resources/run/hardened.sh $(RELEASE)

# The only C++ library in a folder of the linker's path: so it becomes part of the program, where there is one to be had.
.build/link/libstdc++.a:
	@mkdir -p $(@D)
	@file=$$($(CC) -print-file-name=libstdc++.a) && [ "$$file" != libstdc++.a ] && ln -sf "$$file" $@ || true

debug: deps ## builds the program for debugging as .build/debug/ebb
	@$(SWIFT) build --product ebb

clean: ## removes everything that was built (not ebb-data/)
	@rm -rf .build

deps:
	@SWIFT='$(SWIFT)' sh Resources/run/deps.sh build

test-deps:
	@SWIFT='$(SWIFT)' sh Resources/run/deps.sh test

# Installing as another user must not build: this builds only when a source is newer than the program.
$(RELEASE): $(SOURCES)
	@$(MAKE) --no-print-directory build
	@touch $@

$(BENCH)/bench: $(wildcard Tests/Benchmarks/bench*.c Tests/Benchmarks/*.h)
	@mkdir -p $(BENCH)
	@$(CC) -O2 -Wall -Wextra -o $@ $(filter %.c,$^) -lsqlite3 -lutil

$(BENCH)/floor: Tests/Benchmarks/floor.c
	@mkdir -p $(BENCH)
	@$(CC) -O2 -Wall -Wextra -o $@ $< -lncursesw -lsqlite3
