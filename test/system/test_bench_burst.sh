#!/bin/sh
# outcry bench burst and trace: every message is accounted for, by every transport, in one process
# and in two; the verdict names what was lost where; what cannot be is refused in one line; a signal
# leaves nothing. Never how long anything takes.
set -u

program=${OUTCRY_PROGRAM:-}
netpair=${OUTCRY_SOURCE_DIR:-.}/tools/netpair
if [ -z "$program" ] || ! "$program" bench burst --help >/dev/null 2>&1; then
    echo "SKIP: OUTCRY_PROGRAM does not name a program with bench burst"
    exit 77
fi
work=$(mktemp -d) || exit 1
pair=ob$$
bench=
failures=0

clean() {
    [ -z "$bench" ] || kill "$bench" 2>/dev/null
    wait
    [ ! -e "/var/run/netns/$pair-switch" ] || "$netpair" down "$pair"
    rm -rf "$work"
}
trap clean EXIT

wrong() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# value NAME KEY: of what the bench of that name printed.
value() {
    sed -n "s/^$2: //p" "$work/$1.out"
}

# expect NAME KEY VALUE
expect() {
    is=$(value "$1" "$2")
    [ "$is" = "$3" ] || wrong "$1: $2 is '$is' instead of '$3'"
}

# some NAME KEY: it is a number above 0.
some() {
    [ "$(value "$1" "$2")" -gt 0 ] 2>/dev/null || wrong "$1: $2 is '$(value "$1" "$2")'"
}

# reason NAME PATTERN, no_reason NAME PATTERN
reason() {
    value "$1" reasons | grep -q -e "$2" || wrong "$1: not for $2: $(value "$1" reasons)"
}
no_reason() {
    ! value "$1" reasons | grep -q -e "$2" || wrong "$1: for $2: $(value "$1" reasons)"
}

# run STATUS NAME COMMAND...: what it prints goes to NAME.out and NAME.err.
run() {
    status=$1
    name=$2
    shift 2
    "$@" >"$work/$name.out" 2>"$work/$name.err"
    is=$?
    [ $is -eq "$status" ] || wrong "$name: status $is: $(cat "$work/$name.err")"
}

# refused STATUS PATTERN WORD...: one line that says so.
refused() {
    status=$1
    pattern=$2
    shift 2
    "$program" bench "$@" >/dev/null 2>"$work/err"
    is=$?
    [ $is -eq "$status" ] || wrong "$*: status $is"
    [ "$(wc -l <"$work/err")" -eq 1 ] || wrong "$*: more or less than a line"
    grep -q -e "$pattern" "$work/err" || wrong "$*: says $(cat "$work/err")"
}

until_so() {
    tries=600
    until "$@" >/dev/null 2>&1; do
        tries=$((tries - 1))
        [ $tries -gt 0 ] || { wrong "never: $*"; exit 1; }
        sleep 0.05
    done
}

# A port below those that the kernel gives away.
port=$((20000 + $$ % 11000))
while grep -qi ":$(printf %04X $port) " /proc/net/udp; do
    port=$((port + 1))
done

small="--burst-size 300 --bursts 2 --warmup 1 --interval-ms 20"
slow="--p99-us 3600000000"
patient="$slow --grace 60"

# complete NAME MESSAGES: all came, once.
complete() {
    expect "$1" received "$2"
    for key in lost doubled out_of_order strangers; do
        expect "$1" $key 0
    done
}

# ---- One process ---------------------------------------------------------------------------------

# Little enough for any socket: nothing is lost or held back, however slow the machine is.
# shellcheck disable=SC2086
{
    run 0 udp "$program" bench burst $small $patient --senders 2 --strict --hgrm "$work/hgrm"
    run 0 ipc "$program" bench burst $small $patient --senders 8 --channel aeron:ipc
    run 0 paced "$program" bench burst $small $patient --peak-per-ms 100 --dedicated
    run 0 late "$program" bench burst $small --p99-us 1
    run 1 strict "$program" bench burst $small --p99-us 1 --strict
}
complete udp 1800
expect udp verdict pass
expect udp reasons none
expect udp sent 1800
expect udp unsent 0
[ "$(grep -c '^| [123] .*| 600 | 0 |' "$work/udp.out")" -eq 3 ] || wrong "udp: rows"
[ -s "$work/hgrm" ] || wrong "no percentiles"
! value udp marked | grep -q 'lost\|doubled\|order\|strangers\|goodbye' || wrong "udp: is marked"
complete ipc 7200
complete paced 900
expect paced verdict pass
value paced late | grep -q '^[0-9]*$' || wrong "paced: not how many are late"
expect late verdict fail
reason late '^p99_us '
expect strict verdict fail

