#!/usr/bin/env bash
# Lays the device kit's sources into a folder: bench/device_kit/pack.sh FOLDER
# The sources of GoogleTest are where Debian's package googletest puts them.
set -euo pipefail
cd "$(dirname "$0")/../.."
kit=$1
googletest=${GOOGLETEST_SOURCE:-/usr/src/googletest/googletest}
[ -f "$googletest/src/gtest-all.cc" ] ||
  { echo "no sources of GoogleTest in $googletest: set GOOGLETEST_SOURCE" >&2; exit 1; }
rm -rf "$kit"
mkdir -p "$kit"/{src,tests,bench,third_party}
cp -r games kernels LICENSE "$kit/"
cp -r src/cmake "$kit/src/"
cp -r tests/kernels tests/data "$kit/tests/"
cp bench/device_bench.cpp "$kit/bench/"
cp bench/device_kit/CMakeLists.txt bench/device_kit/run.sh "$kit/"
cp -r "$googletest" "$kit/third_party/googletest"
