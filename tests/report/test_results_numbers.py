"""What bench/results/README.md says with an interval, as "0.49 (0.43 to 0.56)": each of them is found again in its
store, to the last digit. All stores by night, the smaller ones always."""

import math
import os
import re
import unittest
from typing import NamedTuple

import numpy as np

from recompute import COLUMNS, averaged, count, load, of_logs, of_pairs, of_series, side, unit_of
from test_results_page import is_small, judged, path_of, sections

NUMBER = r"\d+(?:,\d{3})*(?:\.\d+)?"
TRIPLE = re.compile(rf"(?<![\d.])({NUMBER})( %)?(?:, | \((?:95 % interval )?| (?:times(?: the nodes)?|of them) \()"
                    rf"({NUMBER})(?: %)? to ({NUMBER})")
OPENING = re.compile(rf"\((?:95 % interval )?({NUMBER}(?: %)? to {NUMBER})")
RANGES = {("playouts", "128 to 4,096"), ("ews", "0.54 to 0.68"), ("depth-first", "5 to 8"),
          ("leaf-numbers", "0.73 to 0.83"), ("leaf-numbers", "0.82 to 0.86"), ("deep-held-out", "0.31 to 0.37"),
          ("deep-held-out", "1.03 to 1.31")}  # of several numbers
NOT_STORED = {("connections", "0.73, 0.64 to 0.85"): "with narrower limits of the links: runs that are not kept"}

# What no claim is about: (measure, or one over another, series, subject, base, and the statistic if it is another one).
GEOMETRIC, MEANS = "geometric mean", "ratio of means"
PAIRS = {
    "hex-8": [("iterations", "hex-8-first", "must-play", "unit"), ("cpu_seconds", "hex-8-first", "must-play", "unit")],
    "deeppn-16": [("iterations", "othello-16", "inv R=0.50", "inv R=1.00", MEANS),
                  ("iterations", "othello-16", "inv R=0.60", "inv R=1.00")],
    "deeppn-hex": [("iterations", "hex-4", f"{norm} R=0.97", f"{norm} R=1.00") for norm in ("inv", "inv1")],
    "deeppn-size": [*(("iterations", f"othello-{n}", "inv R=0.36", "inv R=0.40") for n in (10, 12, 14, 16)),
                    ("iterations", "othello-16", "inv1 R=0.57", "inv1 R=0.62")],
    "deeppn-law": [("iterations", "othello-18", "inv R=0.362", "inv R=0.371"),
                   ("iterations", "othello-18", "inv R=0.45", "inv R=1.00")],
    "sentences": [("nodes_expanded", "hex-4", "df-pn mobility", "df-pn unit")],
    "zones": [("nodes_created", "hex-4", "PN zones", "PN")],
    "deep-held-out": [("nodes_created", "hex-4", "Deep E=2 D=5", "df-pn"),
                      ("cpu_seconds/nodes_created", "othello-12", "Deep E=20 D=8", "df-pn")],
}

# What words beside a number say of it: the series, what is counted, which R.
GAMES = {"Hex": "hex", "Othello": "othello|empties", "P-games": "2x20|8x8", "trees": "2x20|8x8", "Connect": "connect"}
MEASURES = {"time": {"cpu_seconds", "seconds"}, "evaluations": {"evaluations"}, "iterations": {"iterations"},
            "re-entries": {"re_entries"}, "entries": {"iterations", "nodes_created"},
            "nodes": {"iterations", "nodes_created", "nodes_expanded"}, "errs": {"error_area"}, "area": {"error_area"}}
DRAWN = 0.03  # how far ends from other bootstrap samples may be off


class Triple(NamedTuple):
    """What the page says: three texts, what they are multiplied by, the words after them and before; joined: to the
    next by "and", so that what is after is said of both."""

    texts: tuple
    scale: int
    after: str
    before: str
    joined: bool
    whole: str


class Candidate(NamedTuple):
    """What a store has: value, low, high; by how much of themselves the ends may be off; what it is of."""

    numbers: tuple
    off: float
    series: str
    measures: set
    labels: str


