#!/bin/sh
# The library for authors of services as they get it: installs this build into an empty prefix,
# builds the example against it with pkg-config alone, and runs it as a node.
set -eu

fail() {
    echo "FAILED: $*"
    exit 1
}

work=$(mktemp -d)
node=
trap '[ -z "$node" ] || kill -9 "$node" 2>/dev/null; rm -rf "$work"' EXIT
cc=${CC:-cc}

if ! grep -q '^OUTCRY_AERON:BOOL=ON' "$OUTCRY_BUILD_DIR/CMakeCache.txt" ||
    ! [ -e "$OUTCRY_BUILD_DIR/outcry.pc" ]; then
    echo "SKIP: built without Aeron"
    exit 77
fi
if grep -q '^OUTCRY_SANITIZE:STRING=.' "$OUTCRY_BUILD_DIR/CMakeCache.txt"; then
    echo "SKIP: a sanitizer's library needs a program built with it"
    exit 77
fi
cmake --install "$OUTCRY_BUILD_DIR" --prefix "$work/prefix" >/dev/null
lib=$(dirname "$(find "$work/prefix" -name 'liboutcry.so')")
export PKG_CONFIG_PATH="$lib/pkgconfig"
# shellcheck disable=SC2046 # flags are meant to be split
"$cc" -std=c11 -Wall -Werror $(pkg-config --cflags outcry) \
    "$OUTCRY_SOURCE_DIR/examples/counter.c" -o "$work/counter" $(pkg-config --libs outcry)

export LD_LIBRARY_PATH="$lib"
: >"$work/out"
"$work/counter" "$work/log" 127.0.0.1:0 >>"$work/out" 2>"$work/err" &
node=$!
tries=0
until grep -q '^ready: 127.0.0.1:' "$work/out"; do
    tries=$((tries + 1))
    if [ $tries -gt 300 ] || ! kill -0 "$node" 2>/dev/null; then
        cat "$work/out" "$work/err"
        fail "the example does not become ready"
    fi
    sleep 0.1
done
# The exchange's tools say what they can say of another service's image.
"$OUTCRY_PROGRAM" snapshot take "$work/log" >/dev/null || fail "no image"
"$OUTCRY_PROGRAM" snapshot verify "$work/log" >"$work/said" || fail "verify: $(cat "$work/said")"
grep -q '^image 1: ok as far as files go: it is of another service (host .*, service 8 bytes)' \
    "$work/said" || fail "verify: $(cat "$work/said")"
if "$OUTCRY_PROGRAM" snapshot export "$work/log" --output "$work/records" 2>"$work/said"; then
    fail "an image of another service is exported"
fi
grep -q 'of another service than the exchange' "$work/said" || fail "export: $(cat "$work/said")"
kill -TERM "$node"
wait "$node" || fail "exit status $?"
node=
grep -q '^stopped: orderly' "$work/out" || fail "no orderly end: $(cat "$work/out" "$work/err")"

strangers=$(nm -D --defined-only "$lib/liboutcry.so" | awk '$3 !~ /^oc_/ {print $3}')
[ -z "$strangers" ] || fail "the library shows more than its API: $strangers"
echo "installed, built against and run"
