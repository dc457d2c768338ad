"""Data files of plans without columns, and of which board their rows are."""

import os
import re
import resource
import subprocess
import unittest

from experiments import ExperimentTest, query
from program import BAD_DATA, NIGHTLY, SOURCE, run

SLOWER = float(os.environ.get("PLAYPROOF_SLOWER", "1"))


class DataFiles(ExperimentTest):

    def ten_lines(self, game, text, more="", nodes="2e6"):
        """The plan of bench/plans/README.md, of these lines."""
        self.write(text, "mine.txt")
        return self.write(f'name = "mine"\nlimits.max_nodes = {nodes}\n[[series]]\nname = "endgames"\ngame = "{game}"\n'
                          f'positions_file = "mine.txt"\n{more}[[algorithm]]\nspec = "dfpn"\n')

    def test_a_data_file_of_any_format(self):
        """As `solve --position-file` reads it, with the results that it knows."""
        board = "-XOOO--X-XXXOOXX-XXOOOOXXXXXOOOO-XXXXOXOOXXXXXOO-XXXXXXO---OOO--"
        after = "-------------------X-------XX-----OOOX-------O------------------ X"
        ggf = ("(;GM[Othello]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]\n\n"
               "B[F5]W[F6]B[D3//2.5]W[C5/-1.00/0.1];)")
        lost = f"{board} X", "disproved"
        cases = (
            ("othello", f"{board} X; G1:-28; F1:-28; % Edax\n\n# none\n{board.replace('-', '.')} X # a comment\r\n"
                        f"{board} X -28\n", [lost, (f"{board} X", None), lost]),
            ("hex", "# all\n3 b2 W\n\nb2\n# game: hex:size=4\nb2 B\nb2c3\n",
             [("b2", "proved"), ("b2", None), ("b2", "disproved"), ("b2 c3", None)]),
            ("connect6", "3 3 3 black-win\n", [("", "proved")]), ("nim:heaps=3.4", "b2\n", [("b2", None)]))
        for game, text, rows in cases:
            plan = self.ten_lines(game, text, nodes="2e6" if NIGHTLY else "2e3")  # boards of Othello are large
            store = self.path("rows.db")
            process = run("experiment", plan, "--store", store, "--backend", "cpu")
            with self.subTest(text=text):  # what is not so is a DISAGREEMENT; b2 wins for Black
                wrong = game == "hex"
                self.assert_status(process, 70 if wrong else 0)
                self.assertEqual("DISAGREEMENT" in process.stderr, wrong)
                self.assertEqual(query(store, "SELECT problem, position, expected FROM run ORDER BY problem"),
                                 [(f"row {i}", *row) for i, row in enumerate(rows, 1)])
                os.remove(store)
        # Of games, what comes after them.
        text = f"{ggf}(;FF[4]GM[2]SZ[8];B[f5];W[d6])\nf5d6\n"
        process = run("experiment", self.ten_lines("othello", text), "--dry-run")
        self.assert_status(process, 0)
        seeds = [line.split("\t")[6] for line in process.stdout.splitlines()[:-1]]
        self.assertEqual(len(seeds), 3)
        self.assertEqual(seeds[1], seeds[2])
        again = run("experiment", self.ten_lines("othello", after), "--dry-run")
        self.assertEqual(again.stdout.split("\t")[6], seeds[0])

    def test_data_files_of_the_project(self):
        """Each without columns: as many rows as with them, on the same boards."""
        for game, name, rows in (("othello", "othello-12-exact", 60), ("hex", "hex-openings", 25),
                                 ("hex", "hex-6x6-openings", 36), ("hex:size=7", "hex-7x7-openings", 49),
                                 ("hex", "hex-8x8-openings", 64),
                                 ("hex", "hex-5x5-8-stones", 20), ("connect6", "connect-small", 5),
                                 ("connect6", "connect6-vcdt-win", 35)):
            with open(os.path.join(SOURCE, "tests", "data", f"{name}.txt"), encoding="utf-8") as file:
                plan = self.ten_lines(game, file.read())
            process = run("experiment", plan, "--dry-run")
            self.assert_status(process, 0)
            self.assertEqual(process.stdout.splitlines()[-1], f"{rows} runs")
            size = re.match(r"hex-(\d)x", name)
            if size:
                self.assertEqual({line.split("\t")[3] for line in process.stdout.splitlines()[:-1]},
                                 {f"hex:size={size.group(1)}"})

    def test_expected_is_the_plans(self):
        """What the plan says of results goes before what the file says."""
        for more, expected in (("", "disproved"), ('expected = "1"\n', "proved"), ('expected = "oracle"\n', "proved")):
            plan, store = self.ten_lines("hex:size=3", "b3 a1 W\n", more), self.path("expected.db")
            run("experiment", plan, "--store", store)
            self.assertEqual(query(store, "SELECT expected FROM run"), [(expected,)])
            os.remove(store)

    def test_columns_are_suggested(self):
        """Where a line cannot be read; added, the lines make a plan of it."""
        board = "-XOOO--X-XXXOOXX-XXOOOOXXXXXOOOO-XXXXOXOOXXXXXOO-XXXXXXO---OOO--"
        for game, text, line, columns, position in (
                ("othello", f"1 {board} X foo\n2 {board} O bar\n", 1, 4, "{c2} {c3}"),
                ("hex:size=3", "b2\nb2 x\n", 2, 2, "{c1}"), ("hex:size=3", "lost a1 b2\n", 1, 3, "{c2} {c3}"),
                ("othello", "y z\n", 1, 2, "{c1}")):
            plan = self.ten_lines(game, text)
            process = run("experiment", plan, "--dry-run")
            self.assert_status(process, BAD_DATA)
            names = ", ".join(f'"c{i}"' for i in range(1, columns + 1))
            mend = [f"    columns = [{names}]", f'    position = "{position}"']
            lines = process.stderr.splitlines()
            told = [i for i, said in enumerate(lines) if f"mine.txt:{line}: [[series]] 'endgames', row {line}: " in said]
            with self.subTest(text=text):
                self.assertEqual(len(told), 1, process.stderr)
                self.assertTrue(lines[told[0]].endswith(f"; if its words are columns, add to the table in {plan}:3, "
                                                        "with names of your own:"), lines[told[0]])
                self.assertEqual(lines[told[0] + 1:told[0] + 3], mend)
                self.assertEqual(process.stderr.count("columns = "), 1)
            if game == "hex:size=3" and columns == 3:
                more = "".join(added.strip() + "\n" for added in mend)
                self.assert_status(run("experiment", self.ten_lines(game, text, more), "--dry-run"), 0)
        for text in ("zz\n", "(;GM[11]SZ[3];B[z9])\n", "z " * 17 + "\n"):  # no columns, or too many
            self.assertNotIn("columns", run("experiment", self.ten_lines("hex:size=3", text), "--dry-run").stderr)

    def test_columns_are_not_suggested_for_boards(self):
        """They would only hide of which board a record is, and its result."""
        size = 'ask for hex:size=N (in a plan: game = "hex:size=N")'
        for game, text, line, says in (
                ("hex", "d4 B\n", 1, size), ("hex", "b2\nx y\nd4 B\n", 3, size),
                ("hex:size=4", "b2 x\n3 b2 W\n", 2, "a board of 3 rows and 3 columns, not of hex:size=4"),
                ("hex:size=4", "# game: hex:size=3\nb2 W\n", 2, "a record of hex:size=3 as line 1 says"),
                ("hex", "# game: Hex:size=3\nb2 W\n", 2, "line 1: unknown game 'Hex'"),
                ("hex", "# game: othello\nb2 W\n", 2, "a record of othello as line 1 says")):
            process = run("experiment", self.ten_lines(game, text), "--dry-run")
            with self.subTest(text=text):
                self.assert_status(process, BAD_DATA)
                self.assertRegex(process.stderr, rf"mine.txt:{line}: \[\[series\]\] 'endgames', row \d: ")
                self.assertIn(says, process.stderr)
                self.assertNotIn("columns = ", process.stderr)

    def test_rows_have_the_suggestion(self):
        """Those that are read, and no others."""
        for rows, suggested in (("from = 1, to = 2", False), ("from = 2, to = 3", True)):
            plan = self.ten_lines("hex:size=3", "b2\nb3\nb2 x\n", f"rows = {{ {rows} }}\n")
            process = run("experiment", plan, "--dry-run")
            self.assert_status(process, BAD_DATA if suggested else 0)
            self.assertEqual("columns = " in process.stderr, suggested)
        plan = self.ten_lines("hex:size=3", "b2 x\nb2\nb3 y z\n", "rows = { from = 2, to = 3 }\n")
        self.assertIn('columns = ["c1", "c2", "c3"]', run("experiment", plan, "--dry-run").stderr)

    def test_a_comment_names_the_board_of_columns(self):
        """As it does of records: one that is another's is an error with its line."""
        more = 'columns = ["cell", "winner"]\nposition = "{cell}"\nexpected = "{winner}"\n' \
               'expected_values = { W = 1, B = -1 }\n'
        text = "# game: hex:size=4\n\nb2 W\nb3 W\n"
        for game in ("hex:size=3", "othello", "hex:rows=3,columns=4"):
            process = run("experiment", self.ten_lines(game, text, more), "--dry-run")
            self.assert_status(process, BAD_DATA)
            self.assertRegex(process.stderr, r"mine.txt:3: .*, row 1: a record of hex:size=4 as line 1 says, not of "
                             rf"{game}.* \(and 1 more with the same\)\n$")
        for game, board in (("hex", "hex:size=4"), ("hex:size=4", "hex:size=4"), ("hex:rows=4,columns=4", "hex:size=4")):
            process = run("experiment", self.ten_lines(game, text, more), "--dry-run")
            self.assert_status(process, 0)
            self.assertEqual([line.split("\t")[3] for line in process.stdout.splitlines()[:-1]], [board] * 2)
        # The last comment counts; a column may say the size.
        sized = 'columns = ["size", "cell"]\nposition = "{cell}"\n'
        text = "3 b2\n# game: hex:size=4\n4 b2\n# game: hex\n3 b2\n#game:hex:size=5\n# prose\n5 b2\n"
        for last, status in (("5 b3\n", 0), ("4 b3\n", BAD_DATA)):
            process = run("experiment", self.ten_lines("hex:size={size}", text + last, sized), "--dry-run")
            self.assert_status(process, status)
        self.assertIn("mine.txt:9: [[series]] 'endgames', row 5: a record of hex:size=5 as line 6 says, not of "
                      "hex:size=4", process.stderr)
        # Bad ones, wherever they stand; with one column that is not read as records, too.
        for text, line in (("# Game: Hex:size=4\nb2 W\n", 1), ("b2 W\n# game: hex:size=4 (no swap)\n", 2)):
            for columns in (more, 'columns = ["a", "b"]\nposition = "{a}"\n'):
                process = run("experiment", self.ten_lines("hex:size=4", text, columns), "--dry-run")
                self.assert_status(process, BAD_DATA)
                self.assertRegex(process.stderr, rf"mine.txt:{line}: .*line {line}: .*nearest: 'hex'")

    def test_a_file_of_comments(self):
        """It has no rows, with a byte order mark, too; and a bad last comment is told."""
        for more in ("", 'columns = ["a"]\nposition = "{a}"\n', 'position = "b3 {position}"\n'):
            for mark in ("", "\ufeff"):
                process = run("experiment", self.ten_lines("hex:size=3", mark + "# nothing\n\n# game: hex\n", more),
                              "--dry-run")
                self.assert_status(process, BAD_DATA)
                self.assertIn("mine.txt' has no rows\n", process.stderr)
                process = run("experiment", self.ten_lines("hex:size=3", mark + "b2\n", more), "--dry-run")
                self.assert_status(process, 0)
                process = run("experiment", self.ten_lines("hex:size=3", mark + "b2\n#game: hex:sise=3\n", more),
                              "--dry-run")
                self.assert_status(process, BAD_DATA)
                self.assertRegex(process.stderr, "mine.txt:2: .*line 2: hex: unknown key 'sise'")

    def test_what_is_no_row(self):
        """A comment that names no game, also where another one replaces it; a byte order mark alone."""
        one = 'rows = { from = 2, to = 2 }\n'
        for text in ("# game: hexx:size=3\n# game: hex:size=3\na1\nb2\n", "a1\nb2\n\n# game: hexx:size=3\n"):
            process = run("experiment", self.ten_lines("hex:size=3", text, one), "--dry-run")
            self.assert_status(process, BAD_DATA)
            self.assertRegex(process.stderr, "mine.txt:[14]: .*nearest: 'hex'")
        process = run("experiment", self.ten_lines("hex:size=3", "\ufeff\na1\nb2\n", one), "--dry-run")
        self.assert_status(process, 0)
        self.assertEqual([line.split("\t")[2:4] for line in process.stdout.splitlines()[:-1]], [["row 2", "hex:size=3"]])
        process = run("experiment", self.ten_lines("hex:size=3", "\ufeff\na1\nb2\n"), "--dry-run")
        self.assertEqual(process.stdout.splitlines()[-1], "2 runs")


