"""`vcdt`, `vcst` and `rzop`: wins of Connect6 by threats, and by turns."""

import os
import subprocess
import tempfile
import unittest

from program import CHECKER, DATA, NIGHTLY, TIMEOUT, UNDECIDED, USAGE, ProgramTest, run

SEARCH = "vcdt:turns=12,work=100000000"
OPENING = ";B[JJ];W[HK];W[IK];B[IJ];B[GJ];W[HJ];W[KK];B[JK];B[FH]"  # won by single threats


def known_wins():
    with open(os.path.join(DATA, "connect6-vcdt-win.txt"), encoding="ascii") as file:
        for line in file:
            if line.startswith(";"):
                position, _, turns, *_ = line.split(" | ")
                yield position, int(turns)


def openings():
    with open(os.path.join(DATA, "connect6-openings.txt"), encoding="ascii") as file:
        return [line.split(" | ")[0] for line in file if line.startswith(";")]


class Threats(ProgramTest):

    def test_known_wins_are_found_and_certified(self):
        seconds = 0
        for position, turns in known_wins():
            answer = self.json("solve", "connect6", "--position", position, "--algorithm", SEARCH)
            self.assertEqual(answer["verdict"], "proved")
            self.assertEqual(answer["threats"]["turns"], turns)
            self.assertEqual(len(answer["zone"]), 5)
            self.assertEqual(answer["principal_variation"][0], answer["best_move"])
            seconds += answer["cpu_seconds"]
        self.assertLess(seconds, 1.5)  # 0.15 on an idle core

    def test_what_is_exhausted_is_not_disproved(self):
        for algorithm, outcome in (("vcdt", "exhausted"), ("vcdt:turns=2", "cut"), ("vcst", "cut")):
            position = "JJ KI JH" if outcome == "exhausted" else next(p for p, t in known_wins() if t == 9)
            if algorithm == "vcst":
                position = "JJ KI JH"
            answer = self.json("solve", "connect6", "--position", position, "--algorithm", algorithm,
                               status=UNDECIDED)
            self.assertEqual((answer["verdict"], answer["threats"]["outcome"]), ("unknown", outcome))

    def test_a_search_goes_on_where_it_was(self):
        longest = next(position for position, turns in known_wins() if turns == 9)
        for position, search, limits in ((longest, SEARCH, (1, 100, 4000)), (OPENING, "vcst", (1, 10, 30)),
                                         (openings()[0], "rzop", (1, 20, 100)),
                                         (openings()[1], "dfpn:turns=20,epsilon=0.25", (1, 20)),
                                         (openings()[1], "ppn:turns=20,playouts=32", (1, 20)),
                                         (openings()[2], "pds:turns=20,probe=vcst,vcstwork=100000,singles=1", (1, 9)),
                                         (openings()[1], "dfpn:turns=20,leaf=lines,A=4", (1, 20)),
                                         (openings()[1], "ppn:turns=5,order=zones,playouts=8", (1, 20))):
            with self.subTest(search):
                self.goes_on(position, search, limits)

    def goes_on(self, position, search, limits):
        whole = self.json("solve", "connect6", "--position", position, "--algorithm", search)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "run.ckpt")
            arguments = ["connect6", "--position", position, "--algorithm", search]
            for nodes in limits:
                process = run("solve", *arguments, "--max-nodes", str(nodes), "--checkpoint", path)
                self.assert_status(process, UNDECIDED)
                arguments = ["--resume", path]
            answer = self.json("solve", "--resume", path, "--selfcheck", "3")
        for key in ("verdict", "best_move", "principal_variation", "nodes_created", "nodes_expanded",
                    "threats", "zone"):
            self.assertEqual(answer[key], whole[key], key)

    def test_other_games_are_refused(self):
        self.assert_fails(["solve", "hex", "--algorithm", "vcdt"], USAGE, "connect6 and its family alone")
        self.assert_fails(["solve", "connect6:size=5,connect=4,stones=3", "--algorithm", "vcdt"], USAGE,
                          "stones must be 1 or 2 a turn, not 3")
        self.assert_fails(["solve", "connect6:size=5,connect=4,stones=1", "--algorithm", "vcst"], USAGE,
                          "stones must be 2 a turn, not 1")

    def test_a_last_turn_with_room_for_one_stone(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "proof.cert")
            process = run("solve", "connect6:rows=2,columns=4,connect=3,stones=2", "--position", "CA DA CB BB BA DB AB",
                          "--algorithm", "vcdt", "--certificate", path)
            self.assert_status(process, 0)
            with open(path, encoding="ascii") as file:
                self.assertIn("race-end 1 2 0BBWWBWW AA", file.read())
            done = subprocess.run([CHECKER, path], capture_output=True, text=True, timeout=TIMEOUT, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_an_opening_by_single_threats(self):
        answer = self.json("solve", "connect6", "--position", OPENING, "--algorithm", "vcst")
        self.assertEqual(answer["verdict"], "proved")

    def test_steps_of_any_search_may_be_turns(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "proof.cert")
            for algorithm in ("pn:turns=20", "deeppn:turns=20", "mcpn:turns=20", "ppn:turns=20", "dfpn:turns=20",
                              "dfpn:turns=20,epsilon=0.25", "dfpn:turns=20,E=5,D=4", "dfpn:turns=20,leaf=playouts",
                              "pds:turns=20", "pnstar:turns=20", "dfpn:turns=20,leaf=lines", "pn:turns=20,leaf=lines,form=linear",
                              "dfpn:turns=20,probe=vcst,vcstwork=100000,singles=1", "dfpn:turns=5,order=zones", "pn:turns=20,replies=eager,leaf=playouts"):
                with self.subTest(algorithm):
                    answer = self.json("solve", "connect6", "--position", openings()[1], "--algorithm", algorithm,
                                       "--certificate", path)
                    self.assertEqual(answer["verdict"], "proved")
                    done = subprocess.run([CHECKER, path], capture_output=True, text=True, timeout=TIMEOUT, check=False)
                    self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_none_of_the_best_turns_is_no_loss(self):
        answer = self.json("solve", "connect6:size=4,connect=4", "--algorithm", "dfpn:turns=5", status=UNDECIDED)
        self.assertEqual((answer["verdict"], answer["threats"]["outcome"]), ("unknown", "cut"))

    def test_turns_that_cannot_be(self):
        for algorithm, words in (("dfpn:turns=0", "turns must be 1..1000, all or stones, not '0'"),
                                 ("dfpn:turns=5,leaf=both", "turns needs leaf=unit, leaf=deep, leaf=playouts or leaf=lines"),
                                 ("pn:turns=5,leaf=mobility", "turns needs leaf=unit, leaf=playouts or leaf=lines"),
                                 ("dfpn:leaf=lines", "leaf=lines needs turns"),
                                 ("pn:turns=5,probe=vcst,singles=0", "singles of at least 1"),
                                 ("dfpn:turns=5,probe=vcst,vcstwork=10000001", "vcstwork of at most 10000000"),
                                 ("dfpn:turns=5,probe=none", "turns needs probe=endings or probe=vcst, not probe=none"),
                                 ("ppn:order=zones", "order=zones needs turns"),
                                 ("dfpn:turns=5,leaf=lines,playouts=9", "turns: playouts needs leaf=playouts, not leaf=lines"),
                                 ("dfpn:turns=5,increment=0", "an increment of at least 1"),
                                 ("pds:turns=5,edge=2", "turns needs edge=0, not 2"),
                                 ("pn:turns=5,ties=deepest", "ties=left or ties=path"),
                                 ("pn:turns=5,stop=allis", "turns needs stop=own, not allis"),
                                 ("pn:turns=5,probe=vcdt", "turns needs probe=none or probe=vcst, not probe=vcdt"),
                                 ("dfpn:turns=5,singles=1", "turns: singles needs probe=vcst"),
                                 ("dfpn:turns=5,table=1MiB", "turns needs table=256MiB, not 1MiB"),
                                 ("ppn:turns=5,earlybreak=off", "turns needs earlybreak=on, not off"),
                                 ("deeppn:turns=5,order=random", "turns needs order=natural or order=zones, not order=random"),
                                 ("dfpn:turns=5,playouts=64", "turns: playouts needs leaf=playouts, not leaf=unit"),
                                 ("pds:turns=5,leaf=unit,E=3", "turns: E needs leaf=deep, not leaf=unit"),
                                 ("pn:turns=5,A=2", "turns: A needs leaf=playouts or leaf=lines, not leaf=unit"),
                                 ("dfpn:replies=eager", "replies=eager needs turns")):
            self.assert_fails(["solve", "connect6", "--algorithm", algorithm], USAGE, words)
        for algorithm in ("pn", "deeppn", "mcpn", "ppn", "dfpn", "pds", "pnstar"):
            self.assert_fails(["solve", "hex", "--algorithm", algorithm + ":turns=20"], USAGE,
                              algorithm + ": turns needs connect6 or one of its family")
            self.json("solve", "hex:size=2", "--algorithm", algorithm + ":turns=stones,replies=lazy")
        for option in ("--batch", "--pipeline"):
            self.assert_fails(["solve", "connect6", "--algorithm", "ppn:turns=5", option, "2"], USAGE,
                              option + ": ppn on turns asks about one leaf at a time")
        self.assert_fails(["solve", "connect6:size=5,connect=4,stones=1", "--algorithm", "pn:turns=5"], USAGE,
                          "stones must be 2 a turn, not 1")

    def test_openings_by_turns(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "proof.cert")
            for position in openings() if NIGHTLY else openings()[::2]:
                answer = self.json("solve", "connect6", "--position", position, "--algorithm", "rzop", "--certificate",
                                   path)
                self.assertEqual(answer["verdict"], "proved", position)
                done = subprocess.run([CHECKER, path], capture_output=True, text=True, timeout=TIMEOUT, check=False)
                self.assertEqual((done.returncode, done.stderr), (0, ""), position)

    def test_what_is_left_out(self):
        """The same win, whatever is left out; its certificate is accepted, too. Zones save most of the searches by
        double threats, and without them the proof has no more than the replies that the null move leaves."""
        searches, lines = {}, {}
        opening = openings()[0 if NIGHTLY else 1]  # fewer turns, where zones save as much
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "proof.cert")
            for without in ("nothing", "zones", "table", "macro"):
                answer = self.json("solve", "connect6", "--position", opening, "--certificate", path,
                                   "--algorithm", "rzop:vcdtwork=100000,without=" + without)
                self.assertEqual(answer["verdict"], "proved", without)
                done = subprocess.run([CHECKER, path], capture_output=True, text=True, timeout=TIMEOUT, check=False)
                self.assertEqual((done.returncode, done.stderr), (0, ""), without)
                searches[without] = answer["nodes_created"]
                with open(path, encoding="ascii") as file:
                    lines[without] = max(len(line) for line in file)
        self.assertGreater(searches["zones"], 5 * searches["nothing"], searches)
        # On these openings no position comes again, and macro replies save positions of searches by threats.
        self.assertEqual(searches["table"], searches["nothing"])
        unchecked = () if NIGHTLY else ("--certificate", os.devnull)
        again = [self.json("solve", "connect6", "--position", openings()[8], "--algorithm", "rzop" + without,
                           *unchecked) for without in ("", ":without=table", ":without=macro")]
        self.assertEqual([answer["nodes_created"] for answer in again], [514, 517, 544])
        self.assertLess(lines["zones"], 1 << 14, lines)


if __name__ == "__main__":
    unittest.main()