def clause(text):
    """The words after a triple, as far as they are about it: "of it on 6x6" of "0.57 (0.43 to 0.75) of it on 6x6,"."""
    if not text.startswith(")"):  # a remark in the parentheses
        remark, _, text = text.partition(")")
        text = f"{remark.split(',')[1] if remark.startswith(', ') else ''}){text}"
    return re.split(r"[();:|]|\.(?!\d)|,(?! \d+\b(?!\.))", text.replace(")", " ", 1))[0].strip()


def triples(text):
    """Those of a section."""
    flat = " ".join(text.split())
    found, after, made = list(TRIPLE.finditer(flat)), "", []
    for which, one in reversed(list(enumerate(found))):
        begin = found[which - 1].end() if which else 0
        mine = clause(flat[one.end():found[which + 1].start() if which + 1 < len(found) else None])
        after = after if mine == "and" else mine
        before = re.split(r"[;:|]|\.(?!\d)", flat[begin:one.start()])[-1].strip()
        made.append(Triple((one[1], one[3], one[4]), 100 if one[2] else 1, after, before, mine == "and", one[0]))
    return made[::-1]


def number(text):
    return float(text.replace(",", ""))


def says(text, x, off=0.0):
    """Whether a text says x to its last digit."""
    return abs(number(text) - x) <= 0.5000001 * 10.0 ** -len(text.partition(".")[2]) + off * x


def named(words):
    """What words name: boards, numbers of empty squares, games, measures and R."""
    listed = re.findall(r"\bwith (\d+(?:, \d+)*(?: and \d+)?)(?![.\d])", words)
    return (re.findall(r"\d+x\d+", words), re.findall(r"\d+", " ".join(listed)),
            [game for game in GAMES if game in words],
            set().union(*(MEASURES[word] for word in MEASURES if re.search(rf"(?<![\w-]){word}\b", words))),
            re.findall(r"\bat (?:R = )?(0\.\d+)", words)
            + [R for both in re.findall(r"\bfrom (?:R = )?(0\.\d+) to (0\.\d+)", words) for R in both])


def about(after, before, candidate, every):
    """Whether a number can be of a candidate, one of every series, by the words after it; of what they do not say, by
    those before it."""
    boards, empties, games, measures, at = (one or other for one, other in zip(named(after), named(before)))
    board = re.sub(r"hex-(\d)(?!x)", r"hex-\1x\1", candidate.series)
    if named(after)[2] and not named(after)[0] or board.startswith("connect"):  # another game's board
        boards = []
    empties = {n for n in empties if re.search(rf"(?:othello-|\b){n}(?:-empties)?\b(?!x)", " ".join(every))}
    return not (
        boards and not any(x in board for x in boards)
        or empties and re.search(GAMES["Othello"], board) and not empties & set(re.findall(r"\d+", board))
        or games and not any(re.search(GAMES[game], board) for game in games)
        or measures and not measures & candidate.measures
        or not set(map(float, at)) <= set(map(float, re.findall(r"R=([\d.]+)", candidate.labels))))


def found(triple, candidates):
    """The candidates that a triple can be."""
    every = {candidate.series for candidate in candidates}
    return [candidate for candidate in candidates
            if all(says(text, triple.scale * x, off) for text, x, off in zip(
                triple.texts, candidate.numbers, (0.0, candidate.off, candidate.off)))
            and ("share" in candidate.labels or triple.scale == 1)
            and about(triple.after, triple.before, candidate, every)]


def found_both(one, two, candidates):
    """Whether two that follow on each other can be so: "0.51 (...) and 0.42 (...) of the nodes", where one claim is of
    two series, has them in the plan's order."""
    return any(a.labels != b.labels or not one.joined or candidates.index(a) < candidates.index(b)
               for a in found(one, candidates) for b in found(two, candidates))


