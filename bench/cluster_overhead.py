#!/usr/bin/env python3
"""What `playproof-cluster` takes beside the runs themselves: many short runs on workers of this machine.

usage: build-python/venv/bin/python bench/cluster_overhead.py build/playproof [--runs 4000 20000]
       [--workers 2] [--rounds 1]

The same plan, P-games that PPN solves in about 3 ms each, by `playproof experiment --threads N` and by
`playproof-cluster experiment --workers N`, in turns. CPU is user and system time of all processes; of a busy
machine it says more than the time that passed. With two numbers of runs also what one more run takes, which
is without the start of scheduler and workers.
"""

import argparse
import os
import pathlib
import resource
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

PLAN = """\
name = "cluster-overhead"
seed = 1

[limits]
max_nodes = 10_000_000

[report]
kind = "agreement"

[[series]]
name = "trees"
game = "pgame:branching=2,depth=21"
trees = {{ from = 1, to = {runs} }}

[[algorithm]]
label = "PPN"
spec = "ppn:playouts=10"
"""


def cpu_of_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(command, store, runs):
    """(CPU of all processes, seconds that passed, CPU of the searches as the rows have it)."""
    before, begin = cpu_of_children(), time.perf_counter()
    subprocess.run([*command, "--store", store, "--progress", "none"], check=True, stdout=subprocess.DEVNULL)
    cpu, wall = cpu_of_children() - before, time.perf_counter() - begin
    database = sqlite3.connect(store)
    count, searches = database.execute("SELECT COUNT(*), SUM(cpu_seconds) FROM run").fetchone()
    database.close()
    if count != runs:
        raise SystemExit(f"{count} rows, not {runs}")
    return cpu, wall, searches


def medians(commands, runs, rounds):
    """{name: (CPU, wall, searches)}; the sides take turns."""
    found = {name: [] for name in commands}
    with tempfile.TemporaryDirectory() as folder:
        plan = os.path.join(folder, "plan.toml")
        pathlib.Path(plan).write_text(PLAN.format(runs=runs), encoding="utf-8")
        for i in range(rounds):
            for name in sorted(commands, reverse=i % 2 == 1):
                command = [plan if word == "PLAN" else word for word in commands[name]]
                found[name].append(measure(command, os.path.join(folder, f"{name}{i}.db"), runs))
    return {name: [statistics.median(column) for column in zip(*rows)] for name, rows in found.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("program")
    parser.add_argument("--runs", type=int, nargs="+", default=[4000, 20000])
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=1)
    options = parser.parse_args()
    cluster = pathlib.Path(sys.executable).with_name("playproof-cluster")
    commands = {"program": [os.path.abspath(options.program), "experiment", "PLAN", "--threads",
                            str(options.workers)],
                "cluster": [str(cluster), "experiment", "PLAN", "--workers", str(options.workers),
                            "--dashboard", "none"]}
    print(f"{'runs':>7} {'':8} {'CPU s':>9} {'wall s':>9} {'searches':>9}  CPU over the program's")
    cpu = {}
    for runs in options.runs:
        found = medians(commands, runs, options.rounds)
        for name in ("program", "cluster"):
            used, wall, searches = found[name]
            cpu[name, runs] = used
            ratio = f"  {used / found['program'][0]:.3f}" if name == "cluster" else ""
            print(f"{runs:7} {name:8} {used:9.2f} {wall:9.2f} {searches:9.2f}{ratio}", flush=True)
    if len(options.runs) > 1:
        first, last = min(options.runs), max(options.runs)
        each = {name: 1e3 * (cpu[name, last] - cpu[name, first]) / (last - first)
                for name in ("program", "cluster")}
        print(f"one more run: program {each['program']:.3f} ms, cluster {each['cluster']:.3f} ms of CPU, "
              f"{each['cluster'] / each['program']:.3f}")


if __name__ == "__main__":
    main()
