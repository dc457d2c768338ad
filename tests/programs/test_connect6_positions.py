"""The positions of the plans connect6-deep: drawn as bench/connect6_positions.py draws, with the counts that they list."""

import os
import sys
import unittest

from program import DATA, SOURCE, ProgramTest

sys.path.insert(0, os.path.join(SOURCE, "bench"))
import connect6_positions  # noqa: E402
from draws import Draws  # noqa: E402


def listed():
    with open(os.path.join(DATA, "connect6-deep.txt"), encoding="ascii") as file:
        return [line.split() for line in file if line.startswith(";")]


class Positions(ProgramTest):
    def test_there_are_two_and_sixteen_of_three_kinds(self):
        rows = listed()
        self.assertEqual([row[1] for row in rows], ["opening"] * 12 + ["middle"] * 5 + ["useless"])
        self.assertEqual(len({row[0] for row in rows}), 18)
        for moves, _, side, calls, _, again in rows:
            stones = moves.split(";")[1:]
            self.assertEqual([stone[0] for stone in stones],
                             ["BW"[connect6_positions.player_of(i)] for i in range(len(stones))])
            self.assertEqual(side, "BW"[connect6_positions.player_of(len(stones))])
            self.assertTrue(100 <= int(calls) <= 800 and int(again) >= 1)

    def test_openings_come_in_the_order_of_their_draws(self):
        for rows in (listed()[:2], listed()[2:12]):
            draws = Draws(1)
            wanted = [row[0] for row in rows]
            for _ in range(3000):
                if wanted and connect6_positions.text(connect6_positions.opening(draws)) == wanted[0]:
                    wanted.pop(0)
            self.assertEqual(wanted, [])

    def test_openings_that_nobody_chose_among(self):
        with open(os.path.join(DATA, "connect6-drawn.txt"), encoding="ascii") as file:
            lines = [line.strip() for line in file if line.startswith(";")]
        draws = Draws(2)
        self.assertEqual(lines, [connect6_positions.text(connect6_positions.opening(draws)) for _ in range(100)])

    def test_the_simple_player(self):
        """The same game from the same draws; a whole number of turns, nobody has won."""
        one, other = (connect6_positions.middle_game(Draws(5)) for _ in range(2))
        self.assertEqual(one, other)
        self.assertEqual(len({cell for cell, _ in one}), len(one))
        self.assertEqual(len(one) % 2, 1)
        self.assertEqual([player for _, player in one], [connect6_positions.player_of(i) for i in range(len(one))])

    def test_counts_are_those_of_df_pn(self):
        """Of the three that take the least time; none is won by double threats alone."""
        for moves, _, _, calls, nodes, again in sorted(listed(), key=lambda row: int(row[4]))[:3]:
            answer = self.json("solve", "connect6", "--position", moves, "--algorithm", connect6_positions.SEARCH)
            self.assertEqual(answer["verdict"], "proved")
            self.assertEqual([str(answer["nodes_created"]), str(answer["nodes_expanded"]),
                              str(answer["counters"]["re_entries"])], [calls, nodes, again])


if __name__ == "__main__":
    unittest.main()
