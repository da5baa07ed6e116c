#!/bin/sh
# The operators' commands on three members that run: up, status, members, snapshot, suspend, resume,
# Aeron's own ClusterTool on the same directories, pruning, the leader's module killed alone while
# the cluster is suspended, a member started again by hand, shutdown, up again on the same
# directories, and SIGTERM. Nothing is left.
set -u

. "${OUTCRY_SOURCE_DIR:-.}/test/lib/cluster.sh"
need_program "a member" member
need_java cluster/java
make_work

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
    timeout 60 "$program" cluster "$@" >"$work/ask.out" 2>"$work/error.out"
}

# Terms and segments so small that there is something to prune.
printf '[cluster]\nlog_channel = aeron:udp?term-length=64k\narchive_segment_bytes = 65536\n' \
    >"$work/lines"
start_ready --members 3 --config "$work/lines"
has up '^ingress: 0=127.0.0.1:[0-9]*,1=127.0.0.1:[0-9]*,2=127' || wrong "no ingress"
until_so 60 all_joined || fail "not all have joined"
follower=$(((leader + 1) % 3))
other=$(((leader + 2) % 3))

# ---- Looking
is "$leader" role leader || wrong "the leader's role is $(value "$leader" role)"
is "$follower" role follower || wrong "the follower's role is $(value "$follower" role)"
ask status --dir "$base/m$leader" || wrong "status"
for key in $(sed 's/: .*//' "$work/ask.out"); do
    grep -q "^| .*\`$key\`.* | " "$source/docs/cluster.md" ||
        wrong "docs/cluster.md does not say what $key of status is"
done
ask status --json --dir "$base/m$leader" || wrong "status --json"
has ask '"module": "active"' || wrong "status --json has no module"
ask members --dir "$base/m$follower" || wrong "members"
[ "$(grep -c '^member: [012] ' "$work/ask.out")" -eq 3 ] || wrong "members does not list three"
has ask "^leader: $leader\$" || wrong "members names another leader"

# ---- Acting, asked of a follower
ask snapshot --dir "$base/m$follower" || wrong "snapshot: $(cat "$work/error.out")"
has ask "^snapshot: member $leader: done in [0-9.]* ms" || wrong "snapshot says nothing"
has error "member $leader leads: done there" || wrong "snapshot does not say where"
is "$leader" snapshots 1 || wrong "no snapshot is counted"
[ -n "$(value "$leader" snapshot_position)" ] || wrong "no snapshot is in the recording log"
ask suspend --dir "$base/m$leader" || wrong "suspend: $(cat "$work/error.out")"
is "$leader" module suspended || wrong "the module is not suspended"
for action in snapshot shutdown abort; do
    ask $action --dir "$base/m$leader" && wrong "$action while suspended"
    has error "^outcry: $action: .* is suspended, not active: outcry cluster resume first\$" ||
        wrong "$action: it is not said why"
done
ask resume --dir "$base/m$leader" || wrong "resume: $(cat "$work/error.out")"
is "$leader" module active || wrong "the module is not active again"

# ---- Aeron's own tool beside it
tool "$base/m$follower/cluster" list-members || wrong "ClusterTool list-members"
has tool "leaderMemberId=$leader" || wrong "ClusterTool names another leader"
tool "$base/m$leader/cluster" snapshot || wrong "ClusterTool snapshot"
until_so 20 is "$leader" snapshots 2 || wrong "ClusterTool's snapshot is not counted"

# ---- Pruning a member that runs: below its oldest image and official snapshot, and nothing above
segments() {
    ls "$base/m$other/archive" | grep -c '^0-[0-9]*\.rec$'
}
ask prune --dir "$base/m$other" || wrong "prune of a young log: $(cat "$work/error.out")"
has ask '^nothing: .* in its only file' || wrong "it is not said why nothing goes"
timeout 60 "$program" load --ingress "$ingress" --rate 1000 --seconds 3 >"$work/load.out" ||
    wrong "the load: $(cat "$work/load.out")"
