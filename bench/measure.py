"""Measures what the engines and many searches reach on this machine, and stores it.

usage: python3 bench/measure.py build/playproof --output results.json [WHAT ...] [--quick]

WHAT (default: all):
  engines   playouts a second of each engine on one core and two, and of two processes at once
            (what the machine's second core is worth), five times in turn
  sweep     playouts a second against the leaves of a batch, each engine and game
  overhead  nodes of searches that take k leaves at a time over those of searches that take one
  fleet     solved P-games and Hex boards a second, 1 to 10,000 searches at a time
  end       time to solve, leaves and playouts a second: ppn, mcpn, uct, four games, each backend

The file holds {"facts": ..., "sweep": [...], ...} with the answers of `playproof ... --json`; what
it holds already is kept. bench/page.py makes a page of such files. All searches are without proof
zones (zones=off): how fast trees and playouts are, as long as there have been figures. Run it on a
machine that does nothing else; --quick is for tests.
"""

import argparse
import json
import os
import pathlib
import sys

import machine

DATA = pathlib.Path(__file__).parent.parent / "tests" / "data"
SWEEP_GAMES = ["hex:size=11", "othello:size=8", "connect6:size=19", "pgame:branching=2,depth=20"]
LATENCY = "latency:us=20,rate=6e10"


class Measures:
    """One method a measurement; each yields one answer after the other."""

    def __init__(self, program, quick):
        self.program = program
        self.quick = quick
        self.cuda = any(d["kind"] == "cuda" and d["name"] != "emulated" for d in machine.facts(program)["devices"])

    def backends(self):
        return ["scalar", "cpu"] + (["cuda"] if self.cuda else []) + [LATENCY]

    def engines(self):
        fuller = ("--position", _rows("connect6-61-stones.txt")[0])
        many = ("--leaves", "4096", "--playouts-per-leaf", "64")
        cases = [(game,) for game in SWEEP_GAMES]
        cases += [("connect6:size=19", *fuller), ("hex:size=11", *many), ("othello:size=8", *many)]
        engines = [("scalar", "1", 1), ("sliced", "1", 1), ("sliced", "2", 1), ("sliced", "1", 2)]
        if self.cuda:
            engines.append(("cuda", "1", 1))
        for _ in range(1 if self.quick else 5):
            for case in cases:
                for engine, threads, processes in engines:
                    yield from machine.ask_together(
                        self.program, processes, "bench", "playouts", *case, "--engine", engine,
                        "--threads", threads, "--seconds", "0.01" if self.quick else "0.5")

    def sweep(self):
        engines = ["scalar", "sliced"] + (["cuda"] if self.cuda else [])
        leaves = [1, 16] if self.quick else [4 ** i for i in range(8)]
        seconds = "0.01" if self.quick else "0.4"
        for game in SWEEP_GAMES:
            for engine in engines:
                for playouts in ("32", "512"):
                    for n in leaves:
                        yield machine.ask(
                            self.program, "bench", "playouts", game, "--engine", engine,
                            "--leaves", str(n), "--playouts-per-leaf", playouts, "--seconds",
                            seconds, "--threads", "1")

    def overhead(self):
        openings = [line.split()[1] for line in _rows("hex-openings.txt")
                    if line.startswith("4 ")]
        positions = [" ".join(line.split()[:8]) for line in _rows("hex-5x5-8-stones.txt")]
        if self.quick:
            openings, positions = openings[:2], []
        for game, lines in (("hex:size=4", openings), ("hex:size=5", positions)):
            if lines:
                yield machine.ask(self.program, "bench", "search", game, "--algorithm",
                                  "ppn:playouts=256,zones=off", "--batch", "1,8,64,512",
                                  "--repeat", "1", "--position", "-", stdin="\n".join(lines) + "\n")

    def fleet(self):
        """Few in flight have fewer of the searches to do: their rate shows sooner."""
        openings = "\n".join(line.split()[1] for line in _rows("hex-openings.txt")
                             if line.startswith("4 ")) + "\n"
        for game, algorithm, searches, positions in (
                ("pgame:branching=2,depth=20", "ppn:playouts=10", 10000, "\n"),
                ("hex:size=4", "ppn:playouts=64,order=random,zones=off", 1000, openings)):
            for backend in self.backends():
                for in_flight in (1, 10) if self.quick else (1, 10, 100, 1000, 10000):
                    count = 3 if self.quick else max(searches // 10, min(searches, 3 * in_flight))
                    yield machine.ask(
                        self.program, "bench", "search", game, "--algorithm", algorithm,
                        "--backend", backend, "--in-flight", str(in_flight), "--searches",
                        str(count), "--batch-searches", "1024", "--position", "-",
                        stdin=positions)

    def end(self):
        othello = " ".join(next(iter(_rows("othello-12-exact.txt"))).split()[:2])
        games = [("hex:size=4", ""), ("othello:size=8", othello),
                 ("connect6:rows=4,columns=5,connect=3,stones=1", ""),
                 ("pgame:branching=2,depth=20,tree=1", "")]
        for game, position in [("hex:size=3", "")] if self.quick else games:
            for algorithm in ("ppn", "mcpn", "uct"):
                for backend in self.backends():
                    yield machine.ask(
                        self.program, "bench", "search", game, "--algorithm",
                        f"{algorithm}:playouts=64,zones=off", "--backend", backend,
                        "--position", position, "--repeat", "1" if self.quick else "3")


def _rows(name):
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def main():
    kinds = ["engines", "sweep", "overhead", "fleet", "end"]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="the playproof program, e.g. build/playproof")
    parser.add_argument("what", nargs="*", metavar="WHAT", help=", ".join(kinds))
    parser.add_argument("--output", required=True, metavar="FILE")
    parser.add_argument("--quick", action="store_true", help="a little of everything")
    options = parser.parse_args()
    unknown = sorted(set(options.what) - set(kinds))
    if unknown:
        parser.error(f"unknown: {', '.join(unknown)}; there is: {', '.join(kinds)}")
    results = {}
    if os.path.exists(options.output):
        with open(options.output, encoding="utf-8") as file:
            results = json.load(file)
    results["facts"] = machine.facts(options.program)
    measures = Measures(options.program, options.quick)
    for kind in options.what or kinds:
        results[kind] = []
        for answer in getattr(measures, kind)():
            results[kind].append(answer)
            print(answer["command"], file=sys.stderr, flush=True)
            machine.write_json(options.output, results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
