"""Every wrong option, game, size and position gets its status and a text that says what is wrong."""

import json
import os
import subprocess
import tempfile
import unittest

from program import BAD_DATA, DECIDED, PROGRAM, TIMEOUT, UNAVAILABLE, USAGE, ProgramTest, run

HEX = ("solve", "hex:size=3", "--algorithm", "pn")

# (arguments, fragments of the message): all are usage errors, status 64.
USAGE_CASES = [
    # Commands.
    ((), ("command is needed", "solve")),
    (("solv",), ("unknown command 'solv'", "nearest: 'solve'")),
    (("bench",), ("command is needed", "playouts")),
    (("help", "solv"), ("unknown command 'solv'", "nearest: 'solve'")),
    (("help", "bench", "serach"), ("bench: unknown command 'serach'", "nearest: 'search'")),
    (("bench", "serach"), ("unknown command 'serach'", "nearest: 'search'")),
    # Options.
    (("solve",), ("GAME",)),
    ((*HEX, "--sead", "1"), ("unknown option '--sead'", "nearest: '--seed'")),
    ((*HEX, "--max-node=5"), ("unknown option '--max-node'", "nearest: '--max-nodes'")),
    # An abbreviation, or a part of a name.
    (("solve", "hex", "--algo", "pn"), ("unknown option '--algo'", "nearest: '--algorithm'")),
    ((*HEX, "--nodes", "5"), ("unknown option '--nodes'", "nearest: '--max-nodes'")),
    ((*HEX, "--memory=5"), ("unknown option '--memory'", "nearest: '--max-memory'")),
    (("solve", "hex", "--algorithm", "dfpn:eps=0.1"), ("unknown key 'eps'", "nearest: 'epsilon'")),
    (("solve", "pgame:b=3",), ("unknown key 'b'", "nearest: 'branching'")),
    ((*HEX, "extra"), ("extra",)),
    ((*HEX, "--certificate", "--json"), ("--certificate needs the name of a file", "'--json'")),
    ((*HEX, "--checkpoint", "--json"), ("--checkpoint needs the name of a file", "'--json'")),
    (("report", "r.db", "--output", "--format"), ("--output needs the name of a file",)),
    ((*HEX, "--seed"), ("--seed",)),
    ((*HEX, "--seed", "-1"), ("--seed must be an integer 0..18446744073709551615, not '-1'",)),
    ((*HEX, "--seed", "1x"), ("--seed must be", "'1x'")),
    ((*HEX, "--seed", ""), ("--seed must be", "not ''")),
    # Numbers have one name: the checker takes no other either.
    ((*HEX, "--seed", "01"), ("--seed must be an integer", "not '01' (no leading zeros)")),
    ((*HEX, "--max-nodes", "010"), ("--max-nodes must be", "'010' (no leading zeros)")),
    ((*HEX, "--max-seconds", "01.5"), ("--max-seconds must be", "'01.5' (no leading zeros)")),
    ((*HEX, "--max-memory", "064MiB"), ("--max-memory", "'064MiB'")),
    (("solve", "hex:size=03", "--algorithm", "pn"), ("'03' (no leading zeros)",)),
    (("solve", "pgame:tree=01", "--algorithm", "pn"), ("tree must be", "'01' (no leading zeros)")),
    (("solve", "hex:size=3", "--algorithm", "ppn:playouts=032"), ("'032' (no leading zeros)",)),
    (("solve", "hex:size=3", "--algorithm", "ppn:theta=00.001"), ("(no leading zeros)",)),
    (("solve", "othello", "--algorithm", "pn", "--goal", "score>=01"),
     ("N must be a whole number -64..64, not '01' (no leading zeros)",)),
    (("solve", "othello", "--algorithm", "pn", "--goal", "score>=-0"), ("'-0'",)),
    # Bytes that a terminal would take for orders, or that are no text.
    ((*HEX, "--seed", "\x1b[31m\xff"), ("'\\x1b[31m\\xc3\\xbf'",)),
    (("solve", "h\xe9x", "--algorithm", "pn"), ("unknown game 'h\\xc3\\xa9x'",)),
    ((*HEX, "--seed", "18446744073709551616"), ("--seed must be",)),
    ((*HEX, "--batch", "0"), ("--batch must be an integer 1..", "not '0'")),
    ((*HEX, "--pipeline", "0"), ("--pipeline must be an integer 1..64, not '0'",)),
    ((*HEX, "--pipeline", "65"), ("--pipeline must be an integer 1..64, not '65'",)),
    (("solve", "hex:size=3", "--algorithm", "dfpn", "--pipeline", "2"),
     ("--pipeline: dfpn asks about the children of one node at a time",)),
    ((*HEX, "--workers", "0"), ("--workers must be an integer 1..256, not '0'",)),
    (("solve", "hex:size=3", "--algorithm", "pn", "--workers", "2"),
     ("--workers: pn has one; several have alphabeta, dfpn, pds, pnstar",)),
    (("solve", "loa:size=4", "--algorithm", "dfpn", "--workers", "2"), ("positions can come again",)),
    (("solve", "hex:size=3", "--algorithm", "dfpn:searchers=2", "--workers", "2"), ("take turns",)),
    (("solve", "hex:size=3", "--algorithm", "dfpn:policy=loss"), ("policy=loss needs several searchers",)),
    (("solve", "hex:size=3", "--algorithm", "dfpn:jobdepth=3", "--workers", "2"), ("jobdepth=3 needs policy=depth",)),
    (("solve", "hex:size=3", "--algorithm", "dfpn:tablelock=on,searchers=2"), ("tablelock=on needs several threads",)),
    (("gtp", "hex:size=3", "--algorithm", "pds:policy=flag", "--workers", "1"), ("policy=flag needs several searchers",)),
    ((*HEX, "--threads", "0"), ("--threads must be an integer 1..1024, not '0'",)),
    ((*HEX, "--max-nodes", "0"), ("--max-nodes must be",)),
    *(((*HEX, "--max-nodes", text), (f"--max-nodes must be an integer 1..{2**64 - 1}, not '{text}'",))
      for text in ("2.5", "2.0", "2.5e0", "1e-3", "1e20", "1e99", "1e100", "2e", "e6", ".5e1", "2.e1", "1e6x", "0e3",
                   "1e1e1", "-1e3", "+1e3", "1e 3", "0x1e3")),
    ((*HEX, "--max-nodes", "02e3"), ("not '02e3' (no leading zeros)",)),
    ((*HEX, "--max-seconds", "0"), ("--max-seconds must be a number greater than 0, not '0'",)),
    ((*HEX, "--max-seconds", "nan"), ("--max-seconds must be",)),
    ((*HEX, "--max-seconds", "inf"), ("--max-seconds must be",)),
    ((*HEX, "--max-seconds", "-1"), ("--max-seconds must be",)),
    ((*HEX, "--max-memory", "lots"), ("--max-memory", "64MiB", "'lots'")),
    ((*HEX, "--progress", "loud"), ("--progress must be auto, json or none, not 'loud'",)),
    ((*HEX, "--position", "a1", "--position-file", "f"), ("--position",)),
    # Files.
    ((*HEX, "--certificate"), ("--certificate",)),
    ((*HEX, "--position", "-", "--certificate", "f"), ("--certificate", "one position")),
    ((*HEX, "--checkpoint"), ("--checkpoint",)),
    ((*HEX, "--resume"), ("--resume",)),
    ((*HEX, "--checkpoint", "f", "--checkpoint-every", "0"),
     ("--checkpoint-every must be a number greater than 0, not '0'",)),
    ((*HEX, "--selfcheck", "4"), ("--selfcheck must be an integer 0..3, not '4'",)),
    ((*HEX, "--keep-table"), ("--keep-table", "several positions")),
    ((*HEX, "--keep-table", "--position", "-"), ("--keep-table", "pn has no table")),
    # Games.
    (("solve", "TicTacToe", "--algorithm", "pn"), ("nearest: 'connect6:size=3,connect=3,stones=1'",)),
    (("solve", "Hex", "--algorithm", "pn"), ("unknown game 'Hex'", "nearest: 'hex'")),
    (("solve", "hex", "--algorithm", "DF-PN"), ("nearest: 'dfpn'",)),
    (("solve", "hex", "--algorithm", "alpha-beta"), ("nearest: 'alphabeta'",)),
    (("solve", "hex", "--algorithm", "negamax"), ("nearest: 'minimax'",)),
    (("solve", "hexx", "--algorithm", "pn"), ("unknown game 'hexx'", "nearest: 'hex'", "othello")),
    (("solve", "hex:size=25", "--algorithm", "pn"), ("hex: size must be 2..19, not 25",)),
    (("solve", "hex:size=1", "--algorithm", "pn"), ("hex: size must be 2..19, not 1",)),
    (("solve", "hex:size=", "--algorithm", "pn"), ("size",)),
    (("solve", "hex:size=four", "--algorithm", "pn"), ("size must be", "'four'")),
    (("solve", "hex:sise=4", "--algorithm", "pn"), ("'sise'", "nearest: 'size'")),
    (("solve", "hex:size=4,size=5", "--algorithm", "pn"), ("given twice",)),
    (("solve", "hex", "--max-nodes", "100", "--max-nodes", "10"), ("--max-nodes is given more than once",)),
    (("solve", "hex", "--max-memory", "x", "--max-memory", "1GiB"), ("--max-memory is given more than once",)),
    (("solve", "hex", "--algorithm", "pn", "--algorithm", "dfpn"), ("--algorithm is given more than once",)),
    (("solve", "hex", "--certificate", "a.cert", "--certificate", "b.cert"), ("--certificate is given more than once",)),
    (("solve", "hex:size=4,rows=5,columns=4", "--algorithm", "pn"), ("not both",)),
    (("solve", "hex:rows=5", "--algorithm", "pn"), ("columns is missing",)),
    (("solve", "hex:rows=5,columns=20", "--algorithm", "pn"), ("columns must be 2..19, not 20",)),
    (("solve", "othello:size=5", "--algorithm", "pn"), ("othello: size must be one of 4, 6, 8",)),
    (("solve", "connect6:size=20", "--algorithm", "pn"), ("size must be 2..19, not 20",)),
    (("solve", "connect6:rows=3,columns=3,connect=4", "--algorithm", "pn"), ("connect must be",)),
    (("solve", "connect6:stones=0", "--algorithm", "pn"), ("stones must be 1..8, not 0",)),
    (("solve", "pgame:branching=1", "--algorithm", "pn"), ("branching must be 2..64, not 1",)),
    (("solve", "pgame:depth=65", "--algorithm", "pn"), ("depth must be 1..64, not 65",)),
    (("solve", "pgame:tree=-1", "--algorithm", "pn"), ("tree must be",)),
    # Algorithms and goals.
    (("solve", "hex", "--algorithm", "ppm"), ("unknown algorithm 'ppm'", "nearest: 'ppn'")),
    (("solve", "hex", "--algorithm", "pn:tie=left"), ("'tie'", "nearest: 'ties'")),
    (("solve", "hex", "--algorithm", "pn:ties=right"), ("ties must be one of", "'right'")),
    (("solve", "hex", "--algorithm", "pn:ties=deepest,stop=one"), ("ties=deepest",)),
    (("solve", "hex", "--algorithm", "deeppn:R=1.5"), ("R must be", "1.5")),
    (("solve", "hex", "--algorithm", "ppn:playouts=0"), ("playouts must be", "0")),
    (("solve", "hex", "--algorithm", "ppn:playouts=10,theta=0.05"), ("theta must be below",)),
    (("solve", "hex", "--algorithm", "uct:C=-1"), ("C must be",)),
    ((*HEX, "--goal", "lose"), ("unknown goal 'lose'", "score>=N")),
    ((*HEX, "--goal", "score"), ("has no scores",)),
    ((*HEX, "--goal", "score>=1"), ("has no scores",)),
    (("solve", "othello", "--algorithm", "pn", "--goal", "score>=65"), ("-64..64",)),
    (("solve", "othello", "--algorithm", "pn", "--goal", "score>=x"), ("score>=N", "'x'")),
    # Backends.
    (("solve", "hex", "--algorithm", "ppn", "--backend", "gpu"), ("unknown backend 'gpu'",)),
    ((*HEX, "--backend", "cpo"), ("unknown backend 'cpo'", "nearest: 'cpu'")),
    ((*HEX, "--backend", "check:of=cpo"), ("of must be one of", "'cpo'")),
    ((*HEX, "--backend", "check:evry=5"), ("'evry'", "nearest: 'every'")),
    # perft.
    (("perft", "hex"), ("--depth",)),
    (("perft", "hex", "--depth", "x"), ("--depth must be an integer 0..100, not 'x'",)),
    (("perft", "hex", "--depth", "101"), ("--depth must be",)),
    (("perft", "--depth", "1"), ("GAME",)),
    # bench.
    (("bench", "playouts", "hex", "--engine", "slized"), ("unknown engine 'slized'",
                                                          "nearest: 'sliced'")),
    (("bench", "playouts", "hex", "--seconds", "1", "--playouts", "5"), ("--playouts",)),
    (("bench", "playouts", "hex", "--leaves", "2", "--playouts", "5"), ("--playouts",)),
    (("bench", "playouts", "hex", "--playouts-per-leaf", "5"), ("needs --leaves",)),
    (("bench", "playouts", "hex", "--dump-words", "f"), ("--dump-words needs --playouts",)),
    (("bench", "playouts", "hex:size=2", "--leaves", "1000"), ("different positions",)),
    (("bench", "search", "hex", "--algorithm", "pn", "--batch", "1,,8"), ("--batch must be",)),
    (("bench", "search", "hex", "--algorithm", "pn", "--batch", "0"), ("--batch must be",)),
    (("bench", "search", "hex", "--algorithm", "pn", "--pipeline", "2,"), ("--pipeline must be",)),
    (("bench", "search", "hex:size=2", "--algorithm", "pds", "--pipeline", "2"),
     ("--pipeline: pds asks",)),
    (("bench", "search", "hex", "--algorithm", "pn", "--repeat", "0"), ("--repeat must be",)),
    # A wrong name is found before any position is read.
    (("solve", "hex", "--algorithm", "nope", "--position", "-"), ("unknown algorithm",)),
]

