#!/bin/sh
# The operators' commands on three members that run: up, status, members, snapshot, suspend, resume,
# Aeron's own ClusterTool on the same directories, pruning, a module killed alone, a member started
# again by hand, shutdown, up again on the same directories, and SIGTERM. Nothing is left.
set -u

program=${OUTCRY_PROGRAM:-}
source=${OUTCRY_SOURCE_DIR:-.}
if [ -z "$program" ] || ! "$program" member --help >/dev/null 2>&1; then
    echo "SKIP: OUTCRY_PROGRAM does not name a program with a member"
    exit 77
fi
# Says why it cannot, and exits with 77, where there is no Java.
"$source/cluster/java/build" || exit $?
work=$(mktemp -d) || exit 1
base=$work/base
up=
member=
trap 'clean' EXIT
failures=0
OUTCRY_CLUSTER_JAR=${OUTCRY_CLUSTER_JAR:-$(cd "$source" && pwd)/build/cluster/outcry-cluster.jar}
export OUTCRY_CLUSTER_JAR

clean() {
    for pid in $member $up; do
        kill -TERM "$pid" 2>/dev/null
    done
    wait 2>/dev/null
    rm -rf "$work"
}

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# give_up WHY: what was said may tell more.
give_up() {
    fail "$*"
    cat "$work/up.out"
    tail -n 5 "$base"/m*/module.log
    exit 1
}

# until_so SECONDS COMMAND...
until_so() {
    tries=$(($1 * 5))
    shift
    until "$@" >/dev/null 2>&1; do
        tries=$((tries - 1))
        [ $tries -gt 0 ] || return 1
        sleep 0.2
    done
}

# has FILE PATTERN
has() {
    grep -q -- "$2" "$1"
}

start_up() {
    "$program" cluster up --local --dir "$base" --timeout 120 "$@" >"$work/up.out" 2>&1 &
    up=$!
    until_so 130 has "$work/up.out" '^ready: \|^outcry: ' || give_up "no cluster"
    has "$work/up.out" '^ready: ' || give_up "no leader"
}

# value N KEY: of a member's status.
value() {
    timeout 30 "$program" cluster status --dir "$base/m$1" 2>/dev/null | sed -n "s/^$2: //p"
}

# is N KEY VALUE
is() {
    [ "$(value "$1" "$2")" = "$3" ]
}

all_joined() {
    for n in 0 1 2; do
        is $n election closed && is $n service_recovered 1 || return 1
    done
}

ask() {
    timeout 60 "$program" cluster "$@" >"$work/ask.out" 2>"$work/ask.err"
}

tool() {
    timeout 60 java --add-opens java.base/jdk.internal.misc=ALL-UNNAMED \
        --add-opens java.base/sun.nio.ch=ALL-UNNAMED -cp "$source/build/cluster/lib/*" \
        io.aeron.cluster.ClusterTool "$@" >"$work/tool.out" 2>&1
}

# Terms and segments so small that there is something to prune.
printf '[cluster]\nlog_channel = aeron:udp?term-length=64k\narchive_segment_bytes = 65536\n' \
    >"$work/lines"
start_up --members 3 --config "$work/lines"
has "$work/up.out" '^ingress: 0=127.0.0.1:[0-9]*,1=127.0.0.1:[0-9]*,2=127' || fail "no ingress"
until_so 60 all_joined || give_up "not all have joined"
leader=$(sed -n 's/^ready: member \([0-9]\) leads.*/\1/p' "$work/up.out")
follower=$(((leader + 1) % 3))
other=$(((leader + 2) % 3))

# ---- Looking
is "$leader" role leader || fail "the leader's role is $(value "$leader" role)"
is "$follower" role follower || fail "the follower's role is $(value "$follower" role)"
ask status --json --dir "$base/m$leader" || fail "status --json"
has "$work/ask.out" '"module": "active"' || fail "status --json has no module"
ask members --dir "$base/m$follower" || fail "members"
[ "$(grep -c '^member: [012] ' "$work/ask.out")" -eq 3 ] || fail "members does not list three"
has "$work/ask.out" "^leader: $leader\$" || fail "members names another leader"

