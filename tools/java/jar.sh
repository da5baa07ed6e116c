#!/usr/bin/env bash
# Shell functions that build the jar of a Maven project without asking Maven when only sources
# changed: sourced by tools/java/build and cluster/java/build, in the folder of their pom.xml.
# shellcheck shell=bash

java_tools=${BASH_SOURCE[0]}

# java_begin FOLDER: prints "SKIP: why" and exits with 77 without a JDK or Maven; else makes the
# folder, sets `out` to it, and locks it until the script ends: several tests may start at once, one
# builds, the others wait for it.
java_begin() {
    local command
    for command in javac jar java mvn; do
        if ! command -v "$command" >/dev/null; then
            echo "SKIP: no $command here"
            exit 77
        fi
    done
    mkdir -p "$1"
    out=$(cd "$1" && pwd)
    exec 9>"$out/lock"
    flock -w 600 9
}

# quietly WHAT COMMAND...: its output is shown only when it fails.
quietly() {
    local what=$1
    shift
    "$@" >"$out/log" 2>&1 || { cat "$out/log" >&2; echo "java: $what failed" >&2; exit 1; }
    rm -f "$out/log"
}

# java_libraries [MAVEN OPTION]...: brings what pom.xml names to $out/lib, again only when the pom
# or the options changed. What was built with other libraries goes.
java_libraries() {
    local wanted
    wanted=$( (cat pom.xml && echo "$*") | sha256sum)
    [ "$(cat "$out/libraries" 2>/dev/null)" != "$wanted" ] || return 0
    rm -rf "$out/lib" "$out"/*.sources
    quietly "fetching the libraries" timeout 300 mvn --batch-mode --quiet -f pom.xml "$@" \
        dependency:copy-dependencies -DincludeScope=runtime -DoutputDirectory="$out/lib"
    echo "$wanted" >"$out/libraries"
}

# java_jar JAR FOLDER CLASSPATH [OPTION OF jar]...: makes $out/JAR of the sources under FOLDER,
# again only when one of them changed or the jar is gone.
java_jar() {
    local name files wanted archive=$1 folder=$2 path=$3
    shift 3
    name=$(basename "$archive" .jar)
    mapfile -t files < <(find "$folder" -name '*.java' | LC_ALL=C sort)
    wanted=$( (cat "${files[@]}" "$java_tools" && echo "$*") | sha256sum)
    [ "$(cat "$out/$name.sources" 2>/dev/null)" != "$wanted" ] || [ ! -f "$out/$archive" ] ||
        return 0
    rm -rf "${out:?}/$name.classes" "$out/$name.sources"
    quietly "compiling" timeout 120 javac --release 17 -encoding UTF-8 -Xlint:all,-processing \
        -Werror -proc:none -cp "$path" -d "$out/$name.classes" "${files[@]}"
    quietly "packing" jar --create --file "$out/$archive.new" "$@" -C "$out/$name.classes" .
    mv "$out/$archive.new" "$out/$archive"
    echo "$wanted" >"$out/$name.sources"
}
