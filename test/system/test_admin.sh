#!/bin/sh
# `outcry admin` against a node: each command once confirmed and once rejected, what it must not do
# without a role or a secret, a stop that ends the node, and that all of it is in the log.
set -u

program=${OUTCRY_PROGRAM:-}
if [ -z "$program" ] || ! "$program" admin --help >/dev/null 2>&1; then
    echo "SKIP: OUTCRY_PROGRAM does not name a program with admin"
    exit 77
fi
dir=$(mktemp -d) || exit 1
node=
cleanup() {
    [ -z "$node" ] || kill -9 "$node" 2>/dev/null
    rm -rf "$dir"
}
trap cleanup EXIT
cd "$dir" || exit 1
failures=0

fail() {
    echo "FAILED: $*"
    sed 's/^/  stdout: /' out
    sed 's/^/  stderr: /' err
    failures=$((failures + 1))
}

# start_node: waits until it is ready; sets node and ingress.
start_node() {
    : >node.out # now, not when the child gets to it: the line of an earlier node must not be read
    "$program" node --dir data --ingress 127.0.0.1:0 --config config >node.out 2>node.err &
    node=$!
    tries=0
    until grep -q '^ready: ' node.out; do
        tries=$((tries + 1))
        if [ "$tries" -gt 300 ] || ! kill -0 "$node" 2>/dev/null; then
            echo "FAILED: the node does not start"
            cat node.err
            exit 1
        fi
        sleep 0.1
    done
    ingress=$(sed -n 's/^ready: //p' node.out)
}

# admin STATUS LINE ARGUMENT...: the exit status, and the one line on stdout.
admin() {
    wanted=$1
    line=$2
    shift 2
    "$program" admin --ingress "$ingress" "$@" >out 2>err
    status=$?
    [ "$status" -eq "$wanted" ] || fail "admin $*: exit status $status, not $wanted"
    [ "$(cat out)" = "$line" ] || fail "admin $*: not '$line'"
}

says() {
    grep -qF -- "$2" "$1" || fail "$1 does not say '$2'"
}

# The driver's files too are in the directory: a killed node leaves them.
printf '[node]\naeron_dir = %s/aeron\n' "$dir" >config
start_node
bands='--low 1 --high 1000 --max-quantity 500'
admin 0 confirmed instrument add 1 $bands
admin 1 'rejected: duplicate_instrument' instrument add 1 $bands
admin 0 confirmed instrument add 2 --low=-50 --high=-10 --max-quantity 9 --state continuous
admin 1 'rejected: invalid_field' instrument add 3 --low 5 --high 4 --max-quantity 9
admin 0 confirmed instrument state 1 continuous
admin 1 'rejected: unknown_instrument' instrument state 9 closed
admin 0 confirmed instrument bands 1 --low 2 --high 900 --max-quantity 50
admin 0 confirmed mark 1 77
admin 1 'rejected: price_out_of_band' mark 1 5000
admin 0 confirmed mark 2 -- -20
admin 0 confirmed source add 7 --roles trade,risk
admin 1 'rejected: duplicate_source' source add 7 --roles trade
admin 1 'rejected: unknown_source' principal bind alice 8
admin 0 confirmed principal bind alice 7
admin 1 'rejected: not_allowed' --principal alice --source 7 instrument state 1 closed
admin 1 '' --principal bob --source 7 resume
says err not_allowed
admin 1 '' --principal alice --source 99 resume
says err unknown_source
admin 0 confirmed restrict
admin 0 confirmed resume
admin 0 confirmed lift
admin 0 confirmed configure --step-bound 8 --modify-priority lose
admin 0 confirmed source add 8 --roles mark
admin 0 confirmed source retire 8
admin 1 'rejected: unknown_source' source retire 8
admin 1 'rejected: source_busy' source retire 1
admin 1 'rejected: not_allowed' --principal alice --source 7 stop

# It is in the log: killed and started again, the venue knows what it was told.
kill -9 "$node"
wait "$node" 2>/dev/null
start_node
admin 1 'rejected: duplicate_instrument' instrument add 1 $bands
admin 1 'rejected: duplicate_source' source add 7 --roles trade

admin 0 confirmed stop
tries=0
while kill -0 "$node" 2>/dev/null && [ "$tries" -lt 100 ]; do
    tries=$((tries + 1))
    sleep 0.1
done
wait "$node" || fail "a stopped node ends with status $?"
node=
admin 1 '' --timeout-ms 300 resume
says err "not connected within 300 ms"

# Secrets.
umask 077
echo 'admin = 0123456789abcdef' >secrets
echo 'admin = 0123456789abcdeX' >wrong
printf '[session]\nauthentication = secrets\nsecrets_file = %s/secrets\n' "$dir" >>config
start_node
admin 0 confirmed --secret-file secrets mark 1 78
admin 1 '' mark 1 79
says err "a secret must be given"
admin 1 '' --secret-file wrong mark 1 79
says err "was not believed"

[ "$failures" -eq 0 ] || exit 1
