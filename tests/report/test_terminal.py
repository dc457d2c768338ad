"""What goes to a terminal: no orders in it, and ASCII where the locale does not say UTF-8. Files keep what a store
says, JSON escapes it."""

import csv
import io
import json
import math
import os
import pty
import sqlite3
import subprocess
import sys
import tempfile
import unittest
import warnings

import support
from support import experiment, one_series
from playproof_report import output, statistics, terminal

ORDERS = "P\x1b[2J\x07\x9b1m\x7f×\u2028N"
ESCAPED = r"P\x1b[2J\x07\x9b1m\x7f×\u2028N"
C = {"LC_ALL": "", "LC_CTYPE": "", "LANG": "C"}
UTF8 = {"LC_ALL": "C.UTF-8"}


def rename(path, old, new):
    """An algorithm of a store gets another label, everywhere, and the plan a name."""
    database = sqlite3.connect(path)
    text, = database.execute("SELECT json FROM plan").fetchone()
    plan = json.loads(text)
    plan["title"] = "Title " + new
    for one in plan["algorithms"]:
        one["label"] = new if one["label"] == old else one["label"]
    for one in plan["claims"]:
        one.update({side: new for side in ("subject", "base") if one[side] == old})
    for one in (plan["report"], *plan["series"]):
        one["reference"] = new
    database.execute("UPDATE plan SET json = ?", (json.dumps(plan, ensure_ascii=False),))
    database.execute("UPDATE run SET algorithm = ? WHERE algorithm = ?", (new, old))
    database.execute("UPDATE run SET expected = iif(verdict = 'proved', 'disproved', 'proved') WHERE rowid = "
                     "(SELECT min(rowid) FROM run WHERE algorithm = ?)", (new,))  # something to warn of
    database.commit()
    database.close()


def unseen(text):
    return [c for c in text if c != "\n" and not c.isprintable()]


