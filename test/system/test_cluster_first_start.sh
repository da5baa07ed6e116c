#!/bin/sh
# A member's first start, whose module is killed while it makes its files: every start after that
# goes on. And what is no kill's work: a member that has lost its log does not begin another one.
#
# With OUTCRY_LONG it is killed after delays too, which grow.
set -u

. "${OUTCRY_SOURCE_DIR:-.}/test/lib/cluster.sh"
need_program "a member" member
need_java cluster/java
make_work
base=$work/base
dir=$base/m0
mkdir -p "$dir"
cat >"$dir/outcry.conf" <<'END'
[cluster]
member0 = 127.0.0.13:20001,127.0.0.13:20002,127.0.0.13:20003,127.0.0.13:20004,127.0.0.13:20005
[exchange]
max_orders = 65536
max_levels = 16384
max_sources = 16
END

wipe() {
    find "$dir" -mindepth 1 ! -name outcry.conf -delete
}

# start_member: and the process of its module, in $module.
start_member() {
    "$program" member --config "$dir/outcry.conf" >>"$work/member.out" 2>&1 &
    member=$!
    module=
    until [ -n "$module" ]; do
        kill -0 "$member" 2>/dev/null || fail "the member does not start: $1"
        module=$(cat "/proc/$member/task/$member/children" 2>/dev/null)
        module=${module%% *}
    done
}

# killed: the module is, and the member says so.
killed() {
    kill -9 "$module" 2>/dev/null
    wait "$member" 2>/dev/null
    member=
}

# leads WHAT
leads() {
    : >"$work/member.out"
    start_member "$1"
    until_so 60 has member '^member 0: leader: ' || fail "no leader $1"
}

ends() {
    stop member || fail "the member does not end in order"
}

# refuses LINE
refuses() {
    timeout 60 "$program" member --config "$dir/outcry.conf" >"$work/member.out" 2>&1
    [ $? -eq 1 ] || fail "it is not refused: $1"
    has member "$1" || fail "it does not say: $1"
    [ ! -e "$dir/cluster/cluster-mark.dat" ] || fail "its module ran"
}

# The names come before what is in them, so that at each of them a file is empty or half made. The
# next start must come as far as the next name.
for name in archive/archive.catalog cluster/node-state.dat cluster/recording.log archive/0-0.rec; do
    start_member "killed before $name"
    until [ -e "$dir/$name" ]; do
        kill -0 "$member" 2>/dev/null || fail "it does not come to $name"
    done
    killed
    echo "killed with $name of $(wc -c <"$dir/$name") bytes"
done
leads "after the kills"
until_so 30 [ -e "$dir/joined" ] || fail "it does not note that it has a log"
ends

if [ -n "${OUTCRY_LONG:-}" ]; then
    delay=0
    while [ $delay -lt 1500 ]; do
        wipe
        start_member "a wiped one"
        sleep "$(printf '%d.%03d' $((delay / 1000)) $((delay % 1000)))"
        killed
        leads "after $delay ms"
        ends
        delay=$((delay + 15))
    done
    leads "at the end"
    until_so 30 [ -e "$dir/joined" ] || fail "it does not note that it has a log"
    ends
fi

# What is lost now was there.
rm -f "$dir/cluster/cluster-mark.dat" "$dir/archive/archive.catalog" "$dir/cluster/recording.log"
refuses 'the mark joined, archive/[01]-0.rec with recorded data, but cluster/recording.log is'
rm "$dir/joined"
refuses 'there is archive/[01]-0.rec with recorded data, but cluster/recording.log is missing'
echo 'cluster_id = 0' >"$dir/joined"
rm -r "$dir/archive" "$dir/cluster"
refuses 'there is the mark joined, but'
wipe
leads "anew"
ends
echo ok
