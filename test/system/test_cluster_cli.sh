#!/bin/sh
# What the cluster's commands say where no cluster runs: wrong command lines, directories that are
# no member's, drivers that are not there, dead, or without a module. Each is one clear line.
set -u

program=${OUTCRY_PROGRAM:-}
if [ -z "$program" ] || ! "$program" driver --help >/dev/null 2>&1; then
    echo "SKIP: OUTCRY_PROGRAM does not name a program with a driver"
    exit 77
fi
work=$(mktemp -d) || exit 1
driver=
trap '[ -z "$driver" ] || kill -9 "$driver" 2>/dev/null; rm -rf "$work"' EXIT
failures=0

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# says STATUS WORDS COMMAND...: the command ends so, and its last line of error has these words.
says() {
    wanted=$1
    words=$2
    shift 2
    timeout 60 "$program" "$@" >"$work/out" 2>"$work/err"
    status=$?
    [ $status -eq "$wanted" ] || fail "$*: status $status, not $wanted"
    tail -n 1 "$work/err" | grep -qF -- "$words" ||
        fail "$*: '$words' is not in: $(cat "$work/err")"
}

# started: waits until the driver has said so.
started() {
    tries=0
    until grep -q '^ready: ' "$work/driver.out"; do
        tries=$((tries + 1))
        if [ $tries -gt 200 ] || ! kill -0 "$driver" 2>/dev/null; then
            cat "$work/driver.out"
            fail "the driver does not start"
            exit 1
        fi
        sleep 0.1
    done
}

start_driver() {
    : >"$work/driver.out" # now: that of the one before says "ready" as well
    "$program" driver --dir "$work/aeron" >"$work/driver.out" 2>&1 &
    driver=$!
    started
}

mkdir "$work/m0"
cat >"$work/m0/outcry.conf" <<END
[node]
aeron_dir = $work/aeron
[cluster]
driver = external
member0 = 127.0.0.1:20001,127.0.0.1:20002,127.0.0.1:20003,
          127.0.0.1:20004,127.0.0.1:20005
END

# ---- Command lines
says 2 "a subcommand is needed" cluster
says 2 "did you mean 'snapshot'?" cluster snapshoot --dir x
says 2 "--dir is missing" cluster status
says 2 "--dir is missing" cluster members
says 2 "--local is missing" cluster up --dir "$work/up"
says 2 "--config is missing" member
for action in snapshot suspend resume shutdown abort; do
    says 2 "cluster $action: --dir is missing" cluster $action
    says 1 "/no/such: No such file" cluster $action --dir /no/such
done

# ---- Directories
says 1 "is $work the directory of a member?" cluster status --dir "$work"
says 1 "no directory" cluster members --dir "$work/m0/outcry.conf"
says 1 "there are 1 members" member --id 1 --config "$work/m0/outcry.conf"
says 1 "a whole number from" member --config /dev/stdin --dir "$work/m0" <<END
[cluster]
heartbeat_timeout_ms = 1
END
"$program" member --print-config --config "$work/m0/outcry.conf" >"$work/out" 2>&1 ||
    fail "print-config"
grep -q '^member0 = 127.0.0.1:20001,.*20005$' "$work/out" || fail "the continued line is not whole"

# ---- The manual's table of keys has all that there are (member1 to member8 are one line there)
manual=${OUTCRY_SOURCE_DIR:-.}/docs/cluster.md
keys=$(sed -n '/^\[cluster\]/,/^\[exchange\]/s/^\([a-z_0-9]*\) = .*/\1/p' "$work/out" |
    grep -v '^member[1-7]$')
[ "$(echo "$keys" | wc -l)" -ge 18 ] || fail "no keys of [cluster]: $keys"
for key in $keys; do
    sed -n '/^## Keys of/,/^## Aeron/p' "$manual" | grep -q "^| .*\`$key\`.* |.*|.*|.*|" ||
        fail "docs/cluster.md does not say what $key is"
done

# ---- Drivers
says 1 "m0 does not run (no Aeron driver in $work/aeron" cluster snapshot --dir "$work/m0"
says 1 "member of a cluster that does not run, and only while it runs" snapshot take "$work/m0"
"$program" cluster status --dir "$work/m0" >"$work/out" 2>&1 && fail "status without a driver"
grep -q '^driver: none: no Aeron driver' "$work/out" || fail "status does not say: no driver"
start_driver
says 1 "no consensus module runs on the driver" cluster snapshot --dir "$work/m0"
says 1 "no consensus module runs on the driver" cluster members --dir "$work/m0"
"$program" cluster status --dir "$work/m0" >"$work/out" 2>&1 && fail "status without a module"
grep -q '^driver: alive$' "$work/out" || fail "status does not say: driver alive"
grep -q '^module: none: no consensus module' "$work/out" || fail "status does not say: no module"
says 1 "is in use by process $driver" driver --dir "$work/aeron"
kill -9 "$driver"
wait "$driver" 2>/dev/null
sleep 11 # as long as a driver may be silent and still be taken for alive
says 1 "is dead: no sign of life" cluster snapshot --dir "$work/m0"
start_driver # in what the dead one left
kill -TERM "$driver"
wait "$driver" || fail "the driver does not end in order"
driver=
[ ! -e "$work/aeron" ] || fail "the driver left its directory"

# ---- Up
says 1 "every member of a local cluster gets one of its own" cluster up --local \
    --dir "$work/up" --config "$work/m0/outcry.conf"
says 1 "ended with status 1" cluster up --local --dir "$work/up" --members 1 --program /bin/false
says 1 "a cluster of 1 members, not of 2" cluster up --local --dir "$work/up" --members 2

[ $failures -eq 0 ] && echo "cluster cli: ok"
exit $failures
