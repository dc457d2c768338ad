"""bench/results/README.md is what bench/judge.py writes: its numbers are those of the judged stores, its figures have
them too, and a question that names what is not there is refused."""

import contextlib
import csv
import glob
import json
import lzma
import os
import re
import sqlite3
import tempfile
import tomllib
import unittest
import xml.etree.ElementTree

import support
from playproof_report import claims, judged, results
from playproof_report.errors import ReportError

RESULTS = os.path.join(support.SOURCE, "bench", "results")
STORES = sorted(glob.glob(os.path.join(RESULTS, "*.db")) + glob.glob(os.path.join(RESULTS, "*.db.xz")))
QUESTION = """[[question]]
title = "T?"
name = "t"
plans = ["pn2"]
answer = "A."
rows = [["words", "pn2|memory costs nodes"]]
"""


def read(name):
    with open(os.path.join(RESULTS, name), encoding="utf-8") as file:
        return file.read()


def decided(path):
    """How many runs of a store are decided."""
    with tempfile.NamedTemporaryFile() as plain:
        with (lzma.open if path.endswith(".xz") else open)(path, "rb") as packed:
            plain.write(packed.read())
        plain.flush()
        with contextlib.closing(sqlite3.connect(plain.name)) as store:
            return store.execute("SELECT count(*) FROM run WHERE verdict != 'unknown'").fetchone()[0]


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.stored = {one.plan["name"]: one for one in judged.known(STORES)[0]}

    def test_is_what_is_written(self):
        proofs = results.certified(os.path.join(RESULTS, "certified.csv"))
        self.assertEqual(read("README.md"), results.page(results.read(), self.stored, proofs, RESULTS),
                         "run python3 bench/judge.py")

    def test_is_short_and_tells_every_plan(self):
        page = read("README.md")
        self.assertLessEqual(len(page.splitlines()), 150)
        self.assertEqual({plan for plan in self.stored if f"[{plan}](" not in page}, set())

    def test_figures(self):
        """Those of the questions and no others; each says every number of its rows, with a mark of its verdict."""
        names = {question["name"] for question in results.read()}
        folder = os.path.join(RESULTS, results.FIGURES)
        self.assertEqual({name[:-4] for name in os.listdir(folder)}, names)
        for question in results.read():
            drawn = "".join(xml.etree.ElementTree.parse(os.path.join(folder, question["name"] + ".svg"))
                            .getroot().itertext())
            for words, mine in results.rows_of(question, self.stored):
                with self.subTest(question["name"], row=words):
                    self.assertIn(words, drawn)
                    for one in (one for one in mine if one.verdict != claims.NO_DATA):
                        self.assertIn(f": {results.findings.number(one, True)}", drawn)
                        self.assertIn(results.MARKS[one.verdict][2], drawn)

    def test_a_figure_is_the_same_each_time(self):
        question = results.read()[0]
        self.assertEqual(results.figure(question, self.stored), results.figure(question, self.stored))

    def test_what_was_predicted(self):
        for low, high, words in ((0, 0.5, "< 0.5"), (2, float("inf"), "> 2"), (0.9, 1.1, "0.9 to 1.1")):
            one = claims.Judgement({}, "s", claims.PARTLY, None, low, high, "")
            self.assertEqual(results.predicted(one), words)

    def refused(self, text, *words):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "questions.toml")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            with self.assertRaises(ReportError) as raised:
                results.page(results.read(path), self.stored, (1, 2, 3), RESULTS)
        for word in words:
            self.assertIn(word, str(raised.exception))

    def test_what_is_not_there(self):
        self.refused(QUESTION.replace("memory costs nodes", "memory"), "questions.toml:1", "'pn2|memory'")
        self.refused(QUESTION.replace('"A."', '"{pn2|memory costs nodes|hex-9}"'), "questions.toml:1", "a number")
        self.refused(QUESTION.replace('"A."', '"{pn2}"'), "questions.toml:1", "braces")
        self.refused(QUESTION.replace('["words", "pn2|memory costs nodes"]', '"words"'), "questions.toml:1", "a row")
        self.refused(QUESTION.replace("answer", "anwser"), "questions.toml:1", "nearest: 'answer'")
        self.refused(QUESTION + "x", "not TOML")

    def test_openings(self):
        """A half turn is the same first move; what nobody solved is open; a later record may decide it."""
        with tempfile.TemporaryDirectory() as folder:
            def write(name, record):
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    json.dump(record, file)
                return results.openings(folder, 3)
            self.assertEqual(results.openings(folder, 3), {"decided": "0", "all": "5", "open": "a1, a2, a3, b1, b2"})
            rows = [{"opening": cell, "winner": winner} for cell, winner in (("b2", "Black"), ("c3", None), ("a2", "White"))]
            self.assertEqual(write("hex-3.json", {"openings": [{"rows": rows}]}),
                             {"decided": "2", "all": "5", "open": "a1, a3, b1"})
            self.assertEqual(write("hex-3-left.json", {"answer": {"position": "a1", "verdict": "disproved"}})["open"], "a3, b1")
            self.assertEqual(write("hex-3-more.json", {"answer": {"position": "b1", "verdict": "unknown"}})["open"], "a3, b1")
        self.assertEqual(results.openings(RESULTS, 8), {"decided": "31", "all": "32", "open": "a7"})
        self.refused(QUESTION.replace('"A."', '"{hex-8: lost}"'), "questions.toml:1", "braces")

    def test_certificates(self):
        """Of every store that has decided runs, and of one plan more, whose runs are not kept."""
        with open(os.path.join(RESULTS, "certified.csv"), encoding="utf-8", newline="") as file:
            rows = {row["plan"]: row for row in csv.DictReader(file)}
        with open(os.path.join(RESULTS, "..", "renamed.toml"), "rb") as file:
            joined = tomllib.load(file)  # their rows have the names that they had then
        older = {old for parts in joined.values() for old in parts}
        self.assertEqual(set(rows) - set(self.stored) - older, {"agreement", "hex-8"})
        self.assertEqual(set(self.stored) - set(rows) - set(joined), set())
        for path in (path for path in STORES if os.path.getsize(path) < 400_000):
            plan = os.path.basename(path).partition(".")[0]
            if plan not in joined:
                self.assertEqual(int(rows[plan]["decided"]), decided(path), plan)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "c.csv")
            with open(path, "w", encoding="utf-8") as file:
                file.write(re.sub(r"(pn2,\d+,)\d+", r"\g<1>1", read("certified.csv")))
            with self.assertRaisesRegex(ReportError, "not every decided run of pn2"):
                results.certified(path)


if __name__ == "__main__":
    unittest.main()
