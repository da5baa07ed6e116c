#!/bin/sh
# `outcry demo --cluster`, short: the lines that it promises, its exit status, and nothing left
# behind, also when it is interrupted.
set -u

[ -n "${OUTCRY_PROGRAM:-}" ] || { echo "SKIP: no program in this build"; exit 77; }
"$OUTCRY_PROGRAM" help | grep -q '  demo ' || { echo "SKIP: built without Aeron"; exit 77; }
source=${OUTCRY_SOURCE_DIR:-.}
"$source/cluster/java/build" || exit $?
OUTCRY_CLUSTER_JAR=$(cd "$source" && pwd)/build/cluster/outcry-cluster.jar
export OUTCRY_CLUSTER_JAR

fail() {
    echo "FAIL: $1"
    exit 1
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Its directory's name is in the command lines of its members, and of their Java processes.
left_running() {
    cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\0' '\n' | grep "^$scratch/outcry-demo-"
}

# Drivers' directories that no living process uses.
in_memory() {
    for dir in /dev/shm/outcry-*; do
        [ -d "$dir" ] || continue
        cat /proc/[0-9]*/maps 2>/dev/null | grep -q " $dir/" || echo "$dir"
    done | sort
}

nothing_left() {
    ls -d "$scratch"/outcry-demo-* >/dev/null 2>&1 && fail "its directory is still there"
    [ -z "$(left_running)" ] || fail "still running: $(left_running)"
    in_memory >"$scratch/memory.after"
    comm -13 "$scratch/memory.before" "$scratch/memory.after" >"$scratch/memory.new"
    [ ! -s "$scratch/memory.new" ] || fail "left in memory: $(cat "$scratch/memory.new")"
}

in_memory >"$scratch/memory.before"
TMPDIR=$scratch "$OUTCRY_PROGRAM" demo --cluster --seconds 12 --rate 500 \
    >"$scratch/out" 2>"$scratch/err"
status=$?
cat "$scratch/out" "$scratch/err"
[ $status -eq 0 ] || fail "status $status"
tail -n 6 "$scratch/out" >"$scratch/last"
[ "$(sed -n 1p "$scratch/last")" = "members: 3" ] || fail "no members line"
[ "$(sed -n '2s/: .*//p' "$scratch/last")" = acknowledged ] || fail "no acknowledged line"
[ "$(sed -n '2s/.*: //p' "$scratch/last")" -gt 1000 ] || fail "hardly anything was acknowledged"
[ "$(sed -n 3p "$scratch/last")" = "lost: 0" ] || fail "lost"
[ "$(sed -n 4p "$scratch/last")" = "doubled: 0" ] || fail "doubled"
[ "$(sed -n 5p "$scratch/last")" = "state_hash: equal" ] || fail "state"
sed -n 6p "$scratch/last" | grep -Eq '^failover_ms: [0-9]+$' || fail "no failover time"
grep -q 'the leader, is killed' "$scratch/out" || fail "nothing was killed"
nothing_left

# Ctrl-C, once the members run.
TMPDIR=$scratch "$OUTCRY_PROGRAM" demo --cluster >"$scratch/out" 2>"$scratch/err" &
demo=$!
for _ in $(seq 600); do
    grep -q 'leader: ' "$scratch/out" && break
    sleep 0.1
done
grep -q 'leader: ' "$scratch/out" || fail "no leader"
kill -TERM $demo
wait $demo
status=$?
cat "$scratch/err"
[ $status -eq 1 ] || fail "status $status of an interrupted demo"
grep -q 'interrupted' "$scratch/err" || fail "it does not say that it was interrupted"
nothing_left
echo ok
