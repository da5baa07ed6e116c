#!/bin/sh
# Images as an operator knows them: taken of a running node and of a stopped one, listed, verified,
# compared; a start from one; a damaged one; tables that have changed, and the way out of that; half
# an import; a log that was cut, or purged of what no image needs; images of the reference engine;
# automatic ones by log bytes.
set -u

work=$(mktemp -d) || exit 1
node=
trap '[ -z "$node" ] || kill -9 "$node" 2>/dev/null; rm -rf "$work"' EXIT
failures=0

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

config() {
    cat <<END
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
max_orders = $1
max_levels = 2000
max_sources = 256
max_sessions = 16
kept_outputs = 64
[snapshot]
every_log_bytes = ${2:-0}
chain = 2
END
}
config 20000 >"$work/small.ini"
config 50000 >"$work/large.ini"
config 20000 256K >"$work/often.ini"

# start DIR CONFIG: a node; its address is in $address when it is ready.
start() {
    : >"$work/out"
    "$OUTCRY_PROGRAM" node --dir "$1" --config "$2" >>"$work/out" 2>"$work/err" &
    node=$!
    tries=0
    until grep -q '^ready: ' "$work/out"; do
        tries=$((tries + 1))
        if [ $tries -gt 300 ] || ! kill -0 "$node" 2>/dev/null; then
            cat "$work/out" "$work/err"
            return 1
        fi
        sleep 0.1
    done
    address=$(sed -n 's/^ready: //p' "$work/out")
}

# end SIGNAL
end() {
    kill "-$1" "$node"
    wait "$node" 2>/dev/null
    node=
}

load() {
    "$OUTCRY_PROGRAM" load --ingress "$address" --rate 0 --window 64 --seconds 1 \
        >"$work/load" 2>&1 || fail "load: $(cat "$work/load")"
}

# load_to DIR POSITION: until the log of the running node is that long.
load_to() {
    rounds=0
    while [ $rounds -lt 30 ]; do
        rounds=$((rounds + 1))
        load
        end=$("$OUTCRY_PROGRAM" log stat "$1" 2>/dev/null | sed -n 's/^end_position: //p')
        [ "${end:-0}" -gt "$2" ] && return
    done
    fail "the log does not get to $2: $end"
}

# settle DIR CONFIG: starts and ends it until there is no unfinished work left that would go on.
settle() {
    before=none
    rounds=0
    while [ $rounds -lt 20 ]; do
        rounds=$((rounds + 1))
        start "$1" "$2" || exit 1
        sleep 0.3
        end TERM
        [ "$(state_hash)" = "$before" ] && return
        before=$(state_hash)
    done
    fail "the state never comes to rest"
}

snapshot() {
    "$OUTCRY_PROGRAM" snapshot "$@" >"$work/told" 2>"$work/said"
}

said() {
    grep -q "$1" "$work/told" "$work/said" || fail "'$1' not in: $(cat "$work/told" "$work/said")"
}

state_hash() {
    sed -n 's/^state_hash: //p' "$work/out"
}

log=$work/log

# Of a running node: full, then incremental.
start "$log" "$work/small.ini" || exit 1
load_to "$log" 1100000 # a segment and more: something to purge
snapshot take "$log" || fail "take: $(cat "$work/said")"
said 'sequence=1 '
said '^ok$'
load_to "$log" $((end + 1100000))
snapshot take "$log" || fail "second take"
snapshot list "$log" || fail "list"
said '^images: 2'
said ' base=1 '
snapshot verify "$log" || fail "verify of a running node's: $(cat "$work/told" "$work/said")"
said '^good: 2'
mv "$log/control" "$work/control"
snapshot take "$log" && fail "took an image beside a running node"
said "a node runs in $log, but $log/control cannot be reached: "
[ "$(wc -l <"$work/said")" = 1 ] || fail "more than a line: $(cat "$work/said")"
mv "$work/control" "$log/control"
snapshot diff "$log" --image 1 --with 2 && fail "images of different positions are equal"
said '^first differing order: instrument '
load
end KILL

# From image and tail, with the state that a replay of the whole log gives.
settle "$log" "$work/small.ini"
grep -q 'image 2 ' "$work/err" || fail "no word of image 2: $(cat "$work/err")"
from_image=$(state_hash)
mv "$log/images" "$work/put-away"
start "$log" "$work/small.ini" || exit 1
end TERM
[ "$(state_hash)" = "$from_image" ] || fail "image and log differ: $from_image, $(state_hash)"
rm -rf "$log/images"
mv "$work/put-away" "$log/images"

