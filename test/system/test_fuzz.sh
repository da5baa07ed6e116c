#!/bin/sh
# tools/fuzz must run what the build lists, all of it, and fail when something is missing: a copy of
# it runs stand-ins for the fuzz targets, some of which fail.
set -u

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/tools" "$work/build/fuzz/fuzz"
cp "$OUTCRY_SOURCE_DIR/tools/fuzz" "$work/tools/"
programs=$work/build/fuzz/fuzz
failures=0

# stand_in NAME STATUS: a target that counts its run, prints an ASan report and ends so.
stand_in() {
    printf '#!/bin/sh\necho run >>%s/%s.runs\necho "ERROR: heap-buffer-overflow" >&2\nexit %s\n' \
        "$work" "$1" "$2" >"$programs/$1"
    chmod +x "$programs/$1"
}

# expect STATUS WHAT TARGET...: 0 or 1 (any other) from tools/fuzz when the build lists these.
expect() {
    wanted=$1
    what=$2
    shift 2
    rm -f "$work"/*.runs "$work/report"
    for name in "$@"; do
        echo "$name"
    done >"$programs/targets"
    "$work/tools/fuzz" 1 "$work/report" >"$work/out" 2>&1
    status=$?
    [ $status -eq 0 ] || status=1
    if [ $status -ne "$wanted" ]; then
        echo "FAILED: $what: exit status $status"
        sed 's/^/  /' "$work/out"
        failures=$((failures + 1))
    fi
}

reports() {
    if ! grep -qx "$1" "$work/report"; then
        echo "FAILED: the report has no line '$1'"
        failures=$((failures + 1))
    fi
}

stand_in fuzz_one 0
stand_in fuzz_two 0
stand_in fuzz_bad 77
stand_in canary 77

expect 0 "all is well" fuzz_one fuzz_two canary
for name in fuzz_one fuzz_two canary; do
    reports "passed $name"
    if [ "$(wc -l <"$work/$name.runs")" -ne 1 ]; then
        echo "FAILED: $name did not run once"
        failures=$((failures + 1))
    fi
done
expect 1 "a target that finds something" fuzz_one fuzz_bad
reports "passed fuzz_one"
reports "failed fuzz_bad"
expect 1 "a listed target that was not built" fuzz_one fuzz_gone
reports "failed fuzz_gone"
expect 1 "an empty list"
rm "$programs/targets"
if "$work/tools/fuzz" 1 >"$work/out" 2>&1; then
    echo "FAILED: no list at all passes"
    failures=$((failures + 1))
fi
stand_in canary 0
sed -i '/heap/d' "$programs/canary"
expect 1 "a canary that nothing finds" canary

# The list as CMake writes it: each source, and a target for each format of order flow.
if command -v clang >/dev/null; then
    cmake -S "$OUTCRY_SOURCE_DIR" -B "$work/real" --preset fuzz >"$work/out" 2>&1 || cat "$work/out"
    for file in "$OUTCRY_SOURCE_DIR"/fuzz/fuzz_*.c; do
        basename "$file" .c
    done | grep -vx fuzz_reader >"$work/wanted"
    printf '%s\n' canary fuzz_tape fuzz_lobster fuzz_dbn fuzz_itch >>"$work/wanted"
    sort "$work/wanted" >"$work/sorted"
    if ! sort "$work/real/fuzz/targets" | diff "$work/sorted" -; then
        echo "FAILED: the list of targets is not what is wanted"
        failures=$((failures + 1))
    fi
fi
[ $failures -eq 0 ]
