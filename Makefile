# Oscilloscope: what people do with the source tree. `make help` lists it.

FUZZ_SECONDS ?= 60
PREFIX ?= /usr/local
DESTDIR ?=
# Options for scripts/setup, e.g. SETUP_FLAGS=--no-packages.
SETUP_FLAGS ?=

.DEFAULT_GOAL := build
.PHONY: setup build demo test build-tests fuzz bench crash-long mutants asan tsan install deb format clean help

setup = @scripts/setup $(SETUP_FLAGS)
configure = @cmake --preset $(1) $(2) --log-level=WARNING >/dev/null
compile = @echo "build: $(1)" && cmake --build --preset $(1)
# A command, and then how many seconds it took.
timed = @start=$$(date +%s); $(2) || exit; echo "seconds of $(1): $$(($$(date +%s) - start))"

setup: ## install the packages and libraries a build needs
	$(setup)

build: setup build/build.ninja ## build the program, build/oscope (the default)
	$(call compile,release) --target oscope

build/build.ninja:
	$(call configure,release,-DOSCOPE_BUILD_TESTS=OFF)

demo: build ## build, then show the program at work
	$(setup) --with demo
	@scripts/demo

test: ## build everything and run the tests
	$(call timed,set-up,scripts/setup $(SETUP_FLAGS) --with test)
	$(call timed,build,$(MAKE) --no-print-directory build-tests)
	$(call timed,tests,ctest --preset release)

build-tests:
	$(call configure,release,-DOSCOPE_BUILD_TESTS=ON)
	$(call compile,release)

asan tsan: ## the tests under AddressSanitizer and UBSan, or under ThreadSanitizer
	$(setup) --with test
	$(call configure,$@)
	$(call compile,$@)
	@ctest --preset $@

fuzz: ## run each fuzz target for FUZZ_SECONDS (60)
	$(setup) --with fuzz
	$(call configure,fuzz,-DOSCOPE_FUZZ_SECONDS=$(FUZZ_SECONDS))
	$(call compile,fuzz)
	@ctest --preset fuzz

bench: ## build and run the benchmarks
	$(setup) --with test --with bench
	$(call configure,release,-DOSCOPE_BUILD_TESTS=ON)
	$(call compile,release) --target bench_run
	$(call compile,release) --target oscope
	@python3 tests/bench/trace_cost.py build/oscope build/valgrind

crash-long: ## the long tests: kill -9 over and over, 10,000 random queries
	$(setup) --with test
	$(call configure,release,-DOSCOPE_BUILD_TESTS=ON)
	$(call compile,release)
	@ctest --preset long

mutants: ## seed faults one by one and see which the tests notice (hours)
	$(setup) --with test
	@python3 tests/mutants/mutants.py run

install: build ## install under PREFIX (/usr/local), below DESTDIR
	@DESTDIR="$(DESTDIR)" cmake --install build --prefix "$(PREFIX)"

deb: build ## make a Debian package in build/
	$(setup) --with deb
	@cd build && cpack -G DEB

format: ## format the C and C++ sources
	$(setup) --with format
	@git ls-files -co --exclude-standard '*.h' '*.cc' '*.c' | xargs clang-format-19 -i

clean: ## remove what was built; .deps stays
	rm -rf build build-asan build-tsan build-fuzz build-mutants

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z].*:.*## / { printf "make %-12s %s\n", $$1, $$2 }' Makefile
