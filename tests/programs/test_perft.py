"""`perft` against published and independent counts."""

import json
import os
import unittest

from program import DATA, ProgramTest, run


class Perft(ProgramTest):

    def test_othello(self):
        with open(os.path.join(DATA, "othello-perft.txt"), encoding="utf-8") as file:
            rows = [line.split() for line in file if not line.startswith("#") and line.strip()]
        published = {int(row[0]): int(row[1]) for row in rows if len(row) == 4}
        self.assertGreaterEqual(len(published), 10)
        counted = self.json("perft", "othello", "--depth", "9")
        self.assertEqual(counted["leaves"], published[9])
        self.assertEqual({row["depth"]: row["leaves"] for row in counted["depths"]},
                         {depth: published[depth] for depth in range(1, 10)})

    def test_reference_rules_agree(self):
        for game, position, depth in (("hex:size=4", "b2", 4), ("hex:size=4", "-- b2 c3 :W", 3),
                                      ("othello:size=4", "", 8),
                                      ("connect6:rows=4,columns=3,connect=3,stones=2", "BB", 6),
                                      ("pgame:branching=3,depth=4", "2", 5)):
            arguments = ("perft", game, "--position", position, "--depth", str(depth))
            with self.subTest(game=game):
                fast = self.json(*arguments)
                slow = self.json(*arguments, "--reference")
                self.assertEqual([row["leaves"] for row in fast["depths"]],
                                 [row["leaves"] for row in slow["depths"]])
                self.assertEqual((fast["rules"], slow["rules"]), ("fast", "reference"))

    def test_hex_counts_orders_of_stones(self):
        self.assertEqual(self.json("perft", "hex:size=19", "--depth", "2")["leaves"], 361 * 360)

    def test_finished_games_are_leaves(self):
        self.assertEqual(self.json("perft", "hex:size=2", "--position", "a1 b1 a2", "--depth",
                                   "5")["leaves"], 1)
        self.assertEqual(self.json("perft", "pgame:branching=3,depth=2", "--depth", "6")["leaves"],
                         9)

    def test_lines_of_stdin(self):
        lines = "a1 b1\n\na1 a1\nb2\n"
        process = run("perft", "hex:size=3", "--position", "-", "--depth", "2", "--json",
                      stdin=lines)
        self.assert_status(process, 65)
        objects = [json.loads(line) for line in process.stdout.splitlines()]
        self.assertEqual([(o.get("leaves"), o.get("line")) for o in objects],
                         [(42, None), (72, None), (None, 3), (56, None)])
        process = run("perft", "hex:size=3", "--position", "-", "--depth", "2", stdin="b2\n")
        self.assert_status(process, 0)
        self.assertEqual(process.stdout, "56  b2\n")

    def test_text(self):
        process = run("perft", "othello", "--depth", "4")
        self.assert_status(process, 0)
        rows = [line.split()[:2] for line in process.stdout.splitlines()]
        self.assertEqual(rows, [["depth", "leaves"], ["1", "4"], ["2", "12"], ["3", "56"],
                                ["4", "244"]])


if __name__ == "__main__":
    unittest.main()