class Huge(ExperimentTest):
    """Files that would fill the machine are refused, with their place, before they do."""

    # Either way of reading rows: as records, by columns.
    WAYS = ("", 'columns = ["cell"]\nposition = "{cell}"\n')

    def refused(self, more, *fragments, name="mine.txt"):
        plan = self.write(f'name = "mine"\nlimits.max_nodes = 2e6\n[[series]]\nname = "s"\ngame = "hex:size=3"\n'
                          f'positions_file = "{name}"\n{more}[[algorithm]]\nspec = "dfpn"\n')
        process = run("experiment", plan, "--dry-run", preexec_fn=self.with_little_memory)
        self.assert_status(process, BAD_DATA)
        self.assertEqual(process.stdout, "")
        for fragment in fragments:
            self.assertIn(fragment, process.stderr)

    @staticmethod
    def with_little_memory():
        if SLOWER == 1:  # sanitizers take much
            resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))

    def test_rows(self):
        self.write("b2\n" * 1_000_001, "mine.txt")
        for more in self.WAYS:
            self.refused(more, "mine.txt:1000001: it has more than 1000000 rows")

    def test_bytes(self):
        """283 MB of positions; a file of 1 TB that takes nothing of the disk; a pipe, which has no size."""
        with open(self.path("mine.txt"), "wb") as file:
            for _ in range(270):
                file.write(b"b2 a1 c3 a2 b1 \n" * 65536)
        for more in self.WAYS:
            self.refused(more, "mine.txt: it is longer than 268435456 bytes")
        with open(self.path("mine.txt"), "wb") as file:
            file.truncate(1 << 40)
        for more in self.WAYS:
            self.refused(more, "mine.txt: it is longer than 268435456 bytes")
        os.remove(self.path("mine.txt"))
        os.mkfifo(self.path("mine.txt"))
        for more in self.WAYS:
            with subprocess.Popen(["sh", "-c", f"yes '{'#' * 1000}' | head -c 270000000 > '{self.path('mine.txt')}'"],
                                  stderr=subprocess.DEVNULL) as writer:
                self.refused(more, "mine.txt:", "it is longer than 268435456 bytes")
                writer.wait(60)

    def test_lines(self):
        """One of them is told with its place, as are those after it."""
        self.write("b2\n" + "b2 " * 400_000 + "\nz9\n", "mine.txt")
        for more in self.WAYS:
            self.refused(more, "mine.txt:2: ", "a line longer than 1048576 bytes", "mine.txt:3: ")

    def test_what_has_no_end(self):
        for more in self.WAYS:
            self.refused(more, "/dev/zero: cannot read file: it is neither a file nor a pipe", name="/dev/zero")
            self.refused(more, "cannot read file", name="..")

    def test_a_plan(self):
        plan = self.write("# " + "x" * (65 << 20))
        self.assert_fails(["experiment", plan, "--dry-run"], BAD_DATA, f"{plan}: ", "longer than 67108864 bytes")


if __name__ == "__main__":
    unittest.main()
