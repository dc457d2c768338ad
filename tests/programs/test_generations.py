"""FILE and FILE.old of a checkpoint: killed between any two changes of the folder, at least one
whole generation is there, and damage to one file leaves the other as it was."""

import json
import os
import signal
import subprocess
import tempfile
import unittest

from program import DECIDED, PROGRAM, TIMEOUT, UNDECIDED, ProgramTest, run

HOOK = os.environ.get("PLAYPROOF_KILL_AT_CALL", "")
SANITIZED = float(os.environ.get("PLAYPROOF_SLOWER", "1")) > 1
QUESTION = ("hex:size=4", "--algorithm", "pn")
LIMITS = ("500", "900", "1500", "2500")
TIMES = ("seconds", "cpu_seconds")


def answer_of(process):
    return {key: value for key, value in json.loads(process.stdout).items() if key not in TIMES}


class Generations(ProgramTest):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "run.ckpt")
        self.old = self.path + ".old"

    def solve(self, *arguments, **environment):
        return subprocess.run([PROGRAM, "solve", *arguments, "--json"], capture_output=True,
                              text=True, timeout=TIMEOUT, check=False,
                              env=os.environ | environment)

    def in_parts(self, **environment):
        """One part a limit, each going on from the one before; the last process."""
        process = None
        for limit in LIMITS:
            there = any(map(os.path.exists, (self.path, self.old)))
            question = ("--resume", self.path) if there else QUESTION
            process = self.solve(*question, "--max-nodes", limit, "--checkpoint", self.path,
                                 **environment)
            if process.returncode not in (DECIDED, UNDECIDED):
                break
        return process

    def generations(self):
        return [path for path in (self.path, self.old) if os.path.exists(path)]

    def goes_on_from_each(self, moment):
        """With either file damaged, in place, the other is a search that goes on."""
        present = self.generations()
        inodes = {os.stat(path).st_ino for path in present}
        self.assertEqual(len(inodes), len(present), f"{moment}: one file with two names")
        for path in present if len(present) == 2 else ():
            with open(path, "r+b") as file:
                whole = file.read()
                file.seek(len(whole) // 2)
                file.write(b"\xff" * 64)
            process = run("solve", "--resume", self.path, "--max-nodes", "3000", "--json")
            self.assertEqual(process.returncode, UNDECIDED, f"{moment}, {path}: {process.stderr}")
            self.assertEqual(answer_of(process), self.whole, moment)
            with open(path, "wb") as file:
                file.write(whole)

    @unittest.skipUnless(HOOK and not SANITIZED, "needs the hook, and to be loaded first")
    def test_killed_between_any_two_changes(self):
        self.whole = answer_of(self.solve(*QUESTION, "--max-nodes", "3000"))
        for environment in ({}, {"NO_EXCHANGE": "1"}):
            kills, calls = 0, 0
            while True:
                calls += 1
                moment = f"call {calls} {environment}"
                for end in ("", ".old", ".new", ".lock", ".old.new"):
                    if os.path.exists(self.path + end):
                        os.remove(self.path + end)
                for limit in LIMITS[:2]:  # two generations
                    question = ("--resume", self.path) if limit != LIMITS[0] else QUESTION
                    self.solve(*question, "--max-nodes", limit, "--checkpoint", self.path)
                process = self.solve("--resume", self.path, "--max-nodes", LIMITS[2],
                                     "--checkpoint", self.path, LD_PRELOAD=HOOK,
                                     KILL_AT_CALL=str(calls), **environment)
                self.goes_on_from_each(moment)
                self.assertGreaterEqual(len(self.generations()), 1, moment)
                if not environment:
                    self.assertEqual(len(self.generations()), 2, moment)
                # And the search that goes on in these files leaves two of them again.
                again = self.solve("--resume", self.path, "--max-nodes", LIMITS[3], "--checkpoint",
                                   self.path, **environment)
                self.assertEqual(again.returncode, UNDECIDED, again.stderr)
                self.goes_on_from_each(moment + ", resumed")
                self.assertEqual(len(self.generations()), 2, moment)
                self.assertFalse(os.path.exists(self.path + ".new"), moment)
                if process.returncode != -signal.SIGKILL:
                    self.assertEqual(process.returncode, UNDECIDED, process.stderr)
                    break
                kills += 1
            self.assertGreaterEqual(kills, 3)

    def damage(self, path):
        with open(path, "r+b") as file:
            file.seek(os.path.getsize(path) // 2)
            file.write(b"\xff" * 64)

    def test_the_good_generation_stays_when_the_other_is_damaged(self):
        self.whole = answer_of(self.solve(*QUESTION, "--max-nodes", "3000"))
        self.in_parts()
        self.damage(self.path)
        with open(self.old, "rb") as file:
            good = file.read()
        process = self.solve("--resume", self.path, "--max-nodes", "2800", "--checkpoint",
                             self.path)
        self.assertEqual(process.returncode, UNDECIDED, process.stderr)
        with open(self.old, "rb") as file:
            self.assertEqual(file.read(), good)
        self.damage(self.path)  # once more: what was good before still is
        process = run("solve", "--resume", self.path, "--max-nodes", "3000", "--json")
        self.assertEqual(process.returncode, UNDECIDED, process.stderr)
        self.assertEqual(answer_of(process), self.whole)

    def test_a_file_of_somebody_else_is_no_lock(self):
        with open(self.path + ".lock", "w", encoding="utf-8") as file:
            file.write("mine")
        process = self.solve(*QUESTION, "--max-nodes", "500", "--checkpoint", self.path)
        self.assertEqual(process.returncode, 74, process.stderr)
        with open(self.path + ".lock", encoding="utf-8") as file:
            self.assertEqual(file.read(), "mine")

    def test_one_file_with_two_names_becomes_two(self):
        """What older versions may have left."""
        self.whole = answer_of(self.solve(*QUESTION, "--max-nodes", "3000"))
        self.in_parts()
        os.remove(self.old)
        os.link(self.path, self.old)
        os.link(self.path, self.path + ".new")
        process = self.solve("--resume", self.path, "--max-nodes", "2800", "--checkpoint",
                             self.path)
        self.assertEqual(process.returncode, UNDECIDED, process.stderr)
        self.goes_on_from_each("two names")
        self.assertEqual(len(self.generations()), 2)
        self.assertFalse(os.path.exists(self.path + ".new"))

    def test_without_exchange_it_is_the_same_search(self):
        environment = {"LD_PRELOAD": HOOK, "NO_EXCHANGE": "1"} if HOOK and not SANITIZED else {}
        self.assertEqual(answer_of(self.in_parts(**environment)),
                         answer_of(self.solve(*QUESTION, "--max-nodes", LIMITS[-1])))
        self.assertEqual(len(self.generations()), 2)

    def test_a_folder_in_the_way_of_the_former(self):
        """Known before the search, and nothing is lost."""
        os.mkdir(self.old)
        process = self.solve(*QUESTION, "--max-nodes", "500", "--checkpoint", self.path)
        self.assertEqual(process.returncode, 74, process.stderr)
        self.assertFalse(os.path.exists(self.path))


if __name__ == "__main__":
    unittest.main()
