#!/bin/sh
# The official Java HdrHistogram reads our .hlog files to the same percentiles, and prints the same
# percentile distribution, to the byte, as our .hgrm files hold.
set -u

source=${OUTCRY_SOURCE_DIR:-.}
writer=${OUTCRY_BUILD_DIR:-.}/test/test_integration_hdr_files
run=$source/tools/java/run
if [ ! -x "$writer" ]; then
    echo "SKIP: no $writer here"
    exit 77
fi
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
failures=0

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

"$writer" "$dir" >"$dir/writer.out" 2>&1 || {
    cat "$dir/writer.out"
    exit 1
}

compared=0
for facts in "$dir"/*.facts; do
    base=${facts%.facts}
    name=${base##*/}
    "$run" HdrPercentiles "$base.hlog" >"$dir/java.all" 2>"$dir/java.err"
    status=$?
    if [ "$status" -eq 77 ]; then
        cat "$dir/java.all"
        exit 77
    fi
    if [ "$status" -ne 0 ]; then
        cat "$dir/java.err"
        fail "$name: the Java library does not read the .hlog (status $status)"
        continue
    fi
    grep -v -e '^min:' -e '^mean:' "$dir/java.all" >"$dir/java.facts"
    diff "$facts" "$dir/java.facts" || fail "$name: percentiles of the .hlog"
    "$run" HdrPercentiles "$base.hlog" 1000 >"$dir/java.hgrm" 2>>"$dir/java.err"
    diff "$base.hgrm" "$dir/java.hgrm" || fail "$name: the .hgrm is not what Java prints"
    compared=$((compared + 1))
done
[ "$compared" -ge 7 ] || fail "only $compared histograms were compared"
[ "$failures" -eq 0 ] || exit 1
echo "$compared histograms: .hlog and .hgrm as the Java library has them"