# Datagrams that Aeron itself throws away on the way in: repeated, and nothing is missing. A driver
# with one thread has another interceptor in that place.
export AERON_UDP_CHANNEL_INCOMING_INTERCEPTORS=loss
export AERON_UDP_CHANNEL_TRANSPORT_BINDINGS_LOSS_ARGS='rate=0.2|seed=7|recv-msg-mask=0x2'
# shellcheck disable=SC2086
run 0 loss "$program" bench burst $small $patient --mtu 256 --dedicated
unset AERON_UDP_CHANNEL_INCOMING_INTERCEPTORS AERON_UDP_CHANNEL_TRANSPORT_BINDINGS_LOSS_ARGS
complete loss 900
for key in naks_sent naks_received retransmits; do
    some loss $key
    reason loss $key
done
expect loss verdict fail
expect loss udp_socket_drops 0

# ---- A trace -------------------------------------------------------------------------------------

cat >"$work/trace.csv" <<'END'
offset_ns,size
0,10
0,170
1000,400
30000000,1000
END
# shellcheck disable=SC2086
run 0 trace "$program" bench trace "$work/trace.csv" $patient --senders 2 --factor 10
complete trace 8
expect trace raised_to_header 2
expect trace message_bytes 1000
refused 2 'fit' trace "$work/trace.csv" --mtu 512
refused 1 'no.csv' trace "$work/no.csv"

# ---- A matrix ------------------------------------------------------------------------------------

# shellcheck disable=SC2086
run 0 matrix "$program" bench burst --matrix $small $patient --sizes 88,1400 --sender-counts 1,2
[ "$(grep -c '^| 300 | [12] | 88 .*| pass | .* | none |$' "$work/matrix.out")" -eq 2 ] ||
    wrong "matrix: $(cat "$work/matrix.out")"
[ "$(grep -c '^| 300 | [12] | 1400 .*| impossible | - | .*--mtu' "$work/matrix.out")" -eq 2 ] ||
    wrong "matrix: what cannot be"

# ---- Refused -------------------------------------------------------------------------------------

refused 2 "reflector" burst --role reflector
refused 2 'same for both ends' burst --role sender
refused 2 'name a port' burst --role receiver --endpoint 127.0.0.1:0
refused 2 '1 to 8' burst --senders 9
refused 2 'does not fit' burst --size 5000
refused 2 '--sizes' burst --matrix --sizes 88,,170
refused 2 'aeron:tcp' burst --channel aeron:tcp
refused 2 '--dedicated' burst --dedicated --aeron-dir "$work/none"
refused 2 '--size' burst --role receiver --endpoint 127.0.0.1:1 --size 170
refused 2 '--receiver-cpu' burst --receiver-cpu 1023
refused 2 'excl' burst --channel aeron:ipc --endpoint 127.0.0.1:1
"$program" bench burst --aeron-dir "$work/none" >/dev/null 2>"$work/err"
[ $? -eq 1 ] && grep -q 'no Aeron driver' "$work/err" || wrong "no driver: $(cat "$work/err")"
"$program" bench burst --qdisc-show 'echo nothing' >/dev/null 2>"$work/err"
[ $? -eq 1 ] && grep -q 'tc -s -j qdisc' "$work/err" || wrong "no drops: $(cat "$work/err")"

# ---- Two processes -------------------------------------------------------------------------------

# receive NAME COMMAND...: a receiver in the background, and ready.
receive() {
    name=$1
    shift
    "$@" >"$work/$name.out" 2>"$work/$name.err" &
    bench=$!
    until_so grep -q '^ready: ' "$work/$name.out"
}

# received NAME: it ends by itself.
received() {
    wait "$bench" || wrong "$1: $(cat "$work/$1.err")"
    bench=
}

