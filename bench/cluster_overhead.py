#!/usr/bin/env python3
"""What `playproof-cluster` takes beside the runs themselves: many short runs on workers of this machine.

usage: build-python/venv/bin/python bench/cluster_overhead.py build/playproof [--runs 4000 20000]
       [--workers 2] [--rounds 1]

The same plan, P-games that PPN solves in about 3 ms each, in turns by

- `runs`: N processes that make every N-th run each, from its text to its row as a text, as a worker of the
  cluster does it, and nothing else: no store, no scheduler, no start of Python. The time is that of the slower
  process. What the others take above it is their overhead.
- `program`: `playproof experiment --threads N`
- `cluster`: `playproof-cluster experiment --workers N`

CPU is user and system time of all processes; of a busy machine it says more than the time that passed.
`searches` is what the searches took by their own clocks, of CPU: a run also makes its P-game and its row. These are
the same work on every side, so the last column, CPU time as a multiple of it and held against that of the runs, is
without what the machine's speed does from minute to minute. With two numbers of runs also what one more run takes,
which is without the start of scheduler and workers.
"""

import argparse
import json
import multiprocessing
import os
import pathlib
import resource
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

from playproof import _native

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


def ready(barrier):
    global together  # pylint: disable=global-statement
    together = barrier


def make_runs(texts):
    """(CPU, seconds, CPU of the searches) of the runs one after the other, in a process of their own."""
    runner, memory = _native.Runner(), _native.memory_limit() // 4
    together.wait()
    cpu, begin = time.process_time(), time.perf_counter()
    made = [runner.make(text, memory, lambda: False) for text in texts]
    cpu, seconds = time.process_time() - cpu, time.perf_counter() - begin
    return cpu, seconds, sum(json.loads(text)["row"]["cpu_seconds"] for text in made)


def measure_runs(plan, store, runs, workers):
    """As measure(), of the runs alone."""
    owner = _native.StoreOwner(plan, store, "auto", "cluster_overhead.py")
    texts = owner.texts(owner.begin(workers)).decode().split("\n")
    owner.end(False)
    if len(texts) != runs:
        raise SystemExit(f"{len(texts)} runs, not {runs}")
    spawn = multiprocessing.get_context("spawn")
    with spawn.Pool(workers, ready, (spawn.Barrier(workers),)) as pool:
        made = pool.map(make_runs, [texts[i::workers] for i in range(workers)], chunksize=1)
    cpu, seconds, searches = zip(*made)
    return sum(cpu), max(seconds), sum(searches)


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


def medians(commands, runs, rounds, workers):
    """{name: (CPU, wall, searches)}; the sides take turns."""
    found = {name: [] for name in commands}
    with tempfile.TemporaryDirectory() as folder:
        plan = os.path.join(folder, "plan.toml")
        pathlib.Path(plan).write_text(PLAN.format(runs=runs), encoding="utf-8")
        for i in range(rounds):
            for name in sorted(commands, reverse=i % 2 == 1):
                store = os.path.join(folder, f"{name}{i}.db")
                if name == "runs":
                    found[name].append(measure_runs(plan, store, runs, workers))
                    continue
                command = [plan if word == "PLAN" else word for word in commands[name]]
                found[name].append(measure(command, store, runs))
    return {name: [statistics.median(column) for column in zip(*rows)] for name, rows in found.items()}


def over(side, alone):
    """What one side, (CPU, wall, searches), takes as a multiple of the runs alone: CPU, wall, and CPU if
    both had had equal searches."""
    cpu, wall, searches = (x / y for x, y in zip(side, alone))
    return cpu, wall, cpu / searches


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("program")
    parser.add_argument("--runs", type=int, nargs="+", default=[4000, 20000])
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=1)
    options = parser.parse_args()
    cluster = pathlib.Path(sys.executable).with_name("playproof-cluster")
    commands = {"runs": [],
                "program": [os.path.abspath(options.program), "experiment", "PLAN", "--threads",
                            str(options.workers)],
                "cluster": [str(cluster), "experiment", "PLAN", "--workers", str(options.workers),
                            "--dashboard", "none"]}
    print(f"{'runs':>7} {'':8} {'CPU s':>9} {'wall s':>9} {'searches':>9}  over the runs': CPU, wall, CPU of equal "
          "searches")
    cpu = {}
    for runs in options.runs:
        found = medians(commands, runs, options.rounds, options.workers)
        for name in commands:
            used, wall, searches = found[name]
            cpu[name, runs] = used
            ratio = "  " + " ".join(f"{x:.3f}" for x in over(found[name], found["runs"]))
            print(f"{runs:7} {name:8} {used:9.2f} {wall:9.2f} {searches:9.2f}{ratio}", flush=True)
    if len(options.runs) > 1:
        first, last = min(options.runs), max(options.runs)
        each = {name: 1e3 * (cpu[name, last] - cpu[name, first]) / (last - first)
                for name in commands}
        print("one more run, ms of CPU: " + ", ".join(f"{name} {ms:.3f}" for name, ms in each.items()))


if __name__ == "__main__":
    main()
