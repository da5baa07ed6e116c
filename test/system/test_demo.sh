#!/bin/sh
# `outcry demo`, short: the lines that it promises, its exit status, and nothing left behind.
set -u

[ -n "${OUTCRY_PROGRAM:-}" ] || { echo "SKIP: no program in this build"; exit 77; }
"$OUTCRY_PROGRAM" help | grep -q '  demo ' || { echo "SKIP: built without Aeron"; exit 77; }

fail() {
    echo "FAIL: $1"
    exit 1
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

TMPDIR=$scratch "$OUTCRY_PROGRAM" demo --seconds 3 --rate 4000 >"$scratch/out" 2>"$scratch/err"
status=$?
cat "$scratch/out" "$scratch/err"
[ $status -eq 0 ] || fail "status $status"

tail -n 5 "$scratch/out" >"$scratch/last"
[ "$(sed -n '1s/: .*//p' "$scratch/last")" = acknowledged ] || fail "no acknowledged line"
[ "$(sed -n '1s/.*: //p' "$scratch/last")" -gt 1000 ] || fail "hardly anything was acknowledged"
[ "$(sed -n 2p "$scratch/last")" = "lost: 0" ] || fail "lost"
[ "$(sed -n 3p "$scratch/last")" = "doubled: 0" ] || fail "doubled"
[ "$(sed -n 4p "$scratch/last")" = "state_hash: equal" ] || fail "state"
sed -n 5p "$scratch/last" | grep -Eq '^recovery_ms: [0-9]+$' || fail "no recovery time"
grep -q 'rtt_p99_us: ' "$scratch/out" || fail "no latency"
grep -q 'the node is killed' "$scratch/out" || fail "nothing was killed"
ls -d "$scratch"/bench-demo-* >/dev/null 2>&1 && fail "its directory is still there"
echo ok
