#!/bin/sh
# The library for authors of services as they get it: installs this build into an empty prefix,
# builds the examples against it with pkg-config alone, and runs them as nodes. What the ledger has
# in its arena is there after a kill, by an image and the log behind it, as its client in C sees.
set -eu

fail() {
    echo "FAILED: $*"
    exit 1
}

work=$(mktemp -d)
node=
driver=
trap 'for pid in $node $driver; do kill -9 "$pid" 2>/dev/null; done; rm -rf "$work" "$drivers"' EXIT
drivers=/dev/shm/outcry-library-$$
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
for example in counter ledger; do
    # shellcheck disable=SC2046 # flags are meant to be split
    "$cc" -std=c11 -Wall -Werror $(pkg-config --cflags outcry) \
        "$OUTCRY_SOURCE_DIR/examples/$example.c" -o "$work/$example" $(pkg-config --libs outcry)
done

# ready PID: waits until the last output says so.
ready() {
    tries=0
    until grep -q '^ready: ' "$work/out"; do
        tries=$((tries + 1))
        if [ $tries -gt 300 ] || ! kill -0 "$1" 2>/dev/null; then
            cat "$work/out" "$work/err"
            fail "the example does not become ready"
        fi
        sleep 0.1
    done
}

# start EXAMPLE: a node.
start() {
    : >"$work/out"
    LD_LIBRARY_PATH="$lib" "$work/$1" "$work/$1-log" 127.0.0.1:0 >>"$work/out" 2>"$work/err" &
    node=$!
    ready "$node"
    address=$(sed -n 's/^ready: //p' "$work/out")
}

# add AMOUNT BALANCE: to an account of the ledger, by its client.
add() {
    said=$(timeout 60 "$OUTCRY_BUILD_DIR/ledger_client" "$drivers" "$address" 7 "$1") ||
        fail "no answer: $said"
    [ "$said" = "account 7: $2" ] || fail "added $1: $said"
}

start counter
# The exchange's tools say what they can say of another service's image.
"$OUTCRY_PROGRAM" snapshot take "$work/counter-log" >/dev/null || fail "no image"
"$OUTCRY_PROGRAM" snapshot verify "$work/counter-log" >"$work/said" ||
    fail "verify: $(cat "$work/said")"
grep -q '^image 1: ok as far as files go: it is of another service (host .*, service 8 bytes)' \
    "$work/said" || fail "verify: $(cat "$work/said")"
if "$OUTCRY_PROGRAM" snapshot export "$work/counter-log" --output "$work/records" \
    2>"$work/said"; then
    fail "an image of another service is exported"
fi
grep -q 'of another service than the exchange' "$work/said" || fail "export: $(cat "$work/said")"
kill -TERM "$node"
wait "$node" || fail "exit status $?"
node=
grep -q '^stopped: orderly' "$work/out" || fail "no orderly end: $(cat "$work/out" "$work/err")"

: >"$work/out"
"$OUTCRY_PROGRAM" driver --dir "$drivers" >>"$work/out" 2>"$work/err" &
driver=$!
ready "$driver"
start ledger
add 100 100
"$OUTCRY_PROGRAM" snapshot take "$work/ledger-log" >/dev/null || fail "no image of the ledger"
add -30 70
kill -9 "$node"
wait "$node" 2>/dev/null || true
start ledger
grep -q 'recovery: image 1 at position' "$work/err" || fail "from no image: $(cat "$work/err")"
add 1 71
kill -TERM "$node"
wait "$node" || fail "exit status $? of the ledger"
node=
kill -TERM "$driver"
wait "$driver" || fail "exit status $? of the driver"
driver=

# What the manual shows is what was built here.
awk '/^```c/ { code = 1; next } /^```/ { code = 0 } code' "$OUTCRY_SOURCE_DIR/docs/service.md" \
    >"$work/shown"
[ -s "$work/shown" ] || fail "the manual shows no code"
grep -vxFf "$OUTCRY_SOURCE_DIR/examples/ledger.c" "$work/shown" >"$work/said" &&
    fail "not in examples/ledger.c: $(cat "$work/said")"

strangers=$(nm -D --defined-only "$lib/liboutcry.so" | awk '$3 !~ /^oc_/ {print $3}')
[ -z "$strangers" ] || fail "the library shows more than its API: $strangers"
echo "installed, built against and run"
