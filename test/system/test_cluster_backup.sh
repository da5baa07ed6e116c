#!/bin/sh
# A member from a backup, as an operator makes it: the official ClusterBackup's directories put
# beside an outcry.conf. With manifests for snapshots, a backup of the log from its beginning gives
# the state that was; one of the latest snapshot alone has not got the state, and the start says so.
# With [cluster] snapshot = archive it has: that is in test/integration/test_cluster_recovery.c.
set -u

. "${OUTCRY_SOURCE_DIR:-.}/test/lib/cluster.sh"
need_program "a member" member
need_java cluster/java tools/java
make_work

# No session but the member's own.
all_gone() {
    [ "$(value 0 service_sessions)" = 1 ]
}

# backup NAME KIND: what the cluster has up to now, laid out as a cluster's place is.
backup() {
    mkdir -p "$work/$1/m0"
    timeout 120 "$source/tools/java/run" JavaClusterBackup "$work/$1/m0" "$consensus" "$position" \
        "$2" >"$work/$1.out" 2>&1 && has "$1" '^caught_up: ' || fail "the backup of $2"
    cp "$base/m0/outcry.conf" "$work/$1/m0/"
}

printf '%s\n' '[exchange]' 'max_orders = 65536' 'max_levels = 16384' 'max_sources = 16' \
    >"$work/lines"
start_ready --members 1 --keep --config "$work/lines"
"$program" load --ingress "$ingress" --rate 1000 --seconds 2 --resting 1000 --idle sleep \
    >"$work/load.out" 2>&1 || fail "nobody trades"
"$program" cluster snapshot --dir "$base/m0" >"$work/snapshot.out" 2>&1 || fail "no snapshot"
until_so 30 all_gone || fail "clients are still there"
consensus=$("$program" cluster members --dir "$base/m0" |
    sed -n 's/^member: 0 .*endpoints=[^,]*,\([^,]*\),.*/\1/p')
position=$(value 0 service_position)
hash=$(value 0 service_state_hash)
[ -n "$position" ] && [ -n "$hash" ] && [ -n "$consensus" ] || fail "no position, hash or endpoint"
backup beginning BEGINNING
backup latest LATEST_SNAPSHOT
stop up || fail "up does not end in order"

timeout 60 "$program" member --dir "$work/latest/m0" >"$work/refused.out" 2>&1
[ $? -eq 1 ] || fail "a snapshot without a state is no state to start from"
has refused 'seed it from another member .*, or restore a backup that has the log from its' ||
    fail "it is not said what to do"

base=$work/beginning
"$program" member --dir "$base/m0" >"$work/member.out" 2>&1 &
member=$!
until_so 60 has member '^member 0: leader: ' || fail "the member does not start from its backup"
[ "$(value 0 service_position)" -gt "$position" ] || fail "something is missing"
[ "$(value 0 service_state_hash)" = "$hash" ] || fail "the state is another"
stop member || fail "the restored member does not end in order"
echo "the state of position $position is the backup's"
