#!/bin/sh
# A service author's program on three members: examples/counter.c, built against the installed
# library with pkg-config alone, unchanged. The official Java client adds numbers while the leader
# is killed; the total is right, on the member that comes back as well, and after all have ended.
set -u

. "${OUTCRY_SOURCE_DIR:-.}/test/lib/cluster.sh"

cc=${CC:-cc}
if ! grep -q '^OUTCRY_AERON:BOOL=ON' "$OUTCRY_BUILD_DIR/CMakeCache.txt" ||
    ! [ -e "$OUTCRY_BUILD_DIR/outcry.pc" ]; then
    echo "SKIP: built without Aeron"
    exit 77
fi
if grep -q '^OUTCRY_SANITIZE:STRING=.' "$OUTCRY_BUILD_DIR/CMakeCache.txt"; then
    echo "SKIP: a sanitizer's library needs a program built with it"
    exit 77
fi
need_java cluster/java tools/java
unset OUTCRY_CLUSTER_JAR # it is found beside the installed program
make_work

# at_one A B: both have applied the same.
at_one() {
    [ -n "$(value "$1" service_position)" ] &&
        [ "$(value "$1" service_position)" = "$(value "$2" service_position)" ]
}

# add FIRST COUNT: the Java client, in the background.
add() {
    "$source/tools/java/run" CounterClient "$ingress" "$1" "$2" >"$work/client.out" 2>&1 &
    client=$!
}

# added TOTAL: its end.
added() {
    wait "$client" || fail "the client"
    client=
    has client '^result: ok' && has client "^total: $1\$" || fail "the total is not $1"
}

cmake --install "$OUTCRY_BUILD_DIR" --prefix "$work/prefix" >/dev/null || exit 1
program=$work/prefix/bin/outcry
lib=$(dirname "$(find "$work/prefix" -name 'liboutcry.so')")
export PKG_CONFIG_PATH="$lib/pkgconfig"
# shellcheck disable=SC2046 # flags are meant to be split
"$cc" -std=c11 -Wall -Werror $(pkg-config --cflags outcry) \
    "$source/examples/counter.c" -o "$work/counter" $(pkg-config --libs outcry) || exit 1
export LD_LIBRARY_PATH="$lib"
cat >"$work/lines" <<END
[cluster]
heartbeat_timeout_ms = 1500
election_timeout_ms = 400
canvass_timeout_ms = 3000
END

start_ready --program "$work/counter" --members 3 --keep --config "$work/lines"
follower=$(((leader + 1) % 3))
add 0 300
until_so 60 has client '^added: ' || fail "nothing is added"
kill -9 "$(pgrep -P "$up" -f "$base/m$leader\$")" || fail "no member to be killed"
until_so 60 has up '^member [0-2]: leader: term [1-9]' || fail "nobody follows the leader"
"$work/counter" "$base/m$leader" >"$work/member.out" 2>&1 &
member=$!
added 45150
[ "$(sed -n 's/^connects: //p' "$work/client.out")" -gt 1 ] || fail "no failover was seen"
until_so 60 has member "^member $leader: follower: " || fail "the killed member does not follow"
until_so 30 at_one "$leader" "$follower" || fail "the killed member does not catch up"

# What the one that was killed has made of the log is seen when it is needed for a majority.
stop member || fail "the member that came back does not end in order"
stop up # with a status that tells of the member that was killed
start_ready --program "$work/counter"
add 45150 10
added 45205
stop up || fail "up does not end in order"
if pgrep -f "$base/m" >/dev/null; then
    fail "something of a member is left"
fi
echo "the counter counts on three members: $(sed -n 's/^total: //p' "$work/client.out")"
