#!/bin/sh
# `outcry bench order` from outside: a node, a venue that runs, and a cluster where there is a jar;
# what is counted for several shapes, the files and the page made of them, what is refused, a
# signal, and that nothing is left. Never a time.
set -u

. "${OUTCRY_SOURCE_DIR:-.}/test/lib/cluster.sh"
need_program "bench order" bench order
make_work
cd "$work" || exit 1
dir=$work/bench
node=
trap 'kill -KILL $node 2>/dev/null; clean' EXIT

# order STATUS OPTION...: runs it; STATUS 0 is also that of a rate that this machine did not keep.
order() {
    wanted=$1
    shift
    "$program" bench order "$@" >out 2>err &
    pid=$!
    wait "$pid"
    status=$?
    if [ "$wanted" -eq 0 ] && [ "$status" -eq 1 ] && grep -q '^kept_rate: no' out; then
        status=0
    fi
    [ "$status" -eq "$wanted" ] || {
        wrong "bench order $*: status $status"
        cat out err
    }
    [ ! -e "$dir" ] || wrong "bench order $*: left $(ls "$dir")"
    ! pgrep -f "$dir" >/dev/null || wrong "bench order $*: left $(pgrep -af "$dir")"
    for left in /dev/shm/outcry-"$pid"-*; do
        [ ! -e "$left" ] || wrong "bench order $*: left $left"
    done
}

# says LINE...: stdout has each of them, whole.
says() {
    for line in "$@"; do
        grep -qxF -- "$line" out || {
            wrong "no line '$line'"
            cat out
        }
    done
}

# runs REPEATS ORDERS: so many blocks; each order was sent or is told as unsent, and was answered.
runs() {
    awk -v repeats="$1" -v orders="$2" '
        /^repeat: / { n++ }
        /^sent: / { sent = $2 }
        /^answered: / { answered = $2 }
        /^(lost|doubled|missed_outputs): / && $2 != 0 { bad = $0 }
        /^unsent: / { if (sent + $2 != orders || sent != answered) bad = "of " sent " " answered }
        END { if (n != repeats || bad) { print n " repeats: " bad; exit 1 } }' out || {
        wrong "not $1 runs of $2 orders"
        cat out
    }
}

order 0 --dir "$dir" --rate 1000 --seconds 2 --repeats 1 --resting 1000 --node-cpu 0 \
    --run node.json
runs 1 2000
says "bench: order" "venue: node" "venue_sync: always" "arrivals: steady:1" "warmup_s: 1" \
    "measured: 1" "rejected: 0"
for name in best_rtt_p999_us worst_rtt_max_us service_p99_us load_average steal_pct; do
    grep -q "^$name: [0-9]" out || wrong "no $name"
done
"$program" report node.json --output page.html >out 2>err || wrong "report: $(cat err)"
grep -q '"label": "order to answer"' node.json || wrong "no series"
grep -q '"venue_sync": "always"' node.json || wrong "what the venue was is not in the run file"
tr -d ' \n' <node.json | grep -q '"pinned_cpus":\[0\]' || wrong "the node's processor is not there"
grep -q 'steady:1' page.html || wrong "the page does not name the shape"

# A venue that runs: a trace, bursts of more clients than one, and what nobody takes in a second.
"$program" node --dir "$work/venue" --ingress 127.0.0.1:0 >node.out 2>node.err &
node=$!
until_so 60 grep -q '^ready: ' node.out || fail "no node: $(cat node.out node.err)"
ingress=$(sed -n 's/^ready: //p' node.out)
printf '0,100\n0,100\n1000000,100\n' >trace.csv
order 0 --ingress "$ingress" --arrivals trace:trace.csv --repeats 2 --resting 100 --warmup 0 \
    --run trace.json --hgrm x.hgrm --hlog x.hlog
runs 2 3
for file in x.1.hgrm x.2.hgrm x.1.hlog x.2.hlog; do
    [ -s "$file" ] || wrong "no $file"
