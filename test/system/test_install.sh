#!/bin/sh
# The engine as its users get it: installs this build into an empty prefix, moves the tree, and
# builds a small program against it with pkg-config and with CMake, shared and static. Then looks at
# what the library shows and needs.
set -eu

fail() {
    echo "FAILED: $*"
    exit 1
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
consumer=$OUTCRY_SOURCE_DIR/test/system/consumer
cc=${CC:-cc}

cmake --install "$OUTCRY_BUILD_DIR" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/prefix"
lib=$(dirname "$(find "$work/prefix" -name 'liboutcry-engine.so')")
[ -f "$lib/liboutcry-engine.a" ] || fail "no static library"
"$work/prefix/bin/outcry" --help >/dev/null || fail "the installed program does not start"

# expect_success COMMAND...: the consumer prints the text of success
expect_success() {
    said=$("$@") || fail "$*: exit status $?"
    [ "$said" = success ] || fail "$* printed '$said'"
}

export PKG_CONFIG_PATH="$lib/pkgconfig"
# shellcheck disable=SC2046 # flags are meant to be split
"$cc" -std=c11 -Wall -Werror $(pkg-config --cflags outcry-engine) "$consumer/consumer.c" \
    -o "$work/shared" $(pkg-config --libs outcry-engine)
expect_success env LD_LIBRARY_PATH="$lib" "$work/shared"

# shellcheck disable=SC2046
"$cc" -std=c11 $(pkg-config --cflags outcry-engine) "$consumer/consumer.c" \
    -o "$work/static" "$lib/liboutcry-engine.a"
expect_success "$work/static"

# shellcheck disable=SC2046
"$cc" -std=c11 -Wall -Werror $(pkg-config --cflags outcry-engine) \
    "$OUTCRY_SOURCE_DIR/examples/match.c" -o "$work/match" $(pkg-config --libs outcry-engine)
env LD_LIBRARY_PATH="$lib" "$work/match" | grep -qx 'trade 4@101' || fail "the example"

cmake -S "$consumer" -B "$work/build" -D CMAKE_PREFIX_PATH="$work/prefix" \
    -D CMAKE_C_COMPILER="$cc" --log-level=WARNING >/dev/null
cmake --build "$work/build" >/dev/null
expect_success "$work/build/with-engine"
expect_success "$work/build/with-engine-static"

strangers=$(nm -D --defined-only "$lib/liboutcry-engine.so" | awk '$3 !~ /^oc_/ {print $3}')
[ -z "$strangers" ] || fail "the library shows more than its API: $strangers"
needed=$(readelf -d "$lib/liboutcry-engine.so" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
    grep -vE '^(libc|libm|libpthread|ld-linux.*)\.so' || true)
[ -z "$needed" ] || fail "the library needs more than the C library: $needed"
soname=$(readelf -d "$lib/liboutcry-engine.so" | grep SONAME)
case $soname in
*liboutcry-engine.so.[0-9]*) ;;
*) fail "no version in the library's name: $soname" ;;
esac
echo "installed, moved, built against and run"
