#!/bin/sh
# `outcry demo --cluster`, short: the lines that it promises, its exit status, and nothing left
# behind, also when it is interrupted, and by the next one of what a killed one left.
set -u

. "${OUTCRY_SOURCE_DIR:-.}/test/lib/cluster.sh"
need_program "a demo" demo
need_java cluster/java
make_work

# Its directory's name is in the command lines of its members, and of their Java processes.
left_running() {
    cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\0' '\n' | grep "^$work/bench-demo-"
}

# Drivers' directories that no living process uses.
in_memory() {
    for dir in /dev/shm/outcry-*; do
        [ -d "$dir" ] || continue
        cat /proc/[0-9]*/maps 2>/dev/null | grep -q " $dir/" || echo "$dir"
    done | sort
}

nothing_left() {
    ls -d "$work"/bench-demo-* >/dev/null 2>&1 && fail "its directory is still there"
    [ -z "$(left_running)" ] || fail "still running: $(left_running)"
    in_memory >"$work/memory.after"
    comm -13 "$work/memory.before" "$work/memory.after" >"$work/memory.new"
    [ ! -s "$work/memory.new" ] || fail "left in memory: $(cat "$work/memory.new")"
}

in_memory >"$work/memory.before"
TMPDIR=$work "$program" demo --cluster --seconds 12 --rate 500 >"$work/out" 2>"$work/err"
status=$?
cat "$work/out" "$work/err"
[ $status -eq 0 ] || fail "status $status"
tail -n 6 "$work/out" >"$work/last"
[ "$(sed -n 1p "$work/last")" = "members: 3" ] || fail "no members line"
[ "$(sed -n '2s/: .*//p' "$work/last")" = acknowledged ] || fail "no acknowledged line"
[ "$(sed -n '2s/.*: //p' "$work/last")" -gt 1000 ] || fail "hardly anything was acknowledged"
[ "$(sed -n 3p "$work/last")" = "lost: 0" ] || fail "lost"
[ "$(sed -n 4p "$work/last")" = "doubled: 0" ] || fail "doubled"
[ "$(sed -n 5p "$work/last")" = "state_hash: equal" ] || fail "state"
sed -n 6p "$work/last" | grep -Eq '^failover_ms: [0-9]+$' || fail "no failover time"
grep -q 'the leader, is killed' "$work/out" || fail "nothing was killed"
nothing_left

# Killed in mid-flow; what it left goes with the next one.
rm "$work/out"
TMPDIR=$work "$program" demo --cluster >"$work/out" 2>"$work/err" &
up=$!
until_so 60 grep -q 'leader: ' "$work/out" || fail "no leader"
kill -9 "$up"
wait "$up" 2>/dev/null
up=
nobody_left() {
    [ -z "$(left_running)" ]
}
until_so 30 nobody_left || fail "still running: $(left_running)"
killed=$(ls -d "$work"/bench-demo-*) || fail "a killed demo leaves nothing"

# Ctrl-C, once the members run.
rm "$work/out"
TMPDIR=$work "$program" demo --cluster >"$work/out" 2>"$work/err" &
up=$!
until_so 60 grep -q 'leader: ' "$work/out" || fail "no leader"
[ ! -e "$killed" ] || fail "what a killed demo left is still there"
stop up
status=$?
cat "$work/err"
[ $status -eq 1 ] || fail "status $status of an interrupted demo"
grep -q 'interrupted' "$work/err" || fail "it does not say that it was interrupted"
nothing_left
echo ok
