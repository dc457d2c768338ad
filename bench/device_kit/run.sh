#!/bin/sh
# Runs the tests, then the bench, and keeps what they print in results/. Builds the programs first
# if those that came with the kit do not start here.
set -eu
cd "$(dirname "$0")"
if ! bin/kernels_test --gtest_list_tests >/dev/null 2>&1; then
  cmake -S . -B build -DCMAKE_BUILD_TYPE=Release
  cmake --build build -j "$(nproc)" --target kernels_test device_bench
  mkdir -p bin
  cp build/kernels_test build/device_bench bin/
fi
mkdir -p results
bin/kernels_test --gtest_brief=1 >results/tests.txt 2>&1 || { cat results/tests.txt; exit 1; }
tail -n 3 results/tests.txt
bin/device_bench >results/bench.txt 2>&1 || { cat results/bench.txt; exit 1; }
cat results/bench.txt
