"""Faults that were put in on purpose are found: by the adversary, and by the replay of inputs."""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

from executor import EXTRA_SECONDS

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.environ.get("PLAYPROOF_BUILD", "build")
REAL = os.environ.get("PLAYPROOF", os.path.join(BUILD, "playproof"))
SLOWER = float(os.environ.get("PLAYPROOF_SLOWER", "1"))

# Fault of faulty_playproof -> rule of the adversary that must notice it, sequences that are enough.
FAULTS = {"lie": ("(verdict|move)", 40), "crash": ("signal", 20), "garbage": ("json", 60),
          "status": ("status", 60), "silent": ("stderr", 60), "drift": ("(repeat|resume)", 60),
          "internal": ("status", 20), "litter": ("left", 20), "miscount": ("perft", 360),
          "certificate": ("certificate", 160), "hang": ("hang", 3), "busy": ("slow", 3),
          "hungry": ("memory", 3), "relink": ("place", 60), "forget": ("resume", 160),
          "scrawl": ("picture", 400), "mute": ("move", 40), "wander": ("move", 40), "mislead": ("move", 40)}
# The others by night: about five seconds each, `miscount` more.
QUICK = ("lie",)
NIGHTLY = os.environ.get("PLAYPROOF_NIGHTLY", "0") != "0"
# Each asks the control for all its tables: by day one is enough for few sequences.
JOBS = () if NIGHTLY else ("--jobs", "1")
NOT_UNDER_SANITIZERS = {"hungry"}  # their own memory cannot be told from the program's


def adversary(fault, count, *options):
    # The control is started hundreds of times: by this Python, not by a wrapper that looks for one.
    path = os.path.dirname(sys.executable) + os.pathsep + os.environ.get("PATH", os.defpath)
    environment = os.environ | {"FAULT": fault, "PLAYPROOF_REAL": os.path.abspath(REAL), "PATH": path}
    if fault == "hang":
        environment["PLAYPROOF_HARD_SECONDS"] = str(3 / SLOWER)
    if fault == "busy":  # more than is allowed to calls that say nothing of their time
        environment["BUSY_SECONDS"] = str((0.7 + EXTRA_SECONDS) * SLOWER)
    return subprocess.run(
        [sys.executable, "-B", os.path.join(HERE, "adversary.py"), "--program",
         os.path.join(HERE, "faulty_playproof"), "--count", str(count), "--seed", "2", "--failures",
         "1", "--again", "0", "--gentle", *JOBS, *options], env=environment, capture_output=True, text=True,
        check=False)


class Controls(unittest.TestCase):

    def test_every_fault_is_reported(self):
        for fault, (rule, count) in FAULTS.items():
            if not NIGHTLY and fault not in QUICK:
                continue
            if SLOWER > 1 and fault in NOT_UNDER_SANITIZERS:
                continue
            with self.subTest(fault=fault):
                run = adversary(fault, count, "--shrink", "0")
                self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
                self.assertRegex(run.stdout, rf"(?m)^{rule}: --seed 2 --first \d+ --count 1$")

    def test_failures_are_made_small_and_stored_and_repeated(self):
        with tempfile.TemporaryDirectory() as folder:
            run = adversary("lie", 40, "--store", folder)
            self.assertEqual(run.returncode, 1, run.stderr)
            name, = re.findall(r"stored as (\S+)", run.stdout)[:1]
            with open(name, encoding="utf-8") as file:
                steps = json.load(file)["steps"]
            self.assertEqual(len(steps), 1, steps)
            self.assertLessEqual(len(steps[0]["options"]), 3, steps)
            self.assertEqual(adversary("lie", 0, "--replay", name).returncode, 1)
            self.assertEqual(adversary("none", 0, "--replay", name).returncode, 0)

    def test_without_a_fault_nothing_is_reported(self):
        run = adversary("none", 20 if NIGHTLY else 8)
        self.assertEqual(run.returncode, 0, run.stdout)

    def test_the_planted_reader(self):
        program = os.path.join(BUILD, "fuzz_planted")
        seeds = os.path.join(HERE, "..", "fuzz", "seeds", "planted.abc")
        for fault, text in [("C", "it crashes"), ("b", "it takes too long"),
                            ("#", "it takes too much memory"), ("none", None)]:
            if SLOWER > 1 and fault == "#":
                continue
            with self.subTest(fault=fault), tempfile.TemporaryDirectory() as folder:
                run = subprocess.run([os.path.abspath(program), seeds], cwd=folder, check=False,
                                     env=os.environ | {"FAULT": fault}, capture_output=True,
                                     text=True)
                self.assertEqual(run.returncode, 1 if text else 0, run.stderr)
                if text:
                    self.assertIn(text, run.stderr)
                    with open(os.path.join(folder, "fuzz_planted.input"), "rb") as file:
                        self.assertEqual(file.read(), b"ab" + fault.encode())


if __name__ == "__main__":
    unittest.main()
