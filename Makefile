# The commands of HACKING.md, each of which also sets up what it needs. CMake and its presets do the
# work; this file only names it.
PREFIX ?= /usr/local
DESTDIR ?=
FUZZ_SECONDS ?= 6
export FUZZ_SECONDS

.PHONY: all build demo demo-cluster test test-long install clean setup format coverage bench fuzz tidy
all: build

setup:
	@tools/setup

# The release program, as build/outcry.
build: setup
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target product
	@ln -sfn release/outcry build/outcry

demo: build
	@build/outcry demo

demo-cluster: build
	@cluster/java/build
	@build/outcry demo --cluster

bench: build
	@build/outcry bench book

test:
	@tools/run-tests

test-long:
	@tools/run-tests long

fuzz: setup
	@cmake --preset fuzz >/dev/null
	@cmake --build --preset fuzz
	@tools/fuzz $(FUZZ_SECONDS)

tidy: setup
	@tools/tidy

coverage: setup
	@cmake --preset coverage >/dev/null
	@cmake --build --preset coverage
	@find build/coverage -name '*.gcda' -delete
	@ctest --preset coverage -j $$((2 * $$(nproc) + 1)) --quiet || echo "some tests failed: ctest --preset coverage"
	@tools/coverage

install: build
	@DESTDIR="$(DESTDIR)" cmake --install build/release --prefix "$(PREFIX)"

format: setup
	@git ls-files --cached --others --exclude-standard '*.c' '*.h' | \
	    grep -v '/generated/' | xargs clang-format-14 -i

clean:
	@rm -rf build
