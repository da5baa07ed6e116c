#!/bin/sh
# A member from a backup, as an operator makes it: the official ClusterBackup's directories put
# beside an outcry.conf. With manifests for snapshots, a backup of the log from its beginning gives
# the state that was; one of the latest snapshot alone has not got the state, and the start says so.
# With [cluster] snapshot = archive it has: that is in test/integration/test_cluster_recovery.c.
set -u

program=${OUTCRY_PROGRAM:-}
source=${OUTCRY_SOURCE_DIR:-.}
if [ -z "$program" ] || ! "$program" member --help >/dev/null 2>&1; then
    echo "SKIP: OUTCRY_PROGRAM does not name a program with a member"
    exit 77
fi
# They say why they cannot, and exit with 77, where there is no Java.
"$source/cluster/java/build" || exit $?
"$source/tools/java/build" || exit $?
work=$(mktemp -d) || exit 1
base=$work/base
up=
member=
OUTCRY_CLUSTER_JAR=${OUTCRY_CLUSTER_JAR:-$(cd "$source" && pwd)/build/cluster/outcry-cluster.jar}
export OUTCRY_CLUSTER_JAR
trap clean EXIT

clean() {
    for pid in $member $up; do
        kill -TERM "$pid" 2>/dev/null
    done
    wait 2>/dev/null
    rm -rf "$work"
}

fail() {
    echo "FAILED: $*"
    for file in "$work"/*.out "$work"/*/m0/module.log; do
        tail -n 12 "$file" | sed "s|^|  ${file##*/}: |"
    done
    exit 1
}

# until_so SECONDS COMMAND...
until_so() {
    tries=$(($1 * 10))
    shift
    until "$@" >/dev/null 2>&1; do
        tries=$((tries - 1))
        [ $tries -gt 0 ] || return 1
        sleep 0.1
    done
}

# has FILE PATTERN
has() {
    grep -q -- "$2" "$work/$1.out"
}

# value DIR KEY: of a member's status.
value() {
    timeout 30 "$program" cluster status --dir "$1" 2>/dev/null | sed -n "s/^$2: //p"
}

# No session but the member's own.
all_gone() {
    [ "$(value "$base/m0" service_sessions)" = 1 ]
}

# backup NAME KIND: what the cluster has up to now.
backup() {
    mkdir "$work/$1"
    timeout 120 "$source/tools/java/run" JavaClusterBackup "$work/$1" "$consensus" "$position" \
        "$2" >"$work/$1.out" 2>&1 && has "$1" '^caught_up: ' || fail "the backup of $2"
    cp "$base/m0/outcry.conf" "$work/$1/"
}

printf '%s\n' '[exchange]' 'max_orders = 65536' 'max_levels = 16384' 'max_sources = 16' \
    >"$work/lines"
"$program" cluster up --local --dir "$base" --members 1 --keep --timeout 120 \
    --config "$work/lines" >"$work/up.out" 2>&1 &
up=$!
until_so 130 has up '^ready: \|^outcry: ' || fail "no cluster"
ingress=$(sed -n 's/^ingress: //p' "$work/up.out")
"$program" load --ingress "$ingress" --rate 1000 --seconds 2 --resting 1000 --idle sleep \
    >"$work/load.out" 2>&1 || fail "nobody trades"
"$program" cluster snapshot --dir "$base/m0" >"$work/snapshot.out" 2>&1 || fail "no snapshot"
until_so 30 all_gone || fail "clients are still there"
consensus=$("$program" cluster members --dir "$base/m0" |
    sed -n 's/^member: 0 .*endpoints=[^,]*,\([^,]*\),.*/\1/p')
position=$(value "$base/m0" service_position)
hash=$(value "$base/m0" service_state_hash)
[ -n "$position" ] && [ -n "$hash" ] && [ -n "$consensus" ] || fail "no position, hash or endpoint"
backup beginning BEGINNING
backup latest LATEST_SNAPSHOT
kill -TERM "$up"
wait "$up" || fail "up does not end in order"
up=

timeout 60 "$program" member --dir "$work/latest" >"$work/refused.out" 2>&1
[ $? -eq 1 ] || fail "a snapshot without a state is no state to start from"
has refused 'seed it from another member .*, or restore a backup that has the log from its' ||
    fail "it is not said what to do"

"$program" member --dir "$work/beginning" >"$work/member.out" 2>&1 &
member=$!
until_so 60 has member '^member 0: leader: ' || fail "the member does not start from its backup"
[ "$(value "$work/beginning" service_position)" -gt "$position" ] || fail "something is missing"
[ "$(value "$work/beginning" service_state_hash)" = "$hash" ] || fail "the state is another"
kill -TERM "$member"
wait "$member" || fail "the restored member does not end in order"
member=
echo "the state of position $position is the backup's"
