#!/bin/sh
# What the benches of the transport write with --run is what the report shows: real runs of each,
# one page of all of them in a browser, and the JSON. The histogram files of an echo are read by the
# official Java library to the percentiles of its run file. Never a time: on a busy machine any run
# may be marked.
set -u

program=${OUTCRY_PROGRAM:-}
source=${OUTCRY_SOURCE_DIR:-.}
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
    failures=$((failures + 1))
}

. "$source/test/lib/page.sh"

# bench FILE ARGUMENT...: it may miss its rate, and then says so in the file, which is there anyway.
bench() {
    file=$1
    shift
    "$program" bench "$@" --run "$file" >out 2>err
    status=$?
    [ -s "$file" ] || fail "outcry bench $*: status $status, no run file: $(cat err)"
    [ $status -eq 0 ] || grep -q '"name": "failed"' "$file" ||
        fail "outcry bench $*: status $status, and the run is not marked: $(cat err)"
}

ipc="--channel aeron:ipc"
patient="--p99-us 3600000000 --grace 60"
small="--burst-size 300 --bursts 3 --warmup 1 --interval-ms 20 $patient"
printf 'offset_ns,size\n0,32\n0,170\n1000,400\n3000000,1000\n' >three.csv
# shellcheck disable=SC2086 # several words
{
    bench echo.json echo --rate 2000 --seconds 2 --warmup 0 --repeats 2
    bench files.json echo $ipc --rate 2000 --seconds 2 --hgrm e.hgrm --hlog e.hlog --bare
    bench closed.json echo $ipc --closed --messages 300 --seconds 60 --warmup 0
    bench knee.json knee $ipc --start 50000 --max 50000 --run-ms 20 --warmup-ms 10 --repeats 2 \
        --sla-us 60000000 --at-rate 1000
    bench burst.json burst $small --senders 2
    bench matrix.json burst --matrix $small --sizes 88,1400 --sender-counts 1,2
    bench trace.json trace three.csv $patient --senders 2
    bench selftest.json selftest --seconds 1
}
runs="echo.json files.json closed.json knee.json burst.json matrix.json trace.json selftest.json"
# shellcheck disable=SC2086 # several words
"$program" report $runs --output page.html --json report.json >/dev/null ||
    fail "the report refuses a run of a bench"

# Percentiles of six, seconds of the first, the knee, and bursts of two; the second has one second.
check_page page.html 10

# A verdict that is no is no fault of the measurement.
"$program" bench burst --burst-size 10 --bursts 1 --warmup 0 --interval-ms 1 --p99-us 1 --strict \
    --run verdict.json >out 2>err
[ $? -eq 1 ] || fail "a microsecond for a burst is kept"
! grep -q '"failed"' verdict.json || fail "a run is marked for its verdict"

# Nothing was measured, so there is no file.
"$program" bench echo --aeron-dir "$dir/none" --run none.json >out 2>err
[ $? -eq 1 ] && [ ! -e none.json ] || fail "a run that did not begin has a file"

cat >check.py <<'PYTHON'
import json
import subprocess
import sys

report = json.load(open("report.json"))
echo, files, closed, knee, burst, matrix, trace, selftest = (part["run"] for part in report["runs"])
groups = [part["groups"] for part in report["runs"]]


def same(what, got, wanted):
    if got != wanted:
        sys.exit(f"{what}: {got}, not {wanted}")


def figures(run, name):
    return [f["value"] for f in run["figures"] if f["name"] == name]


def names(items):
    return [item["name"] for item in items]


for part in report["runs"]:
    run = part["run"]
    for qualified in part["groups"] + [f for f in run["figures"] if "mtu" in f]:
        same("mtu", qualified["mtu"] > 0, True)
        same("size", qualified["message_bytes"] > 0, True)
        same("arrivals", qualified["arrivals"] != "", True)
    for name in ("transport", "window-in-effect", "mtu"):
        if run is not matrix:
            same(name, name in run["conditions"]["configuration"], True)
    same("steal", "steal_pct" in run["conditions"], True)

same("repeats", [(g["label"], g["repeats"], g["count"]) for g in groups[0]],
     [("round trip", 2, 8000)])
