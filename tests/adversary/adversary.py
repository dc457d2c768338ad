#!/usr/bin/env python3
"""Draws sequences of calls, legal and illegal, runs them in children with limits, and holds every
answer against a model of what the contract allows. What fails is made small and can be stored as a
regression.

    python3 tests/adversary/adversary.py --program build/playproof --count 1000 --seed 1
    python3 tests/adversary/adversary.py --replay tests/adversary/regressions/*.json

Sequence i of seed S depends on S and i alone: `--seed S --first i --count 1` repeats it.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import sys
import time

import draw
import executor
import shrink
import tables

RULES_OF_CLOCKS = {"slow", "hang"}  # a busy machine can make these up: asked again


def arguments():
    here = os.path.dirname(os.path.abspath(__file__))
    build = os.path.join(here, "..", "..", "build")
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--program", default=os.environ.get("PLAYPROOF") or
                        os.path.join(build, "playproof"))
    parser.add_argument("--checker", default=os.environ.get("PLAYPROOF_CHECK") or
                        os.path.join(build, "playproof-check"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first sequence")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=float, default=0, help="stop after (0: never)")
    parser.add_argument("--failures", type=int, default=5, help="stop after so many")
    parser.add_argument("--shrink", type=int, default=300, help="tries to make a failure small")
    parser.add_argument("--again", type=int, default=2,
                        help="runs more of what a busy machine may have made slow")
    parser.add_argument("--gentle", action="store_true", help="without signals and faults")
    parser.add_argument("--store", help="folder for the sequences that fail, made small")
    parser.add_argument("--replay", nargs="+", metavar="FILE", help="run stored sequences")
    parser.add_argument("--log", type=int, default=0, help="print progress every N sequences")
    return parser.parse_args()


class Work:
    """What a worker process keeps."""

    def __init__(self, options):
        self.options = options
        program, checker = os.path.abspath(options.program), os.path.abspath(options.checker)
        # The tables come from the program itself, also where a wrapper stands before it.
        self.tables = tables.Tables(program)
        self.executor = executor.Executor(program, checker, self.tables)

    def fails(self, steps, rule=None):
        if any(draw.endless(step) for step in steps):
            return None  # made small too far
        failure = self.executor.run(steps)
        for _ in range(self.options.again):
            if failure and failure.rule in RULES_OF_CLOCKS:
                failure = self.executor.run(steps)
        return failure if failure and rule in (None, failure.rule) else None

    def one(self, number):
        """(number, calls, report or None)."""
        steps = draw.Draw(self.tables, f"{self.options.seed}:{number}",
                          self.options.gentle).sequence()
        failure = self.fails(steps)
        calls = self.executor.calls if hasattr(self.executor, "calls") else 0
        if failure is None:
            return number, calls, None
        # What kills and clocks decide may not fail again: then it is stored as it was.
        small = shrink.shrink(steps, lambda less: self.fails(less, failure.rule),
                              self.options.shrink)
        last = self.fails(small, failure.rule) or failure
        return number, calls, {"rule": failure.rule, "seed": self.options.seed, "sequence": number,
                               "text": str(last), "steps": small}


WORK = None


def start(options):
    global WORK  # pylint: disable=global-statement
    WORK = Work(options)


def one(number):
    return WORK.one(number)


def store(folder, report):
    os.makedirs(folder, exist_ok=True)
    code = hashlib.sha256(json.dumps(report["steps"], sort_keys=True).encode()).hexdigest()[:8]
    name = os.path.join(folder, f"{report['rule']}-{code}.json")
    with open(name, "w", encoding="utf-8") as file:
        json.dump({"rule": report["rule"], "found": f"seed {report['seed']}, sequence "
                   f"{report['sequence']}", "steps": report["steps"]}, file, indent=1)
        file.write("\n")
    return name


def replay(options):
    work, bad = Work(options), 0
    for name in options.replay:
        with open(name, encoding="utf-8") as file:
            failure = work.fails(json.load(file)["steps"])
        if failure:
            bad += 1
            print(f"{name}: {failure.rule}: {failure}")
    print(f"{len(options.replay)} stored sequences, {bad} fail")
    return 1 if bad else 0


def main():
    options = arguments()
    if options.replay:
        return replay(options)
    began, done, calls, failures = time.monotonic(), 0, 0, []
    numbers = iter(range(options.first, options.first + options.count))
    with concurrent.futures.ProcessPoolExecutor(options.jobs, initializer=start,
                                                initargs=(options,)) as pool:
        waiting = set()
        while True:
            over = len(failures) >= options.failures or (
                options.seconds and time.monotonic() - began > options.seconds)
            while not over and len(waiting) < 4 * options.jobs:
                number = next(numbers, None)
                if number is None:
                    break
                waiting.add(pool.submit(one, number))
            if over:
                waiting = {future for future in waiting if not future.cancel()}
            if not waiting:
                break
            ready, waiting = concurrent.futures.wait(
                waiting, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in ready:
                number, made, report = future.result()
                done, calls = done + 1, calls + made
                if options.log and done % options.log == 0:
                    print(f"{done} sequences, {calls} calls, {len(failures)} failures, "
                          f"{time.monotonic() - began:.0f} s", flush=True)
                if report:
                    failures.append(report)
                    print(f"{report['rule']}: --seed {options.seed} --first {number} --count 1\n"
                          f"  {report['text']}\n  made small: {json.dumps(report['steps'])}")
                    if options.store:
                        print(f"  stored as {store(options.store, report)}")
    print(f"{done} sequences, {calls} calls, {len(failures)} failures, "
          f"{time.monotonic() - began:.0f} s, seed {options.seed}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
