"""Positions in the formats of other programs, read and written; results that files know."""

import json
import os
import re
import subprocess
import tempfile
import time
import unittest

from program import (BAD_DATA, DATA, DECIDED, NIGHTLY, PROGRAM, SOURCE, UNDECIDED, USAGE, ProgramTest, run)

INTERNAL = 70
# X to move, 12 squares empty; best play ends -28 (tests/data/othello-12-exact.txt).
BOARD = "-XOOO--X-XXXOOXX-XXOOOOXXXXXOOOO-XXXXOXOOXXXXXOO-XXXXXXO---OOO--"
GGF = ("(;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[a]PW[b]RE[?]TI[15:00]TY[8]"
       "BO[8 ---------------------------O*------*O--------------------------- *]"
       "B[F5]W[F6]B[D3//2.5]W[C5/-1.00/0.1];)")
AFTER_GGF = "-------------------X-------XX-----OOOX-------O------------------ X"


def solve(game, text, *options):
    return run("solve", game, "--position", "-", *options, stdin=text)


class Formats(ProgramTest):

    def read(self, game, text, *options, status=DECIDED):
        process = solve(game, text, "--json", *options)
        self.assert_status(process, status)
        return [json.loads(line) for line in process.stdout.splitlines()]

    def position(self, game, text):
        """Of one record, whatever is found of it."""
        process = solve(game, text, "--json", "--max-nodes", "1")
        answers = [json.loads(line) for line in process.stdout.splitlines()]
        self.assertEqual(len(answers), 1, process)
        self.assertNotIn("error", answers[0], text)
        return answers[0]["position"]

    # ---- the files of tests/data ---------------------------------------------------------------

    def check_file(self, game, name, count, *options, most=None):
        """Every record of the file has a known result, and the search agrees."""
        with open(os.path.join(DATA, name), encoding="utf-8") as file:
            lines = file.read().splitlines()
        comments = [line for line in lines if line.startswith("#")]
        rows = [line for line in lines if not line.startswith("#")]
        self.assertTrue(comments)
        self.assertEqual(len(rows), count)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(DATA, name)
            if most is not None:
                path = os.path.join(folder, name)
                with open(path, "w", encoding="utf-8") as file:
                    file.write("\n".join(comments + rows[:most]) + "\n")
            process = run("solve", game, "--position-file", path, "--json", *options)
        self.assert_status(process, DECIDED)
        answers = [json.loads(line) for line in process.stdout.splitlines()]
        self.assertEqual(len(answers), most or count)
        self.assertEqual([a["agrees"] for a in answers], [True] * len(answers))
        return rows, answers

    def test_hex_openings(self):
        rows, answers = self.check_file("hex", "hex-openings.txt", 25)
        for row, answer in zip(rows, answers):
            size, cell, winner = row.split()
            self.assertEqual((answer["game"], answer["position"]), (f"hex:size={size}", cell))
            self.assertEqual(answer["expected"], "proved" if winner == "W" else "disproved")

    def test_a_comment_names_the_board(self):
        """Where GAME is a name alone; nothing is compared on a board of another size."""
        for game in ("hex", "hex:size=5", "hex:rows=5,columns=5"):
            self.check_file(game, "hex-5x5-openings.txt", 25, most=6)
        rows, answers = self.check_file("hex", "hex-6x6-openings.txt", 36, most=5)
        self.assertEqual([(a["game"], a["position"]) for a in answers],
                         [("hex:size=6", row.split()[0]) for row in rows[:5]])
        path = os.path.join(DATA, "hex-7x7-openings.txt")
        process = run("solve", "hex:size=5", "--position-file", path, "--json")
        self.assert_status(process, BAD_DATA)
        errors = [json.loads(line) for line in process.stdout.splitlines()]
        self.assertEqual(len(errors), 49)
        self.assertEqual({e["error"] for e in errors},
                         {"a record of hex:size=7 as line 4 says, not of hex:size=5, at offset 0"})

    def test_comments_that_name_games(self):
        """The last one counts; what is no game's name is a comment as others are."""
        text = ("b2\n# game: hex:size=3\nb2 B\n(;FF[4]GM[11]SZ[3];B[b2])\n#game:hex:rows=2,columns=2\na1 W\n"
                "# game: hex\nb2\n# game: Joe against Ann\n# game: 12:30\n# game: https://a.b/?gid=1\n#game:\nb2\n"
                "# Game: hex:size=4\na4\n(;GM[11]SZ[4];B[b2]) # game: hex:size=3\na4\nb2 # game: hex:size=3\na4\n")
        answers = self.read("hex", text, "--max-nodes", "1", status=UNDECIDED)
        self.assertEqual([a["game"] for a in answers],
                         ["hex:size=5", "hex:size=3", "hex:size=3", "hex:size=2", "hex:size=5", "hex:size=5"] + ["hex:size=4"] * 5)
        for game, comment, error in (
                ("hex", "othello", "a record of othello as line 1 says, not of hex:size=5"),
                ("hex", "hex:size=25", "line 1: hex: size must be 2..19"),
                ("hex", "hex:sise=3", "line 1: hex: unknown key 'sise'"),
                ("othello", "othello:size=6", None), ("othello:size=8", "othello:size=6",
                                                      "a record of othello:size=6 as line 1 says")):
            process = solve(game, f"# game: {comment}\n(initial)\n\n(;GM[11]SZ[5];B[b2])\n", "--json", "--max-nodes", "1")
            answers = [json.loads(line) for line in process.stdout.splitlines()]
            with self.subTest(comment=comment):
                self.assertEqual(len(answers), 2, process)
                if error is None:
                    self.assertEqual(answers[0]["game"], comment)
                else:
                    self.assertTrue(all(a["error"].startswith(error) for a in answers), answers)

    def test_comments_that_nearly_name_games(self):
        """None is passed over: what follows may be of another board. The line is told with the records after it."""
        alone = "comes one game with its options and nothing else"
        for comment, *says in (
                ("game hex:size=4", "'# game: hex:size=4'"), ("game=hex:size=4", "'# game: hex:size=4'"),
                ("game : hex", "'# game: hex'"),
                ("game: hex:size=4 (no swap)", alone, "not 'hex:size=4 (no swap)'", "nearest: 'hex'"),
                ("game: hex, played", alone), ("GAME: hex size=4", alone), ("game: Hex size=4", alone, "nearest: 'hex'"),
                ("game: Hex:size=4", "unknown game 'Hex'", "nearest: 'hex'"), ("Game: hexx:size=4", "nearest: 'hex'"),
                ("game: hex:size=", "hex:"), ("game: size=4", "size"), ("game: HEX", "nearest: 'hex'")):
            for text, records in ((f"b2\n#{comment}\nb2\nb2 W\n", 2), (f"b2\n# {comment}\n", 1),
                                  (f"b2\n# {comment}\n# game: hex:size=3\n", 1),
                                  (f"b2\n# {comment}\n# {comment}\n(;GM[11]SZ[4];B[b2])\n", 2)):
                process = solve("hex:size=3", text, "--json", "--max-nodes", "1")
                answers = [json.loads(line) for line in process.stdout.splitlines()]
                with self.subTest(comment=comment, text=text):
                    self.assert_status(process, BAD_DATA)
                    self.assertNotIn("error", answers[0])
                    self.assertEqual(len(answers), 1 + records, answers)
                    for answer in answers[1:]:
                        self.assertRegex(answer["error"], "^line [23]: ")
                        for fragment in says:
                            self.assertIn(fragment, answer["error"])
        self.assert_fails(["solve", "hex:size=3", "--position", "b2\n# game: hex:sise=3"], BAD_DATA, "unknown key 'sise'")

    def test_where_a_game_begins(self):
        """Its first line is told where the whole of it is refused."""
        text = "f5\n(;GM[2]\nSZ[4]\n)\n(;GM[2]SZ[8])\n\n(;GM[2]\nSZ[4])"
        process = solve("othello", text, "--json", "--max-nodes", "1", "--goal", "score>=40")
        self.assert_status(process, BAD_DATA)
        self.assertEqual([json.loads(line).get("line") for line in process.stdout.splitlines()], [None, 2, None, 7])
        self.assertEqual(re.findall(r"stdin:(\d+): goal score>=40", process.stderr), ["2", "7"])

    def test_hex_with_any_stones(self):
        """Set-up stones in any numbers, and who is to move: by PL, in a text, after passes."""
        for text, position in (("(;GM[11]SZ[9]AB[b4][b5])", "b4 -- b5 :W"), ("(;GM[11]SZ[9]AB[b4][b5]PL[B])", "b4 -- b5 :B"),
                               ("(;GM[11]SZ[9]AW[c3:c5]PL[W])", "-- c3 -- c4 -- c5 :W"), ("9 b4 -- b5", "b4 -- b5 :W"),
                               ("9 b4 -- b5 :B", "b4 -- b5 :B"), ("(;GM[11]SZ[9];B[b4];W[pass];B[b5])", "b4 -- b5 :W"),
                               ("(;GM[11]SZ[3]AB[b1][b2][b3][c1]PL[B])", "b1 -- c1 -- b2 -- b3 :B")):
            with self.subTest(text=text):
                size = "hex:size=3" if "SZ[3]" in text else "hex:size=9"
                options = ("--max-nodes", "300", "--algorithm", "ppn:playouts=1", "--json")
                answer, same = (json.loads(solve(*record, *options).stdout)
                                for record in (("hex", text), (size, position)))
                for key in ("game", "verdict", "best_move", "iterations"):
                    self.assertEqual(answer[key], same[key])
                self.assertEqual(answer["position"], position)
                written = solve("hex", text, "--format", "sgf", "--max-nodes", "1").stdout
                self.assertEqual(self.position("hex", written), position)

    def test_a_result_needs_a_board(self):
        """No line is held against the default size."""
        process = solve("hex", "d4 B\n4 d4 W\nd4\n", "--json")
        self.assert_status(process, BAD_DATA)
        answers = [json.loads(line) for line in process.stdout.splitlines()]
        self.assertIn("a result on a board whose size nobody says: ask for hex:size=N", answers[0]["error"])
        self.assertEqual([a["game"] for a in answers[1:]], ["hex:size=4", "hex:size=5"])
        self.assertNotIn("expected", answers[2])
        self.assert_fails(["solve", "hex", "--position", "d4 B"], BAD_DATA, "whose size nobody says")

    # ---- one position --------------------------------------------------------------------------

    def test_one_position_in_any_format(self):
        """What a line of a file may be, --position may be: the same position, the same known result."""
        records = (("othello", "f5d6c3"), ("othello", BOARD.replace("-", ".") + " X"), ("othello", GGF),
                   ("othello", f"{BOARD} X; G1:-28; F1:-28;"), ("othello", f"{BOARD} X -28"),
                   ("othello", f"{BOARD} X -26"), ("hex", "3 b2 W"), ("hex", "b2c3"), ("hex:size=12", "a12b2 C3"),
                   ("hex:size=3", "b2 B"), ("hex:size=3", "b2 B\r"), ("hex", "(;FF[4]GM[11]SZ[4];B[a3];W[swap-pieces])"),
                   ("connect6", "JJ KIJH"), ("connect6", "3 3 3 black-win"), ("nim:heaps=3.4", "b2"), ("hex", "(initial)"))
        for game, text in records:
            with self.subTest(text=text):
                options = ("--max-nodes", "200", "--goal", "value", "--json")
                of_line = solve(game, text + "\n", *options)
                of_text = run("solve", game, "--position", text, *options)
                self.assertEqual(of_text.returncode, of_line.returncode, of_text.stderr)
                line, one = json.loads(of_line.stdout), json.loads(of_text.stdout)
                for answer in (line, one):
                    for key in ("seconds", "cpu_seconds"):
                        del answer[key]
                self.assertEqual(one, line)
        # In words, with the sentence.
        process = run("solve", "othello", "--position", f"{BOARD} X -28", "--goal", "score")
        self.assert_status(process, DECIDED)
        self.assertEqual(process.stdout.splitlines()[-1], "expected    -28, agrees")
        process = run("solve", "hex:size=3", "--position", "b2 W")
        self.assert_status(process, INTERNAL)
        self.assertEqual(process.stdout.splitlines()[-1], "expected    proved, CONTRADICTED")
        self.assertEqual(process.stderr, "playproof: DISAGREEMENT: --position: the record says proved, the search "
                                         "disproved\n")

    def test_one_position_is_one(self):
        for game, text, *says in (("hex:size=3", "b2\nc3", "one position is wanted", "line 2"),
                                  ("hex:size=3", "# nothing", "there is no position"),
                                  ("othello", f"{BOARD} X; B1:+6", "'B1' is no legal move, at offset 68"),
                                  ("othello", "f5d7", "at offset 2")):
            self.assert_fails(["solve", game, "--position", text], BAD_DATA, *says)

    def test_one_position_and_its_checkpoint(self):
        """Saved as what it is; repeated in either way."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "run.ckpt")
            options = ("--algorithm", "pn", "--max-nodes", "50")
            begun = run("solve", "othello", "--position", "f5d6c3", *options, "--checkpoint", path)
            self.assert_status(begun, UNDECIDED)
            board = run("solve", "--resume", path, "--json", "--max-nodes", "50")
            position = json.loads(board.stdout)["position"]
            self.assertEqual(position, self.position("othello", "f5d6c3"))
            for text in ("f5d6c3", position):
                self.assert_status(run("solve", "othello", "--position", text, "--resume", path, "--max-nodes", "50"),
                                   UNDECIDED)
            self.assert_status(run("solve", "othello", "--position", "f5d6", "--resume", path), USAGE)

    def test_hex_columns(self):
        self.check_file("hex:size=5", "hex-5x5-openings.txt", 25, "--algorithm",
                        "dfpn:patterns=1024,probe=connections")
        rows, answers = self.check_file("hex:size=5", "hex-5x5-8-stones.txt", 20, "--goal", "value")
        for row, answer in zip(rows, answers):
            self.assertEqual(answer["expected"], "win" if row.endswith(" 1") else "loss")

    def test_othello_exact(self):
        rows, answers = self.check_file("othello", "othello-12-exact.txt", 60, "--goal", "score",
                                        most=12)
        self.assertEqual([int(row.split()[2]) for row in rows[:12]],
                         [answer["score"] for answer in answers])
        self.check_file("othello", "othello-16-exact.txt", 100, "--goal", "win", most=3)

    def test_connect6(self):
        path = os.path.join(DATA, "connect6-vcdt-win.txt")
        process = run("solve", "connect6", "--position-file", path, "--json", "--algorithm", "pn",
                      "--max-nodes", "1")
        self.assert_status(process, UNDECIDED)
        answers = [json.loads(line) for line in process.stdout.splitlines()]
        self.assertEqual(len(answers), 35)
        self.assertEqual({(a["expected"], a["agrees"]) for a in answers}, {("proved", None)})
        path = os.path.join(DATA, "connect6-61-stones.txt")
        process = run("solve", "connect6", "--position-file", path, "--algorithm", "pn",
                      "--max-nodes", "1", "--json")
        self.assertEqual(len(json.loads(process.stdout)["position"].split()), 61)

    def test_connect_boards(self):
        rows, answers = self.check_file("connect6", "connect-small.txt", 5, "--goal", "value")
        for row, answer in zip(rows, answers):
            height, width, k, result, _ = row.split()
            self.assertEqual((answer["game"], answer["position"]),
                             (f"connect6:rows={height},columns={width},connect={k},stones=2", ""))
            self.assertEqual(answer["expected"], {"black-win": "win", "draw": "draw"}[result])
        line = "3 4 3 white-win 2101"
        for end in range(1, len(line)):
            whole = end >= line.index(" 2101")
            text = line[:end]
            process = solve("connect6", text + "\n", "--json", "--max-nodes", "1")
            answers = [json.loads(row) for row in process.stdout.splitlines()]
            with self.subTest(text=text):
                self.assertEqual(len(answers), 1, process)
                self.assertEqual("error" in answers[0], not whole, process)
                if whole:
                    self.assertEqual(answers[0]["expected"], "disproved")

    def test_every_file_of_positions_is_read(self):
        """The others have none: counts of positions, results of random games, templates, positions of
        threats, where whoever attacks is to move, and what plans read by columns."""
        others = {"othello-perft.txt", "playout-known-answers.txt", "hex-edge-templates.txt",
                  "connect6-vcdt-none.txt", "connect6-zone-pairs.txt", "connect6-zone-single.txt",
                  "connect6-small-turns.txt", "connect6-deep.txt"}
        names = {entry.name for entry in os.scandir(DATA) if entry.is_file()}
        self.assertLess(others, names)
        for name in sorted(names - others):
            with open(os.path.join(DATA, name), encoding="utf-8") as file:
                count = sum(not line.startswith("#") for line in file)
            game, = (game for game in ("hex", "othello", "connect6", "loa") if name.startswith(game.rstrip("6")))
            process = run("solve", game, "--position-file", os.path.join(DATA, name),
                          "--json", "--algorithm", "pn", "--max-nodes", "1")
            answers = [json.loads(line) for line in process.stdout.splitlines()]
            with self.subTest(name=name):
                self.assertEqual(len(answers), count, process.stderr[:500])
                self.assertEqual([a for a in answers if "error" in a or a.get("agrees") is False], [])

    # ---- one format after the other ------------------------------------------------------------

    def test_comments_and_empty_lines(self):
        text = "# all\n  # indented\nb2 # the middle\n\n \t\n (initial) # by its name\na1\n% Zebra\n // more\n\n"
        answers = self.read("hex:size=3", text)
        self.assertEqual([a["position"] for a in answers], ["b2", "", "a1"])
        # As a blank last line, of any game: no search begins.
        for game in ("hex", "othello", "connect6", "loa", "pgame", "nim"):
            for blank in ("\n", "  \n\r\n", "# nothing\n\n"):
                self.assertEqual(self.read(game, blank), [])

    def test_move_lists(self):
        self.assertEqual(self.position("othello", "f5d6c3"), self.position("othello", "F5 D6 C3"))
        self.assertEqual(self.position("hex:size=12", "a12b2 C3"), "a12 b2 c3")
        self.assertEqual(self.position("connect6", "JJ KIJH"), "JJ KI JH")
        points = BOARD.replace("-", ".") + " X"
        self.assertEqual(self.position("othello", points), BOARD + " X")

    def test_lines_of_action(self):
        """Moves with both points, and the comments that the standard lets follow them; boards that are set up."""
        board = "--X-XXO-O------OOX-----OOX-----OO-------O------OO------O-XXXXXX- X"
        self.assertEqual(self.position("loa", "(;GM[9];B[d1-b3];W[H5-g4!];B[b1-b4];W[g4:g1++])"), board)
        self.assertEqual(self.position("loa", "d1-b3 h5-g4 b1-b4 g4xg1"), "d1-b3 h5-g4 b1-b4 g4xg1")
        small = "-X--O--O----XX-O O"
        text = "(;GM[9]SZ[4]AB[b1][a4][b4]AW[a2][d2][d4]PL[W])"
        self.assertEqual(self.position("loa", text), small)
        written = solve("loa:size=4", small + "\n", "--format", "sgf", "--max-nodes", "1", "--algorithm", "pn").stdout
        self.assertIn("GM[9]", written)
        self.assertEqual(self.position("loa", written), small)
        for text, says in (("(;GM[9];B[d1])", "expected a move such as e1-e3, not 'd1', at offset 10"),
                           ("(;GM[9];B[d1-d9])", "point 'd9' is off the board"),
                           ("(;GM[9];B[d1-d2])", "expected a legal move"), ("(;GM[2];B[d1-d3])", "GM[2] is another game than loa, GM[9]"),
                           ("(;GM[9]SZ[3])", "size must be 4..8"), ("(;GM[9]SZ[5:6])", "as many rows (6) as columns (5)")):
            process = solve("loa", text + "\n", "--max-nodes", "1")
            self.assert_status(process, BAD_DATA)
            self.assertIn(says, process.stdout)

    def test_a_pass_may_be_left_out(self):
        # Black's last move but one leaves White none.
        before = "b1 c1 d4 c4 d1 a3 b4 a1 d3 d2"
        end = "OXXXXOOOOXXXOXXX O"
        self.assertEqual(self.position("othello:size=4", before + " -- a4 a2"), end)
        self.assertEqual(self.position("othello:size=4", before + "paa4 a2"), end)
        self.assertEqual(self.position("othello:size=4", before + " a4a2"), end)
        nodes = [f";{'BW'[i % 2]}[{move}]" for i, move in enumerate(before.split())]
        for rest in (";B[];W[a4];B[a2]", ";B[pass];W[a4];B[a2]", ";W[a4];B[a2]"):
            text = "(;GM[2]SZ[4]" + "".join(nodes) + rest + ")"
            self.assertEqual(self.position("othello:size=4", text), end)
        moves = "".join(nodes).replace(";", "")
        for rest in ("B[PA/0/1]W[A4/2]B[A2]", "W[A4]B[A2]"):
            text = f"(;GM[Othello]TY[4]{moves}{rest};)"
            self.assertEqual(self.position("othello:size=4", text), end)

    def test_obf(self):
        line = f"{BOARD} X; F1:-28; G1:-30; % of a test\n"
        answer = self.read("othello", line, "--goal", "score")[0]
        self.assertEqual((answer["position"], answer["score"]), (BOARD + " X", -28))
        self.assertEqual((answer["expected"], answer["agrees"]), ("-28", True))
        goals = {"win": "disproved", "draw": "disproved", "score>=-28": "proved",
                 "score>=-27": "disproved", "value": "loss"}
        for goal, expected in goals.items():
            answer = self.read("othello", line, "--goal", goal)[0]
            self.assertEqual((answer["expected"], answer["agrees"]), (expected, True), goal)
        self.assertNotIn("expected", self.read("othello", f"{BOARD} X;\n", "--goal", "win")[0])

    def test_ggf(self):
        self.assertEqual(self.position("othello", GGF), AFTER_GGF)
        self.assertEqual(self.position("othello", "2 " + GGF.replace("]", "]\n")), AFTER_GGF)
        two = solve("othello", GGF + GGF + "\n\n" + GGF, "--max-nodes", "1", "--json")
        self.assertEqual(len(two.stdout.splitlines()), 3)

    def test_sgf(self):
        text = "(;FF[4]GM[11]SZ[3];B[b2](;W[a1](;B[c1])(;B[c2]))(;W[a2]))\n\n"
        answers = self.read("hex", text)
        self.assertEqual([(a["game"], a["position"]) for a in answers], [("hex:size=3", "b2 a1 c1")])
        self.assertEqual(self.position("hex", "(;GM[11]SZ[4:3];B[dc])"), "d3")
        text = "(;GM[11]SZ[5];AB[b2][c3]AW[d4][e5];B[a1]C[not \\] here])"
        self.assertEqual(self.position("hex", text), "b2 d4 c3 e5 a1")
        text = "(;GM[4]SZ[19]RU[Connect6];B[jj];W[kijh])"
        self.assertEqual(self.position("connect6", text), "JJ KI JH")
        start = "---------------------------OX------XO---------------------------"
        text = "(;GM[2]SZ[8];B[f5];W[fd])"
        self.assertEqual(self.position("othello", text), self.position("othello", "f5f4"))
        text = "(;GM[2]AB[ed][de]AW[dd][ee]PL[B])"
        self.assertEqual(self.position("othello", text), start + " X")

    # ---- swaps ---------------------------------------------------------------------------------

    def test_swap_pieces(self):
        """White's stone at b1 is where Black's at a2 was; the search has it at a2 again, and the rest mirrored."""
        for text, position in (("(;GM[11]SZ[3];B[a2];W[swap-pieces];B[c1];W[b2])", "a2 swap-pieces c1 b2"),
                               ("(;GM[11]SZ[3]AW[b1]PL[B];B[c1];W[b2])", "pass b1 c1 b2"),
                               ("(;GM[11]SZ[3]AB[c1]AW[b1][b2]PL[B])", "pass b1 c1 b2"),
                               ("(;GM[11]SZ[3];W[b1];B[c1];W[b2])", "pass b1 c1 b2")):
            answer = self.read("hex", text)[0]
            self.assertEqual((answer["position"], answer["searched_position"]), (position, "a2 a3 b2"), text)
            self.assertEqual((answer["mirrored"], answer["to_move"]), (True, "Black"))
            again = self.read("hex:size=3", answer["position"])[0]
            for key in ("position", "searched_position", "best_move", "principal_variation", "verdict", "to_move"):
                self.assertEqual(again[key], answer[key])
        answer = self.read("hex:size=3", "a2 swap-pieces c1b2")[0]
        self.assertEqual((answer["position"], answer["mirrored"]), ("a2 swap-pieces c1 b2", True))

    def test_swapped_positions_have_the_same_winner(self):
        """Black's opening, swapped: whoever wins it with White's stone won it with Black's."""
        for cell in ("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"):
            kept, swapped = self.read(
                "hex", f"(;GM[11]SZ[3];B[{cell}])(;GM[11]SZ[3];B[{cell}];W[swap-pieces])")
            self.assertEqual(kept["verdict"], swapped["verdict"])
            self.assertNotIn("mirrored", kept)
        self.assertEqual([a["agrees"] for a in self.read("hex:size=3", "b2 swap-pieces W\n"
                                                         "b2 swap-sides B\na1 swap-pieces -1",
                                                         status=INTERNAL)], [True, True, False])

    def test_swap_sides(self):
        answer = self.read("hex", "(;GM[11]SZ[3];B[a1];W[swap-sides];W[b2])")[0]
        self.assertEqual(answer["position"], "a1 b2")
        self.assertNotIn("mirrored", answer)
        # What HexGui before 0.10 called swap-pieces.
        for version, position in (("0.9.1", "a2 b2"), ("0.9", "a2 b2")):
            text = f"(;GM[11]SZ[3]AP[HexGui:{version}];B[a2];W[swap-pieces];W[b2])"
            self.assertEqual(self.position("hex", text), position)
        text = "(;GM[11]SZ[3]AP[HexGui:0.10.GIT];B[a2];W[swap-pieces];B[c1])"
        self.assertEqual(self.position("hex", text), "a2 swap-pieces c1")

    # ---- contradictions ------------------------------------------------------------------------

    def test_the_page_shows_what_is_printed(self):
        with open(os.path.join(SOURCE, "docs", "formats.md"), encoding="utf-8") as file:
            shown = re.search(r"^```\n\$ (printf .*?)\n(.*?)^```$", file.read(), re.M | re.S)
        command = shown.group(1).replace("build/playproof", f'"{os.path.abspath(PROGRAM)}"')
        process = subprocess.run(["bash", "-c", command + " 2>&1"], capture_output=True, text=True,
                                 check=False)
        self.assertEqual(process.returncode, INTERNAL)
        printed, page = (re.sub(r"[\d.]+ s\b", "T s", text) for text in (process.stdout,
                                                                        shown.group(2)))
        self.assertEqual(sorted(printed.splitlines()), sorted(page.splitlines()))

    def test_a_contradiction_is_told_loudly(self):
        process = solve("hex:size=3", "b2 B\nb2 W\nb2\n")
        self.assert_status(process, INTERNAL)
        lines = process.stdout.splitlines()
        self.assertTrue(lines[0].endswith("expected disproved, agrees"), lines)
        self.assertTrue(lines[1].endswith("expected proved, CONTRADICTED"), lines)
        self.assertNotIn("expected", lines[2])
        self.assertEqual(process.stderr, "playproof: DISAGREEMENT: stdin:2: the record says proved, "
                                         "the search disproved\n")

    def test_scores_of_moves_are_compared_too(self):
        text = f"{BOARD} X; G1:-28; F1:-30\n"
        process = solve("othello", text, "--goal", "score", "--json")
        self.assert_status(process, INTERNAL)
        answer = json.loads(process.stdout)
        self.assertEqual((answer["expected"], answer["best_move"]), ("-28", "f1"))
        self.assertIs(answer["agrees"], False)
        self.assertIn("gives f1 a score of -30, the search -28", process.stderr)

    def test_bounds_can_contradict(self):
        process = solve("othello", BOARD + " X +64\n", "--goal", "score", "--algorithm", "dfpn", "--max-nodes", "10",
                        "--json")
        answer = json.loads(process.stdout)
        self.assertIsNone(answer["score"])
        self.assertLess(answer["bounds"][1], 64)
        self.assert_status(process, INTERNAL)
        self.assertIs(answer["agrees"], False)
        self.assertIn(f"the record says 64, the search -64..{answer['bounds'][1]}", process.stderr)

    # ---- what is wrong -------------------------------------------------------------------------

    def test_bad_records(self):
        cases = [
            ("hex", "25 a1 W", 1, "the size must be 2..19, not '25', at offset 0"),
            ("hex:size=5", "3 a1 W", 1, "a board of 3 rows and 3 columns, not of hex:size=5, at "
                                        "offset 0"),
            ("hex:size=3", "a1b9", 1, "not 'b9', at offset 2"),
            ("hex:size=3", "a1 b2 swap-pieces", 1, "answer to the first stone alone, at offset 6"),
            ("hex:size=3", "a1 swap", 1, "say swap-pieces or swap-sides, or who moves next, at offset 3"),
            ("hex:rows=3,columns=4", "a1 swap-pieces", 1, "needs a square board, at offset 3"),
            ("hex", "(;GM[11]SZ[3]\n;B[b2];B[c1])", 2, "turn of White, not of Black, at offset 9"),
            ("hex", "\n(;GM[11]SZ[3]\n;B[b2]", 2, "does not end, at offset 0"),
            ("hex", "(;GM[11]SZ[3];B[b2]B)", 1, "'[' after the name of a property, at offset 20"),
            ("hex", "(GM[11])", 1, "expected ';', with which a tree begins, at offset 1"),
            ("hex", "(;GM[11]!)", 1, "expected ';', '(' or ')', at offset 8"),
            ("hex", "(;GM[11](;B[a1]);W[b1])", 1, "expected '(' or ')' after a variation, at "
                                                  "offset 16"),
            ("hex", "(;GM[2])", 1, "GM[2] is another game than hex, GM[11], at offset 5"),
            ("hex", "(;GM[11]SZ[x])", 1, "the size SZ must be a number, not 'x', at offset 11"),
            ("hex", "(;GM[11]SZ[3];B[zz])", 1, "point 'zz' is off the board of hex:size=3, at offset 16"),
            ("hex", "(;GM[11]SZ[3]AB[b2][a4])", 1, "point 'a4' is off the board of hex:size=3"),
            ("hex", "(;GM[11]SZ[3];B[2])", 1, "expected a point such as c2, not '2', at offset 16"),
            ("connect6", "(;SZ[19];B[j20])", 1, "point 'j20' is off the board of connect6:size=19, at offset 11"),
            ("connect6", "(;SZ[19];B[j])", 1, "expected a point such as jj or j10, not 'j'"),
            ("othello", "(;GM[2]AB[dd][ee]AW[i1])", 1, "point 'i1' is off the board of othello"),
            ("hex", "(;GM[11]SZ[3]PL[X])", 1, "PL must be B or W, not 'X', at offset 16"),
            ("pgame", "(;GM[11])", 1, "there is no SGF of pgame"),
            ("othello", "(;GM[Othello]TY[8a];)", 1, "who has fewer discs wins, at offset 16"),
            ("othello", "(;GM[Othello]BO[8 -- *];)", 1, "BO must have 64 squares and the side to move: expected 64 squares, found 2, at offset 22"),
            ("othello", GGF.replace("F6", "A1"), 1, "not 'a1'"),
            ("othello", BOARD + " X; F1", 1, "a move and its score such as G2:+6, not ' F1'"),
            ("othello", BOARD + " X; F1:-65", 1, "even number, -64..+64, not '-65', at offset 71"),
            ("othello", BOARD + " X; F1:-27", 1, "even number, -64..+64, not '-27'"),
            ("othello", BOARD + " X; F1:+0; B2:+0", 1, "'B2' is no legal move, at offset 75"),
            ("othello", BOARD + " X; F1:+0; f1:+0", 1, "'f1' stands twice, at offset 75"),
            ("othello", BOARD + " X +99", 1, "even number"),
            ("othello", "f5d6c9", 1, "not 'c9', at offset 4"),
            ("connect6", ";B[JJ] | B | 2 | IIKK", 1, "W is to move, not 'B', at offset 9"),
            ("connect6", ";B[JJ] | W | x | IIKK", 1, "number of turns to the win, not 'x'"),
            ("connect6", ";B[JJ] | W | 2 | II", 1, "the stones of a turn, not 'II', at offset 17"),
            ("connect6", ";B[JJ] | W | 2 | IIKKLL", 1, "the stones of a turn, not 'IIKKLL'"),
            ("connect6", ";B[JJ] | W | 2 | IIKKL", 1, "the stones of a turn, not 'IIKKL'"),
            ("connect6", "JJ KIKI", 1, "not 'KI', at offset 5"),
            ("connect6", "3 3", 1, "the number of stones in a row that win, not '', at offset 3"),
            ("connect6", "3 x 3 draw", 1, "the number of columns, not 'x', at offset 2"),
            ("connect6", "99999999999999999999 3 3 draw", 1, "the number of rows, not '9999"),
            ("connect6", "3 20 3 draw", 1, "columns must be 2..19, not 20, at offset 0"),
            ("connect6", "3 3 9 draw", 1, "connect must be 2..3 on a board of 3 rows"),
            ("connect6", "3 3 3 loss", 1, "black-win, white-win or draw, not 'loss', at offset 6"),
            ("connect6", "3 3 3 draw -1", 1, "the number of nodes and no more, not '-1', at offset 11"),
            ("connect6", "3 3 3 draw 7 8", 1, "the number of nodes and no more, not '8', at offset 13"),
            ("connect6:size=3,connect=3,stones=1", "3 3 3 draw", 1,
             "a record of connect6:rows=3,columns=3,connect=3,stones=2, not of connect6:"),
        ]
        for game, text, line, fragment in cases:
            with self.subTest(text=text):
                process = solve(game, text, "--json", "--max-nodes", "1")
                self.assertIn(process.returncode, (BAD_DATA,), process)
                bad = [json.loads(row) for row in process.stdout.splitlines()]
                bad = [answer for answer in bad if "error" in answer]
                self.assertEqual(len(bad), 1, process)
                self.assertEqual(bad[0]["line"], line)
                self.assertIn(fragment, bad[0]["error"])
                self.assertIn(f"stdin:{line}: ", process.stderr)

    def test_what_follows_a_bad_record_is_read(self):
        text = "(;GM[11]SZ[3];B[z9])(;GM[11]SZ[3];B[b2])\nzz\n3 a1 W\n"
        answers = self.read("hex", text, status=BAD_DATA)
        self.assertEqual([a.get("position") for a in answers], [None, "b2", None, "a1"])

    def test_a_game_that_is_too_long(self):
        text = "(;GM[11]SZ[3]C[" + "x\n" * (1 << 20) + "];B[b2])\nb1\n"
        answers = self.read("hex:size=3", text, status=BAD_DATA)
        self.assertEqual([a.get("position") for a in answers], [None, "b1"])
        self.assertIn("a game longer than 1048576 bytes, at offset 0", answers[0]["error"])

    def test_a_long_line_within_a_game(self):
        """The game ends where it ends, not at that line."""
        text = "(;GM[11]SZ[3]C[\n" + "x" * (2 << 20) + "\n];B[b2])(;SZ[3];B[a1])\nb1\n"
        answers = self.read("hex:size=3", text, status=BAD_DATA)
        self.assertEqual([a.get("position") for a in answers], [None, "a1", "b1"])
        self.assertIn("a game longer than 1048576 bytes, at offset 0", answers[0]["error"])
        self.assertEqual(answers[0]["line"], 1)
        text = "b1\n(;SZ[3]\n" + ";C[" * (1 << 20) + "\n;B[a1]\n"
        answers = self.read("hex:size=3", text, status=BAD_DATA)
        self.assertEqual([a.get("position") for a in answers], ["b1", None])
        self.assertIn("whose end is not seen, at offset 0", answers[1]["error"])
        self.assertEqual(answers[1]["line"], 2)

    def test_many_games_of_one_line(self):
        count = 100000 if NIGHTLY else 30000
        begin = time.monotonic()
        answers = self.read("hex:size=3", "()" * count, status=BAD_DATA)
        self.assertLess(time.monotonic() - begin, 20)  # a copy of the rest for each took minutes
        self.assertEqual(len(answers), count)
        self.assertTrue(answers[-1]["error"].endswith(f"at offset {2 * count - 1}"), answers[-1])

    def test_places_and_positions_after_a_game(self):
        text = "(;SZ[3];B[b2])  a1 b1  \n  c1 \t\n(;SZ[3])  (;SZ[3];B[z9])\n(;SZ[3]) b2b9"
        answers = self.read("hex:size=3", text, status=BAD_DATA)
        self.assertEqual([a.get("position") for a in answers],
                         ["b2", "a1 b1", "c1", "", None, "", None])
        self.assertIn("at offset 20", answers[4]["error"])
        self.assertIn("not 'b9', at offset 11", answers[6]["error"])

    def test_refused_positions_are_counted(self):
        process = solve("hex:size=3", "()() # two\n# none\n(;B[b2])()\n")
        self.assert_status(process, BAD_DATA)
        self.assertEqual(process.stderr, "playproof: stdin: 3 of 4 positions have no answer\n")

    def test_a_byte_order_mark(self):
        mark = "\ufeff"
        for text in ("b2", "(;SZ[3];B[b2])", "b2 B"):
            self.assertEqual(self.position("hex:size=3", mark + text), "b2")
        self.assertIn("at offset 5",
                      self.read("hex:size=3", mark + "a1b9", status=BAD_DATA)[0]["error"])
        self.assertIn("error", self.read("hex:size=3", "b2\n" + mark + "b2", status=BAD_DATA)[1])

    def test_what_one_board_alone_cannot_be_asked(self):
        """A goal of the board that was asked for may be none of another."""
        text = f"(;GM[2]SZ[4])\n{BOARD} X\n"
        process = solve("othello", text, "--goal", "score>=40", "--json")
        self.assert_status(process, BAD_DATA)
        answers = [json.loads(line) for line in process.stdout.splitlines()]
        self.assertEqual(answers[0]["line"], 1)
        self.assertEqual(answers[1]["verdict"], "disproved")
        self.assertRegex(process.stderr, r"^playproof: stdin:1: .*score")
        self.assert_fails(("solve", "othello:size=4", "--goal", "score>=40"), USAGE)
        process = solve("othello:size=4", text, "--goal", "score>=40")
        self.assert_status(process, USAGE)

    # ---- writing -------------------------------------------------------------------------------

    def test_obf_is_written(self):
        process = solve("othello", BOARD + " X\n", "--goal", "score", "--format", "obf")
        self.assert_status(process, DECIDED)
        self.assertEqual(process.stdout, BOARD + " X; F1:-28;\n")
        again = self.read("othello", process.stdout, "--goal", "score")[0]
        self.assertEqual((again["expected"], again["agrees"]), ("-28", True))
        # What is not proven is not written: another goal, a limit.
        for options in (("--goal", "win"), ("--goal", "score", "--max-nodes", "2", "--algorithm",
                                            "pn")):
            process = solve("othello", BOARD + " X\n", "--format", "obf", *options)
            self.assertEqual(process.stdout, BOARD + " X;\n", options)

    def test_round_trips(self):
        cases = [("hex:size=4", "b2 c3 a1"), ("hex:rows=3,columns=4", "d3"), ("hex:size=3", ""),
                 ("hex:size=2", "a1 b1 a2"), ("othello:size=4", ""), ("othello", BOARD + " X"),
                 ("connect6:rows=3,columns=4,connect=3,stones=2", "AA DC BB"),
                 ("connect6:rows=3,columns=3,connect=3,stones=1", "AA BA AB BB AC")]
        for game, position in cases:
            for form in ("obf", "ggf", "sgf"):
                if form != "sgf" and not game.startswith("othello"):
                    continue
                with self.subTest(game=game, position=position, form=form):
                    process = run("solve", game, "--position", position, "--format", form,
                                  "--algorithm", "pn", "--max-nodes", "50000")
                    self.assertIn(process.returncode, (DECIDED, UNDECIDED), process)
                    same = self.position(game, process.stdout)
                    perft = [run("perft", game, "--position", text, "--depth", "3").stdout.split()[1::4]
                             for text in (position, same)]
                    self.assertEqual(perft[0], perft[1])
                    if game.startswith("othello") and position:
                        self.assertEqual(same, position)

    def test_what_is_mirrored_is_written_as_the_file_has_it(self):
        for text, stones in (("b1 swap-pieces", "AW[a2]PL[B]"),
                             ("b1 swap-pieces c3", "AB[c3]AW[a2]PL[W]"),
                             ("(;GM[11]SZ[3]AB[c1]AW[b1][b2]PL[B])", "AB[c1]AW[b1][b2]PL[B]")):
            with self.subTest(text=text):
                process = solve("hex:size=3", text, "--format", "sgf")
                self.assert_status(process, DECIDED)
                self.assertIn("SZ[3]" + stones, process.stdout)
                again = self.read("hex:size=3", process.stdout)[0]
                first = self.read("hex:size=3", text)[0]
                self.assertTrue(first["mirrored"] and again["mirrored"])
                for key in ("searched_position",):
                    self.assertEqual(set(again[key].split()[::2]), set(first[key].split()[::2]))
                    self.assertEqual(set(again[key].split()[1::2]), set(first[key].split()[1::2]))
                # The moves of the answer too: a proven one, played in the file, keeps the win.
                found = re.search(r"best move (\w+); line (\w+) ", process.stdout)
                self.assertEqual(first["verdict"] == "proved", found is not None)
                if not found:
                    continue
                self.assertEqual(found.group(1), found.group(2))
                self.assertIn(f"LB[{found.group(1)}:1]", process.stdout)
                self.assertEqual(found.group(1), first["best_move"])
                player = re.search(r"PL\[(.)\]", stones).group(1)
                played = process.stdout.replace("])", f"];{player}[{found.group(1)}])")
                after = self.read("hex:size=3", played)[0]
                self.assertEqual(after["verdict"], "disproved")
                after = self.read("hex:size=3", f"{first['position']} {first['best_move']}")[0]
                self.assertEqual(after["verdict"], "disproved")

    def test_sgf_marks_the_best_move(self):
        process = run("solve", "hex:size=3", "--position", "a1", "--format", "sgf")
        self.assert_status(process, DECIDED)
        self.assertTrue(process.stdout.startswith(
            "(;FF[4]GM[11]AP[playproof]SZ[3]AB[a1]PL[W]\nC[goal win, proved; best move b2; line b2 "))
        self.assertTrue(process.stdout.endswith("LB[b2:1])\n"))
        process = run("solve", "hex:size=3", "--position", "b2", "--format", "sgf")
        self.assertNotIn("LB", process.stdout)
        self.assertIn("C[goal win, disproved; line a1 ", process.stdout)
        self.assertIn("; by dfpn\\:", process.stdout)

    def test_ggf_is_written(self):
        process = solve("othello", BOARD + " X\n", "--goal", "score", "--format", "ggf")
        self.assertIn("BO[8 " + BOARD.replace("X", "*") + " *]C[score -28 for the side to move; best "
                      "move f1; line f1 ", process.stdout)

    def test_formats_fit_their_game(self):
        for form in ("obf", "ggf"):
            self.assert_fails(("solve", "hex:size=3", "--format", form), USAGE,
                              f"--format {form} is of othello, not of hex")
        self.assert_fails(("solve", "pgame", "--format", "sgf"), USAGE, "hex, othello, loa and connect6")
        self.assert_fails(("solve", "hex:size=3", "--format", "png"), USAGE,
                          "must be one of text, obf, ggf, sgf, not 'png'")
        self.assert_fails(("solve", "hex:size=3", "--format", "sgf", "--json"), USAGE)
        self.assert_fails(("solve", "--resume", "none.ckpt", "--format", "sgf"), USAGE,
                          "GAME is required with --format")

    def test_errors_stay_out_of_what_is_written(self):
        process = solve("hex:size=3", "b2\nzz\n", "--format", "sgf")
        self.assert_status(process, BAD_DATA)
        self.assertEqual(process.stdout.count("(;FF"), 1)
        self.assertNotIn("error", process.stdout)
        self.assertIn("stdin:2: hex position: expected a cell such as b2, not 'zz'", process.stderr)


if __name__ == "__main__":
    unittest.main()
