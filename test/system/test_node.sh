#!/bin/sh
# A node as its operator knows it: starts, says where it listens, ends in order, refuses a second
# one, says what is wrong with a configuration, comes back after kill -9 within seconds, and leaves
# nothing in /dev/shm.
set -u

work=$(mktemp -d) || exit 1
node=
trap '[ -z "$node" ] || kill -9 "$node" 2>/dev/null; rm -rf "$work"' EXIT
failures=0

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# Small tables: the start is not what is tested here.
cat >"$work/small.ini" <<'END'
[node]
ingress = 127.0.0.1:0
[journal]
segment_bytes = 1M
group_bytes = 128K
low_space_bytes = 0
[session]
message_bytes_max = 16K
session_backlog_bytes = 64K
backlog_bytes = 1M
[exchange]
max_orders = 1000
max_levels = 1000
max_sources = 16
max_sessions = 16
END

# start: a node on $work/log; its address is in $address when it is ready.
start() {
    : >"$work/out"
    "$OUTCRY_PROGRAM" node --dir "$work/log" --config "$work/small.ini" "$@" \
        >>"$work/out" 2>"$work/err" &
    node=$!
    tries=0
    until grep -q '^ready: ' "$work/out"; do
        tries=$((tries + 1))
        if [ $tries -gt 300 ] || ! kill -0 "$node" 2>/dev/null; then
            fail "no ready line"
            cat "$work/out" "$work/err"
            exit 1
        fi
        sleep 0.1
    done
    address=$(sed -n 's/^ready: //p' "$work/out")
}

# value KEY: of the last output.
value() {
    sed -n "s/^$1: //p" "$work/out"
}

# end SIGNAL STATUS
end() {
    kill -"$1" "$node"
    wait "$node" 2>/dev/null
    status=$?
    node=
    [ $status -eq "$2" ] || fail "SIG$1: exit status $status, not $2"
}

# expect STATUS WORD...: a node that does not start, and says each of the words.
expect() {
    wanted=$1
    shift
    timeout 60 "$OUTCRY_PROGRAM" node --dir "$work/other" --config "$work/bad.ini" \
        >"$work/said" 2>&1
    status=$?
    [ $status -eq "$wanted" ] || fail "exit status $status, not $wanted: $(cat "$work/said")"
    for word in "$@"; do
        grep -qF -e "$word" "$work/said" || fail "'$word' is not in: $(cat "$work/said")"
    done
}

# The directories that drivers of this test's nodes use: named after the journal's directory.
ours() {
    for dir in /dev/shm/outcry-"$(id -u)"-*; do
        [ -d "$dir" ] && echo "$dir"
    done | sort
}

ours >"$work/before"

# A first start, and an orderly end.
start
case $address in
127.0.0.1:0 | "") fail "address '$address'" ;;
127.0.0.1:*) ;;
*) fail "address '$address'" ;;
esac
grep -q '^outcry: recovery: ' "$work/err" || fail "no verdict on stderr"
aeron=$(ours | comm -13 "$work/before" - | head -n 1)

# A second one is refused and changes nothing.
"$OUTCRY_PROGRAM" node --dir "$work/log" --config "$work/small.ini" >"$work/said" 2>&1
status=$?
[ $status -eq 1 ] || fail "a second node: exit status $status"
grep -qF "$work/log" "$work/said" || fail "a second node says: $(cat "$work/said")"
kill -0 "$node" || fail "the first node did not survive the second"

# Nor can another directory's node listen at the same address.
timeout 60 "$OUTCRY_PROGRAM" node --dir "$work/other" --config "$work/small.ini" \
    --ingress "$address" >"$work/said" 2>&1
status=$?
[ $status -eq 1 ] || fail "an address in use: exit status $status"
grep -qF "$address" "$work/said" || fail "an address in use: $(cat "$work/said")"