OTHELLO = "-" * 27 + "OX------XO" + "-" * 27  # the start position
GONE_SQUARE = OTHELLO[:27] + "-" + OTHELLO[28:]
APART = "X" + OTHELLO[1:]

# (game, position, fragments): all are bad data, status 65.
POSITION_CASES = [
    ("hex:size=3", "a1 a1", ("hex position", "'a1' is occupied", "offset 3")),
    ("hex:size=3", "d1", ("off the board", "offset 0")),
    ("hex:size=3", "a4", ("off the board",)),
    ("hex:size=3", "b2 ??", ("expected a cell", "offset 3")),
    ("hex:size=2", "a1 b1 a2 b2", ("game is over",)),
    ("othello:size=8", OTHELLO[:-1] + " X", ("64", "63")),
    ("othello:size=8", OTHELLO + "- X", ("64",)),
    ("othello:size=8", OTHELLO, ("side to move",)),
    ("othello:size=8", OTHELLO + " Z", ("side to move must be X or O",)),
    ("othello:size=8", OTHELLO.replace("XO", "Xq") + " X", ("square e5 must be X", "not 'q'", "offset 36")),
    ("othello:size=8", GONE_SQUARE + " X", ("centre", "d4")),
    ("othello:size=8", APART + " X", ("hang together", "a1")),
    ("othello:size=8", OTHELLO + " O", ("impossible disc counts",)),
    ("othello:size=8", OTHELLO + " X d3", ("nothing may follow",)),
    ("connect6:size=19", "JJ JJ", ("'JJ' is occupied", "offset 3")),
    ("connect6:size=19", "JT", ("off the board",)),
    ("connect6:size=19", "J1", ("expected a cell such as JJ",)),
    ("connect6:size=19", ";B[JJ];B[KI]", ("stone 2 is White's",)),
    ("connect6:size=19", ";W[JJ]", ("stone 1 is Black's",)),
    ("connect6:size=19", ";B[JJ", ("offset",)),
    ("connect6:rows=3,columns=3,connect=2,stones=1", "AA CC AB BA", ("game is over",)),
    ("pgame:branching=2,depth=3", "0 2", ("branch must be 0..1", "offset 2")),
    ("pgame:branching=2,depth=3", "x", ("branch number",)),
    ("pgame:branching=2,depth=3", "0 0 0 0", ("game is over after 3 plies",)),
]


