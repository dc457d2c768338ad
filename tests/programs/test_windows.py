"""`gtp`, `nboard` and `cassio` as windows use them: scripted clients that follow the real dialogues."""

import os
import re
import subprocess
import time
import unittest

from program import DATA, NIGHTLY, NO_OUTPUT, PROGRAM, TIMEOUT, USAGE, ProgramTest, run
from window_clients import Client, Gtp, cells

BOARD = "-XOOO--X-XXXOOXX-XXOOOOXXXXXOOOO-XXXXOXOOXXXXXOO-XXXXXXO---OOO--"  # -28 for X
START = "---------------------------O*------*O---------------------------"


def ggf(board, moves=""):
    return f"(;GM[Othello]PC[NBoard]PB[a]PW[b]RE[?]TI[15:00]TY[8]BO[8 {board} *]{moves};)"


ENDGAME = ggf(BOARD.replace("X", "*"))


class HexGui(ProgramTest):

    def test_start_up(self):
        with Gtp("gtp", "hex") as gtp:
            gtp.start(5, 5)
            self.assertEqual(gtp.replies[0], "playproof")
            self.assertEqual(run("--version").stdout, f"playproof {gtp.replies[1]}\n")
            entries = [line.split("/") for line in gtp.replies[2].splitlines()]
            self.assertEqual({len(entry) for entry in entries}, {3})
            self.assertEqual(len({entry[1] for entry in entries}), len(entries))
            commands = gtp("list_commands").splitlines()
            for kind, _, command in entries:
                self.assertIn(kind, ("string", "pspairs", "plist", "var", "param"))
                self.assertIn(command.split()[0], commands)
            for command in commands:
                self.assertEqual(gtp(f"known_command {command}"), "true")
            self.assertEqual(gtp("known_command vc-build"), "false")
            self.assertEqual(gtp("protocol_version"), "2")
            gtp("quit")
            self.assertEqual(gtp.end(), 0)

    def test_play(self):
        with Gtp("gtp", "hex", "--seconds", "1") as gtp:
            gtp.start(4, 3)
            gtp("play black a1")
            gtp("play white d3")
            shown = gtp("showboard")
            rows = [line.split()[1:] for line in shown.splitlines()[-3:]]
            self.assertEqual(rows, [["B", ".", ".", "."], [".", ".", ".", "."], [".", ".", ".", "W"]])
            gtp("undo")
            self.assertNotIn("W", gtp("showboard"))
            gtp("undo")
            self.assertEqual(gtp.failure("undo"), "there is no move to take back")
            self.assertIn(gtp("reg_genmove black"), cells(4, 3))
            self.assertNotIn("B", gtp("showboard"))

    def test_a_proven_win_is_won(self):
        """Black has one on 4x4; White answers with the first free cell or the last."""
        for order in (1, -1):
            with Gtp("gtp", "hex", "--seconds", "60") as gtp:
                gtp.start(4, 4)
                free = cells(4, 4)[::order]
                self.assertIn("nobody has won", gtp.failure("final_score"))
                while True:
                    move = gtp("genmove black")
                    free.remove(move)
                    gtp.send("final_score")
                    score = gtp.reply()
                    if score != "? cannot score: nobody has won yet":
                        break
                    gtp.send(f"play white {free.pop(0)}")
                    self.assertEqual(gtp.reply(), "= ")
                self.assertEqual(score, "= B+")
                self.assertEqual(gtp.failure("genmove white"), "the game is over")

    def test_the_score_is_of_the_stones(self):
        """Whatever the order of play was."""
        nobody = "cannot score: nobody has won yet"
        with Gtp("gtp", "hex:size=3") as gtp:
            for stones, score in ((["white a1", "white b1"], None),
                                  (["white a1", "white b1", "white c1"], "W+"),
                                  (["white b2", "black a1", "white c2", "black b1", "white a2"], "W+"),
                                  (["white b2", "black a1", "white c1", "black b1", "white a3"], "W+"),
                                  (["white c2", "white b3", "white a3"], "W+"),
                                  (["white a1", "white b2", "white c3"], None),
                                  (["black a1", "black b2", "black c3"], None),
                                  (["black c1", "black b2", "black a3", "black a1"], "B+"),
                                  (["black a3", "white swap-pieces", "black b2"], None),
                                  (["black b1", "white swap-pieces", "black a1", "white b2", "black b1",
                                    "white c2"], "W+"),
                                  (["black b1", "white swap-pieces", "black b1", "white c1",
                                    "black b2", "white a1", "black a3"], "B+"),
                                  (["black b1", "white swap-sides", "white a1", "black b2", "black b3"],
                                   "B+")):
                with self.subTest(stones=stones):
                    gtp("clear_board")
                    for stone in stones:
                        gtp(f"play {stone}")
                    if score:
                        self.assertEqual(gtp("final_score"), score)
                    else:
                        self.assertEqual(gtp.failure("final_score"), nobody)
            gtp("boardsize 2 4")
            for cell in ("b1", "b2", "b3"):
                gtp(f"play black {cell}")
            self.assertEqual(gtp.failure("final_score"), nobody)
            gtp("play black a4")
            self.assertEqual(gtp("final_score"), "B+")
            gtp("clear_board")
            gtp("play white a3")
            gtp("play white b3")
            self.assertEqual(gtp("final_score"), "W+")

    def test_only_what_is_proven_lost_is_resigned(self):
        with Gtp("gtp", "hex:size=3", "--seconds", "60") as gtp:
            gtp("play black b2")
            self.assertEqual(gtp("genmove white"), "resign")
            gtp("undo")  # the stone: HexGui takes no resignation back
            self.assertNotIn("B", gtp("showboard"))
            gtp("play black a1")
            self.assertIn(gtp("genmove white"), cells(3, 3))
        with Gtp("gtp", "hex:size=11", "--seconds", "0.000001", "--playouts", "32") as gtp:
            first = gtp("genmove black")
            self.assertIn(first, cells(11, 11))
            self.assertIn(gtp("genmove white"), cells(11, 11))
        with Gtp("gtp", "hex:size=11", "--seconds", "0.000001", "--playouts", "32") as gtp:
            self.assertEqual(gtp("genmove black"), first)

    def test_a_move_that_is_known_to_lose_is_not_played(self):
        """Random games like it best; the search, out of memory, has refuted it."""
        with Gtp("gtp", "hex:size=4", "--algorithm", "pn:zones=off", "--max-memory", "24MiB",
                 "--playouts", "32", "--seconds", "60") as gtp:
            gtp("play black a1")
            gtp("play white b3")
            gtp("playproof-solve b")
            end = time.monotonic() + TIMEOUT
            while not gtp("playproof-status").startswith("not known: out of memory, "):
                self.assertLess(time.monotonic(), end)
            self.assertRegex(gtp("playproof-status"), r", [a-d][1-4] looks best; pn=[1-9]\d* dn=[1-9]\d*; ")
            pairs = gtp("playproof-proof-numbers").split()
            lost = [cell for cell, text in zip(pairs[::2], pairs[1::2]) if text == "loss"]
            pairs = gtp("playproof-winrates b").split()
            liked = max(zip(pairs[::2], map(float, pairs[1::2])), key=lambda pair: pair[1])[0]
            self.assertIn(liked, lost)
            self.assertNotIn(gtp("genmove black"), lost)

    def test_the_best_by_random_games(self):
        """All moves by 32 games, the best quarter by 128, and so on until one is left."""
        options = ("gtp", "hex:size=6", "--algorithm", "pn", "--max-memory", "64KiB", "--seconds",
                   "60", "--playouts")
        for first in ("c3", "a1", "e4"):
            moves, games = None, 32
            while moves is None or len(moves) > 1:
                with Gtp(*options, str(games)) as gtp:
                    gtp(f"play black {first}")
                    pairs = gtp("playproof-winrates w").split()
                rates = dict(zip(pairs[::2], map(float, pairs[1::2])))
                moves = sorted(moves or list(rates), key=lambda move: -rates[move])
                moves = moves[:-(-len(moves) // 4)]
                games *= 4
            with Gtp(*options, "32") as gtp:
                gtp(f"play black {first}")
                self.assertEqual(gtp("genmove white"), moves[0])

    def test_random_games_have_their_time_too(self):
        """When it is over, the best by the first games of all moves is played."""
        for first in ("c3", "a1", "e4", "f6", "b5", "d2"):
            with Gtp("gtp", "hex:size=6", "--algorithm", "pn", "--seconds", "0.000001",
                     "--playouts", "32") as gtp:
                gtp(f"play black {first}")
                pairs = gtp("playproof-winrates w").split()
                rates = dict(zip(pairs[::2], map(float, pairs[1::2])))
                self.assertEqual(gtp("genmove white"), max(rates, key=lambda move: rates[move]))

    def test_interrupt_ends_random_games(self):
        """One after the other, for all of them at once are over in a quarter of a second."""
        options = ("--backend", "scalar", "--seconds", "0.000001", "--playouts", str(1 << 20))
        for swap in ((), ("--swap",)):
            with Gtp("gtp", "hex:size=13", *options, *swap) as gtp:
                gtp("play black g7")
                gtp.send("genmove white")
                time.sleep(0.3)
                self.assertTrue(gtp.lines.empty())
                gtp.send("# interrupt")
                self.assertIn(gtp.reply()[1:].strip(), cells(13, 13))
                gtp.send("playproof-winrates b")
                time.sleep(0.3)
                self.assertTrue(gtp.lines.empty())
                gtp.send("# interrupt")
                self.assertEqual(gtp.reply(), "? interrupted")
                self.assertEqual(gtp("name"), "playproof")

    def test_many_waiting_lines(self):
        """Each is moved in memory a few times at most."""
        begin = time.monotonic()
        process = subprocess.run([PROGRAM, "gtp", "hex:size=11", "--seconds", "0.5", "--playouts", "32"],
                                 input=b"genmove black\n" + b"\n" * (1 << 20) + b"1 name\n",
                                 capture_output=True, timeout=TIMEOUT, check=True)
        self.assertRegex(process.stdout, rb"^= [a-k]\d+\n\n=1 playproof\n\n$")
        self.assertLess(time.monotonic() - begin, TIMEOUT / 15)

    def test_a_pipe_that_does_not_block(self):
        read, write = os.pipe()
        os.set_blocking(read, False)
        with subprocess.Popen([PROGRAM, "gtp", "hex:size=3"], stdin=read, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as process:
            os.close(read)
            for name in (b"name\n", b"protocol_version\n"):
                time.sleep(0.2)
                os.write(write, name)
            os.close(write)
            out, err = process.communicate(timeout=TIMEOUT)
        self.assertEqual((out, err, process.returncode), (b"= playproof\n\n= 2\n\n", b"", 0))

    def test_a_search_without_nodes(self):
        with Gtp("gtp", "hex:size=3", "--algorithm", "minimax", "--seconds", "60") as gtp:
            gtp("play black c3")
            self.assertEqual(gtp("genmove white"), "b2")

    def test_swap(self):
        with Gtp("gtp", "hex:size=3", "--swap", "--seconds", "60") as gtp:
            gtp("play black c2")
            self.assertEqual(gtp("genmove white"), "swap-pieces")
            shown = gtp("showboard").splitlines()
            self.assertEqual([line.split()[1:] for line in shown[-3:]],
                             [[".", ".", "."], [".", ".", "."], [".", "W", "."]])
            self.assertEqual(gtp("genmove black"), "resign")
            gtp("undo")
            self.assertEqual(gtp("showboard").splitlines()[-2].split()[1:], [".", ".", "B"])
            gtp("undo")
            gtp("play black a1")  # not worth it
            self.assertIn(gtp("genmove white"), cells(3, 3))
            self.assertIn("White's answer", gtp.failure("play white swap-pieces"))
        with Gtp("gtp", "hex:size=3") as gtp:
            gtp("play black a2")
            gtp("play white swap-sides")
            self.assertEqual(gtp("showboard").splitlines()[-2].split()[1:], ["B", ".", "."])

    def test_set_up_after_a_swap(self):
        """HexGui sends the stones that lie there: White's alone, with Black to move."""
        with Gtp("gtp", "hex", "--seconds", "60") as gtp:
            gtp.start(3, 3)
            for column in range(3):
                for row in range(3):
                    cell = f"{chr(97 + column)}{row + 1}"
                    mirror = f"{chr(97 + row)}{column + 1}"
                    kept = run("solve", "hex:size=3", "--position", mirror).stdout
                    gtp.set_up([("white", cell)])
                    gtp("playproof-solve b")
                    status = gtp.status()
                    wins = "verdict     proved" in kept
                    self.assertIn("proven: Black wins" if wins else "proven: White wins", status)
                    if wins:  # the move that is told keeps it
                        move = re.search(r"with (\S+);", status).group(1)
                        gtp(f"play black {move}")
                        gtp("playproof-solve w")
                        self.assertIn("proven: Black wins", gtp.status())
            # The same random games, seen in the mirror: those of our Black, who is White there.
            gtp.set_up([("black", "a2")])
            pairs = gtp("playproof-winrates w").split()
            rates = {cell: rate for cell, rate in zip(pairs[::2], pairs[1::2])}
            gtp.set_up([("white", "b1")])
            pairs = gtp("playproof-winrates b").split()
            mirrored = {f"{chr(96 + int(c[1:]))}{ord(c[0]) - 96}": rate
                        for c, rate in zip(pairs[::2], pairs[1::2])}
            self.assertEqual(len(rates), 8)
            self.assertEqual(rates, mirrored)
            gtp.set_up([("white", "a1"), ("black", "a2"), ("white", "b2"), ("black", "c2")])
            gtp("playproof-solve w")
            self.assertRegex(gtp.status(), "proven: (Black|White) wins")
            gtp("play black c3")
            # Stones that no play by turns leads to are a position like others.
            gtp("play black a3")
            gtp("playproof-solve w")
            self.assertRegex(gtp.status(), "proven: (Black|White) wins")
            self.assertIn(gtp("genmove black"), {"b1", "c1", "b3"})

    def test_analysis(self):
        with Gtp("gtp", "hex", "--playouts", "512", "--algorithm", "pn") as gtp:
            gtp.start(4, 4)
            pairs = gtp("playproof-winrates b").split()
            self.assertEqual(pairs[::2], cells(4, 4))
            rates = dict(zip(pairs[::2], map(float, pairs[1::2])))
            self.assertTrue(all(0 <= rate <= 100 for rate in rates.values()))
            self.assertGreater(rates["b3"], rates["a1"])  # the middle is better than the corner
            asked = gtp("playproof-solve b")
            self.assertTrue(asked.startswith("does Black win? pn:"), asked)
            status = gtp.status()
            self.assertRegex(status, r"proven: Black wins, with [a-d][1-4]; \d+ iterations, [\d.]+ s")
            line = gtp("playproof-line").split()
            self.assertEqual(line[0], re.search(r"with (\S+);", status).group(1))
            self.assertTrue(set(gtp("playproof-zone").split()) <= set(cells(4, 4)))
            pairs = gtp("playproof-proof-numbers").split()
            numbers = dict(zip(pairs[::2], pairs[1::2]))
            self.assertEqual(numbers[line[0]], "win")
            for cell, text in numbers.items():
                self.assertIn(cell, cells(4, 4))
                self.assertRegex(text, r"^(win|loss|[\d.e+]+/([\d.e+]+|inf)|inf/[\d.e+]+)$")

    def test_solving_goes_on_between_commands(self):
        with Gtp("gtp", "hex:size=9") as gtp:
            gtp("playproof-solve b")
            seen = set()
            end = time.monotonic() + TIMEOUT
            while len(seen) < 4 and time.monotonic() < end:
                text = gtp("playproof-status")
                self.assertRegex(text, r"^not known yet(, [a-i]\d looks best)?")
                seen.add(int(re.search(r"(\d+) iterations?", text).group(1)))
                time.sleep(0.05)
            self.assertGreaterEqual(len(seen), 4)
            gtp("play white a1")
            self.assertIn("nothing is being solved", gtp.failure("playproof-status"))
            self.assertEqual(gtp("playproof-stop"), "nothing is being solved")
            gtp("undo")
            for ends in ("undo", "clear_board", "boardsize 5", "playproof-stop"):
                gtp("play black a1")
                gtp("playproof-solve w")
                gtp(ends)
                gtp.failure("playproof-zone")
                gtp("clear_board")
            gtp("playproof-solve b")
            gtp.failure("play black z1")  # nothing has changed
            gtp("playproof-status")

    def test_ends_while_it_solves(self):
        for end in ("quit", None):
            with Gtp("gtp", "hex:size=11") as gtp:
                gtp("playproof-solve b")
                if end:
                    gtp(end)
                else:
                    gtp.process.stdin.close()
                self.assertEqual(gtp.end(), 0)

    def test_interrupt(self):
        with Gtp("gtp", "hex:size=11", "--seconds", "100000") as gtp:
            gtp.send("genmove black")
            time.sleep(0.2)
            self.assertTrue(gtp.lines.empty())
            gtp.send("# interrupt")
            self.assertIn(gtp.reply()[1:].strip(), cells(11, 11))
            gtp("playproof-seconds 0.01")
            self.assertIn(gtp("genmove white"), cells(11, 11))

    def test_protocol(self):
        with Gtp("gtp", "hex:size=5") as gtp:
            gtp.send("\n  \n# only a comment\n12 name # and one here\r")
            self.assertEqual(gtp.reply(), "=12 playproof")
            gtp.send("007 nothing")
            self.assertEqual(gtp.reply(), "?007 unknown command 'nothing'")
            gtp.send("3")
            self.assertEqual(gtp.reply(), "?3 unknown command ''")
            gtp.send(b"pl\x01ay\tblack\tb2\x00\n")
            self.assertEqual(gtp.reply(), "= ")
            gtp.send(b"play black \xff\xfe\n")
            self.assertEqual(gtp.reply(), "? '\\xff\\xfe' is no cell of hex:size=5")
            gtp.send("name " + "x" * (3 << 20))
            self.assertEqual(gtp.reply(), "? a line longer than 1048576 bytes")
            self.assertEqual(gtp("name"), "playproof")
            for command, text in (("play green a1", "expected black or white, not 'green'"),
                                  ("play", "expected a colour and a cell"),
                                  ("play white", "expected a cell after the colour"),
                                  ("play white b2", "cell b2 is occupied"),
                                  ("play white f1", "'f1' is no cell of hex:size=5"),
                                  ("play white pass", "'pass' is no cell of hex:size=5"), ("play b a1 a2", "unexpected 'a2'"),
                                  ("genmove", "expected a colour"),
                                  ("boardsize", "expected a width"),
                                  ("boardsize 20", "unacceptable size: 2..19 rows and columns, not '20'"),
                                  ("boardsize 5 5 6", "unexpected '6'"), ("boardsize 5 x", "unacceptable size: 2..19 rows and columns, not 'x'"),
                                  ("playproof-seconds 0", "expected a number of seconds, not '0'"),
                                  ("playproof-solve x", "expected black or white, not 'x'")):
                self.assertEqual(gtp.failure(command), text)
            self.assertIn("B", gtp("showboard"))  # what failed changed nothing

    def test_other_programs_of_go(self):
        """What windows made for Go send without asking."""
        with Gtp("gtp", "hex:size=3") as gtp:
            for number in ("0", "6.5", "-0.5"):
                self.assertEqual(gtp(f"komi {number}"), "")
            for words, text in (("", "expected a number"), (" x", "expected a number, not 'x'"),
                                (" 1 2", "unexpected '2'")):
                self.assertEqual(gtp.failure("komi" + words), text)
            self.assertEqual(gtp("gogui-interrupt"), "")
            self.assertEqual(gtp("known_command gogui-interrupt"), "true")
            gtp("play b b2")
            self.assertEqual(gtp("all_legal_moves w").split(), [c for c in cells(3, 3) if c != "b2"])
            gtp("play b b1")
            gtp("play b b3")
            self.assertEqual(gtp("all_legal_moves"), "")  # the game is over

    def test_the_last_line_needs_no_end(self):
        self.assertEqual(run("gtp", "hex", stdin="name").stdout, "= playproof\n\n")
        self.assertEqual(run("gtp", "hex", stdin="").stdout, "")
        process = run("gtp", "hex", stdin="1 quit\n2 name\n")
        self.assertEqual((process.stdout, process.returncode), ("=1 \n\n", 0))

    def test_wrong_calls(self):
        self.assert_fails(("gtp",), USAGE)
        self.assert_fails(("gtp", "othello"), USAGE, "gtp: there are windows of hex, not of othello")
        self.assert_fails(("gtp", "hex:size=99"), USAGE, "2..19")
        self.assert_fails(("gtp", "hex", "--algorithm", "dfpm"), USAGE, "dfpn")
        self.assert_fails(("gtp", "hex", "--seconds", "0"), USAGE)
        self.assert_fails(("gtp", "hex", "--playouts", "31"), USAGE)
        with open("/dev/full", "wb") as full:
            process = subprocess.run([PROGRAM, "gtp", "hex"], input=b"name\n", stdout=full,
                                     stderr=subprocess.PIPE, timeout=TIMEOUT, check=False)
        self.assertEqual(process.returncode, NO_OUTPUT)


class NBoard(Client):

    def until(self, wanted):
        """The lines up to the one that matches, which is the last."""
        lines = []
        while not lines or not re.match(wanted, lines[-1]):
            line = self.line()
            if line is None:
                raise AssertionError(f"the program has ended after {lines}")
            lines.append(line)
        return lines

    def ask(self, command):
        """What it says to `go` or `hint`, without its status and counts."""
        self.send(command)
        lines = self.until("status playproof is waiting")
        assert lines[0] == "status playproof is thinking", lines
        return [line for line in lines if not line.startswith(("status", "nodestats"))]


class NBoardDialogue(ProgramTest):

    def test_the_session_of_the_protocol(self):
        with NBoard("nboard", "--seconds", "0.05", "--playouts", "32") as nboard:
            nboard.send("nboard 2")
            nboard.send("set game " + ggf(START, "B[F5]W[F6]B[D3]W[C5]B[E6]W[F7]B[E7]W[F4]"))
            nboard.send("set depth 6")
            nboard.send("ping 1")
            self.assertEqual(nboard.until("pong"), ["set myname playproof", "pong 1"])
            nboard.send("go")
            lines = nboard.until("status playproof is waiting")
            self.assertEqual(lines[0], "status playproof is thinking")
            self.assertRegex(lines[1], r"^nodestats \d+ [\d.]+$")
            self.assertRegex(lines[2], r"^=== [A-H][1-8]//[\d.]+$")
            self.assertEqual(len(lines), 4)
            nboard.send("quit")
            self.assertEqual(nboard.end(), 0)

    def test_depth_is_a_number_of_nodes(self):
        """Each search has at most 2^N, far from the end too; near the end they are enough."""
        def nodes(lines):
            return [int(line.split()[1]) for line in lines if line.startswith("nodestats")]

        with open(os.path.join(DATA, "othello-16-random.txt"), encoding="utf-8") as file:
            board, side = next(line for line in file if not line.startswith("#")).split()
        late = ggf(board.replace("X", "*")).replace(" *]", f" {side.replace('X', '*')}]")
        for name in ("dfpn", "pn", "minimax", "mcts"):
            with NBoard("nboard", "--seconds", "100000", "--playouts", "32", "--algorithm", name) as nboard:
                nboard.send("set game " + ggf(START))
                counts = []
                for depth in ("1", "5", "11"):
                    nboard.send(f"set depth {depth}")
                    nboard.send("go")
                    lines = nboard.until("status playproof is waiting")
                    self.assertEqual(lines[0], "set myname playproof")
                    self.assertRegex(lines[-2], r"^=== [A-H][1-8]//[\d.]+$")
                    counts += nodes(lines)
                    self.assertLessEqual(counts[-1], 2 ** int(depth))
                self.assertTrue(counts[0] < counts[1] < counts[2])
                nboard.send("set depth 5")
                nboard.send("hint 3")
                lines = nboard.until("status playproof is waiting")
                self.assertLessEqual(nodes(lines)[-1], 32)
        with NBoard("nboard", "--seconds", "100000") as nboard:
            nboard.send("set depth 16")
            self.assertEqual(nboard.line(), "set myname playproof")
            nboard.send("set game " + late)
            self.assertRegex(nboard.ask("go")[-1], r"^=== [A-H][1-8]/-?\d+\.00/[\d.]+$")
            for bad in ("", " 0", " -3", " x", " 6 7", " 1e3", " 99999999999999999999"):
                nboard.send("set depth" + bad)
                self.assertEqual(nboard.line(), "status playproof: set depth: expected a number from 1, not "
                                 f"'{bad.strip()}'")
            nboard.send("set depth 60 ")
            self.assertEqual(nboard.line(), "set myname playproof")

    def test_random_games_of_go_have_their_time_too(self):
        """When it is over, the best by the first games of all moves is played."""
        options = ("nboard", "--algorithm", "pn", "--seconds", "0.000001", "--playouts", "32")
        for moves in ("F5 F6", "F5 F6 E6 F4", "F5 D6 C3", "F5 D6 C3 D3 C4", "F5 D6 C3 D3"):
            with NBoard(*options) as nboard:
                nboard.send("set game " + ggf(START))
                for move in moves.split():
                    nboard.send(f"move {move}")
                best = nboard.ask("hint 1")[0].split()[1]
                self.assertTrue(nboard.ask("go")[0].startswith(f"=== {best}//"))

    def test_what_is_proven(self):
        with NBoard("nboard", "--seconds", "60") as nboard:
            nboard.send("set game " + ENDGAME)
            self.assertRegex(nboard.ask("go")[0], r"^=== F1/-28.00/[\d.]+$")
            hints = nboard.ask("hint 9")
            self.assertRegex(hints[0], r"^search F1\w* -28.00 0 100% proven$")
            self.assertEqual(len(hints), 3)  # there are three moves
            scores = {line.split()[1][:2]: float(line.split()[2]) for line in hints}
            self.assertEqual(sorted(scores), ["F1", "G1", "H8"])
            self.assertEqual(sorted(scores.values(), reverse=True), list(scores.values()))
            for move, score in scores.items():  # each is the score of the position after it
                nboard.send("set game " + ENDGAME)
                nboard.send(f"move {move}/-3.00/0.1")
                after = nboard.ask("hint 1")[0].split()
                self.assertEqual(float(after[2]), -score)
            self.assertEqual(len(nboard.ask("hint 1")), 1)

    def test_no_search_begins_when_the_time_is_over(self):
        """Such a one has looked at nothing: its count is that of the one before."""
        with open(os.path.join(DATA, "othello-16-exact.txt"), encoding="utf-8") as file:
            rows = [line.split() for line in file if not line.startswith("#")]
        for number, (board, side, _) in enumerate(rows[1:4]):
            for seconds in ("0.1", "0.15", "0.2", "0.3")[slice(0, 4) if NIGHTLY else slice(number, number + 1)]:
                with NBoard("nboard", "--seconds", seconds) as nboard:
                    game = ggf(board.replace("X", "*"))
                    nboard.send("set game " + game.replace(" *]", f" {side.replace('X', '*')}]"))
                    nboard.send("hint 64")
                    lines = nboard.until("status playproof is waiting")
                counts = [int(line.split()[1]) for line in lines if line.startswith("nodestats")]
                self.assertTrue(counts)
                # The last one may begin just before.
                self.assertGreaterEqual(len(set(counts)), len(counts) - 1, counts)

    def test_passes(self):
        moves = "b1 c1 d4 c4 d1 a3 b4 a1 d3 d2".split()
        game = "(;GM[Othello]TY[4]" + "".join(f"{'BW'[i % 2]}[{m}]" for i, m in enumerate(moves)) + ";)"
        with NBoard("nboard", "--seconds", "60") as nboard:
            nboard.send("set game " + game)
            self.assertEqual(nboard.ask("go"), ["=== PA"])
            nboard.send("move PA")
            self.assertRegex(nboard.ask("go")[0], r"^=== A[24]$")
            nboard.send("move A4//1.5")
            nboard.send("move A2")
            nboard.send("go")
            self.assertEqual(nboard.line(), "status playproof: the game is over")

    def test_a_ping_ends_thinking(self):
        for command in ("go", "hint 3"):
            with NBoard("nboard", "--seconds", "100000") as nboard:
                nboard.send("set game " + ggf(START))
                nboard.send(command)
                self.assertEqual(nboard.line(), "status playproof is thinking")
                time.sleep(0.1)
                nboard.send("ping 7")
                lines = nboard.until("pong 7")
                self.assertFalse([line for line in lines if line.startswith(("===", "search"))])
                nboard.send(command)
                nboard.send("quit")
                self.assertEqual(nboard.end(), 0)

    def test_hints_of_random_games(self):
        with NBoard("nboard", "--seconds", "0.01", "--playouts", "64") as nboard:
            nboard.send("set game " + ggf(START))
            hints = nboard.ask("hint 2")
            self.assertEqual(len(hints), 2)
            for hint in hints:
                match = re.match(r"^search ([C-F][3-6]) (-?[\d.]+) 0 0 ([\d.]+) % of 64 random games$",
                                 hint)
                self.assertTrue(match, hint)
                self.assertAlmostEqual(float(match.group(2)), float(match.group(3)) / 50 - 1, delta=0.01)

    def test_bad_input(self):
        with NBoard("nboard", "--seconds", "0.01", "--playouts", "32") as nboard:
            nboard.send("set game " + ggf(START))
            nboard.send("move A1")
            self.assertIn("expected a legal move", nboard.line())
            self.assertTrue(nboard.ask("go"))  # the game is the one before
            nboard.send("set game (;GM[Othello]BO[8 x *];)")
            self.assertIn("BO must have 64 squares", nboard.line())
            nboard.send("set game")
            self.assertEqual(nboard.line(), "status playproof: expected a game in GGF")
            for command in ("go", "hint 1", "move F5"):
                nboard.send(command)
                self.assertEqual(nboard.line(), "status playproof: no game is set")
            nboard.send("x" * (2 << 20))
            self.assertEqual(nboard.line(), "status playproof: a line longer than 1048576 bytes")
            nboard.send(b"nonsense\nset contempt 3\n\x00\xff\nping x\nset\nmove\nlearn\n")
            lines = nboard.until("learned")
            self.assertEqual(lines, ["status playproof: no game is set", "learned"])
            nboard.process.stdin.close()
            self.assertEqual(nboard.end(), 0)

    def test_wrong_calls(self):
        self.assert_fails(("nboard", "othello"), USAGE)
        self.assert_fails(("nboard", "--algorithm", "x"), USAGE)
        self.assert_fails(("nboard", "--backend", "x"), USAGE)
        if os.path.exists("/dev/full"):
            with open("/dev/full", "wb") as full:
                process = subprocess.run([PROGRAM, "nboard"], input=b"ping 1\n", stdout=full,
                                         stderr=subprocess.PIPE, timeout=TIMEOUT, check=False)
            self.assertEqual(process.returncode, NO_OUTPUT)


class Cassio(Client):

    def ask(self, command):
        """The lines before "ready."."""
        self.send(f"ENGINE-PROTOCOL {command}")
        return self.until_ready()

    def until_ready(self):
        lines = []
        while not lines or lines[-1] != "ready.":
            line = self.line()
            if line is None:
                raise AssertionError(f"the program has ended after {lines}")
            lines.append(line)
        return lines[:-1]


class CassioDialogue(ProgramTest):

    def test_a_session(self):
        with Cassio("cassio") as cassio:
            self.assertEqual(cassio.ask("init"), [])
            version = run("--version").stdout.strip()
            self.assertEqual(cassio.ask("get-version"), [f"version: {version}"])
            for command in ("new-position", "empty-hash", "stop", "get-search-infos"):
                self.assertEqual(cassio.ask(command), [])
            cassio.send("")
            self.assertEqual(cassio.until_ready(), [])
            self.assertIn("scores are proven here, not estimated",
                          cassio.ask(f"midgame-search {BOARD}X -64 64 4 100")[0])
            cassio.send("ENGINE-PROTOCOL quit")
            self.assertEqual(cassio.line(), "bye bye.")
            self.assertEqual(cassio.end(), 0)

    def test_endings(self):
        with Cassio("cassio") as cassio:
            shown = (r"^{}, move F1, depth 12, @100%, B-28.00 <= v <= B-28.00, F1g1\w+, "
                     r"node \d+, time [\d.]+$")
            for position in (BOARD + "X", BOARD + " X", BOARD.replace("-", ".") + "X"):
                line, = cassio.ask(f"endgame-search {position} -64 64 100")
                self.assertRegex(line, shown.format(re.escape(position.replace(" ", ""))))
            line, = cassio.ask(f"endgame-search {BOARD}O -1 1 100")
            white = run("solve", "othello", "--goal", "score", "--position", BOARD + " O", "--json").stdout
            score = int(re.search(r'"score":(-?\d+)', white).group(1))
            self.assertIn(f"W{score:+}.00 <= v <= W{score:+}.00", line)
            self.assertRegex(line, r", move [a-h][1-8], depth 12,")
            full = "X" * 63 + "O"
            line, = cassio.ask(f"endgame-search {full}X -64 64 100")
            self.assertIn(f"{full}X, move --, depth 0, @100%, B+62.00 <= v <= B+62.00, --, ", line)
        with Cassio("cassio", "--algorithm", "pn", "--max-memory", "64KiB") as cassio:
            line, = cassio.ask(f"endgame-search {START.replace('*', 'X')}X -64 64 100")
            self.assertIn("B-64.00 <= v <= B+64.00", line)

    def test_stop_and_questions_meanwhile(self):
        start = START.replace("*", "X") + "X"
        with Cassio("cassio") as cassio:
            cassio.send(f"ENGINE-PROTOCOL endgame-search {start} -64 64 100")
            cassio.send("ENGINE-PROTOCOL get-search-infos")
            self.assertRegex(cassio.line(), r"^node \d+, time [\d.]+$")
            cassio.send("")
            self.assertEqual(cassio.line(), "ok.")
            # What waited is answered, but nothing else that was asked for is searched.
            cassio.send(f"ENGINE-PROTOCOL get-version\nENGINE-PROTOCOL endgame-search {start} -64 64 1\n"
                        "ENGINE-PROTOCOL what\nENGINE-PROTOCOL stop")
            self.assertEqual(cassio.until_ready(), [])
            self.assertRegex(cassio.until_ready()[0], "^version: playproof ")
            self.assertEqual(cassio.until_ready(), [])
            self.assertEqual(cassio.until_ready(), ["ERROR: unknown command 'what'"])
            self.assertEqual(len(cassio.ask("get-version")), 1)
            cassio.send(f"ENGINE-PROTOCOL endgame-search {start} -64 64 100")
            cassio.send("x" * (2 << 20))
            cassio.send("")
            self.assertEqual(cassio.line(), "ok.")  # it searches on
            cassio.send("ENGINE-PROTOCOL stop")
            self.assertEqual(cassio.until_ready(), [])
            self.assertEqual(cassio.until_ready(), ["ERROR: a line longer than 1048576 bytes"])
            cassio.send(f"ENGINE-PROTOCOL endgame-search {start} -64 64 100")
            cassio.send("ENGINE-PROTOCOL quit")
            self.assertEqual(cassio.end(), 0)

    def test_the_end_of_stdin(self):
        """The search goes on as long as somebody can read its answer."""
        words = f"ENGINE-PROTOCOL endgame-search {BOARD}X -64 64 100\n"
        process = run("cassio", stdin=words + "ENGINE-PROTOCOL get-version\n" + words)
        lines = process.stdout.splitlines()
        self.assertEqual(process.returncode, 0)
        self.assertEqual(lines[1::2], ["ready."] * 3)
        self.assertIn("B-28.00 <= v <= B-28.00", lines[0])
        self.assertIn("version: ", lines[2])
        self.assertIn("B-28.00 <= v <= B-28.00", lines[4])
        start = START.replace("*", "X") + "X"
        with subprocess.Popen([PROGRAM, "cassio"], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as alone:
            alone.stdin.write(f"ENGINE-PROTOCOL endgame-search {start} -64 64 100\n".encode())
            alone.stdin.close()
            with self.assertRaises(subprocess.TimeoutExpired):
                alone.wait(timeout=0.3)
            alone.stdout.close()
            self.assertEqual(b"", alone.stderr.read())
            status = alone.wait(timeout=TIMEOUT)
        self.assertEqual(status, NO_OUTPUT)  # its last "ready."

    def test_bad_input(self):
        with Cassio("cassio") as cassio:
            for words, fragment in (("", "unknown command ''"), ("go", "unknown command 'go'"),
                                    ("endgame-search", "expected 64 squares"),
                                    (f"endgame-search {BOARD} -64 64 100", "expected 64 squares"),
                                    (f"endgame-search {BOARD}X 64 -64 100", "alpha and beta"),
                                    (f"endgame-search {BOARD}X a 64 100", "alpha and beta"),
                                    (f"endgame-search {BOARD}Z -64 64 100", "must be X or O, not 'Z'"),
                                    ("endgame-search " + "-" * 64 + "X -64 64 100", "centre squares")):
                line, = cassio.ask(words)
                self.assertTrue(line.startswith("ERROR: "), line)
                self.assertIn(fragment, line)
            cassio.send(b"\xff\x00 what\n")
            self.assertEqual(cassio.line(), "ERROR: unknown protocol '\\xff\\x00 what'")
            cassio.send("x" * (2 << 20))
            self.assertEqual(cassio.until_ready(), ["ERROR: a line longer than 1048576 bytes"])
        self.assert_fails(("cassio", "--algorithm", "x"), USAGE)
        self.assert_fails(("cassio", "othello"), USAGE)


if __name__ == "__main__":
    unittest.main()
