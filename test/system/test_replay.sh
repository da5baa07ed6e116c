#!/bin/sh
# The program from outside: exit statuses, messages, which stream gets what, files that are damaged,
# and that a recording replays to the same state. Makes its own small inputs.
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

# run STATUS ARGUMENT...: runs the program, leaves its streams in out and err.
run() {
    wanted=$1
    shift
    "$program" "$@" >out 2>err
    status=$?
    [ "$status" -eq "$wanted" ] || fail "outcry $*: exit status $status, not $wanted"
}

# says FILE TEXT: the stream has the text in it.
says() {
    grep -qF -- "$2" "$1" || fail "$1 does not say '$2'"
}

# value KEY FILE: of a summary line.
value() {
    sed -n "s/^$1: //p" "$2"
}

# usage TEXT ARGUMENT...: a usage error of one line that says TEXT.
usage() {
    text=$1
    shift
    run 2 "$@"
    says err "$text"
    says err "outcry: "
    [ -s out ] && fail "outcry $*: a usage error writes to stdout"
    [ "$(wc -l <err)" -eq 1 ] || fail "outcry $*: a usage error has one line"
}

# Little-endian numbers, as bytes.
bytes() {
    number=$1
    count=$2
    while [ "$count" -gt 0 ]; do
        # shellcheck disable=SC2059 # the format is the point
        printf "\\$(printf '%03o' $((number & 255)))"
        number=$((number >> 8))
        count=$((count - 1))
    done
}

# message TYPE SIDE IOC QUANTITY SEQUENCE ORDER PRICE: a record of the benchmark's tape.
message() {
    bytes "$1" 1
    bytes "$2" 1
    bytes "$3" 1
    bytes 0 1
    bytes "$4" 4
    bytes "$5" 8
    bytes "$6" 8
    bytes "$7" 8
    bytes 0 8
}

make_inputs() {
    {
        printf '100_WBEM'
        bytes 1 4
        bytes 7 4
        message 0 1 0 10 0 1 100
        message 0 1 0 10 1 2 100
        message 0 0 0 15 2 3 100
        message 2 0 0 4 3 2 101
        message 1 0 0 0 4 99 0
        message 2 0 0 1 5 98 50
        message 0 0 1 9 6 4 101
    } >tape.bin
    printf '%s' '0,0,1,1,100,10
0,1,1,2,100,10
0,2,0,3,100,15
1,2,100,10,1,3
1,2,100,5,2,3
3,3,1,2,101,4
4,4,99
5,5,98
0,6,0,4,101,9
1,6,101,4,2,4
2,6,0,4,101' >tape.reports

    printf '%s\n' 34200.1,1,11,100,5000000,1 34200.2,1,12,50,5000000,1 34200.3,4,11,100,5000000,1 \
        34200.4,1,13,30,5000100,-1 34200.5,2,13,10,5000100,-1 34200.6,5,0,7,5000050,1 \
        34200.7,3,77,5,5000000,1 >day.csv
    printf '%s\n' 1,0,5000000,12,50 1,1,5000100,13,20 >day.book
}

test_subcommands() {
    run 2
    says err "usage: outcry"
    run 2 repaly
    says err "did you mean 'replay'"
    says err "usage: outcry"
    [ -s out ] && fail "an unknown subcommand writes to stdout"
    run 0 help
    says out "usage: outcry"
    run 0 --help
    run 0 help replay
    says out "--modify-priority"
    run 0 replay --help
    run 0 bench --help
    run 0 version
    says out "outcry "
    run 2 version please
    run 2 help nonsense
}

test_usage() {
    usage "FILE is missing; see outcry replay --help" replay
    usage "did you mean --mirror" replay tape.bin --miror
    usage "--format: 'csv' is not one of auto, tape, lobster, dbn, itch, own" \
        replay tape.bin --format csv
    usage "--engine" replay tape.bin --engine=quick
    usage "--limit: '-1' is not a whole number" replay tape.bin --limit=-1
    usage "--tick-size: '0' is not" replay tape.bin --tick-size 0
    usage "--instrument" replay tape.bin --instrument 4294967296
    usage "--max-orders: '0' is not a whole number from 1 to 134217728" \
        replay tape.bin --max-orders 0
    usage "--reports needs a value" replay tape.bin --reports
    usage "cannot both be -" replay tape.bin --reports - --book -
    usage "--record" replay tape.bin --record -
    usage "option --book would overwrite FILE tape.bin" replay tape.bin --book tape.bin
    usage "option --record would overwrite FILE" replay tape.bin --record ./tape.bin
    usage "options --reports and --book name the same file x" \
        replay tape.bin --reports x --book x
    usage "options --reports and --record name the same file x" \
        replay tape.bin --record x --reports x
    usage "unexpected operand 'other.bin'" replay tape.bin other.bin
    usage "--no-progress takes no value" replay tape.bin --no-progress=1
    usage "there is no 'books'" bench books
    usage "bench needs a name, such as book or node" bench
    usage "--repeats: '0' is not" bench book --repeats 0
    usage "'W3' is not one of" bench book --workload W3
    usage "FILE is missing; see outcry bench --help" bench tape
    usage "--resting" bench book --resting many
    [ -s tape.bin ] || fail "a usage error has damaged its input"
}

