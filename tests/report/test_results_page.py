"""What bench/results/README.md says of its stores: how many runs and undecided ones, and how many of their
judgements came out how. All stores by night, the smaller ones always."""

import collections
import functools
import json
import lzma
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import unittest

from support import PROGRAM, SOURCE

RESULTS = os.path.join(SOURCE, "bench", "results")
STORES = {"DeepPN": "deeppn", "Two levels of PN": "pn2", "Playouts a leaf": "playouts", "UCT's constant": "uct-constants",
          "Depth-first PPN": "depth-first-ppn", "Searching deeper before turning back": "depth-first",
          "First numbers of a leaf": "leaf-numbers", "Size of the table": "table",
          "P-games of the thesis": "pgame-thesis"}  # of sections that do not name theirs
SECTION = re.compile(r"^\*\*([^*\n]+)\*\* \((?:([a-z0-9-]+)[:,] )?", re.MULTILINE)
RUNS = re.compile(r"\b([\d,]+) runs\b(?:[^.;:]*?, (all\s+decided|([\d,]+)\s+(?:of\s+them\s+)?undecided))?")
VERDICTS = re.compile(r"(\d+)[^.;:]{0,30} reproduced,\s+(\d+)\s+partly(?:,| and)\s+(?:and )?(\d+)\s+not")
HOLM = re.compile(r"[Ww]ith Holm's correction(?: for all (?P<family>\d+)(?: judgements| of them)?)?,? "
                  r"(?:(?P<every>all of )?(?:these |the )?(?P<one>\d+)(?: and (?P<two>\d+))? stand\b|"
                  r"these stand at 5 %: (?P<both>\d+ of \d+ reproduced, \d+ of \d+ not))|"
                  r"(?P<all>\ball) stand with Holm's correction")
SMALL = 900  # runs
LARGE = 300_000  # bytes, of a store with many more


def sections():
    """(title, name of the store, text) of each section about a store."""
    with open(os.path.join(RESULTS, "README.md"), encoding="utf-8") as file:
        page = file.read()
    heads = list(SECTION.finditer(page))
    for head, end in zip(heads, [h.start() for h in heads[1:]] + [page.index("## Certificates")]):
        name = head[2] or STORES.get(head[1])
        if name and (head[2] is None or any(os.path.exists(os.path.join(RESULTS, name + e)) for e in (".db", ".db.xz"))):
            yield head[1], name, page[head.start():end]


def path_of(name):
    plain = os.path.join(RESULTS, name + ".db")
    return plain if os.path.exists(plain) else plain + ".xz"


@functools.cache
def counts(path):
    """(runs, undecided ones, names of its plans)"""
    with tempfile.NamedTemporaryFile() as plain:
        with (lzma.open if path.endswith(".xz") else open)(path, "rb") as packed:
            plain.write(packed.read())
        plain.flush()
        with sqlite3.connect(plain.name) as store:
            names = [name for name, in store.execute("SELECT DISTINCT name FROM plan ORDER BY last_used")]
            return *store.execute("SELECT count(*), sum(verdict = 'unknown') FROM run").fetchone(), names


def is_small(path):
    return os.path.getsize(path) < LARGE and counts(path)[0] <= SMALL


def number(text):
    return int(text.replace(",", ""))


def judged(stores):
    """{store: its judgements}: the small ones by one process, whose start takes longer than a store."""
    stores, found = list(dict.fromkeys(stores)), {}
    small = [store for store in stores if is_small(store)]
    for together in [small] * bool(small) + [[store] for store in stores if store not in small]:
        process = subprocess.run([PROGRAM, "report", *together, "--format", "claims"], check=True, timeout=600,
                                 capture_output=True, text=True,
                                 env={**os.environ, "PLAYPROOF_PYTHON": sys.executable})
        of_plans = {e["plan"]: e["judgements"] for e in json.loads(process.stdout)["experiments"]}
        for store in together:  # no two have a plan of the same name
            found[store] = [j for name in counts(store)[2] for j in of_plans.pop(name)]
    return found


def verdicts(judgements):
    """Of all judgements, of the project's own, of the others: {(reproduced, partly, not)}."""
    kinds = (judgements, [j for j in judgements if j["own"]], [j for j in judgements if not j["own"]])
    found = (collections.Counter(j["verdict"] for j in kind) for kind in kinds)
    return {(c["reproduced"], c["partly"], c["not reproduced"]) for c in found}


def standing(said, judgements):
    """[what a match of HOLM says], [what is right]: of the judgements that have data, and of those that are reproduced
    and that are not: how many there are, and how many of them stand."""
    of = [[j["stands"] for j in judgements if j["verdict"] == kind] for kind in ("reproduced", "not reproduced")]
    stand, settled = list(map(sum, of)), list(map(len, of))
    pairs = []
    if said["family"]:
        pairs.append((number(said["family"]), sum(j["verdict"] != "no data" for j in judgements)))
    if said["all"] or said["every"]:
        pairs.append((settled, stand))
    if said["both"]:
        pairs.append(([int(n) for n in re.findall(r"\d+", said["both"])], [stand[0], settled[0], stand[1], settled[1]]))
    if said["two"]:
        pairs.append(([int(said["one"]), int(said["two"])], stand))
    elif said["one"]:
        pairs.append((int(said["one"]), sum(stand)))
    return zip(*pairs)