# ---- Acting, asked of a follower
ask snapshot --dir "$base/m$follower" || fail "snapshot: $(cat "$work/ask.err")"
has "$work/ask.out" "^snapshot: member $leader: done in [0-9.]* ms" || fail "snapshot says nothing"
has "$work/ask.err" "member $leader leads: done there" || fail "snapshot does not say where"
is "$leader" snapshots 1 || fail "no snapshot is counted"
[ -n "$(value "$leader" snapshot_position)" ] || fail "no snapshot is in the recording log"
ask suspend --dir "$base/m$leader" || fail "suspend: $(cat "$work/ask.err")"
is "$leader" module suspended || fail "the module is not suspended"
ask snapshot --dir "$base/m$leader" && fail "a snapshot while suspended"
has "$work/ask.err" "is suspended, not active" || fail "it is not said why"
ask resume --dir "$base/m$leader" || fail "resume: $(cat "$work/ask.err")"
is "$leader" module active || fail "the module is not active again"

# ---- Aeron's own tool beside it
tool "$base/m$follower/cluster" list-members || fail "ClusterTool list-members"
has "$work/tool.out" "leaderMemberId=$leader" || fail "ClusterTool names another leader"
tool "$base/m$leader/cluster" snapshot || fail "ClusterTool snapshot"
until_so 20 is "$leader" snapshots 2 || fail "ClusterTool's snapshot is not counted"

# ---- Pruning a member that runs: below its oldest image and official snapshot, and nothing above
segments() {
    ls "$base/m$other/archive" | grep -c '^0-[0-9]*\.rec$'
}
ask prune --dir "$base/m$other" --dry-run --keep-snapshots 1 && fail "pruned without an image"
ingress=$(sed -n 's/^ingress: //p' "$work/up.out")
timeout 60 "$program" load --ingress "$ingress" --rate 1000 --seconds 3 >"$work/load.out" ||
    fail "the load: $(cat "$work/load.out")"
"$program" snapshot take "$base/m$other" >"$work/ask.out" || fail "no image"
ask snapshot --dir "$base/m$leader" || fail "snapshot: $(cat "$work/ask.err")"
before=$(segments)
ask prune --dir "$base/m$other" --dry-run --keep-snapshots 1 || fail "dry run"
[ "$(segments)" -eq "$before" ] || fail "a dry run has removed something"
ask prune --dir "$base/m$other" --keep-snapshots 1 || fail "prune: $(cat "$work/ask.err")"
[ "$(segments)" -lt "$before" ] || fail "nothing is pruned of $before segments"
[ "$(segments)" -ge 1 ] || fail "all is pruned"

# ---- A module killed alone: its member ends and says so, the others go on
kill -9 "$(value "$other" module_pid)"
until_so 30 has "$work/up.out" "^member $other: ended: status 1" || fail "a member without module"
ask status --dir "$base/m$other" && fail "status of a dead member"
has "$work/ask.out" '^service: none: ' || fail "status does not say that the service is dead"
"$program" member --dir "$base/m$other" >"$work/member.out" 2>&1 &
member=$!
until_so 60 has "$work/member.out" "^member $other: follower: " || fail "it does not come back"
until_so 60 all_joined || fail "not all are back"
until_so 30 is "$other" service_position "$(value "$leader" service_position)" ||
    fail "it does not catch up"
[ "$(value "$other" service_state_hash)" = "$(value "$leader" service_state_hash)" ] ||
    fail "state hashes differ"

# ---- The end, and the same again
ask shutdown --dir "$base/m$follower" || fail "shutdown: $(cat "$work/ask.err")"
until_so 30 has "$work/up.out" "^kept: " || give_up "shutdown does not end up"
wait "$up"
up=
wait "$member" || fail "the member started by hand does not end in order"
member=
ports=$(grep '^ingress: ' "$work/up.out")
start_up
[ "$(grep '^ingress: ' "$work/up.out")" = "$ports" ] || fail "the ports are not kept"
until_so 60 all_joined || give_up "not all have joined again"
aeron_dir=$(value 0 aeron_dir)
kill -TERM "$up"
wait "$up" || fail "up does not end in order: $(tail -n 3 "$work/up.out")"
up=
[ ! -e "$aeron_dir" ] || fail "$aeron_dir is left"
[ -d "$base" ] || fail "a directory that was there is removed"

[ $failures -eq 0 ] && echo "cluster ops: ok"
exit $failures
