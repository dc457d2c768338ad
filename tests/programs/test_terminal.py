"""What a person sees: the board and the live line on a terminal, the picture, the sentence."""

import fcntl
import os
import pty
import random
import re
import select
import shlex
import struct
import subprocess
import tempfile
import termios
import time
import unittest
import xml.etree.ElementTree

from program import BAD_DATA, CHECKER, DECIDED, NO_OUTPUT, PROGRAM, SOURCE, TIMEOUT, UNDECIDED, USAGE, \
    ProgramTest, run

SVG = "{http://www.w3.org/2000/svg}"
ENDLESS = ("solve", "hex:size=9", "--max-seconds", "2.2", "--threads", "1", "--algorithm")
SLOW = "pn:leaf=playouts,playouts=1024"  # its tree stays small
CONNECT = "connect6:rows=3,columns=4,connect=3,stones=1"
STONES = {"●": "X", "◉": "X", "○": "O", "◎": "O"}
WOOD, RED, GREEN = 137, 160, 34  # what is behind a cell, the last move, the best one


def behind(text, colour, front=r"\d+"):
    """What stands on this colour, and is drawn with that one."""
    return re.findall(rf"\x1b\[38;5;{front};48;5;{colour}m(.)\x1b\[0m", text)


def luminance(number):
    """Of one of the 216 colours that no theme changes (WCAG 2)."""
    levels = [(0, 95, 135, 175, 215, 255)[(number - 16) // step % 6] / 255 for step in (36, 6, 1)]
    red, green, blue = (level / 12.92 if level <= 0.03928 else ((level + 0.055) / 1.055)**2.4 for level in levels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def environment(**variables):
    kept = {k: v for k, v in os.environ.items()
            if k not in ("LC_ALL", "LC_CTYPE", "LANG", "NO_COLOR", "TERM")}
    return kept | {"LANG": "C.UTF-8", "TERM": "xterm"} | variables


def on_terminal(*arguments, columns=80, error=False, **variables):
    """(status, what a terminal got): of stdout, or of stderr; the other one is not of interest."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    other = subprocess.DEVNULL
    process = subprocess.Popen([PROGRAM, *arguments], stdin=subprocess.DEVNULL,
                               stdout=other if error else slave, stderr=slave if error else other,
                               env=environment(**variables))
    os.close(slave)
    seen, end = b"", time.monotonic() + TIMEOUT
    try:
        while time.monotonic() < end:
            if not select.select([master], [], [], 1)[0]:
                continue
            try:
                part = os.read(master, 1 << 16)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            seen += part
        return process.wait(timeout=TIMEOUT), seen.decode("utf-8").replace("\r\n", "\n")
    finally:
        process.kill()
        os.close(master)


def without_colours(text):
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def stones_on(lines, row_names):
    """{cell name: stone} of the rows of a board, by the letters above and the names of the rows. Rows
    of hexagons, between two edges, are shifted."""
    head = next(i for i, line in enumerate(lines) if re.fullmatch(r" +[a-zA-Z]( [a-zA-Z])+", line))
    found = {}
    for row, line in enumerate(lines[head + 1:head + 1 + len(row_names)]):
        shift = row if head > 0 else 0
        for match in re.finditer("[a-zA-Z]", lines[head]):
            place = match.start() + shift
            if line[place] in STONES:
                found[match.group() + row_names[row]] = STONES[line[place]]
    return found


class Board(ProgramTest):

    def board(self, *arguments, **variables):
        status, text = on_terminal("solve", *arguments, **variables)
        self.assertEqual(status, DECIDED, text)
        sentence, board, fields = text.split("\n\n", 2)
        self.assertTrue(sentence.endswith("."), text)
        self.assertTrue(fields.startswith("game        "), text)
        return board.split("\n")

    def test_of_random_positions(self):
        draw = random.Random(5)
        for _ in range(4):
            cells = [c + r for c in "abcd" for r in "123"]
            moves = draw.sample(cells, 5)
            lines = self.board("hex:rows=3,columns=4", "--position", " ".join(moves))
            shown = stones_on([without_colours(line) for line in lines], "123")
            if shown:  # else the game was over before
                self.assertEqual(shown, {m: "XO"[i % 2] for i, m in enumerate(moves)})
        for _ in range(4):
            cells = [c + r for c in "ABCD" for r in "ABC"]
            moves = draw.sample(cells, 4)
            lines = self.board(CONNECT, "--position", " ".join(moves))
            shown = stones_on([without_colours(line) for line in lines], "ABC")
            self.assertEqual(shown, {m: "XO"[i % 2] for i, m in enumerate(moves)})

    def test_othello(self):
        text = "OOOXXOXXXOOOXO-- X"
        lines = self.board("othello:size=4", "--position", text, "--goal", "score")
        shown = stones_on([without_colours(line) for line in lines], "1234")
        self.assertEqual("".join(shown.get(c + r, "-") for r in "1234" for c in "abcd"), text[:-2])
        self.assertEqual(behind(lines[-1], GREEN), ["◆"])
        self.assertNotIn("last move", lines[-1])  # the text does not tell

    def test_marks(self):
        answer = self.json("solve", "hex:size=3", "--position", "b2 a1", "--algorithm", "pn")
        for position in ("b2 a1", " B2  a1 "):
            lines = self.board("hex:size=3", "--position", position, "--algorithm", "pn")
            self.assertEqual(without_colours(lines[-1]), "● Black  ○ White  ◎ last move  ◆ best move  + carrier")
            self.assertEqual((behind(lines[-1], RED), behind(lines[-1], GREEN)), (["◎"], ["◆"]))
            rows = [without_colours(line) for line in lines[2:5]]
            places = {line[9 + 2 * c + r]: "abc"[c] + str(r + 1)
                      for r, line in enumerate(rows) for c in range(3)}
            self.assertEqual(places["◎"], "a1")
            self.assertEqual(places["◆"], answer["best_move"])
            marked = [cell for cell in answer["carrier"] if cell != answer["best_move"]]
            self.assertEqual("".join(rows).count("+"), len(marked))
        lines = self.board(CONNECT, "--position", ";B[BB];W[CC]")
        self.assertEqual(behind(lines[-1], RED), ["◎"])
        status, text = on_terminal("solve", "hex:size=7", "--algorithm", "pn", "--max-nodes", "500")
        self.assertEqual(status, UNDECIDED)
        self.assertIn("looks best", text)
        self.assertNotIn("◆ best move", without_colours(text))

    def test_black_is_dark_and_white_is_bright_on_every_terminal(self):
        """Each cell says both of its colours, in numbers that no theme changes."""
        def contrast(a, b):
            bright, dark = sorted((luminance(a), luminance(b)), reverse=True)
            return (bright + 0.05) / (dark + 0.05)

        for game, position in (("hex:size=4", "b2 a1 c3"), (CONNECT, "BB CC"), ("othello:size=4", "OOOXXOXXXOOOXO-- X")):
            text = "\n".join(self.board(game, "--position", position, "--algorithm", "pn"))
            cells = re.findall(r"\x1b\[38;5;(\d+);48;5;(\d+)m(.)\x1b\[0m", text)
            shown = re.sub(r"\x1b\[[^m]*m.\x1b\[0m", "", text)
            self.assertNotRegex(shown, "[●○◉◎◆·]")  # nothing of the board in the terminal's colours
            for front, back, stone in cells:
                front, back = int(front), int(back)
                self.assertTrue(16 <= min(front, back) <= max(front, back) <= 231)
                self.assertGreater(contrast(front, back), 3, stone)
                if stone in STONES:
                    self.assertEqual(luminance(front) > luminance(back), STONES[stone] == "O", stone)
            self.assertGreater(len(cells), 12)
        # Where no colours are taken stones are the names' initials.
        plain = on_terminal("solve", "hex:size=3", "--position", "b2 a1", NO_COLOR="1")[1]
        self.assertIn("\nB Black  W White  Ⓦ last move  ◆ best move  + carrier\n", plain)
        self.assertNotRegex(plain, "[●○◉◎]")

    def test_where_it_is_drawn(self):
        hexes = ("solve", "hex:size=3", "--position", "b2", "--algorithm", "pn")
        for arguments, variables, mark in (
                ((), {}, "48;5;160m◉"), ((), {"NO_COLOR": "1"}, "Ⓑ"), ((), {"NO_COLOR": ""}, "\x1b"),
                ((), {"TERM": "dumb"}, "Ⓑ"), ((), {"LANG": "C"}, None),
                ((), {"LC_ALL": "C"}, None), ((), {"LANG": "", "LC_CTYPE": "de_DE.utf8"}, "◉"),
                (("--no-board",), {}, None), (("--board",), {"LANG": "C"}, "#")):
            with self.subTest(arguments=arguments, variables=variables):
                text = on_terminal(*hexes, *arguments, **variables)[1]
                self.assertEqual("a b c" in text, mark is not None, text)
                self.assertIn(mark or "White to move loses", text)
                colours = "\x1b" in text
                self.assertEqual(colours, mark is not None and not variables.get("NO_COLOR") and
                                 variables.get("TERM") != "dumb")
        # Elsewhere only if it is asked for, and without colours.
        for arguments, drawn in (((), False), (("--no-board",), False), (("--board",), True)):
            process = run(*hexes, *arguments, env=environment())
            self.assertEqual("Ⓑ" in process.stdout, drawn, process.stdout)
            self.assertNotIn("\x1b", process.stdout)
        self.assertTrue(run(*hexes, "--no-board", "--json").stdout.startswith("{"))
        # No board, and none is missed.
        for game in ("pgame:depth=3", "nim"):
            status, text = on_terminal("solve", game)
            self.assertEqual(status, DECIDED)
            self.assertNotIn("\x1b", text)

    def test_refused(self):
        for option in (("--board",), ("--svg", "x.svg")):
            for game in ("pgame:depth=3", "nim"):
                self.assert_fails(("solve", game, *option), USAGE, option[0] + ": ", game[:3],
                                  "no board to draw")
            for lines in (("--position", "-"), ("--position-file", "x")):
                self.assert_fails(("solve", "hex:size=3", *lines, *option), USAGE, option[0] + ": ",
                                  "of one position")
        self.assertFalse(os.path.exists("x.svg"))
        self.assert_fails(("solve", "hex:size=3", "--board", "--json"), USAGE, "--board", "--svg")
        self.assert_fails(("solve", "hex:size=3", "--board", "--no-board"), USAGE, "--no-board")


class Picture(ProgramTest):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.path = os.path.join(folder.name, "board.svg")

    def picture(self, *arguments, status=DECIDED):
        process = run("solve", *arguments, "--svg", self.path)
        self.assert_status(process, status)
        self.assertEqual(os.listdir(self.folder), ["board.svg"])
        root = xml.etree.ElementTree.parse(self.path).getroot()
        self.assertEqual(root.tag, SVG + "svg")
        self.assertEqual([root[0].tag, root[1].tag], [SVG + "title", SVG + "desc"])
        return root, process.stdout.split("\n")[0]

    def test_of_every_board(self):
        for game, position, stones in (("hex:size=3", "b2 a1", 2), (CONNECT, "BB CC BA", 3),
                                       ("othello:size=4", "OOOXXOXXXOOOXO-- X", 14)):
            root, sentence = self.picture(game, "--position", position, "--algorithm", "pn")
            self.assertEqual(sorted(root[0].text.split(": ")[1].split()), sorted(position.split()))
            self.assertTrue(root[1].text.startswith(sentence), root[1].text)
            answer = self.json("solve", game, "--position", position, "--algorithm", "pn")
            best = answer["best_move"]
            self.assertEqual(f" Best move: {best}." in root[1].text, best is not None)
            last = not game.startswith("othello")
            self.assertEqual(f" Last move: {position.split()[-1]}." in root[1].text, last)
            circles = root.findall(SVG + "circle")
            self.assertEqual(len(circles), stones + last + (best is not None))

    def test_of_an_open_question(self):
        root, sentence = self.picture("hex:size=7", "--algorithm", "pn", "--max-nodes", "500",
                                      status=UNDECIDED)
        self.assertIn("not decided", sentence)
        self.assertIn(" The move that looks best: ", root[1].text)
        self.assertNotIn("Best move", root[1].text)

    def test_with_json_and_what_was_resumed(self):
        check = os.path.join(self.folder, "run.ckpt")
        self.assert_status(run("solve", "hex:size=3", "--position", "b2", "--algorithm", "pn",
                               "--checkpoint", check), DECIDED)
        process = run("solve", "--resume", check, "--svg", self.path, "--json")
        self.assert_status(process, DECIDED)
        self.assertTrue(process.stdout.startswith("{"))
        with open(self.path, encoding="utf-8") as file:
            self.assertIn("<title>hex:size=3: b2</title>", file.read())
        # What it shows is known only now.
        self.assert_status(run("solve", "pgame:depth=3", "--algorithm", "pn", "--checkpoint",
                               check), DECIDED)
        self.assert_fails(("solve", "--resume", check, "--svg", self.path), USAGE, "no board to draw")

    def test_the_answer_comes_all_the_same(self):
        for form, begin in (("--json", "{"), ("--board", "White to move loses")):
            process = subprocess.run(
                ["sh", "-c", 'ulimit -f 0; exec "$@"', "sh", PROGRAM, "solve", "hex:size=3",
                 "--position", "b2", "--svg", self.path, form], stdout=subprocess.PIPE, text=True,
                stderr=subprocess.PIPE, timeout=TIMEOUT, check=False)
            self.assert_status(process, NO_OUTPUT)
            self.assertTrue(process.stdout.startswith(begin), process.stdout)
            self.assertIn("board.svg: cannot write file", process.stderr)
            self.assertEqual(os.listdir(self.folder), [])

    def test_whole_or_not_at_all(self):
        for path in (self.folder, os.path.join(self.folder, "none", "x"), ""):
            self.assert_fails(("solve", "hex:size=3", "--algorithm", "pn", "--svg", path), NO_OUTPUT)
        with open(self.path, "w", encoding="utf-8") as file:
            file.write("mine")
        self.assert_fails(("solve", "hex:size=3", "--algorithm", "pn", "--svg", self.path,
                           "--position", "zz"), BAD_DATA)
        for option in ("--certificate", "--checkpoint"):
            self.assert_fails(("solve", "hex:size=3", "--algorithm", "pn", "--svg", self.path,
                               option, self.path), USAGE, "are one file")
        with open(self.path, encoding="utf-8") as file:
            self.assertEqual(file.read(), "mine")
        self.assertEqual(os.listdir(self.folder), ["board.svg"])


class Words(ProgramTest):

    def test_the_proof_is_as_long_as_it_says(self):
        with tempfile.TemporaryDirectory() as folder:
            for end in ("cert", "cert.zst"):
                path = os.path.join(folder, "proof." + end)
                for game, algorithm, goal in (
                        ("hex:size=3", "pn", "win"), ("hex:size=4", "dfpn:zones=off", "win"),
                        ("hex:size=5", "dfpn:patterns=64,probe=connections", "draw"),
                        ("othello:size=4", "pn", "score"), ("pgame:depth=8", "minimax", "value"),
                        ("othello:size=4", "pn", "score>=-16"), (CONNECT, "ppn", "value")):
                    answer = run("solve", game, "--algorithm", algorithm, "--goal", goal,
                                 "--certificate", path).stdout
                    nodes = re.search(r" The proof has ([\d,]+) nodes?\.\n", answer).group(1)
                    listed = re.search(r"^listed +(\d+)$", subprocess.run(
                        [CHECKER, path], capture_output=True, text=True, check=True).stdout, re.M)
                    self.assertEqual(nodes, f"{int(listed.group(1)):,}", (game, algorithm, goal))
        self.assertNotIn("proof has", run("solve", "hex:size=3").stdout)

    def test_the_page_shows_what_is_printed(self):
        """docs/solve.md: its examples, and every sentence of its table."""
        with open(os.path.join(SOURCE, "docs", "solve.md"), encoding="utf-8") as file:
            page = file.read()
        examples = re.findall(r"^    \$ playproof (.*)\n((?:    .*\n|\n)+)", page, re.M)
        self.assertEqual(len(examples), 3)
        for line, shown in examples:
            with tempfile.TemporaryDirectory() as folder:
                process = run(*shlex.split(line), *([] if "--board" in line else ["--board"]),
                              cwd=folder, env=environment())
            parts = re.sub("^    ", "", shown, flags=re.M).strip().split("...")
            self.assertTrue(process.stdout.startswith(parts[0]), process.stdout)
            for part in parts[1:]:
                self.assertIn(part.strip(), process.stdout)
        tic_tac_toe = "connect6:size=3,connect=3,stones=1"
        othello = ("othello:size=4", "--position", "OOOXXOXXXOOOXO-- X", "--algorithm", "pn")
        calls = [("hex:size=3",), (tic_tac_toe,), ("hex:size=3", "--position", "a1 b2"),
                 (tic_tac_toe, "--goal", "draw"),
                 ("hex:size=3", "--position", "a1 b2", "--goal", "draw"),
                 (*othello, "--goal", "score>=4"),
                 ("othello:size=4", "--algorithm", "pn", "--goal", "score>=4"),
                 (tic_tac_toe, "--goal", "value"), (*othello, "--goal", "score"),
                 ("hex:size=2", "--position", "a1 b1 a2"), ("hex:size=7", "--max-nodes", "50")]
        rows = re.findall(r"\| ([A-Z].*\.) \|$", page, re.M)
        self.assertEqual([run("solve", *call).stdout.split("\n")[0] for call in calls], rows)


class LiveLine(ProgramTest):

    def lines(self, *arguments, columns=80):
        status, text = on_terminal(*arguments, columns=columns, error=True)
        self.assertEqual(status, UNDECIDED, text)
        self.assertTrue(text.endswith("\r\x1b[K"), text)  # wiped at the end
        found = [line.removesuffix("\x1b[K") for line in text.split("\r")[1:-1]]
        self.assertGreaterEqual(len(found), 2, text)
        for line in found:
            self.assertLess(len(line), columns)
            self.assertNotIn("\x1b", line)
            self.assertNotIn("\n", line)
        return found

    def test_numbers_memory_and_share(self):
        shares = []
        form = (r"[\d.]+ s  pn [\d.e+]+ dn [\d.e+]+  \d+ nodes  [\d.e+]+ nodes/s  best [a-i]\d  "
                r"[\d.]+ [KM]iB  (\d+) % of --max-seconds")
        with open(os.path.join(SOURCE, "docs", "solve.md"), encoding="utf-8") as file:
            self.assertRegex(file.read(), f"(?m)^    {form}$")
        for line in self.lines(*ENDLESS, SLOW, columns=160):
            match = re.fullmatch(form, line)
            self.assertTrue(match, line)
            shares.append(int(match.group(1)))
        self.assertEqual(shares, sorted(set(shares)))  # it grows
        self.assertLessEqual(shares[-1], 100)
        for line in self.lines(*ENDLESS, "dfpn:leaf=unit,table=16MiB", columns=160):
            self.assertRegex(line, r"^[\d.]+ s  pn \d+ dn \d+  ")

    def test_narrow_terminals(self):
        for columns in (60, 12):
            for line in self.lines(*ENDLESS, SLOW, columns=columns):
                self.assertRegex(line, r"^\d+\.\d s")
                self.assertEqual("pn " in line, columns == 60, line)


if __name__ == "__main__":
    unittest.main()
