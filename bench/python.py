#!/usr/bin/env python3
"""The Python package beside the program: import, solves one after the other, playouts.

usage: build-python/venv/bin/python bench/python.py build/playproof [--rounds 7] [--positions 10000]

Both sides take turns, so that a machine that is shared slows both. Solves: Othello with 12 empty squares from
random play, exact score, one thread; CPU seconds of a part of the positions each turn, the program reading them
as lines. Playouts: the empty 11x11 Hex board, one thread, playouts a second. Ratios are of medians.
"""

import argparse
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import playproof

EMPTY = 12
PLAYOUTS = 20_000_000


def positions(count):
    """So many different positions of random games, with EMPTY empty squares."""
    drawn = random.Random(1)
    found = set()
    while len(found) < count:
        position = playproof.Position("othello")
        while not position.finished and position.text.count("-") > EMPTY:
            position.play(drawn.choice(position.moves))
        if not position.finished:
            found.add(position.text)
    return sorted(found)


def cpu_of_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def by_program(program, part):
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("\n".join(part) + "\n")
        file.flush()
        begin = cpu_of_children()
        done = subprocess.run([program, "solve", "othello", "--algorithm", "dfpn", "--goal", "score",
                               "--threads", "1", "--json", "--position-file", file.name],
                              capture_output=True, text=True, check=True)
        seconds = cpu_of_children() - begin
    return seconds, [json.loads(line)["score"] for line in done.stdout.splitlines()]


def by_python(part):
    begin = time.process_time()
    scores = [playproof.solve("othello", "dfpn", p, "score", threads=1).score for p in part]
    return time.process_time() - begin, scores


def solves(program, texts, rounds):
    seconds = {"program": [], "python": []}
    for i in range(rounds):
        part = texts[i::rounds]
        sides = {"program": lambda: by_program(program, part), "python": lambda: by_python(part)}
        scores = {}
        for name in sorted(sides, reverse=i % 2 == 0):
            took, scores[name] = sides[name]()
            seconds[name].append(took / len(part))
        assert scores["program"] == scores["python"]
    return {name: statistics.median(values) for name, values in seconds.items()}


def playouts(program, rounds):
    rates = {"program": [], "python": []}
    for _ in range(rounds):
        done = subprocess.run([program, "bench", "playouts", "hex:size=11", "--seconds", "1", "--threads",
                               "1", "--json"], capture_output=True, text=True, check=True)
        rates["program"].append(json.loads(done.stdout)["playouts_per_second"])
        begin = time.perf_counter()
        tallies = playproof.playouts("hex:size=11", [""], PLAYOUTS, threads=1)
        rates["python"].append(PLAYOUTS / (time.perf_counter() - begin))
        assert tallies.sum() == PLAYOUTS
    return {name: statistics.median(values) for name, values in rates.items()}


def import_milliseconds(rounds):
    code = "import time; t = time.perf_counter(); import playproof; print(time.perf_counter() - t)"
    return 1000 * statistics.median(float(subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
        for _ in range(rounds))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--positions", type=int, default=10_000)
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    print(f"import playproof: {import_milliseconds(options.rounds):.1f} ms")
    rates = playouts(program, options.rounds)
    print("Hex 11x11 playouts a second: program {program:.3g}, Python {python:.3g}".format(**rates)
          + f", ratio {rates['python'] / rates['program']:.3f}")
    seconds = solves(program, positions(options.positions), options.rounds)
    print("a solve of 12 empty squares: program {program:.6f} s of CPU, Python {python:.6f}".format(
        **seconds) + f", ratio {seconds['python'] / seconds['program']:.3f}")


if __name__ == "__main__":
    main()
