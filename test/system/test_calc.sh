#!/bin/sh
# `outcry calc` from outside: the worked cases of docs/calc.md, traces from a file and from a pipe,
# what is refused and how, and that --json is one object whatever the kind.
set -u

program=${OUTCRY_PROGRAM:-}
if [ -z "$program" ]; then
    echo "SKIP: OUTCRY_PROGRAM does not name the program"
    exit 77
fi
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
failures=0

fail() {
    echo "FAILED: $*"
    sed 's/^/  stdout: /' out
    sed 's/^/  stderr: /' err
    failures=$((failures + 1))
}

# calc STATUS ARGUMENT...: runs it, leaves its streams in out and err.
calc() {
    wanted=$1
    shift
    "$program" calc "$@" >out 2>err
    status=$?
    [ "$status" -eq "$wanted" ] || fail "outcry calc $*: exit status $status, not $wanted"
}

# has LINE...: stdout has each of them, whole.
has() {
    for line in "$@"; do
        grep -qxF -- "$line" out || fail "stdout has no line '$line'"
    done
}

# refused STATUS TEXT ARGUMENT...: one line on stderr that says TEXT, nothing on stdout.
refused() {
    wanted_status=$1
    text=$2
    shift 2
    calc "$wanted_status" "$@"
    [ -s out ] && fail "outcry calc $*: writes to stdout"
    [ "$(wc -l <err)" -eq 1 ] || fail "outcry calc $*: not one line on stderr"
    grep -qF -- "$text" err || fail "outcry calc $*: stderr does not say '$text'"
}

# A trace of 8 senders with 6,250 messages of 170 bytes each, evenly in one ms.
make_trace() {
    awk 'BEGIN {
        print "# eight senders\noffset_ns,size"
        for (i = 0; i < 6250; i++)
            for (sender = 0; sender < 8; sender++)
                print i * 160 ",170"
    }' >burst.csv
    gzip -k burst.csv
}

: >out
: >err
make_trace

# The worked cases.
calc 0 burst --arrivals 57165 --burst-ms 211 --drain-per-ms 212.75 --size 170
has "q_burst: 12275" "worst_queueing_ms: 57.696" "buffer_bytes: 3314250"
calc 0 burst --senders 8 --arrivals 6250 --burst-ms 1 --drain-per-ms 1000 --size 170
has "payload_bytes: 8500000" "q_burst: 49000" "worst_queueing_ms: 49.000"
calc 0 buffers --senders 8 --peak-per-ms 6250 --size 170 --rtt-ms 0.1 --burst-ms 1 --stall-ms 20
has "so_rcvbuf_payload_bytes: 8500000" "so_rcvbuf_bytes: 32000000" "term_bytes: 67108864" \
    "sysctl_rmem_max: net.core.rmem_max = 32000000"
calc 0 budget --rate-bits 5000000000 --depth-ms 1 --size 170
has "bucket_bits: 5000000" "at_once_messages: 2314"
calc 0 frames --size 32
has "mtu_1408_frames_per_datagram: 22" "mtu_8192_frames_per_datagram: 128"

# The same burst as a trace: the last group is there 0.16 us before the ms is over.
calc 0 burst --trace burst.csv --drain-per-ms 1000
has "trace_messages: 50000" "peak_per_ms: 50000" "q_burst: 49001" "formula_q_burst: 49000"
cat burst.csv | "$program" calc burst --trace /dev/stdin --drain-per-ms 1000 >piped 2>err
grep -v '^trace: ' out >plain
grep -v '^trace: ' piped | cmp -s - plain || fail "a trace from a pipe gives something else"

# One object for each kind, from figures and from a trace.
is_object() {
    python3 -c 'import json, sys
assert isinstance(json.load(open("out")), dict)' 2>err || fail "$1: not one JSON object"
}
if command -v python3 >/dev/null; then
    calc 0 burst --arrivals 5 --burst-ms 1 --drain-per-ms 1 --size 1 --json
    is_object burst
    calc 0 buffers --peak-per-ms 5 --size 1 --rtt-ms 1 --burst-ms 1 --stall-ms 1 --json
    is_object buffers
    for kind in "burst --drain-per-ms 1000" "buffers --rtt-ms 0.1 --burst-ms 1 --stall-ms 20" \
        "budget --rate-bits 5000000000 --depth-ms 1" frames; do
        # shellcheck disable=SC2086 # several words
        calc 0 $kind --trace burst.csv --json
        is_object "$kind"
    done
fi

# This machine's limits, as far as it shows them.
if [ -r /proc/sys/net/core/rmem_max ] && [ -r /proc/sys/net/core/wmem_max ]; then
    calc 0 buffers --peak-per-ms 1 --size 1 --rtt-ms 0.001 --burst-ms 1 --stall-ms 1 --check
    has "check: ok"
fi
calc 1 buffers --peak-per-ms 1 --size 1 --rtt-ms 1 --burst-ms 1 --stall-ms 1 --check \
    --limits-dir "$dir/nowhere"
has "check: short"

# What is refused.
refused 2 "calc needs a kind"
refused 2 "did you mean 'burst'" brust
refused 2 "option --drain-per-ms is missing" burst --arrivals 1 --burst-ms 1 --size 1
refused 2 "option --drain-per-ms: '0' is not" burst --arrivals 1 --burst-ms 1 --size 1 \
    --drain-per-ms 0
refused 2 "option --burst-ms: 'nan' is not" burst --arrivals 1 --burst-ms nan --size 1 \
    --drain-per-ms 1
refused 2 "does not fit 64 bits" burst --arrivals 1000000000000 --senders 1000000 --burst-ms 1 \
    --size 170 --drain-per-ms 1
refused 2 "at most 1073741824 are possible" buffers --peak-per-ms 6250 --size 170 --rtt-ms 0.1 \
    --burst-ms 1 --stall-ms 86400000
refused 2 "option --mtu: '1400' is not a multiple of 32; 1376 is" frames --size 1 --mtu 1400
refused 2 "exclude each other" frames --size 1 --trace burst.csv
refused 2 "unexpected operand 'burst.csv'" frames burst.csv
refused 1 "cannot open it" frames --trace nowhere.csv
refused 1 "burst.csv.gz: line 1: " frames --trace burst.csv.gz
printf '5,10\n4,10\n' >back.csv
refused 1 "back.csv: line 2: offset_ns of at least 5, the one before, expected, found '4'" \
    burst --drain-per-ms 1 --trace back.csv
: >empty.csv
refused 1 "empty.csv: no message in it" frames --trace empty.csv

# A result that does not get out is a failure.
if [ -w /dev/full ]; then
    "$program" calc frames --size 1 >/dev/full 2>err && fail "a full device ends with status 0"
fi
if [ "$failures" -ne 0 ]; then
    echo "$failures failed"
    exit 1
fi
