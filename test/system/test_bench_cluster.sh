#!/bin/sh
# The benches of clusters in small: they run to their end, say what they promise, count every
# answer, and leave no process and no file. No figure is judged here.
set -u

program=${OUTCRY_PROGRAM:-}
source=${OUTCRY_SOURCE_DIR:-.}
if [ -z "$program" ] || ! "$program" bench stall --help >/dev/null 2>&1; then
    echo "SKIP: OUTCRY_PROGRAM does not name a program with benches of clusters"
    exit 77
fi
# Says why it cannot, and exits with 77, where there is no Java.
"$source/cluster/java/build" || exit $?
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failures=0
OUTCRY_CLUSTER_JAR=${OUTCRY_CLUSTER_JAR:-$(cd "$source" && pwd)/build/cluster/outcry-cluster.jar}
export OUTCRY_CLUSTER_JAR

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# bench NAME OPTION...: runs it on small terms.
bench() {
    timeout 200 "$program" bench "$@" --dir "$work/bench" --orders 2000 --rounds 1 \
        --heap-mb 128 --gc SerialGC --heartbeat-ms 1000 >"$work/out" 2>"$work/err" || {
        fail "bench $*: status $?"
        cat "$work/out" "$work/err"
    }
    [ -z "$(ls "$work/bench")" ] || fail "bench $*: left $(ls "$work/bench")"
    # The command line of whatever a bench starts names its folder.
    ! pgrep -f "$work/bench" >/dev/null || fail "bench $*: left $(pgrep -f "$work/bench")"
}

# says PATTERN: some line of the output is like it.
says() {
    grep -Eq -- "$1" "$work/out" || {
        fail "no line like '$1'"
        cat "$work/out"
    }
}

number='[0-9]+\.?[0-9]*$'

bench stall --members 1 --window-s 1 --archive
says '^unanswered: 0$'
says '^sync_level: 0$'
for kind in image manifest archive; do
    says "^${kind}_stall_ms: $number"
    says "^${kind}_service_ms: $number"
    says "^${kind}_took_ms: $number"
    says "^${kind}_more_worst_ms: -?$number"
done
says '^\| 1 \| 2000 \| 0 \| official, archive \|'
says "^steal_pct: $number"

bench rtt --members 1 --seconds 1 --window 16 --json
says '^\{"build": .*"bench": "rtt", "members": 1, "orders": 2000, .*"lost": 0, .*"steal_pct": '
says '"throughput_per_s": [1-9][0-9]*, "together_per_s": [1-9]'

bench restart --members 1
says "^restart_empty_ms: $number"
says "^restart_ms: $number"
says '^replayed: '
says '^\| outcry \| 1 \| 2000 \|'

bench failover --members 3
says '^lost: 0$'
says '^survived: 1$'
says "^gap_ms: $number"
says "^election_ms: $number"
says '^heartbeat_timeout_ms: 1000$'

echo "failures: $failures"
[ $failures -eq 0 ]