def of_sides(plan, runs, measure, series, label):
    """As side(), also of one measure over another."""
    one, *below = (side(plan, runs, series, label, m) for m in measure.split("/"))
    for other in below:
        one = {key: (one[key][0] - other[key][0], one[key][1] / other[key][1], one[key][2]) for key in one}
    return one


def of_pair(plan, runs, measure, series, subject, base, statistic=GEOMETRIC):
    """(value, low, high) of runs that are not both undecided"""
    above, below = (of_sides(plan, runs, measure, series, label) for label in (subject, base))
    return of_pairs({key: (above[key][0], below[key][0], above[key][1], below[key][1]) for key in above
                     if key in below and (above[key][2] or below[key][2])}, {"statistic": statistic},
                    unit_of(of_series(runs, series)))[:3]


def claimed(judgements):
    """Candidates: the judgements of a store, as the report has them."""
    return [Candidate((j["value"], j["low"], j["high"]), 0.0, j["series"],
                      set(re.findall(r"\b([a-z_]+)\(", j["formula"])), j["formula"])
            for j in judgements if j["low"] is not None and j["high"] is not None]


def paired(name):
    """Candidates: what PAIRS names of a store."""
    plan, runs, _ = load(path_of(name))
    return [Candidate(of_pair(plan, runs, *pair), 0.0 if pair[4:] != (MEANS,) else DRAWN, pair[1],
                      set(pair[0].split("/")), " / ".join(pair[2:4])) for pair in PAIRS[name]]


def hints(name, triple):
    """Pairs of algorithms that a triple may be of, by geometric means: for who adds one to PAIRS."""
    _, runs, _ = load(path_of(name))
    for series in dict.fromkeys(series for series, _ in runs):
        labels = [label for s, label in runs if s == series]
        if len(labels) > 100:  # something always fits
            continue
        keys = sorted(set.intersection(*(set(runs[series, label]) for label in labels)))
        decided = np.array([[runs[series, label][key]["verdict"] != "unknown" for key in keys] for label in labels])
        for measure in dict.fromkeys([*COLUMNS.values(), "iterations", "nodes_created", "re_entries"]):
            if not keys or any(runs[series, label][key][measure] is None for label in labels for key in keys):
                continue
            logs = np.log([[count(runs[series, label][key], measure) for key in keys] for label in labels])
            for one, a in enumerate(labels):
                known = decided[one] | decided
                with np.errstate(invalid="ignore"):
                    means = np.exp(np.sum((logs[one] - logs) * known, axis=1) / known.sum(axis=1))
                for two, b in enumerate(labels):
                    if says(triple.texts[0], triple.scale * means[two]):
                        numbers = of_logs(averaged({key: x for key, x, both in zip(
                            keys, logs[one] - logs[two], known[two]) if both}, unit_of(of_series(runs, series))))[:3]
                        if all(says(text, triple.scale * x) for text, x in zip(triple.texts, numbers)):
                            yield f"{(measure, series, a, b)}: {numbers}"


