"""`gtp`, `nboard` and `cassio` with `--workers`: searches by several threads answer, stop and go on as those by one."""

import re
import time
import unittest

from program import USAGE, ProgramTest, run
from test_windows import BOARD, ENDGAME, START, Cassio, NBoard, ggf
from window_clients import Gtp, cells

FAR = ggf(START)  # nothing is proven there


class Hex(ProgramTest):

    def test_who_wins_is_what_solve_says(self):
        for workers, algorithm in (("2", ()), ("3", ("--algorithm", "dfpn:playouts=8,table=2KiB")),
                                   ("2", ("--algorithm", "pds")), ("2", ("--algorithm", "alphabeta"))):
            with self.subTest(algorithm), Gtp("gtp", "hex:size=3", "--workers", workers, *algorithm) as gtp:
                for cell in cells(3, 3):
                    gtp("clear_board")
                    gtp(f"play black {cell}")
                    proved = "verdict     proved" in run("solve", "hex:size=3", "--position", cell).stdout
                    self.assertEqual(gtp("dfpn-solve-state white"), "white" if proved else "black")
                    # Each move begins with the table of the one before.
                    winning = gtp("dfpn-solver-find-winning white").split()
                    self.assertEqual(bool(winning), proved)
                    answers = run("solve", "hex:size=3", "--position", "-",
                                  stdin="\n".join(f"{cell} {c}" for c in cells(3, 3) if c != cell)).stdout
                    self.assertEqual(winning, [line.split()[1] for line in answers.splitlines() if "disproved" in line])

    def test_a_proven_win_is_won(self):
        with Gtp("gtp", "hex", "--seconds", "60", "--workers", "2") as gtp:
            gtp.start(4, 4)
            free = cells(4, 4)
            while True:
                move = gtp("genmove black")
                free.remove(move)
                gtp.send("final_score")
                if gtp.reply() == "= B+":
                    break
                gtp(f"play white {free.pop(0)}")
            gtp("clear_board")
            gtp("play black b3")
            self.assertEqual(gtp("genmove white"), "resign")

    def test_any_input_stops_it_and_it_goes_on(self):
        def iterations():
            return int(re.search(r"(\d+) iterations?,", gtp("playproof-status")).group(1))

        with Gtp("gtp", "hex:size=11", "--workers", "3", "--algorithm", "dfpn") as gtp:
            gtp("playproof-solve black")
            first = iterations()
            end = time.monotonic() + 20
            while iterations() <= first + 100:  # while no command comes
                self.assertLess(time.monotonic(), end)
                time.sleep(0.05)
            gtp.send("dfpn-solve-state black")
            time.sleep(0.2)
            begin = time.monotonic()
            gtp.send("# interrupt")
            self.assertEqual(gtp.reply(), "= empty")
            self.assertLess(time.monotonic() - begin, 5)
            stood = iterations()
            time.sleep(0.2)
            self.assertEqual(iterations(), stood)
            gtp("param_dfpn timelimit 0.3")
            self.assertEqual(gtp("dfpn-solve-state black"), "empty")
            self.assertGreater(iterations(), stood)  # the same search
            gtp("quit")
            self.assertEqual(gtp.end(), 0)

    def test_a_move_takes_its_time(self):
        with Gtp("gtp", "hex:size=11", "--workers", "2", "--algorithm", "dfpn", "--seconds", "0.3", "--playouts", "32") as gtp:
            begin = time.monotonic()
            self.assertIn(gtp("genmove black"), cells(11, 11))
            self.assertGreater(time.monotonic() - begin, 0.25)
            gtp("playproof-seconds 100000")
            gtp.send("genmove white")
            time.sleep(0.2)
            gtp.send("# interrupt")
            self.assertIn(gtp.reply()[2:], cells(11, 11))


class Othello(ProgramTest):

    def test_what_is_proven(self):
        def ask(*options):
            with NBoard("nboard", "--seconds", "60", *options) as nboard:
                nboard.send("set game " + ENDGAME)
                move = nboard.ask("go")[0]
                hints = [line.split() for line in nboard.ask("hint 9")]
            return move, {words[1][:2]: float(words[2]) for words in hints}  # the move that its line begins with

        _, scores = ask()
        move, of_two = ask("--workers", "2")
        self.assertEqual(of_two, scores)
        # Which of several best moves is proved first depends on the threads' turns.
        best = [cell for cell, score in scores.items() if score == max(scores.values())]
        self.assertRegex(move, rf"^=== ({'|'.join(best)})/-28\.00/[\d.]+$")

    def test_limits_and_pings(self):
        with NBoard("nboard", "--seconds", "100000", "--playouts", "32", "--workers", "3") as nboard:
            nboard.send("set game " + FAR)
            nboard.send("set depth 7")
            nboard.send("go")
            counts = [int(line.split()[1]) for line in nboard.until("status playproof is waiting")
                      if line.startswith("nodestats")]
            self.assertTrue(0 < counts[-1] <= 128, counts)
            nboard.send("set depth 60")
            nboard.send("go")
            nboard.until("status playproof is thinking")
            time.sleep(0.2)
            nboard.send("ping 7")
            self.assertFalse([line for line in nboard.until("pong 7") if line.startswith(("===", "search"))])
            nboard.send("go")
            nboard.send("quit")
            self.assertEqual(nboard.end(), 0)

    def test_cassio(self):
        with Cassio("cassio", "--workers", "2") as cassio:
            # All three moves are best.
            self.assertRegex(cassio.ask(f"endgame-search {BOARD}X -64 64 100")[0],
                             "move (F1|G1|H8), depth 12, @100%, B-28.00 <= v <= B-28.00")
            cassio.send(f"ENGINE-PROTOCOL endgame-search {START.replace('*', 'X')}X -64 64 100")
            cassio.send("ENGINE-PROTOCOL get-search-infos")
            self.assertRegex(cassio.line(), r"^node \d+, time [\d.]+$")
            cassio.send("ENGINE-PROTOCOL stop")
            self.assertEqual(cassio.until_ready(), [])


class Refusals(ProgramTest):

    def test_told_at_the_start(self):
        """Not as an answer to the first command."""
        for command in (("gtp", "hex"), ("nboard",), ("cassio",)):
            for number in ("0", "257", "-1", "two", ""):
                self.assert_fails((*command, "--workers", number), USAGE, f"--workers must be an integer 1..256, not '{number}'")
            for algorithm, told in (("pn", "pn has one; several have alphabeta, dfpn, pds, pnstar"),
                                    ("dfppn", "dfppn has one"), ("dfpn:searchers=2", "take turns in one thread")):
                self.assert_fails((*command, "--workers", "2", "--algorithm", algorithm), USAGE, "--workers: ", told)
                self.assertEqual(run(*command, "--workers", "1", "--algorithm", algorithm).returncode, 0)


if __name__ == "__main__":
    unittest.main()
