#!/bin/sh
# tools/netpair: a link with a rate and a queue that drops what does not fit, counts every packet,
# and holds no sender back; two of them at once; nothing left of either; what is refused and why.
set -u

netpair=$OUTCRY_SOURCE_DIR/tools/netpair
work=$(mktemp -d) || exit 1
one=np$$
two=np$$-2
foreign=np$$-f
failures=0

clean() {
    : >"$work/go" # receivers end
    wait
    "$netpair" down "$one"
    "$netpair" down "$two"
    for part in a b switch; do
        [ ! -e "/var/run/netns/$foreign-$part" ] || ip netns del "$foreign-$part"
    done
    rm -rf "$work"
}

# able: whether this machine has what a pair is made of; says what it lacks.
able() {
    for command in ip tc python3; do
        command -v $command >/dev/null || { echo "no $command here"; return 1; }
    done
    ip netns add "$foreign-a" 2>&1 || return 1
    ip -n "$foreign-a" link add name bridge0 type bridge 2>&1 &&
        ip -n "$foreign-a" link add name one type veth peer name two 2>&1 &&
        tc -n "$foreign-a" qdisc add dev one root tbf rate 1mbit burst 10kb limit 10kb 2>&1
    able=$?
    ip netns del "$foreign-a"
    return $able
}
if ! why=$(able); then
    echo "SKIP: no network namespaces with shaped links: $why"
    rm -rf "$work"
    exit 77
fi
trap clean EXIT
# Itself, not what may stand before it and be slow.
python=$(python3 -c 'import sys; print(sys.executable)')

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# refused STATUS PATTERN COMMAND...: one line that says so.
refused() {
    expected=$1
    pattern=$2
    shift 2
    "$@" >"$work/said" 2>&1
    status=$?
    [ $status -eq "$expected" ] || fail "$*: status $status instead of $expected"
    [ "$(wc -l <"$work/said")" -eq 1 ] || fail "$*: more or less than a line"
    grep -q -e "$pattern" "$work/said" || fail "$*: says $(cat "$work/said")"
}

# until_so COMMAND...
until_so() {
    tries=600
    until "$@" 2>/dev/null; do
        tries=$((tries - 1))
        [ $tries -gt 0 ] || { fail "never: $*"; exit 1; }
        sleep 0.05
    done
}

# look PAIR: keeps what show says of it, for value KEY.
look() {
    "$netpair" show "$1" >"$work/shown"
}
value() {
    sed -n "s/^$1: //p" "$work/shown"
}

# expect WHAT IS EXPECTED
expect() {
    [ "$2" = "$3" ] || fail "$1: $2 instead of $3"
}

# receive FILE PORT [GROUP]: binds; when FILE.go is there, the number of datagrams that came (none
#     does any more but what is between two devices).
# send ADDRESS PORT COUNT: datagrams of 1,000 bytes, from a buffer for two: were it charged with
#     what waits in a queue, the sends would wait as well, and nothing be dropped. How many it sent.
# answer FILE PORT: sends the first datagram back, with its sender's address.
# ask ADDRESS PORT: what came back.
cat >"$work/udp.py" <<'END'
import os, socket, sys, time
role, name, port = sys.argv[1], sys.argv[2], int(sys.argv[3])
udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
if role in ("receive", "answer"):
    SO_RCVBUFFORCE = 33
    udp.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 1 << 23)
    udp.bind(("", port))
    for group in sys.argv[4:]:
        udp.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP,
                       socket.inet_aton(group) + socket.inet_aton("0.0.0.0"))
    open(name + ".bound", "w").close()
udp.settimeout(30)
if role == "receive":
    while not os.path.exists(name + ".go") and not os.path.exists(os.path.dirname(name) + "/go"):
        time.sleep(0.02)
    udp.settimeout(0.3)
    count = 0
    try:
        while udp.recv(65536):
            count += 1
    except socket.timeout:
        print(count)
elif role == "answer":
    data, sender = udp.recvfrom(2000)
    udp.sendto(data + sender[0].encode(), sender)
elif role == "ask":
    udp.sendto(b"asked by ", (name, port))
    print(udp.recv(2000).decode())
else:
    udp.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4608)
    count = 0
    for _ in range(int(sys.argv[4])):
        count += udp.sendto(bytes(1000), (name, port)) == 1000
    print(count)
END

# udp PAIR END WORD...
udp() {
    pair=$1
    end=$2
    shift 2
    "$netpair" run "$pair" "$end" "$python" -S "$work/udp.py" "$@"
}

# listen PAIR END ROLE FILE PORT [GROUP]: in the background, and bound.
listen() {
    "$netpair" run "$1" "$2" "$python" -S "$work/udp.py" "$3" "$work/$4" "$5" ${6:+"$6"} \
        >"$work/$4.out" &
    until_so [ -e "$work/$4.bound" ]
}

