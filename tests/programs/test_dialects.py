"""Records as other programs write them (tests/data/formats), and Hex that White began: in the file's own names."""

import json
import os
import re
import subprocess
import tempfile
import unittest

from program import BAD_DATA, CHECKER, DATA, DECIDED, NIGHTLY, UNDECIDED, ProgramTest, run

INTERNAL = 70


# X to move, 12 squares empty; best play ends -28 (tests/data/othello-12-exact.txt).
BOARD = "-XOOO--X-XXXOOXX-XXOOOOXXXXXOOOO-XXXXOXOOXXXXXOO-XXXXXXO---OOO--"


def solve(game, text, *options):
    return run("solve", game, "--position", "-", *options, stdin=text)


def dialect_files():
    folder = os.path.join(DATA, "formats")
    return sorted(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".txt"))


def expected_in(path):
    """Of each record: line of the comment before it, group, game, side to move, position."""
    with open(path, encoding="utf-8") as file:
        lines = enumerate(file.read().splitlines(), 1)
    return [(number, *line.removeprefix("# expect: ").split(" | ")) for number, line in lines
            if line.startswith("# expect: ")]


def begins_tree(line):
    return re.match(r"\d* ?\(;", line) is not None


def searched_words(answer):
    """The position that was searched, move by move."""
    return re.sub(r";[BW]\[(..)\]", r"\1 ", answer.get("searched_position", answer["position"]))


def side_of(answer):
    """Who is to move: as it says, or as the position says it."""
    words = searched_words(answer).split()
    if "to_move" in answer:
        return answer["to_move"]
    if answer["game"].startswith("othello"):
        return words[-1]
    turn = (len(words) + 1) // 2 if answer["game"].startswith("connect6") else len(words)
    return ("Black", "White")[turn % 2]


def stones_of(position, game):
    """The stones of either player, whatever their order."""
    black = set()
    white = set()
    for number, stone in enumerate(position.split()):
        turn = (number + 1) // 2 if game.startswith("connect6") else number
        (black, white)[turn % 2].add(stone)
    return game.split(":")[0], tuple(sorted(black)), tuple(sorted(white))


