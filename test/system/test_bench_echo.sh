#!/bin/sh
# `outcry bench` echo, selftest and knee from outside: what is counted by every transport and shape,
# files, both ends as processes, what is refused, signals, and that nothing is left in memory. Never
# a time.
set -u

program=${OUTCRY_PROGRAM:-}
if [ -z "$program" ]; then
    echo "SKIP: OUTCRY_PROGRAM does not name the program"
    exit 77
fi
dir=$(mktemp -d) || exit 1
running=
end() {
    for pid in $running; do
        kill -KILL "$pid" 2>/dev/null
    done
    rm -rf "$dir" "/dev/shm/echo-$$"
}
trap end EXIT
cd "$dir" || exit 1
failures=0
port=$((20000 + $$ % 20000))
: >out
: >err

fail() {
    echo "FAILED: $*"
    sed 's/^/  stdout: /' out
    sed 's/^/  stderr: /' err
    failures=$((failures + 1))
}

# clean PID: it left nothing in memory.
clean() {
    for left in /dev/shm/outcry-"$1"-*; do
        [ ! -e "$left" ] || fail "process $1 left $left"
    done
}

# bench STATUS ARGUMENT...: runs it, leaves its streams in out and err.
bench() {
    wanted=$1
    shift
    "$program" bench "$@" >out 2>err &
    running=$!
    wait "$running"
    status=$?
    clean "$running"
    running=
    [ "$wanted" = any ] || [ "$status" -eq "$wanted" ] ||
        fail "outcry bench $*: exit status $status, not $wanted"
}

# rate ARGUMENT...: an echo that may miss its rate, on a busy machine, and nothing else.
rate() {
    bench any echo "$@"
    if [ "$status" -ne 0 ]; then
        grep -q '^kept_rate: no: ' out || fail "outcry bench echo $*: exit status $status"
    fi
}

# has LINE...: stdout has each of them, whole.
has() {
    for line in "$@"; do
        grep -qxF -- "$line" out || fail "stdout has no line '$line'"
    done
}

# key NAME...: stdout has a line that begins so.
key() {
    for name in "$@"; do
        grep -q "^$name: ." out || fail "stdout has no '$name'"
    done
}

# refused TEXT ARGUMENT...: a wrong command line: one line that says TEXT.
refused() {
    text=$1
    shift
    bench 2 "$@"
    [ -s out ] && fail "outcry bench $*: writes to stdout"
    [ "$(wc -l <err)" -eq 1 ] || fail "outcry bench $*: not one line on stderr"
    grep -qF -- "$text" err || fail "outcry bench $*: stderr does not say '$text'"
}

# until_line LINE FILE PID: it comes while the process lives.
until_line() {
    while ! grep -q "$1" "$2"; do
        kill -0 "$3" 2>/dev/null || return 1
        sleep 0.05
    done
}

all_came="lost: 0 doubled: 0 out_of_order: 0 unsent: 0"
came() {
    has "sent: $1" "received: $1"
    echo "$all_came" | tr ' ' '\n' | paste -d' ' - - >expected
    while read -r line; do
        has "$line"
    done <expected
}

# Transports and shapes.
rate --channel aeron:ipc --rate 2000 --seconds 2 --hgrm e.hgrm --hlog e.hlog --bare
came 4000
has "transport: ipc" "mode: open loop" "warmup_sent: 2000" "warmup_received: 2000"
key load_average processors window_in_effect loopback rtt_p999_us service_p99_us send_late_p99_ns \
    kept_rate bare_p50_us bench_p50_us overhead_pct steal_pct
grep -q 'Total count *= *2000\]' e.hgrm || fail "e.hgrm has not 2000 messages: $(tail -3 e.hgrm)"
[ "$(grep -c ,HISTF e.hlog)" -eq 2 ] || fail "e.hlog has not two intervals"

