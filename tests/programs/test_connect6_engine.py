"""`connect6-engine`, as the window ConnectMore speaks with it."""

import os
import unittest

from program import DATA, ProgramTest, run
from window_clients import Client


class Engine(Client):
    """The part of ConnectMore that speaks with its engine: all of a game is sent before each move."""

    def __init__(self, *arguments):
        super().__init__("connect6-engine", *arguments)
        self.send("name")
        self.name = self.message("name ").split(" ")[1]
        self.send("depth 4")
        self.send("vcf")
        self.said = []

    def message(self, begin):
        """The next line that the window looks for; others are passed over."""
        self.said = []
        while True:
            line = self.line()
            if line is None:
                raise AssertionError(self.process.stderr.read())
            if line.startswith(begin):
                return line
            self.said.append(line)

    def next(self, turns):
        """The stones that it plays after these turns."""
        self.send("new xxx")
        for number, turn in enumerate(turns):
            self.send(("white " if number % 2 else "black ") + turn)
        self.send("next")
        word = self.message("move ").split(" ")[1]
        assert len(word) == 4, word
        return word


def stones(turns):
    return [turn[i:i + 2] for n, turn in enumerate(turns) for i in ((0,) if n == 0 else (0, 2))]


class ConnectMore(ProgramTest):

    def test_a_game_against_itself(self):
        with Engine("--work", "100000") as engine:
            self.assertEqual(engine.name, "playproof")
            turns = []
            while True:
                turns.append(engine.next(turns))
                placed = stones(turns)
                self.assertEqual(len(placed), len(set(placed)), turns)
                if "Win by VCF." in engine.said:
                    break
                self.assertLess(len(turns), 60)
            # What it says is so.
            before = " ".join(stones(turns[:-1]))
            answer = self.json("solve", "connect6", "--position", before, "--algorithm",
                               "vcdt:turns=12,work=1000000000")
            self.assertEqual(answer["verdict"], "proved")
            while True:  # and it wins, for the other side does what it can
                turns.append(engine.next(turns))
                engine.send("new x")
                position = " ".join(stones(turns))
                if run("solve", "connect6", "--position", position, "--algorithm", "vcdt",
                       "--json").stdout.find('"iterations":0') > 0:
                    break
                self.assertLess(len(turns), 90)
            engine.send("quit")
            self.assertEqual(engine.end(), 0)

    def test_known_wins(self):
        with open(os.path.join(DATA, "connect6-vcdt-win.txt"), encoding="ascii") as file:
            lines = [line.split(" | ") for line in file if line.startswith(";")]
        with Engine() as engine:
            for position, _, count, *_ in lines[:20]:
                cells = [node[2:4] for node in position.split(";")[1:]]
                turns = [cells[0] * 2] + ["".join(cells[i:i + 2]) for i in range(1, len(cells), 2)]
                engine.next(turns)
                self.assertEqual(engine.said, ["Win by VCF."], (position, count))

    def test_columns_i_and_j(self):
        """The letters are A to S with I: other windows of board games leave it out."""
        with Engine() as engine:
            for turn in ("JJJJ", "IJJI", "HHIK"):
                engine.send(("white " if turn == "IJJI" else "black ") + turn)
            engine.send("white II")  # one stone of two
            engine.send("move JI")
            self.assertEqual(engine.line(), "error 'JI' is not free")
            engine.send("black TT")
            self.assertIn("error White is to move", engine.line())
            engine.send("white TT")
            self.assertTrue(engine.line().startswith("error "))

    def test_what_it_does_not_know_is_told(self):
        with Engine() as engine:
            for line, said in (("hello", "unknown command 'hello'"), ("depth x", "depth: expected"),
                               ("white KIJH", "Black is to move"), ("black JJKK", "a stone too many"),
                               ("black J", "expected the stones"), ("move", "expected the stones")):
                engine.send(line)
                self.assertIn(said, engine.line(), line)
            engine.send("unvcf")
            self.assertEqual(engine.next([]), "JJJJ")


if __name__ == "__main__":
    unittest.main()
