"""The table of judgements before and after a change of the rules."""

import csv
import json
import os
import subprocess
import sys
import tempfile
import unittest

import support

VERDICTS = os.path.join(support.SOURCE, "bench", "verdicts.py")
JUDGED = {"id": "c", "series": "s", "formula": "f", "verdict": "reproduced", "value": 0.5, "low": 0.25, "high": 0.75,
          "n": 16, "p": 0.01, "stands": True, "worst": [], "tipping": None}


class Verdicts(unittest.TestCase):
    def compared(self, before, after):
        """(the rows, what is printed) of lists of judgements"""
        with tempfile.TemporaryDirectory() as folder:
            paths = [os.path.join(folder, name) for name in ("a.json", "b.json", "c.csv")]
            for path, judgements in zip(paths, (before, after)):
                with open(path, "w", encoding="utf-8") as file:
                    json.dump({"experiments": [{"plan": "p", "judgements": judgements}]}, file)
            said = subprocess.run([sys.executable, "-B", VERDICTS, *paths[:2], "--output", paths[2]], check=True,
                                  capture_output=True, text=True, timeout=60).stdout
            with open(paths[2], encoding="utf-8") as file:
                return list(csv.DictReader(file)), said.splitlines()

    def test_why(self):
        for change, why in (
                ({}, ""), ({"n": 8}, "16 problems are 8 without images of each other"),
                ({"verdict": "partly", "stands": False}, "another rule"),
                ({"verdict": "partly", "worst": [0.1, 2.0], "tipping": 7.0},
                 "undecided runs would change it had they taken 7 times as long"),
                ({"verdict": "not reproduced", "worst": [0.1, 2.0]}, "undecided runs would change it by no factor"),
                ({"stands": False}, "other p-values in its family (Holm)"),
                ({"formula": "g"}, "the claim has another formula")):
            with self.subTest(change=change):
                (row,), said = self.compared([JUDGED], [{**JUDGED, **change}])
                self.assertEqual(row["why"], why)
                self.assertEqual(len(said), 3 if {"verdict", "stands"} & set(change) else 2)
                if len(said) == 3:
                    self.assertTrue(said[2].endswith(why), said[2])

    def test_every_judgement_has_a_row(self):
        other = {**JUDGED, "id": "d", "value": None}
        rows, said = self.compared([JUDGED, other], [JUDGED, {**JUDGED, "id": "e"}])
        self.assertEqual([(row["claim"], row["why"]) for row in rows],
                         [("c", ""), ("e", "new"), ("d", "no longer judged")])
        self.assertEqual((rows[0]["before value"], rows[0]["after n"], rows[2]["before value"]), ("0.5", "16", "-"))
        self.assertEqual(said[0], "before: 2 judgements: 2 reproduced (2 stand)")

    def test_the_stored_table_is_of_the_stored_results(self):
        """By its newer side, where the small stores are judged again."""
        with open(os.path.join(support.SOURCE, "bench", "results", "verdicts.csv"), encoding="utf-8") as file:
            stored = list(csv.DictReader(file))
        results = os.path.join(support.SOURCE, "bench", "results")
        names = ("hex-tables", "pn2", "sentences") if support.NIGHTLY else ("pn2", "sentences")
        process = support.report("--format", "claims", *(os.path.join(results, f"{name}.db.xz") for name in names))
        judged = {(one["plan"], j["id"], j["series"]): j for one in json.loads(process.stdout)["experiments"]
                  for j in one["judgements"]}
        mine = {key: row for row in stored for key in [(row["plan"], row["claim"], row["series"])] if key in judged}
        self.assertEqual(set(mine), set(judged))
        for key, j in judged.items():
            self.assertEqual((mine[key]["after verdict"], mine[key]["after n"], mine[key]["after stands"]),
                             (j["verdict"], str(j["n"]), str(j["stands"])), key)


if __name__ == "__main__":
    unittest.main()
