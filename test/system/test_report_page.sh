#!/bin/sh
# Opens the page of a report in a browser without a screen: every plot is drawn, the console stays
# silent, nothing is fetched. The page counts the coloured pixels of each plot itself (data-drawn)
# and what the browser loaded for it (data-fetched); a picture of it is looked at as well.
set -u

program=${OUTCRY_PROGRAM:-}
if [ -z "$program" ]; then
    echo "SKIP: OUTCRY_PROGRAM does not name the program"
    exit 77
fi
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || {
    echo "SKIP: there is no chromium here; tools/setup installs it"
    exit 77
}
runs=${OUTCRY_SOURCE_DIR:-.}/test/data/runs
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
failures=0

fail() {
    echo "FAILED: $*"
    grep CONSOLE log
    failures=$((failures + 1))
}

# open_page FILE OPTION...: what the browser prints goes to dom, what it says to log.
open_page() {
    file=$1
    shift
    sandbox=
    [ "$(id -u)" -ne 0 ] || sandbox=--no-sandbox
    # shellcheck disable=SC2086 # empty is no word
    HOME=$dir timeout 120 "$browser" --headless $sandbox --disable-gpu --disable-dev-shm-usage \
        --no-first-run --disable-background-networking --disable-component-update \
        --disable-breakpad --user-data-dir="$dir/profile" --hide-scrollbars \
        --window-size=1000,3000 --virtual-time-budget=10000 --enable-logging=stderr "$@" \
        "file://$dir/$file" >dom 2>log || fail "the browser ended with status $?"
}

# The check itself: an error on a page is seen.
echo '<script>setTimeout(() => { throw new Error("canary"); }, 1)</script>' >canary.html
open_page canary.html --dump-dom
grep -q 'CONSOLE.*canary' log || fail "an error on a page would not be seen"

"$program" report "$runs/knee.json" "$runs/burst.json" "$runs/echo.json" --output page.html \
    >/dev/null || exit 1
open_page page.html --dump-dom
if grep -q CONSOLE log; then
    fail "the page's script complains"
fi
grep -q 'data-fetched="0"' dom || fail "the page fetched something, or its script did not end"
wanted=$(grep -o '<div class="plot" data-plot="[a-z]*"' page.html | wc -l)
[ "$wanted" -eq 8 ] || fail "the page has $wanted places for plots, not 8"
drawn=$(grep -o 'class="plot" data-plot="[a-z]*" data-run="[0-9]*" data-drawn="[0-9]*"' dom |
    sed 's/.*data-drawn="\([0-9]*\)"/\1/' | awk '$1 >= 100' | wc -l)
[ "$drawn" -eq "$wanted" ] || fail "only $drawn of $wanted plots have something in them"

# A blank picture has one or two kinds of rows, whatever its filter.
open_page page.html --screenshot="$dir/page.png"
rows=$(python3 - page.png <<'PYTHON'
import struct
import sys
import zlib

data = open(sys.argv[1], "rb").read()
at, packed, width, height = 8, b"", 0, 0
while at < len(data):
    length, kind = struct.unpack(">I4s", data[at:at + 8])
    body = data[at + 8:at + 8 + length]
    if kind == b"IHDR":
        width, height = struct.unpack(">II", body[:8])
    packed += body if kind == b"IDAT" else b""
    at += length + 12
raw = zlib.decompress(packed)
stride = len(raw) // height
print(len({raw[i:i + stride] for i in range(0, len(raw), stride)}) if width == 1000 else 0)
PYTHON
)
[ "${rows:-0}" -ge 500 ] || fail "the page's picture has ${rows:-no} different rows: it is blank"

[ $failures -eq 0 ] || exit 1
echo "all good"