class BadInput(ProgramTest):

    def test_usage(self):
        for arguments, fragments in USAGE_CASES:
            with self.subTest(arguments=arguments):
                self.assert_fails(arguments, USAGE, *fragments)
                self.assertNotIn("playproof: playproof", run(*arguments).stderr)

    def test_position(self):
        for game, position, fragments in POSITION_CASES:
            commands = (("solve", game, "--algorithm", "pn", "--max-nodes", "9", "--position",
                         position),
                        ("perft", game, "--depth", "1", "--position", position))
            for arguments in commands:
                with self.subTest(arguments=arguments):
                    self.assert_fails(arguments, BAD_DATA, *fragments)

    def test_unreadable_file(self):
        with tempfile.TemporaryDirectory() as folder:
            missing = os.path.join(folder, "missing.txt")
            self.assert_fails((*HEX, "--position-file", missing), BAD_DATA, missing,
                              "No such file")
            self.assert_fails((*HEX, "--position-file", folder), BAD_DATA, folder, "directory")

    def test_raw_bytes_stay_out_of_messages(self):
        raw = b"\x1b[31m\xff\xc3\xa9\x9b\x07"
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder.encode(), raw)
            search = (b"solve", b"hex:size=3", b"--algorithm", b"pn")
            for content in (b"", raw, b"[[" + raw + b"]]\n", b'name = "' + raw + b'"\n'):
                with open(path, "wb") as file:
                    file.write(content)
                for arguments in ((*search, b"--position", raw), (*search, b"--position-file", path),
                                  (*search, b"--position-file", path + b"-missing"),
                                  (*search, b"--goal", raw), (*search, b"--" + raw), (raw,),
                                  (b"solve", b"--resume", path), (b"experiment", path),
                                  (*search, b"--checkpoint", path)):
                    process = subprocess.run([PROGRAM.encode(), *arguments], capture_output=True,
                                             timeout=TIMEOUT, check=False, cwd=folder)
                    for line in process.stderr.decode("ascii").splitlines():
                        self.assertTrue(line.isprintable(), (arguments, line))
                    process.stdout.decode("ascii")

    def test_json_is_utf8(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder.encode(), b"\xff-\xc3\xa9.cert")
            process = subprocess.run(
                [PROGRAM, "solve", "hex:size=2", "--algorithm", "pn", "--json", "--certificate", path],
                capture_output=True, timeout=TIMEOUT, check=False)
            self.assert_status(process, DECIDED)
            answer = json.loads(process.stdout.decode("utf-8"))
            self.assertEqual(answer["certificate"], folder + "/\\xff-\u00e9.cert")

    def test_backend_that_the_machine_lacks(self):
        if any(device["kind"] == "cuda" for device in self.json("devices")):
            self.skipTest("this machine has a device")
        for backend in ("cuda", "cuda:device=1", "cuda:devices=all", "latency:of=cuda",
                        "check:of=cuda"):
            arguments = ("solve", "hex:size=3", "--algorithm", "ppn", "--backend", backend)
            self.assert_fails(arguments, UNAVAILABLE, "backend cuda: ")

    def test_devices_that_are_no_numbers(self):
        for backend, text in (("cuda:device=64", "device must be 0..63, not 64"),
                              ("cuda:devices=two", "devices must be one of one, all"),
                              ("cuda:devices=all,device=1", "device= is of devices=one")):
            arguments = ("solve", "hex:size=3", "--algorithm", "ppn", "--backend", backend)
            self.assert_fails(arguments, USAGE, text)

    def test_finished_position_has_no_playouts(self):
        self.assert_fails(("bench", "playouts", "hex:size=2", "--position", "a1 b1 a2"), BAD_DATA,
                          "finished")


if __name__ == "__main__":
    unittest.main()
