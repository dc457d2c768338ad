#!/usr/bin/env bash
# Lets libFuzzer search each reader for a while; starts no other after one that breaks.
# usage: tests/fuzz/run.sh BUILD_FOLDER SECONDS [JOBS]   (a build with PLAYPROOF_FUZZ)
set -euo pipefail
build=$(cd "$1" && pwd)
seconds=$2
jobs=${3:-1}
seeds=$(cd "$(dirname "$0")" && pwd)/seeds
cd "$build"

# At most 64 KiB an input, 5 seconds (with sanitizers) and 1 GiB.
search() {
  local target=$1
  shift
  mkdir -p "corpus/$target"
  # Those of checkpoints were made by the program of this build.
  if [ "$target" = checkpoint ]; then
    cp tests/seeds/checkpoint.{pn,uct,ppn}{,.old} "corpus/$target"
  else
    cp "$seeds/$target".* "corpus/$target"
  fi
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

reader() {
  local target=$1
  if ! search "$target" >"$target.log" 2>&1; then
    tail -40 "$target.log" >&2
    echo "fuzz: $target breaks; the input is $build/$target-*" >&2
    exit 255
  fi
  printf '%s: %s inputs\n' "$target" \
    "$(sed -n 's/^stat::number_of_executed_units: *//p' "$target.log")"
}
export -f search reader
export build seconds seeds
for program in fuzz_*; do
  [ "$program" = fuzz_planted ] || printf '%s\0' "${program#fuzz_}"
done | xargs -0 -P "$jobs" -n 1 bash -c 'set -euo pipefail; reader "$0"'
