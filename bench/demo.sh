#!/usr/bin/env bash
# The main job on real input: the thesis' P-game experiment, two solved positions, a report.
# usage: bench/demo.sh STORE REPORT   (after `make build`; `make demo` calls it)
# A second start goes on with the experiment where the first one stopped.
set -euo pipefail
store=$1
report=$2
program=${PLAYPROOF:-build/playproof}
cd "$(dirname "$0")/.."

heading() { printf '\n== %s\n' "$*"; }
solve() {
  echo "\$ playproof solve $*"
  $program solve "$@"
}

heading "Who wins on the empty 4x4 Hex board?"
solve hex:size=4 --algorithm pn

heading "Othello, 12 empty squares: can the side to move win? And by how much, at best?"
board=-XOOO--X-XXXOOXX-XXOOOOXXXXXOOOO-XXXXOXOOXXXXXOO-XXXXXXO---OOO--
solve othello --position "$board X" --algorithm ppn:playouts=32
solve othello --position "$board X" --algorithm pn --goal score

heading "200 P-games of 2 branches and 20 layers, 200 of 8 and 8; five algorithms"
$program experiment bench/plans/pgame-thesis.toml --store "$store"

heading "Report"
$program report "$store" --output "$report"
$program report "$store" --format text
echo
echo "Open $report in a browser."