# Of a stopped node.
snapshot take "$log" --full || fail "take offline: $(cat "$work/said")"
said 'sequence=3 '
snapshot list "$log"
cp "$work/told" "$work/list"
said '^images: 3'
cp -r "$log" "$work/many" # nothing goes that the node's configuration may keep
for round in 1 2 3; do
    snapshot take "$work/many" --full || fail "take $round of many: $(cat "$work/said")"
done
snapshot list "$work/many"
said '^images: 6'
snapshot take "$work/many" --full --config "$work/small.ini" || fail "with its configuration"
snapshot list "$work/many"
said '^images: 2'
snapshot verify "$log" || fail "verify: $(cat "$work/told" "$work/said")"

# Other tables: refused, both named, and the way out.
if start "$log" "$work/large.ini" >"$work/refused"; then
    fail "started with other tables"
    end KILL
fi
grep -q 'max_orders=20000' "$work/refused" || fail "old tables not named: $(cat "$work/refused")"
grep -q 'max_orders=50000' "$work/refused" || fail "new tables not named: $(cat "$work/refused")"
grep -q 'snapshot export' "$work/refused" || fail "no way out named: $(cat "$work/refused")"
snapshot export "$log" --output "$work/state.records" || fail "export: $(cat "$work/said")"
snapshot export "$log" --output "$work/state.records" && fail "an export wrote over a file"
snapshot export "$log" >/dev/null || fail "export to standard output"
snapshot import "$work/new" --config "$work/large.ini" --input "$work/state.records" ||
    fail "import: $(cat "$work/said")"
snapshot verify "$work/new" || fail "verify of the import: $(cat "$work/told" "$work/said")"
snapshot diff "$log" "$work/new" || fail "import differs: $(cat "$work/told")"
snapshot export "$work/new" --output "$work/again.records" || fail "export of the import"
snapshot import "$work/new" --config "$work/large.ini" --input "$work/state.records" &&
    fail "an import into a directory that has a log"
head -c 5000 "$work/state.records" >"$work/cut.records"
snapshot import "$work/cut" --config "$work/large.ini" --input "$work/cut.records" &&
    fail "a cut stream was imported"
[ -z "$(ls "$work/cut/images" 2>/dev/null)" ] || fail "a failed import left an image"
(cat "$work/state.records" && echo) >"$work/longer.records"
snapshot import "$work/longer" --config "$work/large.ini" --input "$work/longer.records" &&
    fail "a stream with something behind it was imported"
said 'bytes behind the end'
[ -e "$work/longer" ] && fail "an import that was refused left something"
start "$work/new" "$work/large.ini" || exit 1
load
end TERM

# Half an import: nobody takes it for a node's directory.
cp -r "$work/new" "$work/half"
: >"$work/half/importing"
if start "$work/half" "$work/large.ini" >"$work/refused"; then
    fail "started from half an import"
    end KILL
fi
grep -q 'half an import; remove ' "$work/refused" || fail "start: $(cat "$work/refused")"
snapshot take "$work/half" && fail "took an image of half an import"
said 'half an import; remove '
snapshot import "$work/half" --config "$work/large.ini" --input "$work/state.records" &&
    fail "imported into half an import"
said 'half an import; remove '
"$OUTCRY_PROGRAM" log purge "$work/half" --yes >"$work/told" 2>"$work/said" &&
    fail "purged half an import"
said 'half an import; remove '

# A log that is cut: its images that say more are named, by the cut and by the start.
cp -r "$log" "$work/short"
at=$(sed -n 's/^image: 1 position=\([0-9]*\) .*/\1/p' "$work/list")
"$OUTCRY_PROGRAM" log cut "$work/short" --at "$at" --yes >"$work/told" 2>"$work/said" ||
    fail "cut: $(cat "$work/said")"
said '^useless: image 2 (position '
said '^useless: image 3 (position '
grep -q 'image 1 ' "$work/told" && fail "image 1 is of use: $(cat "$work/told")"
if start "$work/short" "$work/small.ini" >"$work/refused"; then
    fail "started from an image behind the log"
    end KILL
fi
grep -q '0000000000000002\.' "$work/refused" || fail "not named: $(cat "$work/refused")"
grep -q '0000000000000001\.' "$work/refused" && fail "named too much: $(cat "$work/refused")"
rm "$work"/short/images/0000000000000002.* "$work"/short/images/0000000000000003.*
start "$work/short" "$work/small.ini" || exit 1
end TERM

