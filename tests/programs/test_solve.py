"""`solve`: keys, verdicts, goals, limits, and positions line by line."""

import json
import os
import tempfile
import unittest

from program import BAD_DATA, DATA, DECIDED, NIGHTLY, UNDECIDED, USAGE, ProgramTest, run

KEYS = [
    "game", "position", "algorithm", "goal", "verdict", "best_move", "principal_variation",
    "iterations", "nodes_created", "nodes_expanded", "evaluations", "playouts", "probed",
    "max_depth", "seconds", "cpu_seconds", "peak_bytes", "seed", "backend", "device", "version",
    "certificate", "counters"
]
ZONE_KEYS = [*KEYS[:7], "zone", "carrier", *KEYS[7:]]  # of a decided search with proof zones
ALGORITHMS = ["minimax", "pn", "pn2", "deeppn", "mcpn", "ppn", "ews", "mcts", "uct", "dfpn", "pds",
              "pnstar", "dfppn", "dfews", "alphabeta"]

# X to move, 12 squares empty; best play ends +14 (tests/data/othello-12-exact.txt).
OTHELLO = "X--O--OXXX--O-XX-XOXXOO---XOXOOX-OXXXOXOOOOXXOXOXOOOOOOOXXXXXXXO X"


def hex_openings(size):
    """(cell, winner) of every first move that the data file knows."""
    with open(os.path.join(DATA, "hex-openings.txt"), encoding="utf-8") as file:
        rows = [line.split() for line in file if not line.startswith("#")]
    return [(row[1], row[2]) for row in rows if row and row[0] == str(size)]


