#!/usr/bin/env bash
# The main job on real input: the thesis' P-game experiment, three solved positions, a report, a proof
# as a page.
# usage: bench/demo.sh STORE REPORT [SHARD]   (after `make programs`; `make demo` calls it)
# SHARD: which part of the experiment, e.g. 1/2; default: 1/1, all of it.
# A second start goes on with the experiment where the first one stopped.
set -euo pipefail
store=$1
report=$2
shard=${3:-1/1}
program=${PLAYPROOF:-build/playproof}
cd "$(dirname "$0")/.."

heading() { printf '\n== %s\n' "$*"; }
solve() {
  echo "\$ $program solve $*"
  $program solve "$@"
}

heading "Who wins on the empty 4x4 Hex board?"
solve hex:size=4 --algorithm pn

heading "Othello, 12 empty squares: can the side to move win? And by how much, at best?"
board=-XOOO--X-XXXOOXX-XXOOOOXXXXXOOOO-XXXXOXOOXXXXXOO-XXXXXXO---OOO--
solve othello --position "$board X" --algorithm ppn:playouts=32
solve othello --position "$board X" --algorithm pn --goal score

plan=bench/plans/pgame-thesis.toml
heading "P-games of 2 branches and 20 layers, of 8 and 8, six algorithms: part $shard of $plan"
$program experiment $plan --store "$store" --shard "$shard"

heading "Report"
$program report "$store" --output "$report" &
page=$!
$program report "$store" --format text
wait $page

heading "A proof to click through: Hex on the 5x5 board"
solve hex:size=5 --algorithm dfpn:patterns=1024 --certificate proof.cert
$program view proof.cert --output proof.html
echo
echo "Open $report and proof.html in a browser."
if [ "$shard" != 1/1 ]; then
  echo "The whole experiment: $0 $store $report"
fi