# shellcheck disable=SC2086
{
    receive receiver "$program" bench burst --role receiver --endpoint 127.0.0.1:$port $slow
    run 0 sender "$program" bench burst --role sender --endpoint 127.0.0.1:$port $small --senders 3
}
received receiver
complete receiver 2700
expect receiver planned 2700
expect receiver verdict pass
expect sender sent 2700
expect sender verdict pass
value receiver not_judged | grep -q 'senders' || wrong "a receiver judges the senders"
value sender not_judged | grep -q 'receiver' || wrong "a sender judges the receiver"
value receiver latency_max_us | grep -q '^[0-9]' || wrong "no latency by the common clock"

# A sender that is killed: what came is told, and that it did not say goodbye.
receive orphan "$program" bench burst --role receiver --endpoint 127.0.0.1:$port
"$program" bench burst --role sender --endpoint 127.0.0.1:$port --interval-ms 3600000 \
    --burst-size 100 >/dev/null 2>&1 &
sender=$!
shm=/dev/shm/outcry-$sender-0
until_so [ -e "$shm" ]
until_so grep -q '^receiving: ' "$work/orphan.out"
kill -KILL $sender
wait $sender 2>/dev/null
rm -rf "$shm"

# ---- Signals -------------------------------------------------------------------------------------

# stopped SIGNAL WORD...: in the middle; nothing is left in memory.
stopped() {
    signal=$1
    shift
    "$program" bench "$@" >/dev/null 2>"$work/err" &
    stopping=$!
    until_so [ -e "/dev/shm/outcry-$stopping-0/cnc.dat" ]
    sleep 0.3
    kill "-$signal" $stopping
    wait $stopping
    is=$?
    [ $is -eq 1 ] || wrong "$signal: status $is"
    [ "$(cat "$work/err")" = "outcry: interrupted" ] || wrong "$signal: $(cat "$work/err")"
    [ ! -e "/dev/shm/outcry-$stopping-0" ] || wrong "$signal: something is left in memory"
}
stopped TERM burst --burst-size 100 --interval-ms 3600000 --senders 4
stopped INT burst --role receiver --endpoint "127.0.0.1:$((port + 1))"
stopped HUP burst --role sender --endpoint "127.0.0.1:$((port + 1))"
stopped TERM burst --matrix --burst-size 100 --interval-ms 3600000

# The receiver of the killed sender notices that it is gone.
wait "$bench" || wrong "orphan: $(cat "$work/orphan.err")"
bench=
grep -q '^marked: .*no_goodbye' "$work/orphan.out" || wrong "orphan: is not marked"
reason orphan no_goodbye

# ---- A link whose queue is too small -------------------------------------------------------------

# over_link NAME UP-OPTION...: bursts from a to b.
over_link() {
    link=$1
    shift
    "$netpair" up "$pair" --rate 100mbit --burst 2kb "$@" >/dev/null || return 1
    terms="--channel aeron:udp?endpoint=198.18.0.2:$port"
    # shellcheck disable=SC2086
    {
        receive "$link-b" "$netpair" run "$pair" b "$program" bench burst --role receiver $terms \
            $slow --qdisc-show "'$netpair' show $pair --json"
        run 0 "$link-a" "$netpair" run "$pair" a "$program" bench burst --role sender $terms \
            --grace 60 --qdisc-show "'$netpair' show $pair" --burst-size 1000 --bursts 2 \
            --warmup 1 --interval-ms 50
    }
    received "$link-b"
    complete "$link-b" 3000
    "$netpair" down "$pair"
}
if why=$("$netpair" up "$pair" 2>&1) && "$netpair" down "$pair"; then
    over_link narrow --queue 20kb
    for end in narrow-a narrow-b; do
        expect $end verdict fail
        some $end qdisc_drops
        reason $end qdisc_drops
    done
    reason narrow-b naks_sent
    reason narrow-a retransmits
    over_link wide --queue 16mb
    for end in wide-a wide-b; do
        expect $end qdisc_drops 0
        no_reason $end qdisc_drops
        no_reason $end naks
    done
else
    echo "SKIP: no shaped link: $why"
fi

[ $failures -eq 0 ] || exit 1
echo "bench burst: everything as it should be"
