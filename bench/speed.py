"""Measures the speed table of bench/README.md and prints it as Markdown.

usage: python3 bench/speed.py build/playproof [--skip-experiment]
Each search is repeated in one process on one thread; the table shows medians over the repeats. Run
it on a machine that does nothing else.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import machine

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


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="the playproof program, e.g. build/playproof")
    parser.add_argument("--skip-experiment", action="store_true", help="leave out the long one")
    options = parser.parse_args()
    measures = [proof_number_search, probability_search]
    if not options.skip_experiment:
        measures.append(experiment)
    version = subprocess.run([options.program, "version"], check=True, capture_output=True,
                             text=True).stdout.splitlines()[0]
    print(f"{version}; {machine.processor()}, {os.cpu_count()} cores\n")
    print("| what | measured | wanted |\n| --- | --- | --- |")
    for measure in measures:
        print("| " + " | ".join(measure(options.program)) + " |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
