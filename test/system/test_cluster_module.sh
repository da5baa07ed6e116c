#!/bin/sh
# The Java process of a member by itself: its authenticators against the vectors of the C ones, what
# it says of bad properties, its lock, its end with its parent, on a signal, and without a driver.
set -u

program=${OUTCRY_PROGRAM:-}
source=${OUTCRY_SOURCE_DIR:-.}
if [ -z "$program" ] || ! "$program" driver --help >/dev/null 2>&1; then
    echo "SKIP: OUTCRY_PROGRAM does not name a program with a driver"
    exit 77
fi
# Says why it cannot, and exits with 77, where there is no Java.
"$source/cluster/java/build" || exit $?
jars=$source/build/cluster
dir=$(mktemp -d) || exit 1
driver=
module=
aeron=/dev/shm/outcry-module-$$

clean() {
    exec 8>&-
    [ -n "$module" ] && kill -9 "$module" 2>/dev/null
    [ -n "$driver" ] && kill -9 "$driver" 2>/dev/null
    wait 2>/dev/null
    rm -rf "$aeron" "$dir"
}
trap clean EXIT

fail() {
    echo "FAILED: $*"
    for file in module.out second.out driver.out; do
        sed "s/^/  $file: /" "$dir/$file" 2>/dev/null
    done
    exit 1
}

# properties [LINE]...: the whole of a module's, with these lines in the place of theirs.
properties() {
    cat >"$dir/module.properties" <<END
outcry.dir=$dir
outcry.aeron.dir=$aeron
outcry.lock.file=$dir/module.lock
outcry.cluster.id=3
outcry.member.id=0
outcry.members=0,127.0.0.1:0,127.0.0.1:0,127.0.0.1:0,127.0.0.1:0,127.0.0.1:0|
outcry.sync.level=0
outcry.segment.bytes=65536
outcry.log.channel=aeron:udp?term-length=64k
outcry.session.timeout.ms=10000
outcry.heartbeat.timeout.ms=10000
outcry.election.timeout.ms=1000
outcry.canvass.timeout.ms=60000
END
    for line in "$@"; do
        sed -i "/^${line%%=*}=/d" "$dir/module.properties"
        [ -z "${line#*=}" ] || echo "$line" >>"$dir/module.properties"
    done
}

java_module() {
    exec java -Xmx64m -XX:+UseSerialGC -XX:-UsePerfData \
        --add-opens java.base/jdk.internal.misc=ALL-UNNAMED \
        --add-opens java.base/sun.nio.ch=ALL-UNNAMED \
        -cp "$jars/outcry-cluster.jar" outcry.cluster.Module "$dir/module.properties"
}

# start: a module in the background, whose parent seems to live until descriptor 8 is closed.
start() {
    rm -f "$dir/input"
    mkfifo "$dir/input"
    : >"$dir/module.out"
    (java_module) <"$dir/input" >"$dir/module.out" 2>&1 &
    module=$!
    exec 8>"$dir/input"
}

# ended STATUS LINE: the module's end, and a line that it said.
ended() {
    wait "$module"
    status=$?
    module=
    [ "$status" -eq "$1" ] || fail "the module ended with status $status, not $1"
    grep -qF "$2" "$dir/module.out" || fail "it did not say '$2'"
}

# wait_for FILE LINE
wait_for() {
    steps=1200
    while ! grep -q "$2" "$dir/$1" 2>/dev/null; do
        steps=$((steps - 1))
        [ $steps -gt 0 ] || fail "no '$2' in $1"
        sleep 0.05
    done
}

# refused STATUS LINE
refused() {
    start
    ended "$1" "$2"
    exec 8>&-
    [ "$(wc -l <"$dir/module.out")" -eq 1 ] || fail "more than one line"
}

mkdir "$dir/secrets.d"
java -cp "$jars/outcry-cluster.jar:$jars/test/cluster-test.jar" \
    outcry.cluster.AuthenticatorTest "$dir/secrets.d" >"$dir/second.out" 2>&1 &&
    grep -q '^result: ok' "$dir/second.out" || fail "the authenticators"

properties outcry.members=
refused 2 "module: error: $dir/module.properties: outcry.members is missing"
properties outcry.sync.level=3
refused 2 "outcry.sync.level = 3 is no number of 0..2"
properties outcry.member.id=1
refused 2 "outcry.members: no member 1"
properties outcry.canvas=1
refused 2 "unknown key outcry.canvas"
properties outcry.idle=sleep
refused 2 "outcry.idle = sleep is none of backoff, yield, spin"
properties outcry.authentication=secrets "outcry.secrets.file=$dir/none"
refused 2 "$dir/none: no such file"
properties aeron.driver.timeout=200
refused 1 "module: error: CnC file not created: $aeron/cnc.dat"
rm -rf "$dir/archive" # with a mark file that was never filled in; a member's start removes those

"$program" driver --dir "$aeron" >"$dir/driver.out" 2>&1 &
driver=$!
wait_for driver.out "ready"
properties
start
wait_for module.out "^module: ready"
(java_module) </dev/zero >"$dir/second.out" 2>&1
[ $? -eq 3 ] || fail "a second module in the directory"
grep -q "^module: error: another module runs here: it holds $dir/module.lock" "$dir/second.out" ||
    fail "it does not name the lock"
kill -TERM "$module"
ended 0 "module: terminated"
exec 8>&-

# Its predecessor ended in order, so there is nothing to wait for.
start
wait_for module.out "^module: ready"
exec 8>&- # the parent is dead
ended 1 "module: ready"
grep -q "terminated" "$dir/module.out" && fail "it ended in order without its parent"
kill -TERM "$driver"
wait "$driver" || fail "the driver's end"
driver=
echo "authenticators, properties, lock, signal and the parent's death are as they should be"