class Dialects(ProgramTest):

    def read(self, game, text, *options, status=DECIDED):
        process = solve(game, text, "--json", *options)
        self.assert_status(process, status)
        return [json.loads(line) for line in process.stdout.splitlines()]

    def position(self, game, text):
        """Of one record, whatever is found of it."""
        answers = self.read(game, text, "--max-nodes", "1000000")
        self.assertEqual(len(answers), 1)
        return answers[0]["position"]

    def test_there_are_many_records(self):
        files = dialect_files()
        self.assertGreaterEqual(sum(len(expected_in(path)) for path in files), 60)
        for path in files:
            with open(path, encoding="utf-8") as file:
                head = file.read().split("# expect:")[0]
            self.assertRegex(head, r"(?m)^# Where: \S", path)

    def dialect_answers(self, path, *options):
        game = os.path.basename(path).split("-")[0].removesuffix(".txt")
        if game == "othello":
            options = ("--goal", "score", *options)
        process = run("solve", game, "--position-file", path, *options)
        self.assert_status(process, DECIDED)
        return game, process.stdout

    def test_every_dialect_is_read(self):
        """Each record, with its board, the side to move, and its own cells; what it knows agrees."""
        for path in dialect_files():
            answers = [json.loads(line) for line in self.dialect_answers(path, "--json")[1].splitlines()]
            expected = expected_in(path)
            self.assertEqual(len(answers), len(expected), path)
            for answer, (line, _, game, side, position) in zip(answers, expected):
                with self.subTest(file=path, line=line):
                    self.assertEqual(answer["game"], game)
                    self.assertEqual(side_of(answer), side)
                    if position != "none":
                        self.assertEqual(answer["position"], position)
                    self.assertIsNot(answer.get("agrees"), False)

    def test_one_position_has_one_answer_in_every_dialect(self):
        """The best moves of Hex are the only ones that win (looked at by exhaustion)."""
        known = {"plain": ("proved", "d2"), "swapped": ("proved", "d1"), "ending": (-28, "f1"),
                 "ending-white": (-28, "f1"), "five": ("proved", "JE")}
        found = {}
        for path in dialect_files():
            answers = [json.loads(line) for line in self.dialect_answers(path, "--json")[1].splitlines()]
            for answer, (line, group, *_) in zip(answers, expected_in(path)):
                stones = searched_words(answer)
                if not answer["game"].startswith("othello"):
                    stones = stones_of(stones, answer["game"])
                result = (answer.get("score", answer["verdict"]), answer["best_move"])
                found.setdefault(group, {}).setdefault((stones, result), []).append((path, line))
        self.assertLessEqual(set(known), set(found))
        for group, results in found.items():
            with self.subTest(group=group):
                self.assertEqual(len(results), 1, results)
                if group in known:
                    (_, result), = results
                    self.assertEqual(result, known[group])
        self.assertGreater(min(len(lines) for results in found.values() for lines in results.values()), 1)

    def test_every_dialect_goes_round(self):
        """What --format writes reads back as the position that was read, asked the same way."""
        for path in dialect_files():
            game, text = self.dialect_answers(path, "--json")
            answers = [json.loads(line) for line in text.splitlines()]
            for form in ("sgf", "obf", "ggf") if game == "othello" else ("sgf",):
                written = self.dialect_answers(path, "--format", form)[1]
                options = ("--goal", "score") if game == "othello" else ()
                again = self.read(game, written, *options)
                self.assertEqual(len(again), len(answers))
                for first, second, record in zip(answers, again, expected_in(path)):
                    with self.subTest(file=path, line=record[0], form=form):
                        same = [a["position"] if game == "othello" else stones_of(searched_words(a), a["game"])
                                for a in (first, second)]
                        self.assertEqual(*same)
                        for key in ("game", "verdict", "best_move", "principal_variation"):
                            self.assertEqual(second[key], first[key])

    def test_records_that_are_cut(self):
        """At every byte, by day every third: another record or a clear error with its place, and what comes after it is
        read."""
        step = 1 if NIGHTLY else 3
        for path in dialect_files():
            game = os.path.basename(path).split("-")[0].removesuffix(".txt")
            if "moves" in path:
                game += ":size=4"
            with open(path, encoding="utf-8") as file:
                lines = file.read().splitlines()
            records = [line for line in lines if line and line[0] not in "#%" and not begins_tree(line)]
            text = "".join(f"{record[:end]}\n" for record in records for end in range(1, len(record), step))
            process = solve(game, text, "--json", "--max-nodes", "1")
            self.assertIn(process.returncode, (DECIDED, UNDECIDED, BAD_DATA, INTERNAL))
            for line in process.stdout.splitlines():
                answer = json.loads(line)
                if "error" in answer:
                    self.assertRegex(answer["error"], r"offset \d+$")
            self.assertNotIn("internal", process.stderr)
            trees = [line for line in lines if begins_tree(line) and line.endswith(")")]
            for tree in trees[:2]:
                for end in range(tree.index("(") + 1, len(tree) - 1, 5 * step):
                    process = solve(game, tree[:end] + "\n", "--json", "--max-nodes", "1")
                    self.assert_status(process, BAD_DATA)
                    self.assertRegex(json.loads(process.stdout)["error"], r"offset \d+$")

    def check_bad(self, cases):
        for game, text, fragment in cases:
            with self.subTest(text=text):
                process = solve(game, text, "--json", "--max-nodes", "1")
                self.assert_status(process, BAD_DATA)
                answer, = (json.loads(row) for row in process.stdout.splitlines())
                self.assertEqual(answer["line"], 1)
                self.assertIn(fragment, answer["error"])
                self.assertRegex(answer["error"], r"at offset \d+$")
                self.assertIn("stdin:1: ", process.stderr)

    def test_bad_records_of_hex(self):
        self.check_bad((
            ("hex", "(;GM[11];B[c3])", "does not say how large its board is: ask for hex:size=N, or put SZ[N] into it"),
            ("hex", "(;GM[11]SZ[3];B[a2];W[swap-sides];B[c1])",
             "after swap-sides White moves next, not Black: a stone that changes its colour is written swap-pieces, at "
             "offset 36"),
            ("hex", "(;GM[11]SZ[3];B[a2];W[swap])", "'swap' is not clear: say swap-pieces or swap-sides"),
            ("hex", "(;GM[11]SZ[4:3];B[a2];W[swap-pieces])", "swap-pieces needs a square board, at offset 24"),
            ("hex", "(;GM[11]SZ[3];B[a2];B[swap-pieces])", "it is the turn of White, not of Black, at offset 22"),
            ("hex", "(;GM[11]SZ[3];W[a2];W[b2])", "it is the turn of Black, not of White"),
            ("hex", "(;GM[11]SZ[3];B[a2];W[a2])", "cell 'a2' is occupied already, at offset 22"),
            ("hex", "(;GM[11]SZ[2];B[a1];W[b1];B[a2];W[b2])", "the game is over, not 'b2', at offset 34"),
            ("hex", "(;GM[11]SZ[2];W[a1];B[a2];W[b1];B[b2])", "the game is over, not 'b2', at offset 34"),
            ("hex", "(;GM[11]SZ[3]AB[c3:b2])", "a rectangle has its upper left point first, not 'c3:b2', at offset 16"),
            ("hex", "(;GM[11]SZ[3]AB[a1:d2])", "point 'd2' is off the board of hex:size=3, at offset 19"),
            ("hex", "(;GM[11]SZ[3]AB[a1:])", "expected a point such as c2, not ''"),
            ("hex:size=4", "3c1,a1b2", "a board of 3 rows and 3 columns, not of hex:size=4, at offset 0"),
            ("hex", "https://hexworld.org/board/#3c1,a1b9", "not 'b9', at offset 34"),
            ("hex", "3c1,a1:xb2", "expected a cell such as b2, not ':x', at offset 6"),
            ("hex", "25c1,a1", "the size must be 2..19, not '25', at offset 0"),
            ("hex", "4x3c1,a1", "of HexWorld only boards with equal sides are read, at offset 1"),
        ))

    def test_bad_records_of_othello_and_connect6(self):
        self.check_bad((
            ("connect6", "1.j10 2.k9l21", "expected a point of connect6:size=19 such as j10, not 'l21', at offset 10"),
            ("connect6", "(;SZ[19];B[j10];W[j10k9])", "not 'JJ', at offset 18"),
            ("othello", BOARD.replace("X", "?", 1) + " X", "square b1 must be X or * (Black), O (White), - or . (empty), "
                                                              "not '?', at offset 1"),
            ("othello", BOARD.replace("-", "") + " X", "expected 64 squares, found 52"),
            ("othello", BOARD + " X; G22:-28;", "a move and its score such as G2:+6, not ' G22:-28'"),
            ("othello", BOARD + " X; PA:-28;", "'PA' is no legal move"),
            ("othello", "(;GM[Othello]TY[s8]BO[8 ---- *];)", "BO must have 64 squares and the side to move: expected 64 "
                                                                  "squares, found 4"),
            ("othello", "(;GM[Othello]TY[s8r18a];)", "who has fewer discs wins"),
        ))

    def test_nboard_takes_games_of_any_type(self):
        """Those of GGS too, where BO has the size."""
        board = BOARD.replace("X", "*")
        for kind in ("TY[s8r18]", "TY[s8]", "TY[k8]KM[-2]", "TY[8r20]", ""):
            process = run("nboard", stdin=f"nboard 2\nset game (;GM[Othello]{kind}BO[8 {board} *];)\nhint 1\n")
            self.assert_status(process, DECIDED)
            self.assertRegex(process.stdout, r"(?m)^search F1\S* -28\.00 0 100% proven$", kind)

    # ---- Hex: who begins, and swaps ---------------------------------------------------------------

    def test_who_moves_next_says_what_a_swap_was(self):
        """Whatever the word and the program; a PL says it too."""
        for program in ("", "AP[HexGui:0.9.GIT]", "AP[HexGui:0.10.GIT]", "AP[HexGui:1.0.]", "AP[PlayHex:0.0.0]"):
            for word in ("swap", "swap-pieces", "Swap-Sides"):
                game = f"(;{program}GM[11]SZ[3];B[a2];W[{word}]"
                for rest, position in ((";W[c1])", "a2 c1"), ("PL[W])", "a2"), (";PL[W])", "a2")):
                    self.assertEqual(self.position("hex", game + rest), position)
                if word == "Swap-Sides":
                    continue
                for rest, position in ((";B[c1])", "a2 swap-pieces c1"), ("PL[B])", "a2 swap-pieces")):
                    self.assertEqual(self.position("hex", game + rest), position)
        # White opens, Black swaps: Black's stone is the first one.
        answer = self.read("hex", "(;GM[11]SZ[3];W[a2];B[swap-pieces];W[c1])")[0]
        self.assertEqual(answer["position"], "b1 c1")
        self.assertNotIn("mirrored", answer)
        answer = self.read("hex", "(;GM[11]SZ[3];W[a2];B[swap-sides];B[c1])")[0]
        self.assertEqual((answer["position"], answer["to_move"]), ("pass a2 c1", "White"))

    def test_white_begins(self):
        """The answer is in the file's players and cells, in every output."""
        text = "(;FF[4]GM[11]SZ[4];B[c2];W[swap-pieces];B[d1])"
        answer = self.read("hex", text)[0]
        self.assertEqual((answer["verdict"], answer["best_move"], answer["to_move"]), ("proved", "d2", "White"))
        self.assertEqual(answer["principal_variation"][0], "d2")
        after = self.read("hex", text.replace(")", ";W[d2])"))[0]
        self.assertEqual((after["verdict"], after["to_move"]), ("disproved", "Black"))
        # As set-up stones, as moves, as a line; the winner that a line names is the file's.
        for same in ("(;GM[11]SZ[4]AW[b3]AB[d1]PL[W])", "(;GM[11]SZ[4];W[b3];B[d1])", "4 pass b3 d1", "4 pass b3d1 W",
                     "4 c2 swap-pieces d1 1"):
            again = self.read("hex", same)[0]
            for key in ("searched_position", "verdict", "best_move", "principal_variation", "zone", "to_move"):
                self.assertEqual(again[key], answer[key], same)
            self.assertIsNot(again.get("agrees"), False)
        # The line has free cells of the file, the zone those and White's own.
        free = {f"{c}{r}" for c in "abcd" for r in range(1, 5)} - {"b3", "d1"}
        self.assertLessEqual(set(answer["principal_variation"]), free)
        self.assertLessEqual(set(answer["zone"]), free | {"b3"})
        with tempfile.TemporaryDirectory() as folder:
            proof, picture = os.path.join(folder, "proof"), os.path.join(folder, "board.svg")
            process = run("solve", "hex", "--position", text, "--board", "--svg", picture, "--certificate", proof)
            self.assert_status(process, DECIDED)
            lines = process.stdout.splitlines()
            self.assertIn("White to move wins, whatever Black plays.", lines[0])
            self.assertIn("best move   d2", lines)
            self.assertIn("position    c2 swap-pieces d1", lines)
            self.assertIn(f"searched    {answer['searched_position']}, which is the same with players and axes exchanged",
                          lines)
            rows = [line for line in lines if re.match(r" *(White)? *[1-4] [BWⒷⓌ◆·+]", line)]
            board = [re.sub(r"White|[ 1-4]", "", row) for row in rows[:4]]
            marks = str.maketrans("BWⒷⓌ◆·+", "XO#@*..")
            self.assertEqual([row.translate(marks) for row in board], ["...#", "...*", ".O..", "...."])
            with open(picture, encoding="utf-8") as file:
                svg = file.read()
            self.assertIn("White to move wins", svg)
            self.assertIn("Last move: d1. Best move: d2.", svg)
            self.assertIn("hex:size=4: c2 swap-pieces d1", svg)
            # What is checked is what was searched.
            check = [CHECKER, proof, "--game", "hex:size=4", "--position",
                     answer["searched_position"]]
            self.assertEqual(subprocess.run(check, capture_output=True, check=False).returncode, 0)
        process = solve("hex", text + "\n")
        self.assertTrue(process.stdout.startswith("c2 swap-pieces d1  proved  best move d2  "), process.stdout)
        process = solve("hex", text, "--format", "sgf")
        self.assertIn("AB[d1]AW[b3]PL[W]\nC[goal win, proved; best move d2; line d2 ", process.stdout)

    def test_boards_of_unequal_sides_in_a_mirror(self):
        """White begins on three rows and four columns; the search has four rows and three columns."""
        for game in ("hex", "hex:rows=3,columns=4"):
            answer = self.read(game, "(;GM[11]SZ[4:3];W[d3];B[a1])")[0]
            self.assertEqual((answer["game"], answer["position"]), ("hex:rows=3,columns=4", "pass d3 a1"))
            self.assertEqual((answer["searched_game"], answer["searched_position"]), ("hex:rows=4,columns=3", "c4 a1"))
        process = solve("hex", "(;GM[11]SZ[4:3];W[b2];B[c2];W[d1])", "--format", "sgf")
        self.assertIn("SZ[4:3]AB[c2]AW[b2][d1]PL[B]", process.stdout)

    def test_every_opening_of_white(self):
        """Of each cell, by White: who wins is who wins after the mirrored cell by Black."""
        cells = [f"{column}{row}" for row in range(1, 5) for column in "abcd"]
        mirror = {cell: f"{'abcd'[int(cell[1]) - 1]}{'abcd'.index(cell[0]) + 1}" for cell in cells}
        white = self.read("hex", "".join(f"(;GM[11]SZ[4];W[{cell}])" for cell in cells))
        black = self.read("hex", "".join(f"(;GM[11]SZ[4];B[{mirror[cell]}])" for cell in cells))
        for one, other in zip(white, black):
            self.assertEqual((one["verdict"], one["to_move"]), (other["verdict"], "Black"))
            self.assertEqual(one["best_move"], other["best_move"] and mirror[other["best_move"]])

    def test_little_golem_calls_its_players_by_its_letters(self):
        """Its W is who joins top and bottom, and begins."""
        process = run("solve", "hex", "--position", "(;FF[4]EV[hex.mc.2011]SZ[4];W[ca];B[ac];W[bd];B[bc])", "--board")
        self.assert_status(process, DECIDED)
        lines = process.stdout.splitlines()
        self.assertIn("White to move wins, whatever Black plays.", lines[0])
        self.assertEqual((lines[2].strip(), lines[8].strip()), ("White", "White"))  # the edges above and below
        self.assertIn("best move   d2", lines)
        text = "(;FF[4]EV[hex.mc.2011.feb.1.10]SZ[13]SO[http://www.littlegolem.com];W[ll];B[swap];W[gg];B[fi])"
        answer = self.read("hex", text, "--max-nodes", "1", status=UNDECIDED)[0]
        self.assertEqual((answer["position"], answer["to_move"]), ("l12 swap-pieces g7 f9", "White"))
        self.assertEqual(answer["searched_position"], "l12 g7 i6")


if __name__ == "__main__":
    unittest.main()