class ResultsNumbers(unittest.TestCase):
    def test_intervals(self):
        """Every one of them; and another digit of one is seen, and mostly that two are exchanged."""
        night = bool(os.environ.get("PLAYPROOF_NIGHTLY"))
        seen, faults, passed = {"claims": 0, "pairs": 0, "not stored": 0}, 0, []
        swaps, swapped = 0, []
        looked_at = [(name, said) for _, name, text in sections() for said in [list(triples(text))]
                     if said and (night or is_small(path_of(name)))]
        of_stores = judged([path_of(name) for name, _ in looked_at])
        for name, said in looked_at:
            pairs = paired(name) if name in PAIRS else []
            candidates, used, right = claimed(of_stores[path_of(name)]) + pairs, [], []
            for triple in said:
                if (name, triple.whole) in NOT_STORED:
                    seen["not stored"] += 1
                    continue
                with self.subTest(name, triple=triple.whole):
                    mine = found(triple, candidates)
                    if not mine:
                        self.fail(f"{triple.whole}) {triple.after}: not in the store. Near it:\n" + "\n".join(
                            [*map(str, near(triple, candidates)), *hints(name, triple)]))
                    seen["pairs" if all(one in pairs for one in mine) else "claims"] += 1
                    used += mine
                    right.append(triple)
                    for fault in changed(triple):
                        faults += 1
                        passed += [(name, triple.whole, fault.texts)] if found(fault, candidates) else []
            for one, two in zip(right, right[1:]):
                with self.subTest(name, triple=one.whole, after=two.whole):
                    self.assertTrue(found_both(one, two, candidates))
                    if one.texts != two.texts:
                        swaps += 1
                        other = one._replace(texts=two.texts), two._replace(texts=one.texts)
                        swapped += [(name, one.whole, two.whole)] if found_both(*other, candidates) else []
            with self.subTest(name):
                self.assertEqual([one for one in pairs if one not in used], [], "nothing says that")
        self.assertGreaterEqual(sum(seen.values()), 190 if night else 55, seen)
        self.assertGreater(faults, 1000)
        self.assertLess(len(passed), 0.005 * faults, passed)
        self.assertLess(len(swapped), 0.4 * swaps, swapped)

    def test_every_interval_is_looked_at(self):
        """What looks like one is one, or a range of several numbers; and what is not stored is on the page."""
        ranges, whole = set(), set()
        for _, name, text in sections():
            flat, said = " ".join(text.split()), list(triples(text))
            whole |= {(name, triple.whole) for triple in said}
            ends = {" to ".join(triple.texts[1:]) for triple in said}
            ranges |= {(name, one) for one in OPENING.findall(flat) if one.replace(" %", "") not in ends}
        self.assertEqual(ranges, RANGES)
        self.assertEqual(set(NOT_STORED) - whole, set())
        self.assertGreaterEqual(len(whole), 190)

    def test_words_beside_a_number(self):
        """Those that name another board, measure or R than the candidate's do not fit."""
        text = ("takes 0.5 (0.4 to 0.6) of the time on 5x5 and 0.7, 0.6 to 0.8, at R = 0.45, of which; on 6x6 0.3 "
                "(0.2 to 0.4; partly) and 0.2 (0.1 to 0.3) with 12 and 14")
        one, two, three, four = triples(text)
        self.assertEqual([triple.after for triple in (one, two, three, four)],
                         ["of the time on 5x5 and", "at R = 0.45", *["with 12 and 14"] * 2])
        self.assertEqual((one.before, three.before), ("takes", "on 6x6"))
        every = ("hex-5", "hex-6", "14-empties", "16-empties")

        def fits(triple, series, measure="cpu_seconds", labels="inv R=0.450"):
            return about(triple.after, triple.before, Candidate((), 0.0, series, {measure}, labels), every)
        self.assertEqual([fits(one, series) for series in every], [True, False, False, False])
        self.assertEqual([fits(three, series) for series in every[:2]], [False, True])
        self.assertEqual([fits(four, series) for series in every[2:]], [True, False])
        self.assertFalse(fits(one, "hex-5", "iterations"))
        self.assertEqual([fits(two, "hex-5", labels=labels) for labels in ("inv R=0.45", "inv R=0.4")], [True, False])


def changed(triple):
    """The triple with each of its digits another one."""
    for which, text in enumerate(triple.texts):
        for digit in re.finditer(r"\d", text):
            for more in (1, 5, 9):
                other = text[:digit.start()] + str((int(digit[0]) + more) % 10) + text[digit.end():]
                yield triple._replace(texts=(*triple.texts[:which], other, *triple.texts[which + 1:]))


def near(triple, candidates):
    """The three candidates that are nearest to it."""
    def far(candidate):
        return sum(abs(number(text) - triple.scale * x) / (number(text) + 1e-9)
                   for text, x in zip(triple.texts, candidate.numbers))
    return sorted((one for one in candidates if math.isfinite(far(one))), key=far)[:3]


if __name__ == "__main__":
    unittest.main()
