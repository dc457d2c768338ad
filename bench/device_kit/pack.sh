#!/usr/bin/env bash
# Lays the device kit's sources into a folder: bench/device_kit/pack.sh FOLDER [PLAYPROOF]
# With a PLAYPROOF: that program too, stripped, and the shared libraries that a bare machine lacks.
# The sources of GoogleTest are where Debian's package googletest puts them.
set -euo pipefail
program=${2:+$(realpath "$2")}
cd "$(dirname "$0")/../.."
kit=$1
googletest=${GOOGLETEST_SOURCE:-/usr/src/googletest/googletest}
[ -f "$googletest/src/gtest-all.cc" ] ||
  { echo "no sources of GoogleTest in $googletest: set GOOGLETEST_SOURCE" >&2; exit 1; }
rm -rf "$kit"
mkdir -p "$kit"/{src,tests,bench,third_party}
cp -r games kernels LICENSE "$kit/"
cp -r src/cmake "$kit/src/"
cp -r tests/kernels tests/data tests/golden tests/nightly.h "$kit/tests/"
cp bench/device_bench.cpp "$kit/bench/"
cp bench/device_kit/CMakeLists.txt bench/device_kit/run.sh bench/device_kit/evidence.sh \
  bench/device_kit/evidence.py bench/device_kit/evidence_steps.py "$kit/"
cp -r "$googletest" "$kit/third_party/googletest"
[ -n "$program" ] || exit 0
mkdir -p "$kit/bin/lib"
strip -o "$kit/bin/playproof" "$program"
# All that it asks for but the C library itself, which must fit the machine's own loader.
ldd "$program" | sed -n 's|.* => \(/[^ ]*\) .*|\1|p' |
  grep -Ev '/(libc|libm|libdl|librt|libpthread)\.so' |
  xargs -r cp -L -t "$kit/bin/lib"
