"""bench/hill_climbing.py on a tiny board: every count asked once, every end one that Algorithm 1 ends at."""

import json
import math
import os
import re
import subprocess
import sys
import tempfile
import unittest

from program import PROGRAM, SOURCE, TIMEOUT, ProgramTest

ALGORITHM = "dfpn:leaf=deep,E={E},D={D},zones=off,order=natural"
POSITIONS = ["a1", "b1", "b2"]


def climbs_to(node):
    """Algorithm 1 of the thesis (section 3.3.6), as it is printed, at most four steps along a flat."""
    e, d, flat = 2, 2, []
    while len(flat) < 4:
        e2, d2 = (e + 1, d) if node(e + 1, d) <= node(e, d + 1) else (e, d + 1)
        if (node(e2, d2) > node(e, d) and node(e2 + 1, d2) > node(e2, d2) and
                node(e2, d2 + 1) > node(e2, d2)):
            return node(e, d)
        if node(e2, d2) == math.inf:
            return node(e, d)
        flat = [*flat, (e, d)] if node(e2, d2) == node(e, d) else []
        e, d = e2, d2
    return node(e, d)


class HillClimbing(ProgramTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.positions = os.path.join(folder.name, "positions.txt")
        self.cache = os.path.join(folder.name, "counts.json")
        with open(self.positions, "w", encoding="ascii") as file:
            file.write("# three openings\n" + "".join(f"{position} | any\n" for position in POSITIONS))

    def climb(self, *more, status=0):
        done = subprocess.run([sys.executable, os.path.join(SOURCE, "bench", "hill_climbing.py"), PROGRAM, "hex:size=3",
                               self.positions, "--algorithm", ALGORITHM, "--measure", "nodes_created", "--cache",
                               self.cache, *more], capture_output=True, text=True, timeout=TIMEOUT, check=False)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def kept(self):
        with open(self.cache, encoding="utf-8") as file:
            return {(position, e, d): values for position, e, d, values in json.load(file)["counts"]}

    def rows(self, text):
        return [[cell.strip() for cell in line.strip("| ").split("|")] for line in text.splitlines()
                if re.match(r"\| (\d|the p|all)", line)]

    def test_tables_are_of_the_searches(self):
        first = self.climb("--max-nodes", "1000")
        rows = self.rows(first.stdout)
        counts = self.kept()
        self.assertEqual([len(row) for row in rows], [7] * 3 + [4] * 3)
        for position, row in zip(POSITIONS, rows):
            e, d = map(int, row[3].split(", "))
            answer = self.json("solve", "hex:size=3", "--position", position, "--algorithm",
                               ALGORITHM.format(E=e, D=d))
            self.assertEqual([row[1], row[2]], [f"{answer['nodes_created']:,}", f"{answer['counters']['re_entries']:,}"])
            ends = climbs_to(lambda e, d, of=position: counts[of, e, d][1] if counts.get((of, e, d), [False])[0] else math.inf)
            self.assertEqual(answer["nodes_created"], ends)
            base = counts[position, 1, 1][1]
            self.assertEqual(row[5], f"{ends / base:.3f}")
        # Each by itself, all, and each on all others: the geometric mean of the ratios.
        taken = [tuple(map(int, row[3].split(", "))) for row in rows[:3]]
        own = math.exp(sum(math.log(counts[position, *setting][1] / counts[position, 1, 1][1])
                           for position, setting in zip(POSITIONS, taken)) / 3)
        self.assertEqual(rows[3][1], f"{own:.3f}")
        self.assertEqual([row[2] for row in rows[3:]], ["0"] * 3)
        # What was counted is not asked again, and not by another question.
        again = self.climb("--max-nodes", "1000")
        self.assertEqual(self.rows(again.stdout), rows)
        self.assertEqual(self.kept(), counts)
        self.assertIn("another question", self.climb("--max-nodes", "999", status=1).stderr)

    def test_nobody_has_a_say_in_its_own_nested_setting(self):
        """The first opening, twice as hard or not, is given what the two others climb to."""
        sys.path.insert(0, os.path.join(SOURCE, "bench"))
        import hill_climbing  # pylint: disable=import-outside-toplevel

        class Made:
            positions = POSITIONS
            most = (20, 15)
            wanted = {"a1": (9, 9), "b1": (5, 4), "b2": (5, 4)}

            def ask(self, positions, e, d):
                pass

            def of(self, position, e, d):
                of_e, of_d = self.wanted[position]
                return [True, 100 + (e - of_e) ** 2 + (d - of_d) ** 2, 0, 0.0]

        made = Made()
        for position in POSITIONS:
            self.assertEqual(hill_climbing.climb(made, [position], [(2, 2)])[0], made.wanted[position])
        self.assertEqual(hill_climbing.climb(made, POSITIONS[1:], [(2, 2)])[0], (5, 4))
        made.wanted["a1"] = (17, 3)
        self.assertEqual(hill_climbing.climb(made, POSITIONS[1:], [(2, 2)])[0], (5, 4))
        self.assertNotEqual(hill_climbing.climb(made, POSITIONS, [(2, 2)])[0], (5, 4))
        # From above both it climbs no more; the better one of two ends is taken.
        self.assertNotEqual(hill_climbing.climb(made, ["b1"], [(12, 10)])[0], (5, 4))
        self.assertEqual(hill_climbing.climb(made, ["b1"], [(12, 10), (2, 2)])[0], (5, 4))

    def test_undecided_is_infinite_alone(self):
        rows = self.rows(self.climb("--max-nodes", "200").stdout)
        counts = self.kept()
        self.assertTrue(any(not values[0] for values in counts.values()))
        for row in rows[:3]:
            self.assertTrue(row[1].startswith(">= ") or int(row[1].replace(",", "")) <= 200)

    def test_the_whole_grid(self):
        text = self.climb("--max-nodes", "1000", "--grid", "--most", "5", "4").stdout
        rows = self.rows(text)
        counts = self.kept()
        for position, row in zip(POSITIONS, rows):
            best = min(counts[position, e, d][1] for e in range(1, 6) for d in range(1, 5))
            self.assertEqual(int(row[6].replace(",", "")), int(row[1].replace(",", "")) - best)
            self.assertLessEqual(set(map(int, row[3].split(", "))), set(range(1, 6)))
        self.assertIn("Above the best setting: ", text)


if __name__ == "__main__":
    unittest.main()
