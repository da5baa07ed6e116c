#!/bin/sh
# The committed codecs are what the official generator makes of the schemas, byte for byte. A copy
# with one changed byte and one file too many must be noticed.
set -eu

tool=$OUTCRY_SOURCE_DIR/tools/gen-codecs
"$tool" --check # SKIP and 77 without Java

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$OUTCRY_SOURCE_DIR/src/codec/generated" "$work/copy"
sed -i 's/templateId/templateID/' "$work/copy/cluster/messageHeader.h"
echo >"$work/copy/cluster/more.h"
status=0
"$tool" --check "$work/copy" >"$work/said" || status=$?
if [ $status -ne 1 ] || [ "$(grep -c -e messageHeader.h -e more.h "$work/said")" -ne 2 ]; then
    cat "$work/said"
    echo "FAILED: exit status $status; the changed files were not noticed"
    exit 1
fi