test_reports() {
    for engine in fast reference; do
        run 0 replay tape.bin --modify-priority lose --engine $engine --reports -
        cmp -s out tape.reports || fail "reports to stdout with $engine"
        says err "commands: 9"
        says err "rejected_unknown_order: 2"
        says err "trades: 3"
        says err "traded_quantity: 19"
        run 0 replay tape.bin --modify-priority lose --engine $engine --reports r.txt
        cmp -s r.txt tape.reports || fail "reports to a file with $engine"
        says out "commands: 9"
        [ -s err ] && fail "a good replay writes to stderr"
        cp out summary.$engine
    done
    [ "$(value state_hash summary.fast)" = "$(value state_hash summary.reference)" ] ||
        fail "the engines' state hashes differ"
}

test_summary_keys() {
    run 0 replay tape.bin
    sed 's/:.*//' out >keys
    printf '%s\n' commands accepted rejected rejected_unknown_order trades traded_quantity \
        resting_orders levels executions_off_head skipped state_hash ns_per_command ns_p50 ns_p99 \
        ns_p999 ns_max bytes_per_resting_order peak_memory_bytes >wanted
    cmp -s keys wanted || fail "keys of the summary"
    value state_hash out | grep -qE '^[0-9a-f]{16}$' || fail "state_hash is not 16 hex digits"
    [ "$(value accepted out)" -eq 7 ] || fail "accepted"
    # The page that the help points to explains every key.
    page=docs/formats/replay-output.md
    run 0 replay --help
    says out $page
    for key in $(sed 's/^rejected_.*/rejected_REASON/' wanted); do
        grep -q "^| .*\`$key\`.* | " "$OUTCRY_SOURCE_DIR/$page" || fail "$page lacks $key"
    done
}

test_book_and_executions() {
    run 0 replay day.csv --book -
    cmp -s out day.book || fail "book to stdout"
    says err "executions_off_head: 0"
    says err "trades: 1"
    says err "skipped: 2"
    run 0 replay day.csv --book b.txt --tick-size 100
    sed 's/,5000000,/,50000,/; s/,5000100,/,50001,/' day.book | cmp -s - b.txt ||
        fail "book in ticks"
    run 0 replay day.csv --tick-size 1000
    [ "$(value skipped out)" -eq 4 ] || fail "prices between ticks are skipped"
    run 0 replay day.csv --mirror --reports -
    grep -q '^1,' out && fail "nothing trades in a mirror"
    says err "executions_off_head: 0"
    run 0 replay day.csv --instrument 7 --book b.txt
    grep -q '^7,0,5000000,12,50$' b.txt || fail "the instrument's number"
    run 0 replay day.csv --limit 2
    [ "$(value resting_orders out)" -eq 2 ] || fail "limit"
    run 0 replay day.csv --limit 0
    [ "$(value commands out)" -eq 0 ] || fail "limit 0"
}

test_full_table() {
    run 0 replay tape.bin --max-orders 1 --reports r.txt
    says out "rejected_orders_full: "
    says r.txt "6,1,2,orders_full"
}

test_recording() {
    for input in tape.bin day.csv; do
        run 0 replay $input --modify-priority lose --record own.tape --reports first.txt \
            --book first.book
        hash=$(value state_hash out)
        for engine in fast reference; do
            run 0 replay own.tape --engine $engine --book again.book --max-orders 5 --no-progress
            [ "$(value state_hash out)" = "$hash" ] || fail "own replay of $input with $engine"
            cmp -s first.book again.book || fail "book of an own replay of $input"
            says err "note: own.tape brings its own configuration"
        done
        run 0 replay own.tape --format own --record again.tape
        cmp -s own.tape again.tape || fail "a recording of a recording is the same"
    done
}

# bad TEXT ARGUMENT...: fails with one line that says TEXT; counts are printed all the same.
bad() {
    text=$1
    shift
    run 1 replay "$@"
    says err "outcry: "
    says err "$text"
    [ "$(wc -l <err)" -eq 1 ] || fail "replay $*: one line of error"
}

