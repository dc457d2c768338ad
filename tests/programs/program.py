"""Runs the program under test. ctest names it in the environment; no other library is needed."""

import json
import os
import subprocess
import unittest

PROGRAM = os.environ.get("PLAYPROOF", "build/playproof")
SOURCE = os.environ.get(
    "PLAYPROOF_SOURCE", os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
DATA = os.path.join(SOURCE, "tests", "data")

# Exit statuses of the command line.
DECIDED, UNDECIDED = 0, 2
USAGE, BAD_DATA, UNAVAILABLE, NO_OUTPUT = 64, 65, 69, 74

TIMEOUT = 120  # seconds; every command of these tests is far shorter


def run(*arguments, stdin="", **options):
    """The finished process: returncode, stdout and stderr as text."""
    return subprocess.run([PROGRAM, *arguments], input=stdin, capture_output=True, text=True,
                          timeout=TIMEOUT, check=False, **options)


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
        process = run(*arguments, "--json", stdin=stdin)
        self.assert_status(process, status)
        self.assertEqual(process.stderr, "", process.args)
        return json.loads(process.stdout)