idle() {
    look "$1" && [ "$(value "$2_backlog_packets")" = 0 ]
}

# ---- Refused before anything is made -------------------------------------------------------------

refused 2 'no command' "$netpair"
refused 2 "'side' is no command" "$netpair" side
refused 2 'too few or too many words' "$netpair" up
refused 2 'too few or too many words' "$netpair" run "$one" a
refused 2 'is not a name' "$netpair" up 2np
refused 2 'is not a name' "$netpair" down sixteen-letters-
refused 2 'neither end' "$netpair" run "$one" c true
refused 2 'is no option' "$netpair" up "$one" --speed 1gbit
refused 2 'lacks its value' "$netpair" up "$one" --rate
refused 2 'like 100mbit' "$netpair" up "$one" --rate fast
refused 2 'from 1514 bytes' "$netpair" up "$one" --queue 1kb
refused 2 'from 9014 bytes' "$netpair" up "$one" --mtu 9000 --burst 8kb
refused 2 'from 1 to' "$netpair" up "$one" --queue-packets 0
refused 2 'in one way' "$netpair" up "$one" --queue 20kb --queue-packets 20
refused 2 'neither 1500' "$netpair" up "$one" --mtu 1400
refused 2 'below 100' "$netpair" up "$one" --loss 100
refused 2 'number of ms' "$netpair" up "$one" --delay 5ms
refused 1 "no pair '$one'" "$netpair" show "$one"
refused 1 "no pair '$one'" "$netpair" run "$one" a true
"$netpair" down "$one" || fail "down of what is not there"
if command -v setpriv >/dev/null; then
    refused 1 'needs root' setpriv --bounding-set=-net_admin "$netpair" up "$one"
fi

# ---- Two pairs at once, of other terms -----------------------------------------------------------

"$netpair" up "$one" --rate 256kbit --burst 2kb --queue-packets 20 >"$work/up.out" || exit 1
"$netpair" up "$two" --rate 256kbit --burst 10kb --queue 25000 --mtu 9000 >/dev/null || exit 1
expect "up says" "$(tr '\n' ' ' <"$work/up.out")" "a: 198.18.0.1 b: 198.18.0.2 "
expect list "$("$netpair" list | grep -c -x -e "$one" -e "$two")" 2
refused 1 'is there already' "$netpair" up "$one"
expect "own status of a command" "$("$netpair" run "$one" a sh -c 'exit 7'; echo $?)" 7
"$netpair" run "$one" a sleep 60 &
sleeper=$!
until_so grep -q '^sleep' /proc/$sleeper/comm # run becomes the command, so a signal meets that
kill $sleeper

for pair in "$one" "$two"; do
    listen "$pair" b answer "answer-$pair" 7000
    expect "a's question" "$(udp "$pair" a ask 198.18.0.2 7000)" "asked by 198.18.0.1"
    listen "$pair" a answer "back-$pair" 7001
    expect "b's question" "$(udp "$pair" b ask 198.18.0.1 7001)" "asked by 198.18.0.2"
    # Nothing but that: no ARP, no IPv6, nothing of the bridge's own.
    look "$pair"
    expect "packets to b" "$(value a_to_b_sent_packets)" 2
    expect "packets to a" "$(value b_to_a_sent_packets)" 2
done

# burst PAIR: beyond the queue; sent - received = dropped.
burst() {
    listen "$1" b receive "burst-$1" 7002
    expect "datagrams sent" "$(udp "$1" a send 198.18.0.2 7002 200)" 200
    until_so idle "$1" a_to_b
    : >"$work/burst-$1.go"
    until_so grep -q . "$work/burst-$1.out"
    received=$(cat "$work/burst-$1.out")
    look "$1"
    dropped=$(value a_to_b_dropped_packets)
    expect "sent - received" $((200 - received)) "$dropped"
    expect "sent packets" "$(value a_to_b_sent_packets)" $((received + 2))
    expect "sent bytes" "$(value a_to_b_sent_bytes)" \
        $((received * 1042 + 2 * 42 + 9 + 9 + 10))
    expect "lost elsewhere" "$(value a_to_b_lost_packets)" 0
    [ "$dropped" -gt 0 ] || fail "nothing dropped"
    [ "$received" -ge 20 ] || fail "a queue of 20 packets or more passed $received"
}
burst "$one"
burst "$two"
expect mtu "$(value mtu)" 9000
expect "queue in bytes" "$(value a_to_b_queue_bytes)" 25000
look "$one"
expect "drops of the other direction" "$(value b_to_a_dropped_packets)" 0
expect rate "$(value a_to_b_rate_bits_per_s)" 256000
expect "queue in packets" "$(value b_to_a_queue_packets)" 20

# The same as an object.
"$netpair" show "$one" >"$work/lines"
"$netpair" show "$one" --json >"$work/json"
python3 - "$work/json" <<'END' >"$work/lines.json" || fail "not JSON: $(cat "$work/json")"
import json, sys
for key, value in json.load(open(sys.argv[1])).items():
    print(f"{key}: {value}")