# Two spellings of one file, which only shows once it exists.
test_hidden_same_output() {
    rm -f both
    bad "options --reports and --book name the same file both" \
        tape.bin --reports both --book ./both
    rm -f both
    bad "options --record and --reports name the same file both" \
        tape.bin --record both --reports ./both
    run 1 replay tape.bin --book /dev/stdout
    says err "option --book: /dev/stdout is standard output; say - instead"
}

test_bad_files() {
    bad "nowhere.bin" nowhere.bin
    printf 'this is no order flow\n' >garbage
    bad "garbage" garbage
    says out "commands: 0"
    : >empty
    bad "empty" empty
    bad "day.csv" day.csv --format tape
    says out "commands: 0"
    head -c 100 tape.bin >cut.bin
    bad "cut.bin" cut.bin
    says out "commands: 4"
    says out "resting_orders: 2"
    printf '%s\n' 34200.1,1,11,100,5000000,1 34200.2,1,twelve,50,5000000,1 >garbled.csv
    bad "garbled.csv" garbled.csv --book b.txt --format lobster
    says out "commands: 3"
    grep -q '^1,0,5000000,11,100$' b.txt || fail "the book up to a bad record is written"
    run 0 replay tape.bin --record own.tape
    size=$(wc -c <own.tape)
    head -c $((size - 3)) own.tape >cut.tape
    bad "cut.tape" cut.tape
    gzip -c day.csv >day.csv.gz
    run 0 replay day.csv.gz
    head -c 40 day.csv.gz >cut.gz
    bad "cut.gz" cut.gz --format lobster
}

test_bad_outputs() {
    bad "missing/r.txt" tape.bin --reports missing/r.txt
    bad "missing/b.txt" tape.bin --book missing/b.txt
    bad "missing/o.tape" tape.bin --record missing/o.tape
    if [ -c /dev/full ]; then
        full="/dev/full: cannot write: No space left on device"
        bad "option --reports: $full" tape.bin --reports /dev/full
        bad "option --book: $full" day.csv --book /dev/full
        bad "option --book: $full" day.csv --book /dev/full --reports /dev/full
        bad "option --record: /dev/full: cannot write" tape.bin --record /dev/full
        for arguments in "replay tape.bin" "replay day.csv --book -" help "bench --help"; do
            # shellcheck disable=SC2086 # words
            "$program" $arguments >/dev/full 2>err
            status=$?
            [ $status -eq 1 ] || fail "outcry $arguments >/dev/full: exit status $status, not 1"
            says err "No space left on device"
        done
        # Nothing is overwritten by a replay that cannot begin.
        cp tape.bin kept
        bad "tape.bin" tape.bin --format own --book kept
        cmp -s tape.bin kept || fail "an output is truncated although the input is refused"
    fi
}

# A reader who has seen enough is no error: nothing is said, whether or not SIGPIPE is ignored.
test_reader_who_goes() {
    awk 'BEGIN { for (i = 1; i <= 60000; i++) print "34200.1,1," i ",100,5000000,1" }' >long.csv
    for output in --reports --book; do
        {
            "$program" replay long.csv $output - 2>err
            echo $? >status
        } | head -n 1 >out
        [ "$(wc -l <out)" -eq 1 ] || fail "replay $output - | head: no line"
        [ -s err ] && fail "replay $output - | head is noisy"
        [ "$(cat status)" -eq 1 ] || fail "replay $output - | head: exit status $(cat status)"
    done
}

test_progress() {
    run 0 replay tape.bin --progress
    says err "replay ["
    run 0 replay tape.bin --progress --no-progress
    [ -s err ] && fail "--no-progress shows nothing"
}

test_bench() {
    run 0 bench book --resting 20000 --operations 20000 --repeats 1
    [ "$(grep -c '^oracle: ok$' out)" -eq 2 ] || fail "bench book meets both oracles"
    says out "cpu_model: "
    says out "load_average: "
    says out "steal_pct: "
    run 0 bench book --workload W2 --resting 20000 --operations 5000 --repeats 1 --mode single \
        --engine reference
    says out "workload: W2"
    run 0 bench tape tape.bin --repeats 2
    says out "messages: 9"
    run 1 bench tape garbage
}

make_inputs
: >out
: >err
test_subcommands
test_usage
test_reports
test_summary_keys
test_book_and_executions
test_full_table
test_recording
test_bad_files
test_bad_outputs
test_hidden_same_output
test_reader_who_goes
test_progress
test_bench
if [ "$failures" -ne 0 ]; then
    echo "$failures failed"
    exit 1
fi