end TERM 0
[ "$(value stopped)" = orderly ] || fail "stopped: '$(value stopped)'"
[ "$(value term)" = 1 ] || fail "term: '$(value term)'"
[ "$(value entries)" = 1 ] || fail "entries: '$(value entries)'"
hash=$(value state_hash)
[ ${#hash} -eq 16 ] || fail "state_hash: '$hash'"
[ "$(value connects)" = 0 ] || fail "connects: '$(value connects)'"
[ "$(value closed_slow)" = 0 ] || fail "closed_slow: '$(value closed_slow)'"
[ -z "$aeron" ] || [ ! -e "$aeron" ] || fail "$aeron is left"

# Killed, and started again at once, with the driver's directory of the dead one in the way.
start
end KILL 137
began=$(date +%s)
start
took=$(($(date +%s) - began))
[ $took -le 9 ] || fail "$took s to come back after kill -9"
grep -q '1 entries applied' "$work/err" || fail "recovery: $(cat "$work/err")"
end INT 0
[ "$(value term)" = 3 ] || fail "term after two restarts: '$(value term)'"
[ "$(value state_hash)" = "$hash" ] || fail "state_hash: '$(value state_hash)', was $hash"

# Asked to end before it has even read its configuration: it ends in order, and begins no log.
mkfifo "$work/slow.ini"
"$OUTCRY_PROGRAM" node --dir "$work/early" --config "$work/slow.ini" >"$work/out" 2>"$work/err" &
node=$!
exec 3>"$work/slow.ini" # waits until the node reads it
kill -TERM "$node"
sleep 0.2
cat "$work/small.ini" >&3
exec 3>&-
wait "$node"
status=$?
node=
[ $status -eq 0 ] || fail "SIGTERM before it was ready: exit status $status"
grep -q '^ready' "$work/out" && fail "ready after SIGTERM"
[ ! -e "$work/early" ] || fail "a log was begun after SIGTERM"

# Without --config the file in the directory counts, and which one it was is said first.
mkdir "$work/own"
cp "$work/small.ini" "$work/own/outcry.conf"
: >"$work/out"
"$OUTCRY_PROGRAM" node --dir "$work/own" >>"$work/out" 2>"$work/err" &
node=$!
tries=0
until grep -q '^ready: ' "$work/out"; do
    tries=$((tries + 1))
    [ $tries -le 300 ] && kill -0 "$node" 2>/dev/null || break
    sleep 0.1
done
grep -q '^ready: 127.0.0.1:' "$work/out" || fail "by its own file: $(cat "$work/out" "$work/err")"
head -n 1 "$work/err" | grep -qF "configuration: $work/own/outcry.conf" ||
    fail "which file: $(cat "$work/err")"
end TERM 0

# Configurations that cannot be.
printf '[node]\n\nidel = spin\n' >"$work/bad.ini"
expect 1 "$work/bad.ini:3:" "[node] idel" "did you mean idle"
printf '[journal]\nsync = maybe\n' >"$work/bad.ini"
expect 1 "bad.ini:2:" "sync = maybe" "always, periodic, none"
printf '[exchange]\nmax_orders = 0\n' >"$work/bad.ini"
expect 1 "bad.ini:2:" "max_orders = 0" "from 1 to"
[ ! -e "$work/other/0000000000000000.journal" ] || rm -r "$work/other"
sed 's/^ingress = .*/ingress = nowhere/' "$work/small.ini" >"$work/bad.ini"
expect 1 "nowhere"
sed 's/^ingress = .*/ingress = 0.0.0.0:0/' "$work/small.ini" >"$work/bad.ini"
expect 1 "ingress = 0.0.0.0:0" "advertised"

# Another semantic configuration than the log's.
sed -i 's/^max_orders = 1000/max_orders = 1001/' "$work/small.ini"
"$OUTCRY_PROGRAM" node --dir "$work/log" --config "$work/small.ini" >"$work/said" 2>&1
status=$?
[ $status -eq 1 ] || fail "another configuration: exit status $status"
grep -q 'it says max_orders=[0-9]*[ ;].*now it is max_orders=1001 *$' "$work/said" ||
    fail "another configuration: $(cat "$work/said")"

# What is printed is a configuration.
"$OUTCRY_PROGRAM" node --config "$work/small.ini" --print-config >"$work/printed.ini" ||
    fail "--print-config"
"$OUTCRY_PROGRAM" node --config "$work/printed.ini" --print-config |
    cmp -s - "$work/printed.ini" || fail "the printed configuration does not read back"

left=$(ours | comm -13 "$work/before" -)
for dir in $left; do
    # Other tests run nodes too; theirs are in use.
    if [ "$dir" = "$aeron" ]; then
        fail "$dir is left"
    fi
done
[ $failures -eq 0 ]