class Solve(ProgramTest):

    def test_keys(self):
        without = self.json("solve", "hex:size=3", "--algorithm", "pn:zones=off")
        self.assertEqual(list(without), KEYS)
        answer = self.json("solve", "hex:size=3", "--algorithm", "pn")
        self.assertEqual(list(answer), ZONE_KEYS)
        self.assertLess(answer["nodes_created"], without["nodes_created"])
        self.assertEqual(answer["game"], "hex:size=3")
        self.assertEqual(answer["position"], "")
        self.assertTrue(answer["algorithm"].startswith("pn:ties=left,"))
        self.assertEqual(answer["goal"], "win")
        self.assertEqual(answer["verdict"], "proved")
        self.assertEqual(answer["best_move"], answer["principal_variation"][0])
        self.assertEqual(answer["seed"], 1)
        self.assertEqual(answer["playouts"], 0)
        self.assertEqual(answer["backend"], "none")
        self.assertIsNone(answer["certificate"])
        self.assertGreater(answer["nodes_created"], answer["nodes_expanded"])
        self.assertGreater(answer["peak_bytes"], 0)

    def test_where_the_time_of_threads_goes(self):
        """The CPU times of all threads are that of the search; shares are of their wall time."""
        question = ("solve", "pgame:branching=2,depth=20", "--algorithm")
        answer = self.json(*question, "dfpn:leaf=unit", "--workers", "3", "--max-nodes", "200000", status=UNDECIDED)
        self.assertEqual(answer["workers"], 3)
        times = answer["worker_times"]
        self.assertEqual(list(times), ["cpu_seconds", "main_cpu_seconds", "idle_share", "lock_wait_share", "rest_share"])
        self.assertEqual(len(times["cpu_seconds"]), 3)
        total = sum(times["cpu_seconds"]) + times["main_cpu_seconds"]
        self.assertAlmostEqual(total, answer["cpu_seconds"], delta=0.02 + 0.1 * total)
        shares = [times[key] for key in ("idle_share", "lock_wait_share", "rest_share")]
        self.assertGreaterEqual(min(shares), 0)
        self.assertLessEqual(sum(shares), 1 + 1e-9)
        # Two moves at the root are two jobs: of four threads two have none.
        answer = self.json(*question, "dfpn:leaf=unit,policy=depth,jobdepth=1", "--workers", "4", "--max-nodes", "100000",
                           status=UNDECIDED)
        self.assertGreater(answer["worker_times"]["idle_share"], 0)
        text = run(*question, "dfpn:leaf=unit", "--workers", "2", "--max-nodes", "1000").stdout
        self.assertRegex(text, r"\nworkers     2; without a job [0-9.]+ %, waiting for the lock [0-9.]+ %, resting [0-9.]+ %\n")
        self.assertNotIn("worker_times", self.json("solve", "hex:size=3", "--algorithm", "dfpn:leaf=unit,searchers=2"))

    def test_a_printed_name_is_the_same_search(self):
        """Also where zones are on because nobody said so, or off because somebody did; by day one of the three, and
        each algorithm in every second game."""
        for number, game in enumerate(("hex:size=3", "connect6:rows=3,columns=3,connect=3,stones=1",
                                       "pgame:branching=2,depth=6", "nim", "othello:size=4")):
            limit = ("--max-nodes", "2000") if game.startswith("othello") else ()
            for turn, algorithm in enumerate(ALGORITHMS[1:], number):
                options = ("", ":zones=off", ":zones=on")
                if not NIGHTLY and turn % 2:
                    continue
                for option in options if NIGHTLY else options[turn % 3:][:1]:
                    with self.subTest(game=game, algorithm=algorithm + option):
                        first, again = self.answers(game, algorithm + option, *limit)
                        self.assertEqual(first, again)
                        self.assertEqual("zone" in first,
                                         game.startswith("hex") and option != ":zones=off")

    def answers(self, game, algorithm, *limit):
        """Of a search, and of the one that its answer names."""
        answers = []
        for name in (algorithm, None):
            process = run("solve", game, "--algorithm", name or answers[0]["algorithm"], "--json", *limit)
            self.assertIn(process.returncode, (DECIDED, UNDECIDED), process.stderr)
            answers.append(json.loads(process.stdout))
        for answer in answers:
            del answer["seconds"], answer["cpu_seconds"]
        return answers

    def test_a_printed_name_has_what_has_an_effect(self):
        """And no option of other games, other leaves, other goals."""
        def names(game, algorithm, *options):
            answer = self.json("solve", game, "--algorithm", algorithm, *options)
            return [option.split("=")[0] for option in answer["algorithm"].split(":")[1].split(",")]

        table = ["edge", "table", "places", "gc", "symmetry", "earlybreak", "order", "zones"]
        self.assertEqual(names("hex:size=3", "pds:leaf=unit"), ["leaf", *table])
        self.assertEqual(names("hex:size=3", "pds:leaf=deep"), ["leaf", "E", "D", *table])
        of_score = names("othello:size=4", "pds:leaf=unit", "--goal", "score>=-16")
        self.assertEqual(of_score, ["leaf", *table[:5], "endings", *table[5:7]])
        self.assertEqual(names("pgame:depth=3", "ppn:rule=beta"), ["playouts", "rule", "earlybreak", "order"])

    def test_a_search_goes_on_by_its_printed_name(self):
        """What the checkpoint has beside that has no effect, and may differ."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "run.ckpt")
            search = ("solve", "hex:size=5", "--algorithm", "dfpn:leaf=unit,playouts=128,table=1MiB", "--json")
            process = run(*search, "--max-nodes", "500", "--checkpoint", path)
            name = json.loads(process.stdout)["algorithm"]
            self.assertNotIn("playouts=", name)
            again = run("solve", "--resume", path, "--algorithm", name, "--max-nodes", "600", "--json")
            self.assert_status(again, UNDECIDED)
            self.assertGreater(json.loads(again.stdout)["iterations"], 500)
            other = ("solve", "--resume", path, "--algorithm", name.replace("leaf=unit", "leaf=mobility"))
            self.assert_fails(other, USAGE, "--algorithm is 'dfpn:leaf=unit,", "not 'dfpn:leaf=mobility,")

    def test_templates_are_asked_with_the_other_one_to_move(self):
        """Does Black hold if White moves first? And with nothing but the carrier?"""
        with tempfile.TemporaryDirectory() as folder:
            svg = os.path.join(folder, "board.svg")
            arguments = ("solve", "hex:rows=4,columns=6", "--position", "d1 -- d2 :W", "--svg", svg)
            answer = self.json(*arguments)
            self.assertEqual((answer["verdict"], answer["position"]), ("disproved", "d1 -- d2 :W"))
            carrier = set(answer["carrier"])
            self.assertEqual(carrier, set(answer["zone"]) - {"d1", "d2"})
            with open(svg, encoding="utf-8") as file:
                picture = file.read()
            self.assertEqual(picture.count("#bcd7a4"), len(carrier))
            self.assertIn(f"Carrier: {' '.join(answer['carrier'])}.", picture)
            text = run(*arguments, "--board").stdout
            self.assertIn(f"carrier     {' '.join(answer['carrier'])}\n", text)
            self.assertIn("  + carrier\n", text)

        def verdict(free):
            white = [f":W {column}{row}" for row in range(1, 5) for column in "abcdef"
                     if f"{column}{row}" not in {"d1", "d2", *free}]
            position = " ".join([":B d1 :B d2", *white, ":W"])
            return self.json("solve", "hex:rows=4,columns=6", "--position", position)["verdict"]
        self.assertEqual(verdict(carrier), "disproved")
        ziggurat = {"e2", "c3", "d3", "e3", "b4", "c4", "d4", "e4"}
        self.assertEqual(verdict(ziggurat), "disproved")
        for cell in ziggurat:
            self.assertEqual(verdict(ziggurat - {cell}), "proved", cell)

    def test_every_algorithm_agrees_with_the_openings(self):
        openings = hex_openings(3)
        self.assertEqual(len(openings), 9)
        for number, algorithm in enumerate(ALGORITHMS):
            for cell, winner in openings if NIGHTLY else openings[number % 3::3]:
                with self.subTest(algorithm=algorithm, cell=cell):
                    answer = self.json("solve", "hex:size=3", "--algorithm", algorithm,
                                       "--position", cell)
                    # White is to move and asks whether White wins.
                    self.assertEqual(answer["verdict"], "proved" if winner == "W" else "disproved")
                    self.assertEqual(answer["best_move"] is None, winner == "B")

    def test_winning_line_ends_the_game(self):
        answer = self.json("solve", "hex:size=3", "--algorithm", "pn")
        line = " ".join(answer["principal_variation"])
        end = self.json("solve", "hex:size=3", "--algorithm", "pn", "--position", line)
        self.assertEqual(end["iterations"], 0)
        self.assertEqual(end["verdict"], "disproved")  # the loser is to move

    def test_finished_position(self):
        answer = self.json("solve", "hex:size=2", "--algorithm", "pn", "--position", "a1 b1 a2")
        self.assertEqual((answer["verdict"], answer["iterations"]), ("disproved", 0))
        self.assertIsNone(answer["best_move"])
        self.assertEqual(answer["principal_variation"], [])

    def test_empty_position_is_the_initial_one(self):
        for position in (("--position", ""), ("--position=",)):
            answer = self.json("solve", "hex:size=3", "--algorithm", "pn", *position)
            self.assertEqual((answer["position"], answer["verdict"]), ("", "proved"))

    def test_goal_value(self):
        game = "connect6:rows=4,columns=4,connect=3,stones=2"
        answer = self.json("solve", game, "--algorithm", "pn", "--goal", "value")
        self.assertEqual(answer["value"], "win")
        self.assertEqual(sorted(set(answer) - set(KEYS)), ["value"])
        # A tree whose value for MAX is a loss, from the other algorithms' verdicts.
        for tree in range(1, 30 if NIGHTLY else 10):
            game = f"pgame:branching=3,depth=4,tree={tree}"
            value = self.json("solve", game, "--algorithm", "pn", "--goal", "value")["value"]
            win = self.json("solve", game, "--algorithm", "minimax")["verdict"]
            draw = self.json("solve", game, "--algorithm", "minimax", "--goal", "draw")["verdict"]
            expected = {("proved", "proved"): "win", ("disproved", "proved"): "draw",
                        ("disproved", "disproved"): "loss"}[win, draw]
            self.assertEqual(value, expected, game)

    def test_goal_score(self):
        common = ("solve", "othello:size=8", "--algorithm", "pn", "--position", OTHELLO)
        self.assertEqual(self.json(*common, "--goal", "score>=14")["verdict"], "proved")
        self.assertEqual(self.json(*common, "--goal", "score>=15")["verdict"], "disproved")

    def test_score_names_the_move_that_keeps_it(self):
        for algorithm in [*ALGORITHMS, "dfpn:endings=0,bracket=binary", "pnstar:endings=0"]:
            answer = self.json("solve", "othello:size=4", "--position", "OOOXXOXXXOOOXO-- X",
                               "--algorithm", algorithm, "--goal", "score", "--selfcheck", "1")
            self.assertEqual(answer["score"], 8, algorithm)
            self.assertEqual(answer["best_move"], "d4", algorithm)
            self.assertEqual(answer["principal_variation"], ["d4", "--", "c4"], algorithm)

    def test_what_is_always_true_needs_no_search(self):
        for algorithm in ALGORITHMS:
            for limit in (("--max-nodes", "1"), ("--max-nodes", "4"), ("--max-memory", "1")):
                answer = self.json("solve", "othello:size=4", "--algorithm", algorithm, "--goal",
                                   "score>=-16", "--selfcheck", "1", *limit)
                self.assertEqual(answer["verdict"], "proved", algorithm)
                self.assertEqual(answer["best_move"], "b1", algorithm)

    def test_limits_with_an_exponent(self):
        """As plans take them, and exact: 2^64 - 1 is no double."""
        search = ("solve", "hex:size=5", "--algorithm", "pn:zones=off")
        for text, same in (("2e3", "2000"), ("2E+3", "2000"), ("2.5e3", "2500"), ("1.250e2", "125"), ("20e0", "20")):
            answers = [self.json(*search, "--max-nodes", limit, status=UNDECIDED) for limit in (text, same)]
            self.assertEqual(*(answer["nodes_created"] for answer in answers), text)
        for text, seed in (("1.8446744073709551615e19", 2**64 - 1), ("9007199254740993e0", 2**53 + 1), ("7e0", 7)):
            self.assertEqual(self.json("solve", "hex:size=3", "--seed", text)["seed"], seed)

    def test_leaves_that_probes_decide(self):
        common = ("solve", "othello", "--position", OTHELLO, "--selfcheck", "2", "--algorithm")
        for algorithm in ("pn:probe=endings,endings=8", "uct:endings=9", "dfpn:endings=9"):
            answer = self.json(*common, algorithm)
            self.assertEqual(answer["verdict"], "proved", algorithm)
            self.assertEqual(answer["probed"], {"endings": answer["endings"]}, algorithm)
            self.assertGreater(answer["endings"], 0)
        for algorithm in ("pn", "ppn:probe=none", "dfpn:probe=none", "dfpn:endings=0"):
            self.assertEqual(self.json(*common, algorithm)["probed"], {}, algorithm)

    def test_leaves_that_two_probes_decide(self):
        """Exact endings, and the second level of pn2."""
        answer = self.json("solve", "othello:size=4", "--goal", "score", "--algorithm", "pn2:endings=1")
        self.assertEqual(sorted(answer["probed"]), ["endings", "pn2"])
        self.assertEqual(answer["probed"]["endings"], answer["endings"])
        self.assertGreater(min(answer["probed"].values()), 0)

    def test_score_bounds_hold_when_stopped(self):
        answer = self.json("solve", "othello:size=8", "--algorithm", "pn", "--position", OTHELLO,
                           "--goal", "score", "--max-nodes", "1000", status=UNDECIDED)
        self.assertIsNone(answer["score"])
        low, high = answer["bounds"]
        self.assertLessEqual(low, 14)
        self.assertGreaterEqual(high, 14)

    def test_limits(self):
        hard = ("solve", "hex:size=7", "--algorithm", "pn")
        nodes = self.json(*hard, "--max-nodes", "5000", status=UNDECIDED)
        self.assertEqual(nodes["verdict"], "unknown")
        self.assertLessEqual(nodes["nodes_created"], 5000)
        self.assertGreater(nodes["nodes_created"], 4000)
        self.assertIsNotNone(nodes["best_move"])
        seconds = self.json(*hard, "--max-seconds", "0.3", status=UNDECIDED)
        self.assertGreater(seconds["seconds"], 0.25)
        self.assertLess(seconds["seconds"], 3)
        memory = self.json(*hard, "--max-memory", "1MiB", status=UNDECIDED)
        self.assertLessEqual(memory["peak_bytes"], 1 << 20)
        self.assertGreater(memory["nodes_created"], 1000)

    def test_text_for_people(self):
        process = run("solve", "hex:size=3", "--algorithm", "pn")
        self.assert_status(process, DECIDED)
        for word in ("hex:size=3", "proved", "best move", "iterations", "nodes", "memory"):
            self.assertIn(word, process.stdout)
        self.assertEqual(process.stderr, "")

    def test_one_is_no_plural(self):
        text = run("solve", "hex:size=3", "--algorithm", "dfpn:probe=connections").stdout
        self.assertIn("; 1 node by connections\n", text)
        line = run("solve", "hex:size=3", "--position", "-", "--algorithm", "dfpn:probe=connections", stdin="a1\n").stdout
        self.assertRegex(line, r"^a1  proved  best move b2  1 iteration  1 node  [\d.]+ s$")
        bench = run("bench", "playouts", "hex:size=3", "--playouts", "64", "--threads", "1").stdout
        self.assertIn(", 1 thread, seed 1\n64 playouts of 1 position", bench)


class Lines(ProgramTest):
    """--position - and --position-file: one line in, one line out."""

    SOLVE = ("solve", "hex:size=3", "--algorithm", "pn", "--json")

    def check(self, process, status):
        self.assert_status(process, status)
        return [json.loads(line) for line in process.stdout.splitlines()]

    def test_worst_status_wins(self):
        answers = self.check(run(*self.SOLVE, "--position", "-", stdin="b2\nb2 zz\n\n(initial)\na1\n\n"), BAD_DATA)
        self.assertEqual(len(answers), 4)
        self.assertEqual([a.get("position") for a in answers], ["b2", None, "", "a1"])
        self.assertEqual(answers[1]["line"], 2)
        self.assertIn("'zz'", answers[1]["error"])
        self.assertEqual(list(answers[1]), ["error", "line"])
        for index in (0, 2, 3):
            self.assertEqual(list(answers[index]), ZONE_KEYS)

    def test_all_good(self):
        answers = self.check(run(*self.SOLVE, "--position", "-", stdin="b2\r\na1\n"), DECIDED)
        self.assertEqual([a["position"] for a in answers], ["b2", "a1"])
        self.assertEqual([a["verdict"] for a in answers], ["disproved", "proved"])

    def test_undecided_is_worse_than_decided(self):
        process = run(*self.SOLVE, "--position", "-", "--max-nodes", "20", stdin="(initial)\na1 b1 a2 c1 a3")
        answers = self.check(process, UNDECIDED)
        self.assertEqual([a["verdict"] for a in answers], ["unknown", "disproved"])

    def test_no_lines_no_answers(self):
        self.assertEqual(self.check(run(*self.SOLVE, "--position", "-"), DECIDED), [])

    def test_file_is_as_stdin(self):
        text = "b2\nq9\nc1\n"
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "positions.txt")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            process = run(*self.SOLVE, "--position-file", path)
            spoken = run("solve", "hex:size=3", "--algorithm", "pn", "--position-file", path)
        from_file = self.check(process, BAD_DATA)
        self.assertIn("positions.txt:2: ", process.stderr)
        self.assertEqual(spoken.stderr, f"playproof: {path}: 1 of 3 positions has no answer\n")
        self.assertEqual((spoken.stdout + spoken.stderr).count("positions.txt:2: "), 1)
        from_stdin = self.check(run(*self.SOLVE, "--position", "-", stdin=text), BAD_DATA)
        for answer in from_file + from_stdin:
            answer.pop("seconds", None)
            answer.pop("cpu_seconds", None)
        self.assertEqual(from_file, from_stdin)

    def test_stdin_by_the_name_of_a_file(self):
        text = "b2\nzz\na1\n"
        named = run(*self.SOLVE, "--position-file", "-", stdin=text)
        for answers in zip(self.check(named, BAD_DATA), self.check(run(*self.SOLVE, "--position", "-", stdin=text), BAD_DATA)):
            for answer in answers:
                answer.pop("seconds", None)
                answer.pop("cpu_seconds", None)
            self.assertEqual(*answers)
        self.assertIn("stdin:2: ", named.stderr)
        bench = run("bench", "search", "hex:size=3", "--algorithm", "pn", "--repeat", "1", "--position-file", "-", "--json",
                    stdin="b2\na1\n")
        self.assert_status(bench, DECIDED)
        self.assertEqual(len(json.loads(bench.stdout)["rows"]), 2)
        with tempfile.TemporaryDirectory() as folder:  # a file of that name is ./-
            with open(os.path.join(folder, "-"), "w", encoding="utf-8") as file:
                file.write("c1\n")
            answers = self.check(run(*self.SOLVE, "--position-file", "./-", cwd=folder), DECIDED)
        self.assertEqual([answer["position"] for answer in answers], ["c1"])

    def test_bytes_that_are_no_text(self):
        process = run(*self.SOLVE, "--position", "-", stdin="b2\n\x01\udcff\x00\nc1\n",
                      errors="surrogateescape")
        answers = self.check(process, BAD_DATA)
        self.assertEqual([("error" in a) for a in answers], [False, True, False])

    def test_one_table(self):
        rows = 4 if NIGHTLY else 3
        cells = [f"{column}{row}" for row in range(1, rows + 1) for column in "abcd"]
        solve = ("solve", f"hex:rows={rows},columns=4", "--algorithm", "dfpn:leaf=unit", "--json", "--position", "-")
        asked = {"stdin": "\n".join([*cells, "zz", "(initial)", "a1"])}
        each = self.check(run(*solve, **asked), BAD_DATA)
        kept = self.check(run(*solve, "--keep-table", "--selfcheck", "2", **asked), BAD_DATA)
        verdicts = [[a.get("verdict") for a in answers] for answers in (each, kept)]
        self.assertEqual(*verdicts)
        calls = [sum(a.get("iterations", 0) for a in answers) for answers in (each, kept)]
        self.assertLess(2 * calls[1], calls[0])
        self.assertEqual(kept[0]["iterations"], each[0]["iterations"])
        self.assertEqual(kept[-2]["iterations"], each[-2]["iterations"])  # Black asks: another table

    def test_text_lines(self):
        process = run("solve", "hex:size=3", "--algorithm", "pn", "--position", "-",
                      stdin="b2\nzz\n")
        self.assert_status(process, BAD_DATA)
        lines = process.stdout.splitlines()
        self.assertEqual(len(lines), 2)
        self.assertIn("disproved", lines[0])
        self.assertIn("stdin:2: ", lines[1])


if __name__ == "__main__":
    unittest.main()
