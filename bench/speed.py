"""Measures the speed table of bench/README.md and prints it as Markdown.

usage: python3 bench/speed.py build/playproof [--skip-experiment] [--hex]
Each search is repeated in one process on one thread; the table shows medians over the repeats. Run
it on a machine that does nothing else. With --hex the table of Hex instead: CPU seconds of searches
with proof zones and what is known of Hex, each a process of its own, medians of five (of what takes
long one), with the node entries, which are the same each time.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import machine
from hex import cells

PLAN = pathlib.Path(__file__).parent / "plans" / "pgame-thesis.toml"


def bench(program, game, algorithm, repeat, *options):
    command = [program, "bench", "search", game, "--algorithm", algorithm, "--repeat", str(repeat),
               "--threads", "1", "--json", *options]
    answer = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return json.loads(answer)["rows"][0]


def proof_number_search(program):
    row = bench(program, "hex:size=4", "pn:zones=off", 5)
    return (f"PN without zones, empty 4x4 Hex board ({row['nodes_created']:,} nodes, {row['verdict']})",
            f"{row['nodes_per_second'] / 1e6:.1f} M nodes/s, "
            f"{row['bytes_per_node']:.1f} bytes/node",
            "15 M nodes/s, 32 bytes/node")


def probability_search(program, trees=20):
    rows = [bench(program, f"pgame:branching=2,depth=20,tree={tree}", "ppn:playouts=10", 15)
            for tree in range(1, trees + 1)]
    iterations = sum(row["iterations"] for row in rows)
    seconds = sum(row["seconds"] for row in rows)
    return (f"PPN, 10 playouts a leaf, P-games 2x20, trees 1..{trees} ({iterations:,} iterations)",
            f"{iterations / seconds / 1e6:.2f} M iterations/s", "1.0 M iterations/s")


def experiment(program):
    threads = len(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as folder:
        start = time.monotonic()
        subprocess.run([program, "experiment", str(PLAN), "--store", f"{folder}/speed.db",
                        "--threads", str(threads), "--progress", "none"], check=True,
                       stdout=subprocess.DEVNULL)
        seconds = time.monotonic() - start
    return (f"{PLAN.name}, whole experiment, {threads} threads", f"{seconds:.1f} s",
            "90 s on 2 cores")


MUST_PLAY = "dfpn:leaf=mustplay,epsilon=0.25,patterns=1024,widening=0.25,fill=full"
# Size, position (None: all openings with one table), search, repeats, seconds that were asked for.
HEX = (
    (5, "", "dfpn:patterns=1024", 5, 0.10),
    (5, None, "dfpn:patterns=1024", 5, 5),
    (6, "", "dfpn:patterns=16384", 1, 15),
    (5, "", "dfpn:patterns=1024,probe=bridges", 5, 0.01),
    (6, "", "dfpn:patterns=16384,probe=bridges", 5, 2),
    (6, "b4", "dfpn:patterns=16384,probe=bridges", 1, 12),
    (6, "", "dfpn:patterns=1024,fill=full,form=linear,S=100,epsilon=0.25", 5, 0.2),
    (6, None, "dfpn:patterns=16384,fill=full,form=linear,S=100,epsilon=0.25", 1, 20),
    (7, "", MUST_PLAY, 5, 0.1),
    (7, None, MUST_PLAY, 1, 60),
    (8, "", MUST_PLAY, 1, 30),
)


def hex_search(program, size, position, algorithm, repeat, wanted):
    command = ["solve", f"hex:size={size}", "--algorithm", algorithm, "--threads", "1"]
    def once():
        if position is not None:
            return [machine.ask(program, *command, "--position", position)]
        return [answer for _, answer in machine.ask_lines(program, *command, "--keep-table", lines=cells(size))]

    answers = [once() for _ in range(repeat)]
    assert all(answer["verdict"] != "unknown" for answer in answers[0])
    seconds = statistics.median(sum(answer["cpu_seconds"] for answer in each) for each in answers)
    entries, *others = [sum(answer["iterations"] for answer in each) for each in answers]
    assert all(other == entries for other in others)
    board = f"{size}x{size}, " + (f"all {size * size} openings, one table" if position is None else
                                  f"after {position}" if position else "empty")
    return f"Hex {board}, `{algorithm}` ({entries:,} entries)", f"{seconds:.3g} s", f"{wanted:g} s"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="the playproof program, e.g. build/playproof")
    parser.add_argument("--skip-experiment", action="store_true", help="leave out the long one")
    parser.add_argument("--hex", action="store_true", help="the table of Hex instead")
    options = parser.parse_args()
    if options.hex:
        measures = [lambda program, row=row: hex_search(program, *row) for row in HEX]
    else:
        measures = [proof_number_search, probability_search] + [experiment] * (not options.skip_experiment)
    version = subprocess.run([options.program, "version"], check=True, capture_output=True,
                             text=True).stdout.splitlines()[0]
    print(f"{version}; {machine.processor()}, {os.cpu_count()} cores\n")
    print("| what | measured | wanted |\n| --- | --- | --- |")
    for measure in measures:
        print("| " + " | ".join(measure(options.program)) + " |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
