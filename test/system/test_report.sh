#!/bin/sh
# `outcry report` from outside: exit statuses, one line for each bad input, what a page says of runs
# that are good, marked, of a closed loop, and side by side. The runs are those of test/data/runs,
# which are kept as they are: a build must read what an older one wrote.
set -u

program=${OUTCRY_PROGRAM:-}
if [ -z "$program" ]; then
    echo "SKIP: OUTCRY_PROGRAM does not name the program"
    exit 77
fi
runs=${OUTCRY_SOURCE_DIR:-.}/test/data/runs
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

# says FILE TEXT: the file has the text in it.
says() {
    grep -qF -- "$2" "$1" || fail "$1 does not say '$2'"
}

# refused TEXT FILE: exit status 1, one line that names the file and says TEXT, and no page.
refused() {
    rm -f page.html
    run 1 report "$2" --output page.html
    says err "$1"
    says err "$2"
    [ "$(wc -l <err)" -eq 1 ] || fail "report $2: an error has one line"
    [ ! -s out ] || fail "report $2: an error writes to stdout"
    [ ! -e page.html ] || fail "report $2: an error leaves a page"
}

run 2 report
run 2 report --compare "$runs/knee.json"
run 2 report "$runs/knee.json" --outptu page.html
says err "did you mean --output?"
cp "$runs/knee.json" own.json
run 2 report own.json --output own.json
cmp -s own.json "$runs/knee.json" || fail "a run was replaced by its report"

# What a page says.
run 0 report "$runs/knee.json"
says out "page: report.html"
says report.html "worst of 2 repeats, at 0.67 of the knee"
says report.html "knee between 90,000 and 110,000; first rate that failed: 110,000"
run 0 report "$runs/knee.json" "$runs/burst.json" "$runs/echo.json" --output page.html --json r.json
says page.html "<b>Marked:</b> udp_rcvbuf_errors 3, lost 12."
says page.html "not to be quoted: the run is marked"
says page.html "closed loop: not latency at a rate"
says page.html "&lt;/script&gt;&lt;b&gt;bursts"
says r.json '"format": "outcry-report"'
[ "$(grep -o '</script' page.html | wc -l)" -eq 3 ] || fail "a text of a run ends a script"
[ "$(ls)" = "$(printf '%s\n' err out own.json page.html r.json report.html)" ] ||
    fail "something is left beside the page: $(ls)"

run 0 report --compare "$runs/knee.json" own.json --output page.html
says page.html "within noise"
says page.html "Both ran under the same conditions."
run 1 report --compare "$runs/knee.json" "$runs/echo.json" --output page.html
says err "only two runs of one bench can be compared"

# Bad input, each of its own kind.
refused "No such file" none.json
printf '' >empty.json
refused "cut off" empty.json
head -c 20000 own.json >cut.json
refused "cut off" cut.json
printf 'not JSON\n' >text.json
refused "line 1" text.json
printf '{"format": "other"}' >other.json
refused "is no run file" other.json
sed 's/"version": 1,/"version": 2,/' own.json >version.json
refused "is a run file of version 2, this build reads version 1" version.json
sed 's/"kernel": "[^"]*", //' own.json >member.json
refused "conditions.kernel is missing" member.json
sed 's/"message_bytes": 288/"message_bytes": "288"/' own.json >type.json
refused "series[0].message_bytes is not a number" type.json
sed 's/"percentiles": \[[^]]*\]/"percentiles": [{"value": 9, "percentile": 50, "count": 500}]/' \
    own.json >median.json
refused "has no percentile but p50" median.json
truncate -s 65M large.json
refused "64 MiB" large.json
refused "Is a directory" "$dir"

# A page that cannot be written is told of.
run 1 report own.json --output none/page.html
says err "none/page.html"
run 1 report own.json --output /dev/full
says err "no regular file"

# A bench's own file.
run 0 bench book --workload W1 --resting 1000 --operations 1000 --repeats 2 --run book.json
run 0 report book.json --output page.html
says page.html "mixed_ns_per_op"
says page.html "Configuration in effect"

[ $failures -eq 0 ] || exit 1
echo "all good"
