#!/usr/bin/env python3
"""Kills searches with SIGKILL at random moments, resumes them until they are done, and compares.

    PLAYPROOF=build/playproof python3 tests/programs/killed.py --runs 200

Verdict, moves, every count and the certificate must be those of the run that nobody interrupted.
Checkpoints follow each other closely, so that some kills hit one that is being written.
"""

import argparse
import collections
import contextlib
import itertools
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

from program import DECIDED, PROGRAM, TABLES, TIMEOUT, UNDECIDED

QUESTIONS = [
    ("hex:size=4", "b1", "win"),
    ("hex:rows=7,columns=8", "", "win"),
    ("othello:size=8", "X--O--OXXX--O-XX-XOXXOO---XOXOOX-OXXXOXOOOOXXOXOXOOOOOOOXXXXXXXO X", "score"),
    ("othello:size=4", "", "value"),
    ("connect6:rows=5,columns=5,connect=4,stones=2", "", "draw"),
    ("connect6:size=9", "EE", "win"),
    ("pgame:branching=4,depth=9,tree=3", "", "value"),
]
ALGORITHMS = ["pn", "pn:ties=path,stop=one", "pn:ties=deepest", "pn2", "deeppn", "mcpn:playouts=32",
              "ppn:playouts=64", "ews", "mcts:playouts=32", "uct:playouts=32",
              "dfpn:playouts=32,endings=0",
              "dfpn:leaf=unit,table=64KiB,gc=0.3", "pds:endings=0", "pnstar:endings=0",
              "alphabeta:leaf=unit,endings=0",
              "dfppn:playouts=32", "dfppn:playouts=8,table=64KiB",
              "dfews:playouts=32"]
MAX_NODES = "60000"
TIMES = ("seconds", "cpu_seconds")


def finished(process):
    """(status, answer without times) of a process that ended by itself."""
    if process.returncode not in (DECIDED, UNDECIDED):
        raise AssertionError(f"{process.args}: {process.returncode}: {process.stderr}")
    answer = json.loads(process.stdout)
    for key in TIMES:
        answer.pop(key)
    if answer["algorithm"].startswith(TABLES):
        for key in ("zone", "carrier"):  # a depth-first search that was resumed does not say them
            answer.pop(key, None)
    return process.returncode, answer


class Job:
    """One search with its files in a folder of its own."""

    def __init__(self, question, algorithm, batch, pipeline, seed, folder):
        game, position, goal = question
        self.certificate = os.path.join(folder, "proof.cert")
        self.checkpoint = os.path.join(folder, "run.ckpt")
        self.options = ["--max-nodes", MAX_NODES, "--certificate", self.certificate, "--json"]
        self.question = [game, "--position", position, "--goal", goal, "--algorithm", algorithm,
                         "--batch", str(batch), "--pipeline", str(pipeline), "--seed", str(seed)]
        self.folder = folder

    def uninterrupted(self):
        begin = time.monotonic()
        process = subprocess.run([PROGRAM, "solve", *self.question, *self.options], text=True,
                                 capture_output=True, timeout=TIMEOUT, check=False)
        return finished(process), self.proof(), time.monotonic() - begin

    def proof(self):
        if not os.path.exists(self.certificate):
            return None
        with open(self.certificate, "rb") as file:
            return file.read()

    def writes_a_checkpoint(self, process):
        """Is one half there? It has no name until it is whole, and neither has the certificate."""
        nameless = 0
        with contextlib.suppress(FileNotFoundError):  # it goes on until the signal comes
            for entry in os.scandir(f"/proc/{process.pid}/fd"):
                nameless += os.readlink(entry.path).startswith(os.path.join(self.folder, "#"))
        return nameless > 1

    def start(self):
        command = [PROGRAM, "solve", *self.options, "--checkpoint", self.checkpoint,
                   "--checkpoint-every", "0.001"]
        exists = os.path.exists(self.checkpoint)
        command += ["--resume", self.checkpoint] if exists else self.question
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def in_pieces(self, draw, seconds, counts):
        """Kills up to eight times, each time after at most `seconds`."""
        for _ in range(8):
            with self.start() as process:
                try:
                    out, err = process.communicate(timeout=draw.uniform(0.003, seconds))
                    counts["ended before the kill"] += 1
                    return finished(subprocess.CompletedProcess(process.args, process.returncode,
                                                                out, err))
                except subprocess.TimeoutExpired:
                    process.send_signal(signal.SIGSTOP)
                    counts["kills inside a checkpoint write"] += self.writes_a_checkpoint(process)
                    process.send_signal(signal.SIGKILL)
                    process.communicate()
            counts["kills"] += 1
            counts["kills before the first checkpoint"] += not os.path.exists(self.checkpoint)
        with self.start() as process:
            out, err = process.communicate(timeout=TIMEOUT)
            return finished(subprocess.CompletedProcess(process.args, process.returncode, out, err))


def kill_runs(runs, seed):
    """Counter of what happened; AssertionError at the first difference."""
    draw = random.Random(seed)
    counts = collections.Counter()
    choices = itertools.cycle(draw.sample(list(itertools.product(QUESTIONS, ALGORITHMS)),
                                          len(QUESTIONS) * len(ALGORITHMS)))
    for number, (question, algorithm) in enumerate(itertools.islice(choices, runs)):
        with tempfile.TemporaryDirectory() as folder:
            pipeline = 1 if algorithm.startswith(TABLES) else draw.choice((1, 2, 5))
            job = Job(question, algorithm, draw.choice((1, 1, 8)), pipeline, number + 1, folder)
            answer, proof, seconds = job.uninterrupted()
            if proof is not None:
                os.remove(job.certificate)
            again = job.in_pieces(draw, seconds, counts)
            if again != answer or job.proof() != proof:
                raise AssertionError(f"{job.question}: {answer} became {again}; certificate "
                                     f"{'equal' if job.proof() == proof else 'different'}")
            counts["runs"] += 1
            counts["runs with a table"] += algorithm.startswith(TABLES)
            counts["decided"] += answer[0] == DECIDED
            counts["certificates equal"] += proof is not None
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    counts = kill_runs(arguments.runs, arguments.seed)
    for name, count in counts.items():
        print(f"{count:6} {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
