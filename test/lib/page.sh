# shellcheck shell=sh
# A page of a report in a browser without a screen. Sourced by tests of pages, which have set $dir,
# a folder of their own, are in it, and have fail(). Exits with 77 where there is no browser.
#
# The page counts the coloured pixels of each plot itself (data-drawn), and what the browser loaded
# for it (data-fetched).

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || {
    echo "SKIP: there is no chromium here; tools/setup installs it"
    exit 77
}

# open_page FILE OPTION...: what the browser prints goes to dom, what it says to log.
open_page() {
    file=$1
    shift
    sandbox=
    [ "$(id -u)" -ne 0 ] || sandbox=--no-sandbox
    # shellcheck disable=SC2086,SC2154 # empty is no word; the test has set dir
    HOME=$dir timeout 120 "$browser" --headless $sandbox --disable-gpu --disable-dev-shm-usage \
        --no-first-run --disable-background-networking --disable-component-update \
        --disable-breakpad --user-data-dir="$dir/profile" --hide-scrollbars \
        --window-size=1000,3000 --virtual-time-budget=10000 --enable-logging=stderr "$@" \
        "file://$dir/$file" >dom 2>log || fail "the browser ended with status $?"
}

# check_page FILE PLOTS: it draws so many plots, complains of nothing and fetches nothing.
check_page() {
    open_page "$1" --dump-dom
    if grep -q CONSOLE log; then
        fail "the page's script complains: $(grep CONSOLE log)"
    fi
    grep -q 'data-fetched="0"' dom || fail "the page fetched something, or its script did not end"
    wanted=$(grep -o '<div class="plot" data-plot="[a-z]*"' "$1" | wc -l)
    [ "$wanted" -eq "$2" ] || fail "the page has $wanted places for plots, not $2"
    drawn=$(grep -o 'class="plot" data-plot="[a-z]*" data-run="[0-9]*" data-drawn="[0-9]*"' dom |
        sed 's/.*data-drawn="\([0-9]*\)"/\1/' | awk '$1 >= 100' | wc -l)
    [ "$drawn" -eq "$wanted" ] || fail "only $drawn of $wanted plots have something in them"
}