class ResultsPage(unittest.TestCase):
    def test_counts_runs_and_verdicts(self):
        seen, stood, named = 0, 0, 0
        of_stores = judged([store for store in (path_of(name) for _, name, _ in sections())
                            if os.environ.get("PLAYPROOF_NIGHTLY") or is_small(store)])
        for title, name, text in sections():
            store = path_of(name)
            runs, undecided, _ = counts(store)
            with self.subTest(title, store=name):
                said = RUNS.search(text)
                if said:
                    self.assertEqual(number(said[1]), runs)
                    if said[2]:
                        self.assertEqual(number(said[3]) if said[3] else 0, undecided)
                flat = " ".join(text.split())
                holm = list(HOLM.finditer(flat))
                self.assertEqual(len(holm), flat.count("Holm"))
                named += len(holm)
                if store not in of_stores:
                    continue
                judgements = of_stores[store]
                for one in VERDICTS.finditer(text):
                    seen += 1
                    self.assertIn(tuple(int(n) for n in one.groups()), verdicts(judgements))
                for one in holm:
                    stood += 1
                    self.assertEqual(*standing(one, judgements), one[0])
        self.assertGreaterEqual(seen, 20 if os.environ.get("PLAYPROOF_NIGHTLY") else 4)
        self.assertGreaterEqual(stood, 28 if os.environ.get("PLAYPROOF_NIGHTLY") else 8)
        with open(os.path.join(RESULTS, "README.md"), encoding="utf-8") as file:
            self.assertEqual(file.read().count("Holm"), named)

    def test_what_a_sentence_on_holm_says(self):
        """Each way to say it, with its numbers and with another one in the place of each."""
        def of(*kinds):
            return [{"verdict": verdict, "stands": stands} for verdict, stands in kinds]
        some = of(*[("reproduced", True)] * 2, ("reproduced", False), ("not reproduced", True),
                  ("not reproduced", False), ("partly", False), ("no data", False))
        every = of(*[("reproduced", True)] * 2, ("not reproduced", True), ("partly", False))
        for judgements, sentence in (
                (some, "with Holm's correction for all 6 of them 2 and 1 stand"),
                (some, "With Holm's correction for all 6 judgements 2 and 1 stand"),
                (some, "with Holm's correction these 2 and 1 stand"), (some, "with Holm's correction the 3 stand"),
                (some, "with Holm's correction for all 6 these 3 stand"),
                (some, "With Holm's correction for all 6 judgements these stand at 5 %: 2 of 3 reproduced, 1 of 2 not"),
                (every, "all stand with Holm's correction"),
                (every, "with Holm's correction for all 4 all of these 3 stand")):
            self.assertEqual(*standing(HOLM.fullmatch(sentence), judgements))
            for digit in re.finditer(r"\d(?! %)", sentence):
                other = sentence[:digit.start()] + str(int(digit[0]) + 1) + sentence[digit.end():]
                said, right = standing(HOLM.fullmatch(other), judgements)
                self.assertNotEqual(said, right, other)
            if judgements is every:
                self.assertNotEqual(*standing(HOLM.fullmatch(sentence), some))

    def test_openings_of_hex_8x8(self):
        """Winners as they are known; the page says how many were found, half turns as one, and in which time."""
        with open(os.path.join(SOURCE, "tests", "data", "hex-8x8-openings.txt"), encoding="utf-8") as file:
            known = dict(line.split() for line in file if not line.startswith("#"))
        self.assertEqual(len(known), 64)

        def first_of_turns(cell):
            return min(cell, chr(ord("a") + ord("h") - ord(cell[0])) + str(9 - int(cell[1:])))

        with open(os.path.join(RESULTS, "README.md"), encoding="utf-8") as file:
            page = " ".join(file.read().split())
        left = set(map(first_of_turns, known))
        for name, text in (
                ("hex-8.json", r"(\d+) of the 32 first moves of Hex 8x8, half turns as one, are decided in ([\d,]+) s"),
                ("hex-8-rest.json", r"A second table, of those that were left, decides (\d+) more in ([\d,]+) s"),
                ("hex-8-left.json", r"A third table, of those three [^.]*?, decides (\d+) more in ([\d,]+) s")):
            with open(os.path.join(RESULTS, name), encoding="utf-8") as file:
                openings, = json.load(file)["openings"]
            decided = [row for row in openings["rows"] if row["winner"]]
            for row in decided:
                self.assertEqual(row["winner"][0], known[row["opening"]], row)
            found = left & {first_of_turns(row["opening"]) for row in decided}
            left -= found
            said = re.search(text, page)
            self.assertEqual((int(said[1]), int(said[2].replace(",", ""))),
                             (len(found), round(sum(row["seconds"] for row in decided))), name)
        for name, text in (
                ("hex-8-a5.json", r"a5 \(as h4\) is decided, too, with ([\d,]+) entries in ([\d,]+) s"),
                ("hex-8-a7.json", r"a7, which Black wins, is not: alone it was not decided with ([\d,]+) entries in ([\d,]+) s"),
                ("hex-9.json", r"Hex 9x9 after e5[*]* was not decided [^:]*: ([\d,]+) entries, [^.]*?([\d,]+) s,")):
            with open(os.path.join(RESULTS, name), encoding="utf-8") as file:
                answer = json.load(file)["answer"]
            said = [int(number.replace(",", "")) for number in re.search(text, page).groups()]
            self.assertEqual(said, [answer["iterations"], round(answer["cpu_seconds"])], name)
            self.assertEqual("not decided" in text, answer["verdict"] == "unknown", name)
            if answer["verdict"] != "unknown":
                self.assertEqual({"disproved": "B", "proved": "W"}[answer["verdict"]], known[answer["position"]])
                left.remove(first_of_turns(answer["position"]))
        said = re.search(r"So (\d+) of 32 are known here, and (.*?), which Black wins, is not:", page)
        self.assertEqual((int(said[1]), re.findall(r"[a-h]\d", said[2])), (32 - len(left), sorted(left)))
        self.assertEqual({known[cell] for cell in left}, {"B"})


if __name__ == "__main__":
    unittest.main()
