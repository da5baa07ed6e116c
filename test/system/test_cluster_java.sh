#!/bin/sh
# The official Java client of Aeron Cluster trades on three members of the exchange while the leader
# is killed, and the C client at the same time: first with names that are believed, then with
# secrets. Aeron's ClusterTool looks at the same cluster and takes a snapshot. Nothing is lost or
# doubled, and all members are in one state.
set -u

. "${OUTCRY_SOURCE_DIR:-.}/test/lib/cluster.sh"
need_program "a member" member
need_java cluster/java tools/java
make_work

# same KEY: all three members say so.
same() {
    [ -n "$(value 0 "$1")" ] && [ "$(value 0 "$1")" = "$(value 1 "$1")" ] &&
        [ "$(value 0 "$1")" = "$(value 2 "$1")" ]
}

# lines [LINE]...: of every member's configuration, with short timeouts.
lines() {
    printf '%s\n' "$@" >"$work/lines"
    cat >>"$work/lines" <<END
[exchange]
max_orders = 65536
max_levels = 16384
max_sources = 16
[cluster]
heartbeat_timeout_ms = 1500
election_timeout_ms = 400
canvass_timeout_ms = 3000
END
}

# Both clients begin; the leader is killed while they trade.
trade() {
    rm -f "$work/answers" "$work/client.out" "$work/member.out" # of the last one
    "$program" load --ingress "$ingress" --rate 200 --seconds 120 --resting 1000 --idle sleep \
        --grace 60 --log "$work/answers" "$@" >"$work/load.out" 2>&1 &
    load=$!
    until_so 60 test -s "$work/answers" || fail "the C client does not trade"
    "$source/tools/java/run" JavaClusterClient "$ingress" admin 600 150 ${secret:+"$secret"} \
        >"$work/client.out" 2>&1 &
    client=$!
    until_so 60 has client '^acknowledged: [1-9]' || fail "the Java client does not trade"
    kill -9 "$(pgrep -P "$up" -f -- "--id $leader ")" || fail "no member to be killed"
    until_so 60 has up '^member [0-2]: leader: term [1-9]' || fail "nobody follows the leader"
    new=$(sed -n 's/^member \([0-2]\): leader: term [1-9].*/\1/p' "$work/up.out" | tail -n 1)
    "$program" member --dir "$base/m$leader" >"$work/member.out" 2>&1 &
    member=$!
}

# Both have all their answers, each once.
traded() {
    wait "$client" || fail "the Java client"
    client=
    has client '^result: ok' || fail "the Java client has no result"
    has client '^lost: 0$' && has client '^doubled: 0$' || fail "lost or doubled"
    [ "$(sed -n 's/^recoveries: //p' "$work/client.out")" -gt 0 ] || fail "no failover was seen"
    stop load || fail "the C client"
    until_so 60 has member "^member $leader: follower: " || fail "the killed member does not follow"
    until_so 60 same service_position || fail "the members do not come to one position"
    same service_state_hash && same service_output_hash || fail "hashes differ"
}

# The whole story: a cluster, both clients, a leader killed.
begin() {
    base=$work/$1
    start_ready --members 3 --keep --config "$work/lines"
}

# ---- Names are believed; ClusterTool beside
lines
secret=
begin names
trade
traded
tool "$base/m$leader/cluster" describe || fail "ClusterTool describe"
has tool "memberId=$leader" || fail "describe names another member"
tool "$base/m$leader/cluster" list-members || fail "ClusterTool list-members"
has tool "leaderMemberId=$new" || fail "list-members names another leader"
tool "$base/m$new/cluster" snapshot || fail "ClusterTool snapshot"
# The one that was killed may lead again by now.
told() {
    has up "^member $new: $1" || has member "^member $new: $1"
}
until_so 30 told "snapshot: position " || fail "no snapshot"
tool "$base/m$new/cluster" recording-log || fail "ClusterTool recording-log"
has tool 'serviceId=0, type=SNAPSHOT' || fail "the service's snapshot is not in the recording log"
stop member || fail "the member that came back does not end in order"
stop up # with a status that tells of the member that was killed

# ---- Secrets, of the members' own client as well
secret='a secret of sixteen and more'
printf '%s = %s\n' admin "$secret" load "$secret" >"$work/secrets.conf"
chmod 600 "$work/secrets.conf"
lines '[session]' 'authentication = secrets' "secrets_file = $work/secrets.conf"
base=$work/without
start_up --members 1 --keep --config "$work/lines"
has up '@member' || fail "it is not said that the members' own secret is missing"
wait "$up"
up=
printf '%s = %s\n' @member "$secret" >>"$work/secrets.conf"
begin secrets
trade --secret-file "$work/secrets.conf"
traded
[ "$(value "$leader" service_comparisons)" -gt 0 ] || fail "the members do not compare themselves"
stop member || fail "the member that came back does not end in order"
stop up # with a status that tells of the member that was killed
echo "the Java and the C client trade through the leader's death, with secrets as well"
