"""Which positions are one unit: held against what the program's own table takes for one."""

import json
import subprocess
import unittest

import support
from playproof_report import claims, orbits, pairing

OTHELLO = "OOOO-OX-XXX---OX"  # 4x4
DEPTH_FIRST = "dfpn:leaf=unit"


def images(board, columns):
    """Of a board's text: all eight."""
    rows = [board[at:at + columns] for at in range(0, len(board), columns)]
    for _ in range(4):
        rows = ["".join(row) for row in zip(*rows[::-1])]
        yield "".join(rows)
        yield "".join(rows[::-1])


def taken_from_the_table(game, first, second, algorithm):
    """Whether the program, with the table of the first position, need not search the second."""
    answers = subprocess.run(
        [support.PROGRAM, "solve", game, "--position-file", "-", "--keep-table", "--json", "--algorithm",
         algorithm], input=f"{first}\n{second}\n", capture_output=True, text=True, timeout=60)
    lines = [json.loads(line) for line in answers.stdout.splitlines()]
    assert len(lines) == 2 and lines[0]["iterations"] > 1, answers.stderr
    return lines[1]["iterations"] == 1


class Orbits(unittest.TestCase):
    # Of other orbits are positions that no move makes one of the first: the table would know them from there.
    CASES = (
        ("hex:size=4", DEPTH_FIRST + ",zones=off", "a2", ["d3", "a2", "d2", "a3", "b1", "d3 -- :W", "a2 -- :B"]),
        ("hex:rows=3,columns=4", DEPTH_FIRST + ",zones=off", "a1 b2", ["d3 c2", "b2 a1", "b1 d2", "c3 a2", "-- c2 d3 :B"]),
        ("connect6:rows=3,columns=4,connect=3,stones=2", DEPTH_FIRST, "AA BA DC",
         ["DC CC AA", "DA CA AC", "AC DA BC", "AC BC DA", "BA AA DC", "AB BA CC"]),
        ("connect6:rows=4,columns=4,connect=4,stones=1", DEPTH_FIRST, "AA BA CA BC AB",
         ["AA AB AC CB BA", "DD CD BD CB DC", "AA BC AB BA CA", "AA BA CA CB AB"]),
        ("othello:size=4", DEPTH_FIRST + ",probe=none", f"{OTHELLO} X",
         [f"{board} X" for board in images(OTHELLO, 4)] + [f"{OTHELLO} O", "OOOO-OX-XXX---XX X"]),
    )

    def test_as_the_programs_table_has_it(self):
        seen = set()
        for game, algorithm, first, others in self.CASES:
            for other in others:
                with self.subTest(game=game, other=other):
                    one = orbits.orbit(game, first) == orbits.orbit(game, other)
                    self.assertEqual(taken_from_the_table(game, first, other, algorithm), one)
                    seen.add((game, one))
        self.assertEqual(len(seen), 2 * len(self.CASES))

    def test_openings(self):
        """Half of the openings, and the cell that is its own image."""
        for size, number in ((3, 5), (4, 8), (5, 13), (6, 18), (7, 25)):
            cells = [f"{column}{row}" for row in range(1, size + 1) for column in "abcdefg"[:size]]
            found = orbits.first_of_orbit([(cell, f"hex:size={size}", cell) for cell in cells])
            self.assertEqual(len(set(found.values())), number)
            self.assertEqual((found["a1"], found[cells[-1]]), ("a1", "a1"))

    def test_what_is_no_position_is_like_no_other(self):
        for game, one, other in (("hex:size=3", "p1", "p2"), ("hex:size=3", "a1 a1", "c3 c3"), ("hex:size=3", "d1", "a3"),
                                 ("hex:size=x", "a1", "c3"), ("connect6:size=3,stones=0", "AA", "CC"),
                                 ("connect6:size=3", "AD", "DA"), ("othello:size=4", "XO X", "OX X"),
                                 ("pgame:tree=1", "", "0"), ("nim:heaps=1.2", "", "1"), ("go", "a1", "b1")):
            self.assertNotEqual(orbits.orbit(game, one), orbits.orbit(game, other), (game, one))
            self.assertEqual(orbits.orbit(game, one), orbits.orbit(game, one))
        self.assertNotEqual(orbits.orbit("hex:size=3", "a1"), orbits.orbit("hex:size=4", "a1"))


class Units(unittest.TestCase):
    def runs(self, cells, repetitions=1):
        """On Hex 3x3, where c3 is a1 turned and b2 its own image."""
        return [support.run(label, cell, count + repetition, repetition=repetition)
                for repetition in range(1, repetitions + 1)
                for cell in cells for label, count in (("A", 10 + ord(cell[0])), ("B", 100))]

    def judged(self, runs):
        made = support.made_up(runs, claims=[support.claim()])
        return claims.judge(made, pairing.frame(made))[0]

    def test_images_are_one_unit(self):
        table = pairing.frame(support.made_up(self.runs(["a1", "c3", "b2", "a2"])))
        self.assertEqual(pairing.count_units(table), 3)
        self.assertEqual(pairing.problems_text(table), "4 problems (3 up to symmetry)")
        self.assertEqual(pairing.problems_text(table[table["problem"] != "c3"]), "3 problems")
        self.assertEqual(table.groupby("problem")["orbit"].first().to_dict(),
                         {"a1": "a1", "a2": "a2", "b2": "b2", "c3": "a1"})
        self.assertEqual(self.judged(self.runs(["a1", "c3", "b2", "a2"])).interval.n, 3)

    def test_images_alone_are_repetitions_of_one_question(self):
        table = pairing.frame(support.made_up(self.runs(["a1", "c3"], repetitions=4)))
        self.assertTrue(pairing.one_question(table))
        self.assertEqual(pairing.problems_text(table), "4 problems")
        self.assertEqual(self.judged(self.runs(["a1", "c3"], repetitions=4)).interval.n, 4)

    def test_an_image_says_nothing_of_what_other_problems_would_choose(self):
        """Of a1 and c3, one orbit, X is best, of b2 Y: left out, each is given the other's."""
        counts = {"a1": (1, 9), "c3": (2, 9), "b2": (9, 1)}
        runs = [support.run(label, cell, count) for cell, both in counts.items()
                for label, count in zip("XY", both)]
        made = support.made_up(runs, labels=("X", "Y"))
        for how in ("leave one out", "tuned"):
            made.plan["choices"] = [{"label": "chosen", "how": how, "series": ["s"], "labels": ["X", "Y"],
                                     "measure": "iterations"}]
            taken = pairing.of(pairing.frame(made), "s", "chosen")
            self.assertEqual(dict(zip(taken["problem"], taken["setting"])), {"a1": "Y", "c3": "Y", "b2": "X"})


if __name__ == "__main__":
    unittest.main()