rate --arrivals onoff:50:20 --seconds 1 --size 1376
came 2500
has "transport: udp unicast" "arrivals: onoff:50:20" "rate_intended: 2500.0" "mtu: 1408"

group="aeron:udp?endpoint=239.21.$(($$ / 20000 % 256)).39:$port|interface=127.0.0.1"
rate --channel "$group" --arrivals poisson --rate 3000 --seconds 1 --mtu 4096
has "transport: udp multicast" "lost: 0" "unsent: 0"
[ "$(grep '^sent: ' out | cut -d' ' -f2)" -eq "$(grep '^received: ' out | cut -d' ' -f2)" ] ||
    fail "multicast: not all came"

printf 'offset_ns,size\n0,10\n1000000,600\n2000000,1000\n' >three.csv
rate --channel aeron:ipc --arrivals trace:three.csv
came 3
has "trace_raised: 1 to 32 bytes" "message_bytes: 1000"

bench 0 echo --closed --window 4 --messages 500 --seconds 60
came 500
has "mode: closed loop: not latency at a rate" "window: 4" "warmup_s: 0" "warmup_sent: 0"
grep -q '^kept_rate\|^send_late' out && fail "a closed loop has a rate"

# A run that is over in its warm-up has measured nothing.
rate --channel aeron:ipc --rate 1000 --messages 100
came 100
has "warmup_s: 0" "warmup_sent: 0"
bench 1 echo --channel aeron:ipc --rate 1000 --messages 100 --warmup 1
grep -q '^outcry: echo: nothing was sent behind the warm-up of 1 s' err &&
    [ "$(wc -l <err)" -eq 1 ] || fail "a run within its warm-up is not told"
grep -q '^rtt' out && fail "a run within its warm-up has figures"

# A rate that cannot be kept.
bench 1 echo --channel aeron:ipc --rate 1000000000 --seconds 1
grep -q '^kept_rate: no' out || fail "an impossible rate was kept"
grep -q '^marked: .*unsent=' out || fail "an impossible rate is not marked"
grep -q 'the rate was not kept' err || fail "an impossible rate is not told"

# Both ends as processes, by UDP. The goodbye ends the reflector.
there="--endpoint 127.0.0.1:$port --back-endpoint 127.0.0.1:$((port + 1))"
# shellcheck disable=SC2086 # several words
{
    "$program" bench echo --role reflector $there >reflector 2>&1 &
    reflector=$!
    running=$reflector
    until_line '^ready: aeron:udp' reflector "$reflector" || fail "no reflector: $(cat reflector)"
    "$program" bench echo --role sender $there --rate 1000 --seconds 1 >out 2>err ||
        grep -q '^kept_rate: no: ' out || fail "a sender fails"
    came 1000
    wait "$reflector" || fail "a reflector fails: $(cat reflector)"
    running=
    clean "$reflector"
    grep -qx 'ended_by: goodbye' reflector || fail "the goodbye is not heard: $(cat reflector)"

    # A sender that is interrupted says it too.
    "$program" bench echo --role reflector $there >reflector 2>&1 &
    reflector=$!
    running=$reflector
    until_line '^ready: ' reflector "$reflector" || fail "no reflector to interrupt the sender of"
    "$program" bench echo --role sender $there --seconds 600 >out 2>err &
    sender=$!
    running="$reflector $sender"
    until_line '^processors: ' out "$sender" || fail "no sender to interrupt"
    kill -TERM "$sender"
    wait "$sender" && fail "an interrupted sender does not fail"
    until_line '^ended_by: ' reflector "$reflector" || true
    wait "$reflector" || fail "the reflector of an interrupted sender fails: $(cat reflector)"
    running=
    clean "$reflector"
    clean "$sender"
    grep -qx 'ended_by: goodbye' reflector || fail "an interrupted sender says no goodbye"

    "$program" bench echo --role reflector $there >reflector 2>&1 &
    reflector=$!
    running=$reflector
    until_line '^ready: ' reflector "$reflector" || fail "no second reflector"
    kill -TERM "$reflector"
    wait "$reflector" || fail "a reflector that is ended fails: $(cat reflector)"
    running=
    clean "$reflector"
    grep -qx 'ended_by: signal' reflector || fail "the signal is not told: $(cat reflector)"
    bench 1 echo --role sender $there --connect-s 1
    grep -q '^outcry: no reflector answers on aeron:udp' err || fail "silence is not told"
}

