# What the scripts that run a cluster share: test/system/test_cluster_*.sh, test_demo_cluster.sh and
# test_bench_cluster.sh source it. Whatever it started is ended with the script, and $work removed.
#
# A script may set `program` to another one than the build's, and `base` to another cluster's place.
program=${OUTCRY_PROGRAM:-}
source=${OUTCRY_SOURCE_DIR:-.}
work=
base=
failures=0
# Processes to be ended with the script, if they run.
client=
load=
member=
up=

# need_program WHAT COMMAND...: there is nothing to test where the program has no such command.
need_program() {
    what=$1
    shift
    if [ -z "$program" ] || ! "$program" "$@" --help >/dev/null 2>&1; then
        echo "SKIP: OUTCRY_PROGRAM does not name a program with $what"
        exit 77
    fi
}

# need_java FOLDER...: what is built there. Each says why it cannot be, and exits with 77, where
# there is no Java.
need_java() {
    for folder in "$@"; do
        "$source/$folder/build" || exit $?
    done
    jar=$(cd "$source" && pwd)/build/cluster/outcry-cluster.jar
    OUTCRY_CLUSTER_JAR=${OUTCRY_CLUSTER_JAR:-$jar}
    export OUTCRY_CLUSTER_JAR
}

make_work() {
    work=$(mktemp -d) || exit 1
    base=$work/base
    trap clean EXIT
}

clean() {
    for pid in $client $load $member $up; do
        kill -TERM "$pid" 2>/dev/null
    done
    wait 2>/dev/null
    rm -rf "$work"
}

# wrong WHAT: a failure behind which the test goes on.
wrong() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# fail WHAT: one that ends it; what was said last may tell more.
fail() {
    echo "FAILED: $*"
    for file in "$work"/*.out "$base"/m*/module.log; do
        [ ! -e "$file" ] || tail -n 12 "$file" | sed "s|^|  ${file##*/}: |"
    done
    exit 1
}

# until_so SECONDS COMMAND...
until_so() {
    tries=$(($1 * 10))
    shift
    until "$@" >/dev/null 2>&1; do
        tries=$((tries - 1))
        [ $tries -gt 0 ] || return 1
        sleep 0.1
    done
}

# has FILE PATTERN
has() {
    grep -q -- "$2" "$work/$1.out"
}

# start_up OPTION...: a cluster, up to its first leader or to why there is none.
start_up() {
    rm -f "$work/up.out" # or what the last one said would be taken for this one's
    "$program" cluster up --local --dir "$base" --timeout 120 "$@" >"$work/up.out" 2>&1 &
    up=$!
    until_so 130 has up '^ready: \|^outcry: ' || fail "no cluster"
}

# start_ready OPTION...: a cluster with a leader, and where its clients connect.
start_ready() {
    start_up "$@"
    has up '^ready: ' || fail "no leader"
    leader=$(sed -n 's/^ready: member \([0-9]\) leads.*/\1/p' "$work/up.out")
    ingress=$(sed -n 's/^ingress: //p' "$work/up.out")
}

# stop NAME: ends the process whose id is in that variable, and empties it; its status.
stop() {
    eval "pid=\$$1 $1="
    kill -TERM "$pid"
    wait "$pid" 2>/dev/null
}

# value N KEY: of a member's status.
value() {
    timeout 30 "$program" cluster status --dir "$base/m$1" 2>/dev/null | sed -n "s/^$2: //p"
}

# tool ARGUMENT...: Aeron's own ClusterTool.
tool() {
    timeout 60 java --add-opens java.base/jdk.internal.misc=ALL-UNNAMED \
        --add-opens java.base/sun.nio.ch=ALL-UNNAMED -cp "$source/build/cluster/lib/*" \
        io.aeron.cluster.ClusterTool "$@" >"$work/tool.out" 2>&1
}
