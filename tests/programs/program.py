"""Runs the program under test. ctest names it in the environment; no other library is needed."""

import json
import os
import re
import signal
import subprocess
import tempfile
import time
import unittest

PROGRAM = os.environ.get("PLAYPROOF", "build/playproof")
CHECKER = os.environ.get("PLAYPROOF_CHECK", "build/playproof-check")
SOURCE = os.environ.get(
    "PLAYPROOF_SOURCE", os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
DATA = os.path.join(SOURCE, "tests", "data")

# Exit statuses of the command line.
DECIDED, UNDECIDED = 0, 2
USAGE, BAD_DATA, UNAVAILABLE, NO_OUTPUT = 64, 65, 69, 74

# The searches with a table, of the algorithms.
TABLES = ("dfpn", "pds", "pnstar", "dfppn", "dfews", "alphabeta")

# `make nightly` sets it: full products where other runs have every pair of values.
NIGHTLY = os.environ.get("PLAYPROOF_NIGHTLY", "0") != "0"

# Seconds; every command of these tests is far shorter. Builds with sanitizers are slower.
TIMEOUT = 120 * float(os.environ.get("PLAYPROOF_SLOWER", "1"))


def run(*arguments, stdin="", **options):
    """The finished process: returncode, stdout and stderr as text."""
    return subprocess.run([PROGRAM, *arguments], input=stdin, capture_output=True, text=True,
                          timeout=TIMEOUT, check=False, **options)


def until_signals_are_caught(pid):
    """A signal that comes before would end the process at once."""
    mask = 1 << (signal.SIGINT - 1) | 1 << (signal.SIGTERM - 1)
    end = time.monotonic() + TIMEOUT
    while time.monotonic() < end:
        with open(f"/proc/{pid}/status", encoding="ascii") as file:
            caught = int(re.search(r"^SigCgt:\s*(\w+)$", file.read(), re.M)[1], 16)
        if caught & mask == mask:
            return
        time.sleep(0.01)
    raise AssertionError("signals are not caught")


class ProgramTest(unittest.TestCase):
    """Adds what these tests ask again and again."""

    def assert_status(self, process, status):
        self.assertEqual(process.returncode, status,
                         f"{process.args}\nstdout: {process.stdout}\nstderr: {process.stderr}")

    def assert_fails(self, arguments, status, *fragments, stdin=""):
        """A failed command says why on stderr as 'playproof: ...', and nothing on stdout."""
        process = run(*arguments, stdin=stdin)
        self.assert_status(process, status)
        self.assertEqual(process.stdout, "", process.args)
        self.assertTrue(process.stderr.startswith("playproof: "), process.stderr)
        for fragment in fragments:
            self.assertIn(fragment, process.stderr, process.args)

    def json(self, *arguments, status=DECIDED, stdin=""):
        """The answer; a verdict of `solve` must have a certificate that is accepted."""
        lines = {"-", "--position-file", "--certificate"} & set(arguments)
        if arguments[0] == "solve" and status == DECIDED and not lines:
            return self.certified(arguments)
        process = run(*arguments, "--json", stdin=stdin)
        self.assert_status(process, status)
        self.assertEqual(process.stderr, "", process.args)
        return json.loads(process.stdout)

    def certified(self, arguments):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "proof.cert.zst")
            answer = self.json(*arguments, "--certificate", path)
            verdict = str(answer.get("score", answer.get("value", answer["verdict"])))
            process = subprocess.run(
                [CHECKER, path, "--game", answer["game"], "--position", answer["position"],
                 "--goal", answer["goal"], "--verdict", verdict],
                capture_output=True, text=True, timeout=TIMEOUT, check=False)
            self.assertEqual(process.returncode, 0, f"{arguments}: {process.stderr}")
        return answer | {"certificate": None}