done
[ "$(grep -c '"hgrm": "x\.[12]\.hgrm"' trace.json)" -eq 2 ] || wrong "no files of the series"
says "venue: $ingress" "trace_sends: 3" "warmup_s: 0"
order 0 --ingress "$ingress" --arrivals onoff:50:100 --seconds 1 --repeats 1 --resting 100 \
    --clients 2 --instrument 10 --source 111 --run one.json
runs 1 500
says "arrivals: onoff:50:100" "clients: 2"
grep -q '"rate": 500' one.json || wrong "the run file does not have the mean rate"
order 0 --ingress "$ingress" --rate 1000 --commands 100 --repeats 1 --resting 100 \
    --source 131 --instrument 30
runs 1 100
says "warmup_s: 0"
order 1 --ingress "$ingress" --rate 1000 --commands 100 --warmup 1 --repeats 1 --resting 100 \
    --source 141 --instrument 40
grep -q '^outcry: nothing was sent behind the warm-up of 1 s' err || wrong "a warm-up: $(cat err)"
order 1 --ingress "$ingress" --rate 5000000 --seconds 1 --repeats 1 --source 121 \
    --instrument 20 --run over.json
grep -q '^marked: .*sender_rate=1' out || wrong "a rate that was not kept is not marked"
grep -q '"sender_rate"' over.json || wrong "nor is it in the run file"
kill -TERM "$node"
wait "$node" || wrong "the node: status $?"
node=

# What cannot be is one line, and nothing is started.
for words in "--dir $dir --rate 0" "--rate 5" "--dir $dir --rate 5 --ingress h:1" \
    "--dir $dir --rate 5 --seconds 1 --warmup 1" "--ingress h:1 --rate 5 --members 1" \
    "--dir $dir --rate 5 --cpu 1023" "--dir $dir --rate 5 --node-cpu 1023"; do
    # shellcheck disable=SC2086 # several words
    order 2 $words
    [ "$(wc -l <err)" -eq 1 ] && [ ! -s out ] || wrong "$words: $(cat out err)"
done
printf 'not a trace\n' >bad.csv
order 1 --dir "$dir" --arrivals trace:bad.csv
grep -q '^outcry: .*bad.csv' err || wrong "a bad trace: $(cat err)"

# A signal, in the middle of it.
"$program" bench order --dir "$dir" --rate 1000 --seconds 600 >out 2>err &
bench=$!
until_so 60 sh -c "ls $dir/bench-order-*/log/*.journal" || fail "no bench to interrupt"
seen=$(for pid in $(pgrep -f "$dir"); do
    grep -ho '/dev/shm/outcry[^/]*' "/proc/$pid/maps" 2>/dev/null
done | sort -u)
[ -n "$seen" ] || wrong "a node has nothing in memory"
kill -TERM "$bench"
wait "$bench"
[ $? -eq 1 ] || wrong "interrupted: status is not 1"
grep -qx 'outcry: interrupted' err || wrong "interrupted: $(cat err)"
[ ! -e "$dir" ] || wrong "interrupted: left $(ls -R "$dir")"
for path in $seen; do
    [ ! -e "$path" ] || wrong "interrupted: left $path"
done
! pgrep -f "$dir" >/dev/null || wrong "interrupted: left $(pgrep -af "$dir")"

OUTCRY_CLUSTER_JAR=/nowhere/some.jar order 1 --dir "$dir" --members 1 --rate 5
[ "$(wc -l <err)" -eq 1 ] || wrong "a missing jar: $(cat err)"
if [ -e "${OUTCRY_CLUSTER_JAR:-/nowhere/jar}" ] && command -v java >/dev/null; then
    grep -q '/nowhere/some.jar' err || wrong "a missing jar: $(cat err)"
    order 0 --dir "$dir" --members 1 --rate 1000 --seconds 1 --repeats 1 --resting 1000 \
        --heap-mb 128 --gc SerialGC --sync-level 1 --arrivals poisson
    runs 1 "$(awk '/^sent: /{s=$2} /^unsent: /{print s+$2}' out)"
    says "venue: cluster" "venue_members: 1" "venue_sync_level: 1" "arrivals: poisson"
fi

echo "failures: $failures"
[ $failures -eq 0 ]
