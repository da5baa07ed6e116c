#!/bin/sh
# A bench that is interrupted ends what it started and removes what it made, on the device and in
# memory, and says in one line that it was interrupted. What one that was killed could not remove
# goes with the next. And a cluster that was to be up.
set -u

. "${OUTCRY_SOURCE_DIR:-.}/test/lib/cluster.sh"
need_program "benches of clusters" bench stall
make_work
dir=$work/bench
bench=
stays= # the folder was there before
trap 'for pid in $bench; do kill -KILL $pid 2>/dev/null; done; clean' EXIT

# The command line of whatever a bench starts names its folder.
processes() {
    pgrep -f "$dir"
}

# What they have in memory.
memory() {
    for pid in $(processes); do
        grep -ho '/dev/shm/outcry[^/]*' "/proc/$pid/maps" 2>/dev/null
    done | sort -u
}

gone() {
    ! processes
}

# begin WHAT COMMAND...: starts a bench, and waits until there is what it does in its folder.
begin() {
    what=$1
    shift
    "$program" "$@" --dir "$dir" >"$work/bench.out" 2>"$work/err" &
    bench=$!
    until_so 120 sh -c "ls -d $dir/$what" || fail "$*: no $what"
    seen=$(memory)
}

# check STATUS NAME: how it ended, and what is left.
check() {
    until_so 30 gone || wrong "$2: left $(pgrep -af "$dir")"
    [ "$status" -eq "$1" ] || wrong "$2: status $status"
    for path in $seen; do
        [ ! -e "$path" ] || wrong "$2: left $path"
    done
    [ -z "$stays" ] || rmdir "$dir" || wrong "$2: is not empty"
    [ ! -e "$dir" ] || wrong "$2: left $(ls -R "$dir")"
    stays=
}

# What nodes and members say of their configuration, starts and snapshots.
progress='^outcry: (configuration|recovery|snapshot|member [0-9]+): |^outcry: ended before the log'

# end SIGNAL NAME: beside that there is one line.
end() {
    kill "-$1" "$bench"
    wait "$bench"
    status=$?
    bench=
    check 1 "$2"
    [ "$(grep -Ev "$progress" "$work/err")" = "outcry: interrupted" ] ||
        wrong "$2: $(cat "$work/err")"
}

begin 'outcry-bench-journal/*.journal' bench journal --seconds 600 --round-mib 4
end TERM journal
begin 'outcry-bench-recovery/*.journal' bench recovery --commands 1000000 --repeats 20
end INT recovery
begin 'outcry-bench-restore/images/*' bench restore --orders 100000 --repeats 30
end HUP restore
begin 'bench-node-*/log/*.journal' bench node --seconds 600
end TERM node
begin 'bench-snapshot-*/log/images/*.manifest' bench snapshot --orders 5000 --rounds 30
end INT snapshot
begin 'bench-restart-*/log/*.journal' bench restart --orders 1000 --rounds 30
end TERM restart

if (need_java cluster/java) >/dev/null; then
    need_java cluster/java
    small="--orders 2000 --heap-mb 128 --gc SerialGC"
    # shellcheck disable=SC2086
    {
        begin 'bench-cluster-*/m2/module.log' bench failover --members 3 $small
        end TERM failover
        begin 'bench-cluster-*/m0/images/*.manifest' bench stall --members 1 $small
        end HUP stall
        begin 'bench-cluster-*/m0/archive/*.rec' bench rtt --members 1 $small
    }
    [ -n "$seen" ] || wrong "a cluster has nothing in memory"

    # Killed: its members see that, and the next bench finds what they left.
    kill -KILL "$bench"
    wait "$bench" 2>/dev/null
    until_so 30 gone || wrong "killed: left $(pgrep -af "$dir")"
    left=$seen
    stays=1
    old=$(ls -d "$dir"/bench-cluster-*)
    # shellcheck disable=SC2086
    begin 'bench-cluster-*' bench restart --members 1 $small
    until_so 60 test ! -e "$old" || wrong "killed: $old is still there"
    until_so 60 sh -c "ls $dir/bench-cluster-*/m0/module.log" || wrong "killed: no other begins"
    seen=$(memory)
    for path in $left; do
        [ ! -e "$path" ] || wrong "killed: $path is still there"
    done
    end INT rejoin

    "$program" cluster up --local --members 1 --dir "$dir" >"$work/up.out" 2>"$work/err" &
    bench=$!
    until_so 60 test -e "$dir/m0/module.log" || fail "no cluster"
    seen=$(memory)
    end TERM "cluster up"
fi

echo "failures: $failures"
[ $failures -eq 0 ]