# The log of an image that others are built on may go.
cp -r "$log" "$work/based"
at=$(sed -n 's/^image: 2 position=\([0-9]*\) .*/\1/p' "$work/list")
"$OUTCRY_PROGRAM" log purge "$work/based" --below "$at" --without-image --yes >"$work/told" 2>&1 ||
    fail "purge without image: $(cat "$work/told")"
snapshot verify "$work/based" || fail "verify: $(cat "$work/told" "$work/said")"
said '^image 1: base only, its log is gone'
said '^good: 2'
said '^bad: 0'
"$OUTCRY_PROGRAM" log purge "$work/based" --below "$at" --yes >"$work/told" 2>&1 ||
    fail "an image that is only a base keeps the log: $(cat "$work/told")"

# Images of a reference engine: looked at, taken offline, carried over to the fast one.
config 20000 | sed 's/^\[exchange\]$/&\nengine = reference/' >"$work/reference.ini"
start "$work/slow" "$work/reference.ini" || exit 1
load
snapshot take "$work/slow" || fail "take of a reference engine: $(cat "$work/said")"
end TERM
snapshot take "$work/slow" || fail "offline take of a reference engine: $(cat "$work/said")"
snapshot verify "$work/slow" || fail "verify of a reference engine's: $(cat "$work/told")"
said '^good: 2'
if start "$work/slow" "$work/small.ini" >"$work/refused"; then
    fail "a fast engine started from a reference engine's image"
    end KILL
fi
grep -q 'snapshot export' "$work/refused" || fail "no way out: $(cat "$work/refused")"
snapshot export "$work/slow" --output "$work/slow.records" || fail "export: $(cat "$work/said")"
snapshot import "$work/fast" --config "$work/small.ini" --input "$work/slow.records" ||
    fail "import of a reference engine's state: $(cat "$work/said")"
start "$work/fast" "$work/small.ini" || exit 1

# Images that somebody removes beside a node: the next is of everything, not of changes to them.
load
snapshot take "$work/fast" || fail "take: $(cat "$work/said")"
rm -r "$work/fast/images"
sleep 1
load
snapshot take "$work/fast" || fail "take after the images were removed: $(cat "$work/said")"
snapshot verify "$work/fast" || fail "verify: $(cat "$work/told" "$work/said")"
said '^good: 1'
end TERM
start "$work/fast" "$work/small.ini" || exit 1
end TERM

# A damaged newest image: the one before and the log, and one line that says so.
newest=$(ls "$log"/images/*.pages | tail -1)
printf '\377' | dd of="$newest" bs=1 seek=9000 conv=notrunc 2>/dev/null
snapshot verify "$log" && fail "a flipped byte was not found"
said ': bad: '
start "$log" "$work/small.ini" || exit 1
grep -q "image 3" "$work/err" || fail "no word of the damage: $(cat "$work/err")"
end TERM
[ "$(state_hash)" = "$from_image" ] || fail "fallback: $(state_hash), not $from_image"

# What no image needs may go; without the images nothing starts from the rest.
"$OUTCRY_PROGRAM" log purge "$log" >"$work/told" 2>&1 || fail "purge shows: $(cat "$work/told")"
"$OUTCRY_PROGRAM" log purge "$log" --yes >"$work/told" 2>&1 || fail "purge: $(cat "$work/told")"
[ -e "$log/0000000000000000.journal" ] && fail "purge removed nothing: $(cat "$work/told")"
start "$log" "$work/small.ini" || exit 1
end TERM
[ "$(state_hash)" = "$from_image" ] || fail "after purge: $(state_hash)"
mv "$log/images" "$work/put-away"
if start "$log" "$work/small.ini" >"$work/refused"; then
    fail "an empty book by accident"
    end KILL
fi

# By log bytes: chains are folded, little is kept.
start "$work/auto" "$work/often.ini" || exit 1
load
load
load
end TERM
snapshot list "$work/auto" || fail "list of the automatic ones"
said '^image: '
# Two chains at most, a full image and 8 of changes each: the newest, and the newest that shares no
# file with it.
[ "$(ls "$work"/auto/images/*.pages | wc -l)" -le 18 ] || fail "kept: $(ls "$work/auto/images")"
snapshot verify "$work/auto" || fail "the automatic ones: $(cat "$work/told" "$work/said")"

if [ $failures -gt 0 ]; then
    exit 1
fi
echo "images: ok"
