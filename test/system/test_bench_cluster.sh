#!/bin/sh
# The benches of clusters in small: they run to their end, say what they promise, count every
# answer, and leave no process and no file. No figure is judged here.
set -u

. "${OUTCRY_SOURCE_DIR:-.}/test/lib/cluster.sh"
need_program "benches of clusters" bench stall
need_java cluster/java
make_work

# bench NAME OPTION...: runs it on small terms.
bench() {
    timeout 200 "$program" bench "$@" --dir "$work/bench" --orders 2000 --rounds 1 \
        --heap-mb 128 --gc SerialGC --heartbeat-ms 1000 >"$work/out" 2>"$work/err" || {
        wrong "bench $*: status $?"
        cat "$work/out" "$work/err"
    }
    [ ! -e "$work/bench" ] || wrong "bench $*: left $(ls "$work/bench")"
    # The command line of whatever a bench starts names its folder.
    ! pgrep -f "$work/bench" >/dev/null || wrong "bench $*: left $(pgrep -f "$work/bench")"
}

# says PATTERN: some line of the output is like it.
says() {
    grep -Eq -- "$1" "$work/out" || {
        wrong "no line like '$1'"
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

bench rtt --members 1 --seconds 1 --window 512 --json
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