class Terminal(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.store = os.path.join(cls.folder.name, "store.db")
        experiment(one_series(cls.folder.name), cls.store)
        rename(cls.store, "PPN", ORDERS)

    def report(self, *arguments, environment, on_terminal=False):
        """(stdout, stderr) as texts; stderr is a pipe, which may lead to a terminal."""
        command = [support.PROGRAM, "report", self.store, *arguments]
        environment = {**os.environ, "PLAYPROOF_PYTHON": sys.executable, **environment}
        if not on_terminal:
            done = subprocess.run(command, capture_output=True, check=False, timeout=300, env=environment)
            self.assertEqual(done.returncode, 0, done.stderr)
            return done.stdout.decode(), done.stderr.decode()
        ours, theirs = pty.openpty()
        process = subprocess.Popen(command, stdout=theirs, stderr=subprocess.PIPE, env=environment)
        os.close(theirs)
        shown = b""
        try:
            while block := os.read(ours, 65536):
                shown += block
        except OSError:  # the other end was closed
            pass
        os.close(ours)
        told = process.stderr.read()
        process.stderr.close()
        self.assertEqual(process.wait(timeout=300), 0, told)
        return shown.decode().replace("\r\n", "\n"), told.decode()

    def test_no_orders_for_a_terminal(self):
        for form in ("csv", "json", "claims", "text"):
            with self.subTest(form=form):
                shown, told = self.report("--format", form, environment=UTF8, on_terminal=True)
                self.assertEqual((unseen(shown), unseen(told)), ([], []))
                self.assertIn("×", shown)
                self.assertIn(r"\x1b[2J" if form in ("csv", "text") else r"\u001b[2J", shown)

    def test_warnings_and_errors(self):
        """Also those of the plotting library."""
        page = os.path.join(self.folder.name, "page.html")
        for arguments in (("--output", page), ("--format", "claims"), ("--output", page, "--kind", "compare"))[
                :None if support.NIGHTLY else 2]:
            _, told = self.report(*arguments, environment=UTF8)
            self.assertEqual(unseen(told), [])
            self.assertIn(r"by P\x1b[2J\x07\x9b1m\x7f", told)  # a disagreement
            for line in told.splitlines():
                self.assertTrue(line.startswith("playproof: warning: "), line)
                self.assertNotIn("Glyph", line)
        with open(page, encoding="utf-8") as file:
            self.assertEqual(unseen(file.read()), [])

    def test_files_and_pipes_keep_what_the_store_says(self):
        for form in ("csv", "json", "claims"):
            piped, _ = self.report("--format", form, environment=UTF8)
            path = os.path.join(self.folder.name, "out." + form)
            self.report("--format", form, "--output", path, environment=C)
            with open(path, encoding="utf-8", newline="") as file:
                self.assertEqual(file.read(), piped)
            if support.NIGHTLY or form != "claims":  # whose libraries take long to start
                self.assertEqual(self.report("--format", form, environment=C)[0], piped)
            if form == "csv":
                self.assertIn(ORDERS, {row["algorithm"] for row in csv.DictReader(io.StringIO(piped, newline=""))})
            else:
                self.assertEqual(unseen(piped), [])
                said = json.loads(piped)["experiments"][0]
                named = said["plan"]["algorithms"] if form == "json" else said["disagreements"]
                self.assertIn(ORDERS, {one.get("label", one.get("algorithm")) for one in named})

    def test_a_locale_without_utf8(self):
        """Also where Python would make one of UTF-8 of it."""
        for index, environment in enumerate((
                C, {"LC_ALL": "C"}, {"LC_ALL": "", "LC_CTYPE": "", "LANG": ""},
                {"LC_ALL": "", "LC_CTYPE": "de_DE.ISO-8859-1", "LANG": "C.UTF-8"})):
            if not support.NIGHTLY and index in (1, 2):
                continue
            for on_terminal in (False, True) if support.NIGHTLY else (index == 0,):  # by day they take turns
                shown, told = self.report("--format", "text", "--kind", "compare", environment=environment,
                                          on_terminal=on_terminal)
                self.assertTrue(shown.isascii() and told.isascii())
                self.assertIn(r"P\x1b[2J\x07\x9b1m\x7fx\u2028N", shown)
                self.assertRegex(shown, r"[0-9]x\s")  # 2.41×
        shown, told = self.report("--format", "text", "--kind", "compare", environment=UTF8)
        self.assertIn(ESCAPED, shown)
        self.assertRegex(shown, "[0-9]×")
        shown, _ = self.report("--format", "csv", environment=C, on_terminal=True)
        self.assertTrue(shown.isascii())
        path = os.path.join(self.folder.name, "out.txt")
        self.report("--format", "text", "--kind", "compare", "--output", path, environment=C)
        with open(path, encoding="utf-8") as file:
            self.assertRegex(file.read(), "[0-9]×")


class Texts(unittest.TestCase):
    def test_escapes(self):
        self.assertEqual(terminal.one_line("a\nb\tε×\x85\udc9b\ud800"), r"a\x0ab\x09ε×\x85\x9b\ud800")
        self.assertEqual(terminal.lines("a\nb\x1b\n"), "a\nb\\x1b\n")
        self.assertEqual(terminal.ascii_of("2.4× ≥ ∞ ε 中 \U0001f600"), r"2.4x >= inf epsilon \u4e2d \U0001f600")

    def test_json(self):
        value = {"a\x9b": ["\x1b\x7f\u2028é\n", 1.5, None]}
        text = terminal.to_json(value)
        self.assertEqual(json.loads(text), value)
        self.assertEqual(unseen(text), [])
        self.assertIn("é", text)

    def test_numbers_without_an_end(self):
        """One pair of runs says nothing of the spread: its interval ends at the exponential of infinity."""
        interval = statistics.geometric_ratio([0.5])
        self.assertEqual(interval.n, 1)
        for x, in_json, in_csv in ((interval.high, None, "inf"), (interval.low, interval.low, repr(interval.low)),
                                   (math.inf, None, "inf"), (math.nan, None, ""), (0.25, 0.25, "0.25"), (3, 3, 3),
                                   ("text", "text", "text"), (None, None, None)):
            self.assertEqual((terminal.finite(x), terminal.in_csv(x)), (in_json, in_csv))
        self.assertEqual(json.loads(terminal.to_json([terminal.finite(interval.high)])), [None])

    def test_whatever_is_said(self):
        """By libraries, too, and within a trace."""
        told = io.StringIO()
        formerly, sys.stderr = sys.stderr, told
        try:
            with output.telling(False):
                warnings.warn("Glyph \x1b\x9b missing", stacklevel=1)
                sys.stderr.write("Traceback\n  x\x1b\n")
        finally:
            sys.stderr = formerly
        self.assertEqual(told.getvalue(), "playproof: warning: Glyph \\x1b\\x9b missing\nTraceback\n  x\\x1b\n")


if __name__ == "__main__":
    unittest.main()
