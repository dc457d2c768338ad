"""What the report reads of stores, and which files it refuses."""

import collections
import contextlib
import io
import lzma
import os
import random
import shutil
import sqlite3
import subprocess
import tempfile
import unittest

import support
from support import NIGHTLY, SMOKE, experiment
from playproof_report import cli
from playproof_report.errors import DATA, ReportError
from playproof_report.store import read_experiments

class Reading(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.whole = cls.path("whole.db")
        experiment(SMOKE, cls.whole)
        cls.parts = []
        for shard in ("1/2", "2/2"):
            cls.parts.append(cls.path(f"part{shard[0]}.db"))
            experiment(SMOKE, cls.parts[-1], "--shard", shard)

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder.name, name)

    def refused(self, paths, *fragments):
        with self.assertRaises(ReportError) as caught:
            read_experiments(paths)
        self.assertEqual(caught.exception.status, DATA)
        for fragment in fragments:
            self.assertIn(fragment, str(caught.exception))

    def test_whole(self):
        made, = read_experiments([self.whole])
        self.assertEqual((made.name, made.planned, len(made.runs)), ("smoke", 144, 144))
        self.assertEqual(len(made.curves), 144)
        self.assertEqual(made.warnings, [])
        self.assertEqual(made.algorithms("2x8"), ["PN", "PPN", "UCT"])
        self.assertEqual(len(made.invocations), 1)

    def test_parts_together_are_the_whole(self):
        made, = read_experiments(self.parts)
        whole, = read_experiments([self.whole])
        self.assertEqual([run["key"] for run in made.runs], [run["key"] for run in whole.runs])
        self.assertEqual(made.curves, whole.curves)
        again, = read_experiments(self.parts + [self.whole])
        self.assertEqual(len(again.runs), 144)

    def test_a_journal_that_a_killed_program_left(self):
        """What it had begun can be undone by one that may write; who only reads says so."""
        begun, left = self.path("begun.db"), self.path("left.db")
        shutil.copy(self.whole, begun)
        with contextlib.closing(sqlite3.connect(begun, isolation_level=None)) as database:
            for line in ("PRAGMA journal_mode = DELETE", "PRAGMA cache_size = 1", "BEGIN",
                         "UPDATE run SET game = game || 'x'"):
                database.execute(line)
            for end in ("", "-journal"):
                shutil.copy(begun + end, left + end)
        words = "a program that was killed left a journal beside it; start that program again"
        self.refused([left], left, words)
        merged = subprocess.run([support.PROGRAM, "merge", left, "--store", self.path("merged.db")],
                                capture_output=True, text=True)
        self.assertEqual(merged.returncode, DATA)
        self.assertIn(f"{left}: cannot read the result store: {words}", merged.stderr)
        experiment(SMOKE, left)
        made, whole = read_experiments([left])[0], read_experiments([self.whole])[0]
        self.assertEqual([run["game"] for run in made.runs], [run["game"] for run in whole.runs])

    def test_compressed(self):
        with open(self.whole, "rb") as store:
            packed = lzma.compress(store.read())
        path = self.path("packed.db.xz")

        def write(data):
            with open(path, "wb") as file:
                file.write(data)
        write(packed)
        made, = read_experiments([path])
        whole, = read_experiments([self.whole])
        self.assertEqual((made.runs, made.curves), (whole.runs, whole.curves))
        for length in list(range(0, len(packed), max(1, len(packed) // 50))) + [len(packed) - 1]:
            write(packed[:length])
            self.refused([path], path, "not a usable result store")
        write(b"no xz" + packed)
        self.refused([path], path, "not a usable result store")

    def test_missing_runs_are_said(self):
        made, = read_experiments(self.parts[:1])
        self.assertEqual(len(made.runs), 72)
        self.assertIn("72 of 144 runs are missing", made.warnings[0])

    def test_runs_that_a_plan_dropped_stay_out(self):
        store = self.path("changed.db")
        with open(SMOKE, encoding="utf-8") as file:
            text = file.read()
        plan = self.path("plan.toml")
        for to in ("16", "4"):
            with open(plan, "w", encoding="utf-8") as file:
                file.write(text.replace("to = 16", f"to = {to}"))
            experiment(plan, store)
        made, = read_experiments([store])
        self.assertEqual((made.planned, len(made.runs)), (36, 36))

    def test_stores_that_disagree(self):
        other = self.path("other.db")
        support.copy_with(self.whole, other, "UPDATE run SET iterations = iterations + 1, counters = NULL, "
                          "iterations_normalised = (iterations + 1.0) / iteration_divisor")
        self.refused([self.whole, other], other, "disagree on the iterations")

    def test_different_times_are_no_disagreement(self):
        other = self.path("slow.db")
        support.copy_with(self.whole, other, "UPDATE run SET seconds = seconds + 1, host = 'x', "
                          "peak_bytes = 77, counters = json_set(counters, '$.peak_bytes', 77)")
        self.assertEqual(len(read_experiments([self.whole, other])), 1)

    def test_counters_that_an_older_store_lacks_are_no_disagreement(self):
        old, other = self.path("old.db"), self.path("wrong.db")
        support.copy_with(self.whole, old, "UPDATE run SET table_hits = NULL, endings = NULL, counters = NULL")
        for stores in ([self.whole, old], [old, self.whole]):
            made, = read_experiments(stores)
            self.assertTrue(all(run["table_hits"] == 0 and run["bridges"] == 0 for run in made.runs))
        support.copy_with(self.whole, other, "UPDATE run SET table_hits = 1, counters = NULL")
        self.refused([old, self.whole, other], other, "disagree on the table_hits")

    def test_mixed_revisions_are_said(self):
        other = self.path("mixed.db")
        support.copy_with(self.whole, other,
                          "UPDATE run SET revision = 'other' WHERE series = '2x8'")
        self.assertIn("different revisions", read_experiments([other])[0].warnings[0])

    def test_refused_files(self):
        self.refused([self.path("none.db")], "no such file")
        self.refused([self.folder.name], "is a directory")
        text = self.path("text.db")
        with open(text, "w", encoding="utf-8") as file:
            file.write("no database " * 100)
        self.refused([text], "not a usable result store")
        self.refused([self.whole, text], text)
        support.copy_with(self.whole, self.path("v.db"), "PRAGMA user_version = 7")
        self.refused([self.path("v.db")], "version 7")
        support.copy_with(self.whole, self.path("a.db"), "PRAGMA application_id = 7")
        self.refused([self.path("a.db")], "not a result store")
        support.copy_with(self.whole, self.path("t.db"), "DROP TABLE plan_run")
        self.refused([self.path("t.db")], "columns")
        support.copy_with(self.whole, self.path("c.db"), "ALTER TABLE run RENAME seed TO seek")
        self.refused([self.path("c.db")], "columns")
        support.copy_with(self.whole, self.path("j.db"), "UPDATE plan SET json = '{'")
        self.refused([self.path("j.db")], "plan 'smoke' is not JSON")
        support.copy_with(self.whole, self.path("h.db"), "UPDATE curve SET points = x'00'")
        self.refused([self.path("h.db")], "half a point")
        support.copy_with(self.whole, self.path("p.db"), "DELETE FROM plan")
        self.refused([self.path("p.db")], "no experiment")
        with open(self.whole, "rb") as file:
            content = file.read()
        with open(self.path("cut.db"), "wb") as file:
            file.write(content[:len(content) // 2])
        self.refused([self.path("cut.db")])

    def test_flipped_bits(self):
        """Whatever is damaged: an answer or a reason, never an error of ours."""
        with open(self.parts[0], "rb") as file:
            content = file.read()
        random_ = random.Random(1)
        statuses = collections.Counter()
        json_at = content.index(b'{"algorithms"')
        draws = 200 if NIGHTLY else 80
        for number in range(draws):
            at = (random_.randrange(json_at, json_at + 600) if number % 3 == 0 else
                  random_.randrange(len(content)))
            bit = 1 << random_.randrange(8)
            with open(self.path("flipped.db"), "wb") as file:
                file.write(content[:at] + bytes([content[at] ^ bit]) + content[at + 1:])
            kind = ("csv", "json")[number % 2]
            with contextlib.redirect_stdout(io.StringIO()):
                with contextlib.redirect_stderr(io.StringIO()) as err:
                    status = cli.main(["--format", kind, "--", self.path("flipped.db")])
            self.assertIn(status, (0, DATA), err.getvalue())
            statuses[status] += 1
        self.assertGreater(statuses[DATA], draws // 5)


if __name__ == "__main__":
    unittest.main()