same("rate", echo["series"][0]["rate"], 2000)
same("seconds", [s["t"] for s in echo["series"][0]["seconds"]], [0, 1])
same("sent", figures(echo, "sent"), [4000, 4000])
same("verdicts", names(echo["verdicts"]), ["kept_rate", "kept_rate"])
same("warm-up", (files["series"][0]["warmup_s"], files["series"][0]["count"]), (1, 2000))
same("files", (files["series"][0]["hgrm"], files["series"][0]["hlog"]), ("e.hgrm", "e.hlog"))
same("ping-pong", len(figures(files, "ping_pong_bare")), 2)
same("loop", (echo["loop"], closed["loop"]), ("open", "closed"))
same("closed", report["runs"][2]["numbers"]["lab_best"]["why"],
     "closed loop: not latency at a rate")
same("window", closed["series"][0]["arrivals"], "closed, 1 under way")

same("points", [(p["rate"], len(p["p999"])) for p in knee["knee"]["points"]][0], (50000, 2))
same("limit", knee["knee"]["sla_ns"], 60000000000)
same("how it ended", knee["knee"]["end"] != "", True)
same("no knee", report["runs"][3]["numbers"]["can_be_promised"]["why"], "no knee was found")

rows = burst["burst"]["bursts"]
same("bursts", [(b["n"], b["messages"], b["missing"]) for b in rows],
     [(2, 600, 0), (3, 600, 0), (4, 600, 0)])
same("judged", (burst["burst"]["verdict"], burst["burst"]["reasons"]), ("pass", []))
same("not judged", burst["burst"]["not_judged"], ["qdisc drops (no --qdisc-show)"])
same("naks", burst["burst"]["counters"]["naks"], 0)
same("unknown", burst["burst"]["counters"]["qdisc_drops"], None)
same("latency", burst["series"][0]["count"], 1800)
same("matrix", [(r["senders"], r["message_bytes"], r["verdict"]) for r in matrix["matrix"]],
     [(1, 88, "pass"), (1, 1400, "impossible"), (2, 88, "pass"), (2, 1400, "impossible")])
same("rows", [s["count"] for s in matrix["series"]], [900, 1800])
same("trace", [(b["n"], b["messages"]) for b in trace["burst"]["bursts"]], [(1, 8)])
same("selftest", [(v["name"], v["verdict"]) for v in selftest["verdicts"]],
     [("stall", "pass"), ("closed_loop", "pass"), ("overload", "pass")])
same("stall", figures(selftest, "samples_affected_expected")[0] > 0, True)

# The official library's opinion of the histogram log.
java = subprocess.run([sys.argv[1], "HdrPercentiles", "e.hlog"], stdout=subprocess.PIPE, text=True)
if java.returncode == 77:
    print("SKIP: no Java judge here:", java.stdout)
    sys.exit(0)
said = dict(line.split(": ") for line in java.stdout.splitlines())
series = files["series"][0]
rungs = {rung["percentile"]: rung["value"] for rung in series["percentiles"]}
same("count by Java", int(said["count"]), series["count"])
for percentile in (50, 90, 99, 99.9, 99.99):
    same(f"p{percentile} by Java", min(int(said[f"p{percentile}"]), series["max"]),
         rungs[percentile])
text = subprocess.run([sys.argv[1], "HdrPercentiles", "e.hlog", "1000"], stdout=subprocess.PIPE,
                      text=True).stdout
same(".hgrm by Java", text, open("e.hgrm").read())
PYTHON
python3 check.py "$source/tools/java/run" 2>&1 || fail "the JSON is not what was run"

# Side by side: the repeats are a noise band, and what differs is told.
"$program" report --compare echo.json files.json --output pair.html --json pair.json >/dev/null ||
    fail "two echoes are not compared"
grep -q '"no band: needs repeats"' pair.json || fail "one run is said to have a band"
grep -q '<th>transport</th><td>udp unicast</td><td>ipc</td>' pair.html ||
    fail "what differs is not told"
cp echo.json again.json
"$program" report --compare echo.json again.json --output pair.html >/dev/null || fail "no pair"
grep -q 'within noise</td>' pair.html || fail "there is no noise band"

[ $failures -eq 0 ] || exit 1
echo "all good"
