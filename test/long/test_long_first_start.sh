#!/bin/sh
# test/system/test_cluster_first_start.sh with many more kills: the place sets OUTCRY_LONG.
exec "${OUTCRY_SOURCE_DIR:-.}/test/system/test_cluster_first_start.sh"
