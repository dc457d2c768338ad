#!/usr/bin/env bash
# Lets libFuzzer search each reader for a while; stops at the first that breaks.
# usage: tests/fuzz/run.sh BUILD_FOLDER SECONDS   (a build with PLAYPROOF_FUZZ)
set -euo pipefail
build=$(cd "$1" && pwd)
seconds=$2
seeds=$(cd "$(dirname "$0")" && pwd)/seeds
cd "$build"

# At most 64 KiB an input, 5 seconds (with sanitizers) and 1 GiB.
search() {
  local target=$1
  shift
  mkdir -p "corpus/$target"
  cp "$seeds/$target".* "corpus/$target"
  "./fuzz_$target" "corpus/$target" -max_total_time="$seconds" -max_len=65536 \
    -timeout=5 -rss_limit_mb=1024 -print_final_stats=1 -artifact_prefix="$target-" "$@"
}

# The planted fault must be found, or finding nothing elsewhere says nothing.
if FAULT=C search planted -max_total_time=60 >planted.log 2>&1; then
  echo "fuzz: the planted fault was not found; see $build/planted.log" >&2
  exit 1
fi
rm -f planted-*
echo "planted: found"

for program in fuzz_*; do
  target=${program#fuzz_}
  [ "$target" = planted ] && continue
  if ! search "$target" >"$target.log" 2>&1; then
    tail -40 "$target.log" >&2
    echo "fuzz: $target breaks; the input is $build/$target-*" >&2
    exit 1
  fi
  printf '%s: %s inputs\n' "$target" \
    "$(sed -n 's/^stat::number_of_executed_units: *//p' "$target.log")"
done