END
cmp "$work/lines" "$work/lines.json" || fail "lines and JSON differ"

# Multicast, each way; the other pair hears nothing of it.
listen "$one" b receive to-b 7003 239.1.2.3
listen "$one" a receive to-a 7003 239.1.2.3
listen "$two" b receive elsewhere 7003 239.1.2.3
expect "multicast from a" "$(udp "$one" a send 239.1.2.3 7003 3)" 3
expect "multicast from b" "$(udp "$one" b send 239.1.2.3 7003 5)" 5
until_so idle "$one" a_to_b
until_so idle "$one" b_to_a
touch "$work/to-a.go" "$work/to-b.go" "$work/elsewhere.go"
wait
expect "multicast at b" "$(cat "$work/to-b.out")" 8 # its own five too
expect "multicast at a" "$(cat "$work/to-a.out")" 8
expect "multicast elsewhere" "$(cat "$work/elsewhere.out")" 0

# ---- Nothing is left -----------------------------------------------------------------------------

# gone PAIR
gone() {
    for part in a b switch; do
        [ ! -e "/var/run/netns/$1-$part" ] || fail "$1-$part is left"
    done
    ! "$netpair" list | grep -qx "$1" || fail "$1 is listed"
}
"$netpair" run "$two" b sleep 60 &
sleeper=$!
until_so grep -q '^sleep' /proc/$sleeper/comm
refused 1 "still running in $two-b: process $sleeper;" "$netpair" down "$two"
kill $sleeper
"$netpair" down "$two" || fail "down"
gone "$two"
expect "the other pair" "$("$netpair" list | grep -x "$one")" "$one"
"$netpair" down "$one" || fail "down"
"$netpair" down "$one" || fail "down once more"
gone "$one"

# What fails half-way is taken back, by a tc that has no tbf, and by a signal.
mkdir "$work/bin"
printf '#!/bin/sh\necho "no such qdisc\nat all" >&2\nexit 2\n' >"$work/bin/tc"
chmod +x "$work/bin/tc"
refused 1 'no rate: no such qdisc; at all' env PATH="$work/bin:$PATH" "$netpair" up "$one"
gone "$one"
cat >"$work/bin/tc" <<END
#!/bin/sh
: >"$work/reached"
until [ -e "$work/signalled" ]; do sleep 0.02; done
END
PATH="$work/bin:$PATH" "$netpair" up "$one" >/dev/null 2>&1 &
making=$!
until_so [ -e "$work/reached" ]
kill -TERM $making
: >"$work/signalled"
wait $making
expect "status when ended by a signal" $? 143
gone "$one"

# Delay and loss are netem's: without it one line says so.
if tc=$(command -v tc) && "$netpair" up "$one" --delay 20.5 --loss 1 >"$work/said" 2>&1; then
    look "$one"
    expect delay "$(value delay_ms)" 20.5
    "$netpair" down "$one"
else
    refused 1 'sch_netem.*AERON_UDP_CHANNEL_INCOMING_INTERCEPTORS' \
        "$netpair" up "$one" --delay 20.5 --loss 1
fi
gone "$one"
# With a stand-in for it: what netem is told, and that the rest of the pair is as ever.
cat >"$work/bin/tc" <<END
#!/bin/sh
case "\$*" in *netem*) echo "\$*" >>"$work/netem" ;; *) exec "$tc" "\$@" ;; esac
END
PATH="$work/bin:$PATH" "$netpair" up "$one" --delay 20.5 --loss 0.25 >/dev/null || fail "netem"
for end in a b; do
    echo "-n $one-$end qdisc add dev eth0 root netem limit 1000000 delay 20.5ms loss 0.25%"
done >"$work/netem.expected"
cmp "$work/netem" "$work/netem.expected" || fail "netem is told $(cat "$work/netem")"
look "$one"
expect loss "$(value loss_percent)" 0.25
"$netpair" down "$one"

# What is somebody else's stays, and what was made beside it goes; a half-made pair is listed.
ip netns add "$foreign-a"
refused 1 "$foreign-a is there already" "$netpair" up "$foreign"
refused 1 "not netpair's" "$netpair" down "$foreign"
[ -e "/var/run/netns/$foreign-a" ] || fail "a foreign namespace is gone"
[ ! -e "/var/run/netns/$foreign-switch" ] || fail "a switch is left"
"$netpair" up "$one" >/dev/null
ip netns del "$one-a"
ip -n "$one-switch" link set dev bridge0 alias ""
expect "list of what is half there" "$("$netpair" list | grep -x "$one")" "$one"
refused 1 'is not complete' "$netpair" show "$one"
"$netpair" down "$one" || fail "down of what is half there"
gone "$one"

[ $failures -eq 0 ] || exit 1
echo "netpair: everything as it should be"
