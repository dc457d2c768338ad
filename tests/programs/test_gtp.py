"""`gtp` as HexGui's Solve button, scripts for benzene's programs and clocks use it."""

import os
import re
import subprocess
import tempfile
import time
import unittest

from program import NO_OUTPUT, PROGRAM, TIMEOUT, ProgramTest, run
from window_clients import Gtp, cells


class SolveButton(ProgramTest):
    """What HexGui 1.1 sends, and scripts for the programs of benzene."""

    def test_the_button(self):
        with Gtp("gtp", "hex") as gtp:
            gtp.start(5, 5)
            gtp("param_dfpn use_guifx 1")
            gtp.send("dfpn-solve-state black")
            pictures, reply = self.pictures(gtp)
            self.assertEqual(reply, "= black")
            self.assertGreaterEqual(len(pictures), 1)
            line = gtp("playproof-line").split()
            coloured = [word for i, cell in enumerate(line) for word in ("BW"[i % 2], cell)]
            self.assertEqual(pictures[-1]["VAR"], coloured)
            labels = pictures[-1]["LABEL"]
            self.assertIn((line[0], "W"), list(zip(labels[::2], labels[1::2])))
            self.assertEqual(pictures[-1]["TEXT"], gtp("playproof-status").split())
            self.assertEqual(gtp("dfpn-get-pv black").split(), line)
            gtp(f"play black {line[0]}")
            gtp("param_dfpn use_guifx 0")
            gtp.send("dfpn-solve-state white")
            self.assertEqual(gtp.reply(), "= black")

    def pictures(self, gtp):
        """The pictures that come before a reply, as HexGui takes them apart, and the reply."""
        found = []
        while True:
            reply = gtp.reply()
            if not reply.startswith("gogui-gfx:\n"):
                return found, reply
            words = reply.split("\n")
            self.assertEqual(words[1], "dfpn")
            parts = {line.split()[0]: line.split()[1:] for line in words[2:]}
            self.assertEqual(list(parts), ["VAR", "LABEL", "TEXT"])
            found.append(parts)

    def test_who_wins_is_what_solve_says(self):
        with Gtp("gtp", "hex:size=3") as gtp:
            for cell in cells(3, 3):
                gtp("clear_board")
                gtp(f"play black {cell}")
                proved = "verdict     proved" in run("solve", "hex:size=3", "--position", cell).stdout
                for command in ("dfpn-solve-state", "dfs-solve-state white"):
                    self.assertEqual(gtp(command), "white" if proved else "black")
                answers = run("solve", "hex:size=3", "--position", "-",
                              stdin="\n".join(f"{cell} {c}" for c in cells(3, 3) if c != cell)).stdout
                winning = [line.split()[1] for line in answers.splitlines() if "disproved" in line]
                for command in ("dfpn-solver-find-winning", "dfs-solver-find-winning"):
                    self.assertEqual(gtp(f"{command} white").split(), winning)
            gtp.set_up([("white", "a1"), ("white", "b1"), ("white", "c1")])  # joined
            self.assertEqual(gtp("dfpn-solve-state black"), "white")
            self.assertEqual(gtp.failure("dfpn-solver-find-winning black"),
                             "the game is over")
            # Stones as if White had begun: the cells are those of the window.
            gtp.set_up([("white", "a1")])
            found = gtp("dfpn-solver-find-winning black").split()
            for cell in [c for c in cells(3, 3) if c != "a1"]:
                gtp.set_up([("white", "a1"), ("black", cell)])
                self.assertEqual(gtp("dfpn-solve-state white"), "black" if cell in found else "white")
            self.assertTrue(found)

    def test_it_can_be_stopped_and_goes_on(self):
        with Gtp("gtp", "hex:size=11") as gtp:
            gtp("param_dfpn use_guifx 1")
            gtp.send("dfpn-solve-state black")
            self.assertTrue(gtp.reply().startswith("gogui-gfx:"))  # a second has passed
            gtp.send("# interrupt")
            _, reply = self.pictures(gtp)
            self.assertEqual(reply, "= empty")
            gtp("param_dfpn use_guifx 0")

            def iterations():
                return int(re.search(r"(\d+) iterations?,", gtp("playproof-status")).group(1))
            first = iterations()
            time.sleep(0.3)
            self.assertEqual(iterations(), first)  # it waits
            pairs = gtp("dfpn-get-bounds black").split()
            self.assertTrue(set(pairs[::2]) <= set(cells(11, 11)))
            for bounds in pairs[1::2]:
                self.assertRegex(bounds, r"^(W|L|([\d.e+]+|inf):([\d.e+]+|inf))$")
            self.assertIn("whether Black wins", gtp.failure("dfpn-get-bounds white"))
            gtp("param_dfpn timelimit 0.3")
            begin = time.monotonic()
            self.assertEqual(gtp("dfpn-solve-state black"), "empty")
            self.assertGreater(time.monotonic() - begin, 0.25)
            self.assertGreater(iterations(), first)  # the same search
            self.assertEqual(gtp("dfpn-clear-tt"), "")
            self.assertIn("nothing is being solved", gtp.failure("dfpn-get-pv black"))
            self.assertIn("not known of ", gtp.failure("dfpn-solver-find-winning black"))
            settings = gtp("param_dfpn").splitlines()
            self.assertEqual(settings, ["[bool] use_guifx 0", "[string] timelimit 0.3"])
            for words, text in (("use_guifx 2", "use_guifx must be 0 or 1, not '2'"),
                                ("timelimit x", "expected a number of seconds, not 'x'"),
                                ("threads 4", "unknown setting 'threads'; there is: use_guifx, timelimit"),
                                ("threads", "expected a value after the name")):
                self.assertEqual(gtp.failure(f"param_dfpn {words}"), text)
            self.assertEqual(gtp.failure("dfpn-solve-state blue"), "expected black or white, not 'blue'")

    def test_a_script_that_ends_is_answered(self):
        """And one whose answers nobody can read is not worked on for ever."""
        script = "boardsize 4\ndfpn-solve-state black\n"
        self.assertEqual(run("gtp", "hex", stdin=script).stdout, "= \n\n= black\n\n")
        with subprocess.Popen([PROGRAM, "gtp", "hex"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as process:
            process.stdin.write(b"dfpn-solve-state black\n")
            process.stdin.close()
            with self.assertRaises(subprocess.TimeoutExpired):
                process.wait(timeout=0.3)
            process.stdout.close()
            self.assertEqual((process.wait(timeout=TIMEOUT), process.stderr.read()), (NO_OUTPUT, b""))


class LoadSgf(ProgramTest):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "game.sgf")

    def write(self, text):
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(text)

    def stones(self, gtp):
        rows = [line.split()[1:] for line in gtp("showboard").splitlines()[1:]]
        return {f"{chr(97 + column)}{row + 1}": stone for row, line in enumerate(rows)
                for column, stone in enumerate(line) if stone != "."}

    def test_a_game(self):
        self.write("a line before\n(;FF[4]GM[11]SZ[5]C[a \\] in a comment];B[c3]\n;W[b2](;B[d4];W[a5])(;B[a1]))\n"
                   "(;GM[11]SZ[9];B[a1])\n")
        moves = [("c3", "B"), ("b2", "W"), ("d4", "B"), ("a5", "W")]
        with Gtp("gtp", "hex", "--seconds", "60") as gtp:
            for number in (None, 1, 2, 3, 4, 5, 6, 99):
                gtp(f"loadsgf {self.path}" + (f" {number}" if number else ""))
                count = 4 if number is None else min(number - 1, 4)
                self.assertEqual(self.stones(gtp), dict(moves[:count]))
                self.assertEqual(len(gtp("showboard").splitlines()), 6)
            gtp("undo")
            self.assertEqual(self.stones(gtp), dict(moves[:3]))
            position = " ".join(cell for cell, _ in moves[:3])
            answer = self.json("solve", "hex:size=5", "--position", position)
            self.assertEqual(gtp("dfpn-solve-state white"), "white" if answer["verdict"] == "proved" else "black")

    def test_stones_that_are_set_up_and_swaps(self):
        with Gtp("gtp", "hex:size=3") as gtp:
            self.write("(;GM[11]SZ[4:3]AB[a1][b1]AW[d3]PL[W];W[c2])")
            gtp(f"loadsgf {self.path}")
            self.assertEqual(self.stones(gtp), {"a1": "B", "b1": "B", "d3": "W", "c2": "W"})
            gtp(f"loadsgf {self.path} 1")
            self.assertEqual(self.stones(gtp), {"a1": "B", "b1": "B", "d3": "W"})
            self.write("(;GM[11]SZ[4:3];W[d3];B[a1];W[c2])")  # White begins
            for number, stones in ((2, {"d3": "W"}), (3, {"d3": "W", "a1": "B"}), (9, {"d3": "W", "a1": "B", "c2": "W"})):
                gtp(f"loadsgf {self.path} {number}")
                self.assertEqual(self.stones(gtp), stones)
                self.assertEqual(len(gtp("showboard").splitlines()), 4)
            self.write("(;AP[HexGui:1.0]GM[11]SZ[4];B[b1];W[swap-pieces];B[c3];W[d4])")
            for number, stones in ((2, {"b1": "B"}), (3, {"a2": "W"}), (4, {"a2": "W", "c3": "B"})):
                gtp(f"loadsgf {self.path} {number}")
                self.assertEqual(self.stones(gtp), stones)
            self.assertEqual(gtp("playproof-solve w").split(":")[0], "does White win? dfpn")

    def test_what_cannot_be_loaded_changes_nothing(self):
        with Gtp("gtp", "hex:size=3") as gtp:
            gtp("play black b2")
            for text, said in (("(;GM[11]SZ[3];B[d1])", ":1: point 'd1' is off the board of hex:size=3, at offset 16"),
                               ("\n\n(;GM[2])", ":3: GM[2] is another game than hex, GM[11], at offset 5"),
                               ("(;GM[11]", ":2: the game does not end, at offset 0"), ("nothing\n", ": there is no game in SGF"),
                               ("(;GM[11]C[" + "x" * (2 << 20) + "])", ": a line longer than 1048576 bytes"),
                               ("(;C[\n" + "x\n" * (1 << 20), ":1: a game longer than 1048576 bytes, at offset 0")):
                self.write(text)
                self.assertEqual(gtp.failure(f"loadsgf {self.path}"), self.path + said)
            missing = os.path.join(self.path, "none")
            self.assertIn(f"{missing}: cannot ", gtp.failure(f"loadsgf {missing}"))
            self.write("(;GM[11]SZ[3];B[a1])")
            for words, said in (("", "expected the name of a file"), (f"{self.path} 0", "expected the number of a move, from 1, not '0'"),
                                (f"{self.path} x", "expected the number of a move, from 1, not 'x'"),
                                (f"{self.path} 1 2", "unexpected '2'")):
                self.assertEqual(gtp.failure(f"loadsgf {words}"), said)
            self.assertEqual(self.stones(gtp), {"b2": "B"})


class Clocks(ProgramTest):

    def thinks(self, gtp, colour="black"):
        begin = time.monotonic()
        gtp(f"genmove {colour}")
        passed = time.monotonic() - begin
        gtp("undo")
        return passed

    def test_a_move_keeps_to_its_clock(self):
        """A board on which no proof is in sight: without a clock a move takes all of --seconds."""
        with Gtp("gtp", "hex:size=13", "--seconds", "100000", "--playouts", "32") as gtp:
            for command in ("time_left black 2 10", "time_settings 0 2 10", "time_settings 9 0 0",
                            "time_settings 3 1 5"):
                gtp(command)
                self.assertLess(self.thinks(gtp), 2)
        with Gtp("gtp", "hex:size=13", "--seconds", "0.2", "--playouts", "32") as gtp:
            gtp("time_settings 3600 0 0")  # no longer than --seconds
            self.assertLess(self.thinks(gtp), 2)
            gtp("time_settings 0 1 0")  # no limit, as GTP has it
            self.assertEqual(gtp("time_left"), "Black: no limit, White: no limit")

    def test_what_is_left(self):
        with Gtp("gtp", "hex:size=13", "--seconds", "0.3", "--playouts", "32") as gtp:
            self.assertEqual(gtp("time_left"), "Black: no limit, White: no limit")
            gtp("time_settings 60 10 5")
            self.assertEqual(gtp("time_left"), "Black: 60.0, White: 60.0")
            gtp("genmove black")
            left = float(gtp("time_left b"))
            self.assertTrue(50 < left < 59.9, left)
            self.assertEqual(gtp("time_left w"), "60.0")
            gtp("time_left white 0.01 0")
            gtp("genmove white")  # the rest of the main time, and some of byo-yomi
            self.assertTrue(8 < float(gtp("time_left w")) < 10)
            gtp("time_left white 7.5 2")
            self.assertEqual(gtp("time_left w"), "7.5")
            gtp("time_left white 0")
            self.assertIn(gtp("reg_genmove black"), cells(13, 13))
            gtp("clear_board")  # another game
            self.assertEqual(gtp("time_left"), "Black: 60.0, White: 60.0")

    def test_bad_input(self):
        with Gtp("gtp", "hex:size=3") as gtp:
            for command, text in (("time_settings", "expected seconds of main time"),
                                  ("time_settings 5", "expected seconds of byo-yomi"),
                                  ("time_settings 5 5", "expected moves of byo-yomi"),
                                  ("time_settings -1 0 0", "expected a number of seconds, not '-1'"),
                                  ("time_settings 1 2 x", "expected a number of moves, not 'x'"),
                                  ("time_settings 1 2 3 4", "unexpected '4'"),
                                  ("time_left green", "expected black or white, not 'green'"),
                                  ("time_left b x", "expected a number of seconds, not 'x'"),
                                  ("time_left b 1 -1", "expected a number of moves, not '-1'")):
                self.assertEqual(gtp.failure(command), text)


if __name__ == "__main__":
    unittest.main()
