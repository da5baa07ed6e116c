#!/bin/sh
# Opens the page of a report in a browser without a screen: every plot is drawn, the console stays
# silent, nothing is fetched (test/lib/page.sh). A picture of it is looked at as well.
set -u

program=${OUTCRY_PROGRAM:-}
if [ -z "$program" ]; then
    echo "SKIP: OUTCRY_PROGRAM does not name the program"
    exit 77
fi
runs=${OUTCRY_SOURCE_DIR:-.}/test/data/runs
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
failures=0

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

. "${OUTCRY_SOURCE_DIR:-.}/test/lib/page.sh"

# The check itself: an error on a page is seen.
echo '<script>setTimeout(() => { throw new Error("canary"); }, 1)</script>' >canary.html
open_page canary.html --dump-dom
grep -q 'CONSOLE.*canary' log || fail "an error on a page would not be seen"

"$program" report "$runs/knee.json" "$runs/burst.json" "$runs/echo.json" --output page.html \
    >/dev/null || exit 1
check_page page.html 8

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
