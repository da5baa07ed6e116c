#!/bin/sh
# The official Java client of Aeron Cluster against a node: it connects (with and without a
# challenge), trades, and goes on after the node was killed with SIGKILL and started again.
set -u

program=${OUTCRY_PROGRAM:-}
source=${OUTCRY_SOURCE_DIR:-.}
if [ -z "$program" ] || ! "$program" node --help >/dev/null 2>&1; then
    echo "SKIP: OUTCRY_PROGRAM does not name a program with a node"
    exit 77
fi
# Says why it cannot, and exits with 77, where there is no Java.
"$source/tools/java/build" || exit $?
dir=$(mktemp -d) || exit 1
node=
client=

# What a killed node leaves in shared memory goes as well: only what this run made.
clean() {
    [ -n "$client" ] && kill -9 "$client" 2>/dev/null
    [ -n "$node" ] && kill -9 "$node" 2>/dev/null
    wait 2>/dev/null
    [ -n "$(sed -n 's/^aeron_dir = //p' "$dir/config" 2>/dev/null)" ] &&
        rm -rf "$(sed -n 's/^aeron_dir = //p' "$dir/config")"
    rm -rf "$dir"
}
trap clean EXIT

fail() {
    echo "FAILED: $*"
    for file in client.out client.err node.err; do
        sed "s/^/  $file: /" "$dir/$file" 2>/dev/null
    done
    exit 1
}

# wait_for FILE PREFIX SECONDS: until a line of the file begins so.
wait_for() {
    steps=$(($3 * 20))
    while ! grep -q "^$2" "$dir/$1" 2>/dev/null; do
        steps=$((steps - 1))
        [ $steps -gt 0 ] || return 1
        grep -q '^failed: ' "$dir/client.out" 2>/dev/null && return 1
        sleep 0.05
    done
}

# start_node INGRESS
start_node() {
    : >"$dir/node.out"
    "$program" node --dir "$dir/log" --config "$dir/config" --ingress "$1" \
        >"$dir/node.out" 2>>"$dir/node.err" &
    node=$!
    wait_for node.out "ready: " 30 || fail "the node does not start"
    ingress=$(sed -n 's/^ready: //p' "$dir/node.out")
}

stop_node() {
    kill "-$1" "$node"
    wait "$node" 2>/dev/null
    node=
}

value() {
    sed -n "s/^$1: //p" "$dir/client.out" | tail -n 1
}

# is KEY VALUE
is() {
    [ "$(value "$1")" = "$2" ] || fail "$1 is '$(value "$1")', not '$2'"
}

# scenario CHALLENGES ARGUMENT...: the whole story, once.
scenario() {
    challenges=$1
    shift
    rm -rf "$dir/log"
    start_node 127.0.0.1:0
    : >"$dir/client.out"
    "$source/tools/java/run" JavaClient "$ingress" "$@" >"$dir/client.out" 2>"$dir/client.err" &
    client=$!
    wait_for client.out "waiting: restart" 120 || fail "the client did not trade"
    stop_node KILL
    start_node "$ingress"
    wait "$client"
    status=$?
    client=
    [ "$status" -eq 0 ] || fail "the client ended with status $status"
    is result ok
    is traded 2
    # confirmed, 5 of the first trade, accepted; cancelled, 5 of the second trade
    is events 13
    is outputs 13
    if [ "$challenges" -eq 0 ]; then
        is challenges 0
    elif [ "$(value challenges)" -lt 1 ]; then
        fail "it was not challenged"
    fi
    stop_node TERM
    terms=$(sed -n 's/^term: //p' "$dir/client.out" | tr '\n' ' ')
    echo "came back by $(value came_back_by), terms $terms"
}

driver=/dev/shm/outcry-java-client-$$
printf '[node]\naeron_dir = %s\n' "$driver" >"$dir/config"
scenario 0 admin

printf 'admin = a secret of sixteen and more\n' >"$dir/secrets"
chmod 600 "$dir/secrets"
printf '[node]\naeron_dir = %s\n[session]\nauthentication = secrets\nsecrets_file = %s\n' \
    "$driver" "$dir/secrets" >"$dir/config"
scenario 1 admin "a secret of sixteen and more"
echo "the Java client trades, is challenged, and comes back"