ask prune --dir "$base/m$other" --dry-run --keep-snapshots 1 && wrong "pruned without an image"
has error 'take one (outcry snapshot take ' || wrong "it is not said what to take"
"$program" snapshot take "$base/m$other" >"$work/ask.out" || wrong "no image"
ask snapshot --dir "$base/m$leader" || wrong "snapshot: $(cat "$work/error.out")"
before=$(segments)
ask prune --dir "$base/m$other" --dry-run --keep-snapshots 1 || wrong "dry run"
[ "$(segments)" -eq "$before" ] || wrong "a dry run has removed something"
ask prune --dir "$base/m$other" --keep-snapshots 1 || wrong "prune: $(cat "$work/error.out")"
[ "$(segments)" -lt "$before" ] || wrong "nothing is pruned of $before segments"
[ "$(segments)" -ge 1 ] || wrong "all is pruned"

# ---- The leader's module killed alone, while the cluster is suspended: its member ends and says
# so; the others have another leader, whose toggle has never been at suspend, and go on once told
leads() {
    for n in 0 1 2; do
        [ $n -ne "$other" ] && is $n role leader && is $n election closed && leader=$n && return
    done
    return 1
}
# unreachable N
unreachable() {
    ask members --dir "$base/m0" && has ask "^member: $1 role=unreachable "
}
ask suspend --dir "$base/m$leader" || wrong "suspend: $(cat "$work/error.out")"
other=$leader
kill -9 "$(value "$other" module_pid)"
until_so 30 has up "^member $other: ended: status 1" || wrong "a member without module"
ask status --dir "$base/m$other" && wrong "status of a dead member"
has ask '^service: none: ' || wrong "status does not say that the service is dead"
until_so 60 leads || fail "nobody leads"
until_so 30 unreachable "$other" || wrong "members does not say who is dead: $(cat "$work/ask.out")"
is "$leader" module suspended || wrong "the next leader goes on by itself"
for n in 0 1 2; do
    [ $n -eq "$other" ] || follower=$n
done
ask resume --dir "$base/m$follower" || wrong "resume at the next leader: $(cat "$work/error.out")"
is "$leader" module active || wrong "the next leader's module is not active"
timeout 60 "$program" load --ingress "$ingress" --rate 100 --seconds 1 >"$work/load.out" ||
    wrong "no answers after resume: $(cat "$work/load.out")"
"$program" member --dir "$base/m$other" >"$work/member.out" 2>&1 &
member=$!
until_so 60 has member "^member $other: follower: " || wrong "it does not come back"
until_so 60 all_joined || wrong "not all are back"
until_so 30 is "$other" service_position "$(value "$leader" service_position)" ||
    wrong "it does not catch up"
[ "$(value "$other" service_state_hash)" = "$(value "$leader" service_state_hash)" ] ||
    wrong "state hashes differ"

# ---- The end, and the same again
ask shutdown --dir "$base/m$follower" || wrong "shutdown: $(cat "$work/error.out")"
until_so 30 has up "^kept: " || fail "shutdown does not end up"
wait "$up"
up=
wait "$member" || wrong "the member started by hand does not end in order"
member=
ports=$(grep '^ingress: ' "$work/up.out")
start_ready
[ "$(grep '^ingress: ' "$work/up.out")" = "$ports" ] || wrong "the ports are not kept"
until_so 60 all_joined || fail "not all have joined again"
aeron_dir=$(value 0 aeron_dir)
stop up || wrong "up does not end in order: $(tail -n 3 "$work/up.out")"
[ ! -e "$aeron_dir" ] || wrong "$aeron_dir is left"
[ -d "$base" ] || wrong "a directory that was there is removed"

[ $failures -eq 0 ] && echo "cluster ops: ok"
exit $failures
