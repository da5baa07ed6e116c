#!/bin/sh
# The Java process of a member by itself: its authenticators against the vectors of the C ones, what
# it makes of errors, what it says of bad properties, its lock, its end with its parent, on a
# signal, and without a driver.
set -u

. "${OUTCRY_SOURCE_DIR:-.}/test/lib/cluster.sh"
need_program "a driver" driver
need_java cluster/java
jars=$source/build/cluster
driver=
module=
aeron=/dev/shm/outcry-module-$$
make_work
trap end EXIT

# Killed: a module whose end is not as it should be may not heed a signal.
end() {
    exec 8>&-
    [ -n "$module" ] && kill -9 "$module" 2>/dev/null
    [ -n "$driver" ] && kill -9 "$driver" 2>/dev/null
    clean
    rm -rf "$aeron"
}

# properties [LINE]...: the whole of a module's, with these lines in the place of theirs.
properties() {
    cat >"$work/module.properties" <<END
outcry.dir=$work
outcry.aeron.dir=$aeron
outcry.lock.file=$work/module.lock
outcry.cluster.id=3
outcry.member.id=0
outcry.members=0,127.0.0.1:0,127.0.0.1:0,127.0.0.1:0,127.0.0.1:0,127.0.0.1:0|
outcry.sync.level=0
outcry.segment.bytes=65536
outcry.low.space.bytes=0
outcry.max.sessions=16
outcry.log.channel=aeron:udp?term-length=64k
outcry.session.timeout.ms=10000
outcry.heartbeat.timeout.ms=10000
outcry.election.timeout.ms=1000
outcry.canvass.timeout.ms=60000
END
    for line in "$@"; do
        sed -i "/^${line%%=*}=/d" "$work/module.properties"
        [ -z "${line#*=}" ] || echo "$line" >>"$work/module.properties"
    done
}

java_module() {
    exec java -Xmx64m -XX:+UseSerialGC -XX:-UsePerfData \
        --add-opens java.base/jdk.internal.misc=ALL-UNNAMED \
        --add-opens java.base/sun.nio.ch=ALL-UNNAMED \
        -cp "$jars/outcry-cluster.jar" outcry.cluster.Module "$work/module.properties"
}

# start: a module in the background, whose parent seems to live until descriptor 8 is closed.
start() {
    rm -f "$work/input"
    mkfifo "$work/input"
    : >"$work/module.out"
    (java_module) <"$work/input" >"$work/module.out" 2>&1 &
    module=$!
    exec 8>"$work/input"
}

# ended STATUS LINE: the module's end, and a line that it said.
ended() {
    wait "$module"
    status=$?
    module=
    [ "$status" -eq "$1" ] || fail "the module ended with status $status, not $1"
    grep -qF "$2" "$work/module.out" || fail "it did not say '$2'"
}

# refused STATUS LINE
refused() {
    start
    ended "$1" "$2"
    exec 8>&-
    [ "$(wc -l <"$work/module.out")" -eq 1 ] || fail "more than one line"
}

mkdir "$work/secrets.d"
java -cp "$jars/outcry-cluster.jar:$jars/test/cluster-test.jar" \
    outcry.cluster.AuthenticatorTest "$work/secrets.d" >"$work/second.out" 2>&1 &&
    has second '^result: ok' || fail "the authenticators"
mkdir "$work/errors.d"
java -Xmx64m -XX:+UseSerialGC -cp "$jars/outcry-cluster.jar:$jars/test/cluster-test.jar" \
    outcry.cluster.ModuleErrorsTest "$work/errors.d" >"$work/second.out" 2>&1 &&
    has second '^result: ok' || fail "what is made of errors"

properties outcry.members=
refused 2 "module: error: $work/module.properties: outcry.members is missing"
properties outcry.sync.level=3
refused 2 "outcry.sync.level = 3 is no number of 0..2"
properties outcry.member.id=1
refused 2 "outcry.members: no member 1"
properties outcry.canvas=1
refused 2 "unknown key outcry.canvas"
properties outcry.idle=sleep
refused 2 "outcry.idle = sleep is none of backoff, yield, spin"
properties outcry.authentication=secrets "outcry.secrets.file=$work/none"
refused 2 "$work/none: no such file"
properties aeron.driver.timeout=200
refused 1 "module: fatal: CnC file not created: $aeron/cnc.dat"
rm -rf "$work/archive" # with a mark file that was never filled in; a member's start removes those

"$program" driver --dir "$aeron" >"$work/driver.out" 2>&1 &
driver=$!
until_so 60 has driver ready || fail "the driver does not start"
properties
start
until_so 60 has module "^module: ready" || fail "the module does not start"
(java_module) </dev/zero >"$work/second.out" 2>&1
[ $? -eq 3 ] || fail "a second module in the directory"
has second "^module: error: another module runs here: it holds $work/module.lock" ||
    fail "it does not name the lock"
kill -TERM "$module"
ended 0 "module: terminated"
exec 8>&-

# Its predecessor ended in order, so there is nothing to wait for.
start
until_so 60 has module "^module: ready" || fail "the module does not start"
exec 8>&- # the parent is dead
ended 1 "module: ready"
has module terminated && fail "it ended in order without its parent"
stop driver || fail "the driver's end"
echo "authenticators, errors, properties, lock, signal and the parent's death are as they should be"
