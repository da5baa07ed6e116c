#!/bin/sh
# tools/tidy must see what it is for: plants one violation of each kind in a copy of a part of the
# tree, and expects a finding at its place. (That the tree itself has none is the test "tidy".)
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/tree
planted=$work/planted.log
expected=$work/expected.list

mkdir "$tree"
cd "$OUTCRY_SOURCE_DIR"
# What the planted files include, and what tidy itself needs.
set -- .clang-format cmake/aeron.cmake include src/base src/engine src/host/driver_dir.? \
    src/model tools/tidy
git -c safe.directory='*' ls-files --cached --others --exclude-standard -- "$@" |
    while read -r file; do
        [ ! -f "$file" ] || printf '%s\n' "$file"
    done | tar -cf - -T - | tar -xf - -C "$tree"
cd "$tree"
git init -q .

# plant FILE:LINE: CHECK, with the file's text on the standard input
plant() {
    file=${1%%:*}
    mkdir -p "$(dirname "$file")"
    cat >"$file"
    echo "$1" >>"$expected"
}
opening='/* Planted. */'
repeat() { # TEXT TIMES
    awk -v text="$1" -v times="$2" 'BEGIN { for (i = 0; i < times; i++) print text }'
}

{ echo "$opening"; printf 'int planted(void)\n{\n'; repeat '    ;' 70; echo '}'; } |
    plant 'src/base/p_function.c:2: function'
{ echo "$opening"; repeat '' 820; } | plant 'src/base/p_long.c:800: length'
{ echo "$opening"; repeat '' 260; } | plant 'src/base/p_long.h:250: length'
{ echo "$opening"; echo "$opening" | sed 's/Planted/&&&&&&&&&&&&&&&/g'; } |
    plant 'src/base/p_wide.c:2: columns'
printf '%s\nint f(int a, int b, int c, int d, int e, int g, int (*h)(int, int));\n' "$opening" |
    plant 'src/base/p_parameters.h:2: parameters'
printf '%s\n\nstatic int f(const char *s)\n{\n    return atoi(s);\n}\n' "$opening" |
    plant 'src/base/p_banned.c:5: banned'
printf '%s\n\nvoid *p(void)\n{\n    return malloc(1);\n}\n' "$opening" |
    plant 'src/engine/p_heap.c:5: engine-call'
printf '%s\n#include "engine/engine_vtable.h"\n' "$opening" |
    plant 'src/base/p_edge.c:2: include'
printf '%s\n#include "host/driver_dir.h"\n' "$opening" | plant 'src/bench/p_left.c:2: left-out'
printf '%s\n#include "base/p_cycle_b.h"\n' "$opening" | plant 'src/base/p_cycle_a.h:1: cycle'
printf '%s\n#include "base/p_cycle_a.h"\n' "$opening" >src/base/p_cycle_b.h
printf '%s\nuint64_t alone(void);\n' "$opening" | plant 'src/base/p_alone.h:1: header-alone'
printf 'int no_opening;\n' | plant 'src/base/p_opening.c:1: opening'
printf '%s\n' "$opening" | plant 'test/p_dead.c:1: dead-file'
printf '%s\n' "$opening" | plant 'src/base/p_unused.h:1: dead-file'
printf '%s\n/* %s: later */\n' "$opening" 'TO''DO' | plant 'src/base/p_marker.c:2: marker'
printf '%s\n// x = 1;\n' "$opening" | plant 'src/base/p_commented.c:2: dead-code'
printf '%s\nint  spaces;\n' "$opening" | plant 'src/base/p_format.c:2: format'
printf 'see /%s/somebody\n' home | plant 'docs/p_path.md:1: machine-path'
printf '#!/bin/sh\nif true; then\n' | plant 'test/system/test_p.sh:1: script'
printf '#!/usr/bin/env python3\ndef f(:\n' | plant 'tools/p_python:2: script'
printf '%s\n' "$opening" | plant 'src/base/p_mirror.c:1: mirror'

if tools/tidy >"$planted"; then
    echo "FAILED: tidy passed a tree with violations"
    exit 1
fi
status=0
while read -r finding; do
    if ! grep -qF "$finding: " "$planted"; then
        echo "FAILED: not found: $finding"
        status=1
    fi
    if [ -e "$OUTCRY_SOURCE_DIR/${finding%%:*}" ]; then
        echo "FAILED: the tree has what is planted: $finding"
        status=1
    fi
done <"$expected"
echo "$(wc -l <"$expected") kinds of violation planted"
exit $status
