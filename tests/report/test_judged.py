"""What is kept of judged stores is what judging them gives, is used just where store and rules are the same, and is of
the stores that are there."""

import copy
import csv
import glob
import io
import json
import lzma
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import recompute
import support
from playproof_report import cli, judged, papers, summary, written
from playproof_report.store import read_experiments

RESULTS = os.path.join(support.SOURCE, "bench", "results")
STORES = [os.path.join(RESULTS, name) for name in ("pn2.db.xz", "sentences.db.xz")]


class Unlike(unittest.TestCase):
    def test_what_is_not_alike_is_found(self):
        one = {"a": [1, 2.5, "3.25", "x", None, True, "nan"], "b": {"c": "0.5"}}
        near = {"a": [1, 2.5 * (1 + 1e-7), "3.2500001", "x", None, True, "nan"], "b": {"c": "0.50000001"}}
        self.assertEqual(support.unlike(one, near), [])
        for place, key, other in (("a", 0, 2), ("a", 1, 2.5001), ("a", 2, "3.251"), ("a", 2, "-3.25"), ("a", 3, "y"),
                                  ("a", 4, 0), ("a", 5, False), ("a", 5, 1), ("a", 6, "1"), ("b", "c", "0.6")):
            changed = copy.deepcopy(one)
            changed[place][key] = other
            self.assertEqual(len(support.unlike(one, changed)), 1, (place, key, other))
        self.assertEqual(support.unlike(one, {**one, "d": 1}), ["/: ['a', 'b'], ['a', 'b', 'd']"])
        self.assertEqual(support.unlike([1, 2], [1]), ["/: 2, 1 long"])


class Kept(unittest.TestCase):
    def test_all_stores_are_kept(self):
        """Else `report --papers` takes long: run python3 bench/judge.py."""
        paths = glob.glob(os.path.join(RESULTS, "*.db")) + glob.glob(os.path.join(RESULTS, "*.db.xz"))
        found, rest = judged.known(paths)
        self.assertEqual([os.path.basename(path) for path in rest], [], "run python3 bench/judge.py")
        self.assertGreaterEqual(len(found), len(paths))
        self.assertEqual(set(judged.read(RESULTS)), {os.path.basename(path) for path in paths})

    def test_is_what_judging_gives(self):
        found, _ = judged.known(STORES)
        for experiment in read_experiments(STORES):
            one, = (one for one in found if one.plan["name"] == experiment.name)
            self.assertEqual(support.unlike(json.loads(json.dumps(judged.plain(one))),
                                            json.loads(json.dumps(judged.plain(papers.judge(experiment))))), [])
        self.assertGreater(sum(len(one.judgements) for one in found), 70)

    def test_the_other_formula(self):
        """Of the thesis' norm of DeepPN, computed again from the runs: the claims with other labels."""
        store = os.path.join(RESULTS, "deeppn-hex.db.xz")
        (one,), _ = judged.known([store])
        plan, runs, _ = recompute.load(store)
        self.assertGreater(len(one.instead), 15)
        for mine in one.instead:
            first = next(claim for claim in plan["claims"] if claim["id"] == mine.claim["id"])
            for name in ("subject", "base"):
                self.assertEqual(mine.claim[name], re.sub("^inv ", "inv1 ", first[name]))
            self.assertIn(mine.claim["subject"], mine.claim["formula"])
            unit = recompute.unit_of(recompute.of_series(runs, mine.series))
            found = recompute.judge_counts(plan, runs, mine.claim, mine.series, unit)
            exported = {**summary._judgement(mine)}
            self.assertEqual(list(recompute.compare(mine.claim, mine.series, found, exported)), [], mine.claim["id"])

    def test_the_rules_are_all_modules_that_judge(self):
        """Those that are there when claims and store are imported, errors and what draws apart."""
        process = subprocess.run(
            [sys.executable, "-B", "-c", "import sys; from playproof_report import claims, pairing, store; print(*("
             "name.partition('.')[2] for name in sys.modules if name.startswith('playproof_report.')))"],
            cwd=os.path.join(support.SOURCE, "python"), check=True, capture_output=True, text=True, timeout=60)
        self.assertEqual(set(process.stdout.split()) - {"errors", "terminal", "files"}, set(judged.RULES))


class Changed(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        for path in (STORES[0], *(os.path.join(RESULTS, name) for name in (judged.FILE, written.FILE))):
            shutil.copy(path, self.folder)
        self.store = os.path.join(self.folder, "pn2.db.xz")
        self.file = os.path.join(self.folder, judged.FILE)

    def known(self):
        found, rest = judged.known([self.store])
        return len(found), rest

    def test_another_store(self):
        self.assertEqual(self.known(), (1, []))
        with lzma.open(self.store, "rb") as file:
            plain = file.read()
        with lzma.open(self.store, "wb", preset=0) as file:  # the same rows in other bytes: nobody looks
            file.write(plain)
        self.assertEqual(self.known(), (0, [self.store]))

    def test_other_rules(self):
        with mock.patch.object(judged, "rules", return_value="other"):
            self.assertEqual(self.known(), (0, [self.store]))

    def test_another_history(self):
        """When claims were written is of the rules."""
        os.remove(os.path.join(self.folder, written.FILE))
        self.assertEqual(self.known(), (0, [self.store]))

    def test_no_file_or_a_damaged_one(self):
        with open(self.file, "rb") as file:
            whole = file.read()
        for content in (b"", whole[:-100], b"no xz", lzma.compress(b"{}"), lzma.compress(b"[1]"),
                        lzma.compress(b'{"rules": 1'), lzma.compress(b"\xff")):
            with open(self.file, "wb") as file:
                file.write(content)
            self.assertEqual(self.known(), (0, [self.store]), content[:20])
        os.remove(self.file)
        self.assertEqual(self.known(), (0, [self.store]))

    def test_one_plan_in_two_stores_is_read(self):
        """Their runs belong together."""
        other = os.path.join(self.folder, "other.db.xz")
        shutil.copy(self.store, other)
        kept, experiments = cli.kept_and_read([self.store, other])
        self.assertEqual((len(kept), len(experiments)), (0, 1))
        kept, experiments = cli.kept_and_read([self.store])
        self.assertEqual((len(kept), len(experiments)), (1, 0))

    def test_the_table_is_the_same_without_it(self):
        os.remove(self.file)
        alone = shutil.copy(STORES[1], self.folder)
        kept, judged_anew = (support.report("--papers", "--format", "csv", store).stdout
                             for store in (STORES[1], alone))
        self.assertEqual(support.unlike(*(list(csv.reader(io.StringIO(text))) for text in (kept, judged_anew))), [])
        self.assertIn("not reproduced", kept)


if __name__ == "__main__":
    unittest.main()