# The same by IPC over a driver that runs; and over one that is dead.
"$program" driver --dir "/dev/shm/echo-$$" >driver 2>&1 &
driver=$!
running=$driver
until_line '^ready: ' driver "$driver" || fail "no driver: $(cat driver)"
outside="--channel aeron:ipc --aeron-dir /dev/shm/echo-$$"
# shellcheck disable=SC2086 # several words
{
    "$program" bench echo --role reflector $outside >reflector 2>&1 &
    reflector=$!
    running="$driver $reflector"
    until_line '^ready: ' reflector "$reflector" || fail "no reflector by IPC: $(cat reflector)"
    "$program" bench echo --role sender $outside --rate 1000 --seconds 1 >out 2>err ||
        grep -q '^kept_rate: no: ' out || fail "a sender by IPC fails"
    came 1000
    has "driver: external"
    wait "$reflector" || fail "a reflector by IPC fails: $(cat reflector)"
    kill -TERM "$driver"
    wait "$driver"
    running=
    bench 1 echo $outside
    grep -q "^outcry: no Aeron driver in /dev/shm/echo-$$" err || fail "an ended driver is not told"
}

# What cannot be.
refused "does not fit one frame of --mtu 1408" echo --size 1377
refused "--channel and --endpoint exclude" echo --channel aeron:ipc --endpoint a:1
refused "is of UDP" echo --channel aeron:ipc --so-rcvbuf 65536
refused "is below one datagram" echo --receiver-window 100
refused "more than an eighth" knee --mtu 16384 --term-length 65536
refused "HOST:PORT expected" selftest --endpoint nowhere
refused "the same for both ends" echo --role sender
refused "between two processes" echo --role reflector --channel aeron:ipc

refused "cannot run on cpu 1023" echo --cpu 1023
refused "cannot run on cpu 1023" echo --reflector-cpu 1023
refused "cannot run on cpu 1023" knee --cpu 1023

# How many processors there are, whichever one end has.
cpu=$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')
rate --channel aeron:ipc --rate 1000 --seconds 1 --cpu "$cpu"
has "pinned_cpu: $cpu" "processors: $(nproc)"

# A signal.
"$program" bench echo --channel aeron:ipc --seconds 600 >out 2>err &
running=$!
until_line '^processors: ' out "$running" || fail "no run to interrupt"
kill -TERM "$running"
wait "$running"
status=$?
[ $status -eq 1 ] || fail "interrupted: status $status"
clean "$running"
running=
grep -qx 'outcry: interrupted' err || fail "interrupted: not told"

# The test of the figures, and a knee.
bench 0 selftest --seconds 1 --stall-ms 100
has "verdict: ok" "closed_loop: ok" "overload: ok"
key stall_injected_ms stall_seen_ms samples_affected_expected samples_affected_seen
bench 0 selftest --endpoint 127.0.0.1:0 --seconds 1 --stall-ms 100 --receiver-window 65536
has "verdict: ok" "transport: udp unicast"
bench 0 knee --start 10000 --max 20000 --run-ms 20 --warmup-ms 10 --percentile 99 --repeats 1 \
    --sla-us 60000000 --at-rate 1000
has "knee_of: size=288 mtu=1408 arrivals=steady:1 percentile=99 sla_us=60000000"
key knee knee_low_per_s knee_high_per_s rho

echo "failures: $failures"
[ $failures -eq 0 ]
