"""Experiments: what a row holds, that nothing is lost or run twice, that damage is told."""

import csv
import io
import json
import os
import re
import shutil
import time
import unittest

from experiments import (PLAN, SMOKE, ExperimentTest, change, curves, query, rows,
                         write_version)
from program import BAD_DATA, NO_OUTPUT, SOURCE, USAGE, run

DISAGREEMENT = 70


class Rows(ExperimentTest):
    def setUp(self):
        super().setUp()
        self.store = self.path("r.db")
        self.experiment(self.write(PLAN), self.store)

    def test_one_row_and_one_curve_a_run(self):
        found = rows(self.store)
        self.assertEqual(len(found), 8)
        self.assertEqual(set(curves(self.store)), set(found))
        for row in found.values():
            self.assertIn(row["verdict"], ("proved", "disproved"))
            self.assertEqual(row["outcome"], row["verdict"])
            self.assertEqual(row["verdict"], row["expected"])
            self.assertEqual(row["expected_source"], "oracle")
            divisor = 2 if row["algorithm"] == "UCT" else 1
            self.assertEqual(row["iteration_divisor"], divisor)
            self.assertEqual(row["iterations_normalised"], row["iterations"] / divisor)
            self.assertEqual(row["max_nodes"], 100_000)
        uct = next(row for row in found.values() if row["algorithm"] == "UCT")
        self.assertEqual(json.loads(uct["parameters"])["playouts"], "10")
        self.assertEqual(uct["playouts"], 10 * uct["evaluations"])

    def test_algorithms_are_paired_by_seed(self):
        seeds = {}
        for row in rows(self.store).values():
            seeds.setdefault(row["problem"], set()).add(row["seed"])
        self.assertTrue(all(len(of_problem) == 1 for of_problem in seeds.values()))
        self.assertEqual(len(set.union(*seeds.values())), 4)

    def test_a_row_can_be_made_again_with_solve(self):
        for row in rows(self.store).values():
            answer = self.json("solve", row["game"], "--algorithm", row["spec"], "--seed",
                               str(row["seed"]), "--max-nodes", "100000")
            for name in ("verdict", "iterations", "nodes_created", "evaluations", "playouts",
                         "max_depth", "best_move"):
                self.assertEqual(answer[name], row[name], (name, row["key"]))
            for name, value in answer["counters"].items():
                self.assertEqual(value, row[name], (name, row["key"]))

    def test_curves_are_changes_of_the_error_and_end_solved(self):
        for key, points in curves(self.store).items():
            row = rows(self.store)[key]
            self.assertEqual(points[0][0], 0)
            self.assertEqual(points[-1][1], 0)
            self.assertLessEqual(points[-1][0], row["iterations"])
            for before, after in zip(points, points[1:]):
                self.assertLess(before[0], after[0])
                self.assertNotEqual(before[1], after[1])
            for _, error in points:
                self.assertTrue(0 <= error <= 1)
            if row["expected"] == "disproved":
                self.assertEqual(points, [(0, 0.0)])

    def test_curve_of_a_won_tree_starts_with_the_share_of_losing_moves(self):
        # Before its first iteration PN has no preference: every root move ties.
        for key, points in curves(self.store).items():
            row = rows(self.store)[key]
            if row["algorithm"] != "PN" or row["expected"] != "proved":
                continue
            wrong = 0
            for move in ("0", "1"):
                child = self.json("solve", row["game"], "--algorithm", "minimax", "--position",
                                  move, "--goal", "draw")
                wrong += child["verdict"] == "proved"  # the opponent holds the draw: not won
            self.assertEqual(points[0][1], wrong / 2, key)

    def test_record_of_how_it_was_made(self):
        (command, threads, finished), = query(
            self.store, "SELECT command, concurrent, finished FROM invocation")
        self.assertIn("playproof experiment", command)
        self.assertGreaterEqual(threads, 1)
        self.assertIsNotNone(finished)
        (text, name), = query(self.store, "SELECT text, name FROM plan")
        self.assertEqual((text, name), (PLAN, "test"))

    def test_finished_store_is_one_file(self):
        self.assertEqual(sorted(os.listdir(self.folder)), ["plan.toml", "r.db"])


class Resuming(ExperimentTest):
    def test_nothing_is_run_twice(self):
        plan, store = self.write(PLAN), self.path("r.db")
        self.experiment(plan, store)
        started = query(store, "SELECT key, started FROM run ORDER BY key")
        self.assertIn("(0 now, 8 before)", self.experiment(plan, store).stdout)
        self.assertEqual(query(store, "SELECT key, started FROM run ORDER BY key"), started)

    def test_shards_in_one_store_are_told_of_the_store(self):
        plan, store = self.write(PLAN), self.path("r.db")
        self.assertIn("4 of 8 runs in", self.experiment(plan, store, "--shard", "1/2").stdout)
        self.assertIn("8 of 8 runs in", self.experiment(plan, store, "--shard", "2/2").stdout)
        for shard in ("1/2", "2/2", "1/1"):
            self.assertIn("(0 now, 8 before)", self.experiment(plan, store, "--shard", shard).stdout)

    def test_a_changed_plan_keeps_what_it_left_alone(self):
        store = self.path("r.db")
        self.experiment(self.write(PLAN), store)
        longer = PLAN.replace("to = 4", "to = 6").replace("a book", "another book")
        self.assertIn("12 of 12 runs in", self.experiment(self.write(longer), store).stdout)
        other = longer.replace("playouts=10", "playouts=11")
        self.assertIn("(6 now, 6 before)", self.experiment(self.write(other), store).stdout)
        self.assertEqual(len(rows(store)), 18)

    def test_limits_seed_and_expectations_are_part_of_a_run(self):
        store = self.path("r.db")
        self.experiment(self.write(PLAN), store)
        for old, new in (("max_nodes = 100_000", "max_nodes = 90_000"), ("seed = 7", "seed = 8"),
                         ("error_curves = true", "error_curves = false")):
            self.assertIn("(8 now, 0 before)",
                          self.experiment(self.write(PLAN.replace(old, new)), store).stdout)

    def test_one_batch_out_at_a_time_is_in_no_name(self):
        store = self.path("r.db")
        self.experiment(self.write(PLAN), store)
        one = PLAN.replace("seed = 7", "seed = 7\npipeline = 1")
        self.assertIn("(0 now, 8 before)", self.experiment(self.write(one), store).stdout)
        three = PLAN.replace("seed = 7", "seed = 7\npipeline = 3")
        self.assertIn("(8 now, 0 before)", self.experiment(self.write(three), store).stdout)
        found = rows(store)
        self.assertEqual(sum(" pipeline=3 " in key for key in found), 8)
        for key, row in found.items():
            first = found[key.replace(" pipeline=3", "")]
            self.assertEqual(row["verdict"], first["verdict"])
            if row["algorithm"] == "PN":  # nothing waits
                self.assertEqual(row["iterations"], first["iterations"])

    def test_limits_are_outcomes(self):
        store = self.path("r.db")
        small = PLAN.replace("max_nodes = 100_000", "max_nodes = 20")
        self.assertIn("8 undecided", self.experiment(self.write(small), store).stdout)
        self.assertEqual({row["outcome"] for row in rows(store).values()}, {"budget"})
        store = self.path("m.db")
        little = PLAN.replace("depth=8", "depth=16").replace(
            "max_nodes = 100_000", 'max_nodes = 100_000\nmax_memory = "64KiB"')
        self.experiment(self.write(little), store)
        self.assertIn("memory", {row["outcome"] for row in rows(store).values()})

    def test_limits_of_cpu_time(self):
        """Told with where it was stopped; a search that ends before it is the search without it."""
        store = self.path("r.db")
        plan = ('name = "clock"\nlimits = { max_nodes = 1e9, max_cpu_seconds = 0.05 }\n[[series]]\nname = "h"\n'
                'game = "hex:size=6"\npositions = ["a1"]\n[[series]]\nname = "t"\ngame = "pgame:branching=2,depth=8"\n'
                'trees = { from = 1, to = 3 }\n[[algorithm]]\nspec = "pn"\n[[algorithm]]\nlabel = "more"\nspec = "pn"\n'
                'max_cpu_seconds = 0.2\n[[algorithm]]\nlabel = "few"\nspec = "pn"\nmax_nodes = 50\nmax_memory = "1MiB"\n')
        self.experiment(self.write(plan), store)
        found = {(row["series"], row["problem"], row["algorithm"]): (key, row, cpu) for (key, row), (cpu,) in zip(
            rows(store).items(), query(store, "SELECT cpu_seconds FROM run"))}
        for label, limit in (("pn", 0.05), ("more", 0.2)):
            key, row, cpu = found["h", "position 1", label]
            self.assertIn(f" max_cpu_seconds={limit} ", key)
            self.assertEqual((row["verdict"], row["outcome"], row["reason"], row["max_cpu_seconds"]),
                             ("unknown", "budget", "cpu", limit))
            self.assertGreaterEqual(cpu, limit)
            self.assertGreater(row["iterations"], 0)
            self.assertEqual(found["t", "tree 1", label][1]["reason"], "decided")
        key, row, _ = found["h", "position 1", "few"]
        self.assertEqual((row["max_nodes"], row["max_memory"], row["reason"]), (50, 1 << 20, "nodes"))
        self.assertIn("(0 now, 12 before)", self.experiment(self.write(plan), store).stdout)
        plain = self.path("p.db")
        self.experiment(self.write(plan.replace(", max_cpu_seconds = 0.05", "").replace("size=6", "size=3")), plain)
        for row in rows(plain).values():
            if (row["series"], row["algorithm"]) == ("t", "pn"):
                self.assertIsNone(row["max_cpu_seconds"])
                self.assertEqual(row["counters"].replace("peak", ""),
                                 found["t", row["problem"], "pn"][1]["counters"].replace("peak", ""))
        again = self.path("again.db")  # stopped elsewhere, which is no other result
        self.experiment(self.write(plan), again)
        self.assertEqual(run("merge", store, again, "--store", self.path("m.db")).returncode, 0)


class Expectations(ExperimentTest):
    POSITIONS = PLAN.replace('trees = { from = 1, to = 4 }\nexpected = "oracle"',
                             'positions_file = "data.txt"\ncolumns = ["cell", "winner"]\n'
                             'position = "{cell}"\nexpected = "{winner}"\n'
                             "expected_values = { W = 1, B = -1 }").replace(
        "pgame:branching=2,depth=8", "hex:size=3").replace('normalise = "branching"\n', "")

    def test_known_results_are_checked(self):
        self.write("# a comment\na1 W\nb2 B\nc1 B\n", "data.txt")
        self.experiment(self.write(self.POSITIONS), self.path("r.db"))
        expected = {row["problem"]: row["expected"] for row in rows(self.path("r.db")).values()}
        self.assertEqual(expected, {"row 1": "proved", "row 2": "disproved", "row 3": "disproved"})

    def test_a_contradiction_is_loud(self):
        self.write("a1 B\nb2 B\n", "data.txt")
        process = self.experiment(self.write(self.POSITIONS), self.path("r.db"),
                                  status=DISAGREEMENT)
        self.assertEqual(process.stderr.count("DISAGREEMENT"), 2)
        self.assertIn("trees, row 1, goal win, pn:", process.stderr)
        self.assertIn("2 disagreements", process.stdout)

    # The error curves rest on the oracle too.
    UNKNOWN = PLAN.replace('expected = "oracle"\n', "").replace("error_curves = true\n", "")

    def contradict(self, plan, changes):
        """Runs a plan, changes verdicts in the store, and starts it again: (stdout, stderr's lines)."""
        store = self.path("r.db")
        self.experiment(plan, store)
        change(store, changes)
        process = self.experiment(plan, store, status=DISAGREEMENT)
        os.remove(store)
        return process.stdout, process.stderr.splitlines()

    def test_verdicts_that_contradict_each_other(self):
        """Nothing is known, but one of them is wrong; repetitions are the same question."""
        plan = self.write(self.UNKNOWN.replace("[[algorithm]]", 'repetitions = 2\ngoals = ["win", "draw"]\n'
                                               "[[algorithm]]", 1))
        self.experiment(plan, self.path("r.db"))
        verdicts = {row["verdict"] for row in rows(self.path("r.db")).values()}
        self.assertEqual(verdicts, {"proved", "disproved"})
        os.remove(self.path("r.db"))
        turn = ("UPDATE run SET verdict = CASE verdict WHEN 'proved' THEN 'disproved' ELSE 'proved' END "
                "WHERE problem = 'tree 2' AND goal = 'win' AND ")
        for which in ("algorithm = 'UCT'", "algorithm = 'PN'", "repetition = 2", "repetition = 1 AND "
                      "algorithm = 'UCT'"):
            out, lines = self.contradict(plan, turn + which)
            self.assertEqual(len(lines), 1, lines)
            self.assertIn("1 disagreement", out)
            self.assertRegex(lines[0], r"\Aplayproof: DISAGREEMENT: trees, tree 2, goal win: proved by "
                             r"(pn|uct):\S+, disproved by (pn|uct):\S+\Z")
        out, lines = self.contradict(plan, "UPDATE run SET verdict = 'proved' WHERE algorithm = 'UCT';"
                                     "UPDATE run SET verdict = 'disproved' WHERE algorithm = 'PN'")
        self.assertEqual(len(lines), 8)  # four trees, two goals
        self.assertIn("trees, tree 1, goal draw: proved by uct:", lines[1])
        self.assertIn("disproved by pn:", lines[1])

    def test_verdicts_that_contradict_each_other_across_goals(self):
        """Who wins reaches a draw too; told once, and not where one goal has both answers."""
        plan = self.write(self.UNKNOWN.replace("[[algorithm]]", 'repetitions = 2\ngoals = ["win", "draw"]\n'
                                               "[[algorithm]]", 1))
        turn = ("UPDATE run SET verdict = CASE goal WHEN 'win' THEN 'proved' ELSE 'disproved' END "
                "WHERE problem = 'tree 2'")
        out, lines = self.contradict(plan, turn)
        self.assertIn("1 disagreement", out)
        self.assertEqual(len(lines), 1, lines)
        self.assertRegex(lines[0], r"\Aplayproof: DISAGREEMENT: trees, tree 2: goal win proved by "
                         r"(pn|uct):\S+, goal draw disproved by (pn|uct):\S+\Z")
        out, lines = self.contradict(plan, turn + " AND (goal = 'win' OR repetition = 1)")
        self.assertEqual(len(lines), 1, lines)
        store = self.path("other.db")
        self.experiment(plan, store)
        change(store, "UPDATE run SET verdict = CASE goal WHEN 'win' THEN 'disproved' ELSE 'proved' END")
        self.assertIn("0 disagreements", self.experiment(plan, store).stdout)

    def test_what_is_wrong_is_told_once(self):
        """A known result says already which of two is wrong."""
        out, lines = self.contradict(
            self.write(PLAN), "UPDATE run SET verdict = CASE verdict WHEN 'proved' THEN 'disproved' ELSE "
            "'proved' END WHERE problem = 'tree 2' AND algorithm = 'UCT'")
        self.assertIn("1 disagreement", out)
        self.assertEqual(len(lines), 1)
        self.assertIn(", expected ", lines[0])

    def test_an_undecided_run_contradicts_nobody(self):
        plan = self.write(self.UNKNOWN)
        self.experiment(plan, self.path("r.db"))
        change(self.path("r.db"), "UPDATE run SET verdict = 'unknown' WHERE algorithm = 'UCT'")
        self.assertIn("0 disagreements", self.experiment(plan, self.path("r.db")).stdout)

    def test_scores_meet_every_goal(self):
        self.write("-OOOOXXO-OXXXO-- X -4\n", "data.txt")
        plan = self.POSITIONS.replace('"cell", "winner"', '"board", "side", "score"').replace(
            "{cell}", "{board} {side}").replace("{winner}", "{score}").replace(
            "hex:size=3", "othello:size=4").replace("expected_values = { W = 1, B = -1 }",
                                                    'goals = ["win", "draw", "score>=-4", "score>=-3"]')
        plan = plan.replace("error_curves = true", "error_curves = false")
        self.experiment(self.write(plan), self.path("r.db"))
        expected = {row["goal"]: row["expected"] for row in rows(self.path("r.db")).values()}
        self.assertEqual(expected, {"win": "disproved", "draw": "disproved",
                                    "score>=-4": "proved", "score>=-3": "disproved"})


class Stores(ExperimentTest):
    def setUp(self):
        super().setUp()
        self.plan = self.write(PLAN)
        self.store = self.path("r.db")

    def fails(self, status, *fragments):
        self.assert_fails(["experiment", self.plan, "--store", self.store], status, self.store,
                          *fragments)

    def test_not_a_database(self):
        with open(self.store, "w", encoding="utf-8") as file:
            file.write("hello " * 1000)
        self.fails(BAD_DATA, "not a database")

    def test_a_foreign_database_is_left_alone(self):
        change(self.store, "CREATE TABLE mine (x)")
        self.fails(BAD_DATA, "not a result store")
        self.assertEqual(query(self.store, "SELECT name FROM sqlite_master"), [("mine",)])

    def test_another_version(self):
        self.experiment(self.plan, self.store)
        change(self.store, "PRAGMA user_version = 99")
        self.fails(BAD_DATA, "version 99")

    def test_versions_2_and_3_become_version_4(self):
        later = {"counters": None, "max_cpu_seconds": None}
        for version in (2, 3):
            with self.subTest(version):
                if os.path.exists(self.store):
                    os.remove(self.store)
                self.experiment(self.plan, self.store)
                made = rows(self.store)
                for key in made:
                    made[key].update(later)
                write_version(self.store, version)
                if version == 2:
                    self.assertEqual(len(query(self.store, "SELECT nodes_reexpanded FROM run")), len(made))
                report = run("report", self.store, "--format", "csv").stdout
                self.assertIn("(0 now,", self.experiment(self.plan, self.store).stdout)
                self.assertEqual(query(self.store, "PRAGMA user_version"), [(4,)])
                self.assertEqual(rows(self.store), made)
                self.assertEqual([dict(row) for row in csv.DictReader(io.StringIO(report))],
                                 [dict(row) for row in csv.DictReader(io.StringIO(
                                     run("report", self.store, "--format", "csv").stdout))])

    def test_counters(self):
        """All that counters.h names, as one JSON object, which the report unfolds."""
        with open(os.path.join(SOURCE, "host", "question", "counters.h"), encoding="utf-8") as file:
            text = file.read()
        names = re.findall(r'\{"(\w+)", &Counters::', text)
        self.assertGreaterEqual(len(names), 26)
        self.experiment(self.plan, self.store)
        for row in rows(self.store).values():
            found = json.loads(row["counters"])
            self.assertEqual(list(found), names)
            for name in names:
                self.assertIn(row.get(name, found[name]), (found[name],))
        hex_plan = self.write('name = "hex"\nlimits.max_nodes = 1e5\n[[series]]\nname = "h"\ngame = "hex:size=4"\n'
                              'positions = ["a1"]\n[[algorithm]]\nlabel = "links"\nspec = "dfpn:patterns=64,probe=connections"\n'
                              '[[algorithm]]\nspec = "pn2"\n', "hex.toml")
        self.experiment(hex_plan, self.path("h.db"))
        exported = list(csv.DictReader(io.StringIO(run("report", self.path("h.db"), "--format", "csv").stdout)))
        self.assertGreater(int(exported[0]["connections"]), 0)
        self.assertGreater(int(exported[1]["second_searches"]), 0)
        change(self.path("h.db"), "UPDATE run SET counters = replace(counters, '\"iterations\":', '\"iterations\":1')")
        self.assert_fails(["report", self.path("h.db"), "--format", "csv"], BAD_DATA, "in its counters")

    def test_version_1_becomes_version_4(self):
        self.experiment(self.plan, self.store)
        made = rows(self.store)
        added = ("shallow_switches", "endings", "ending_nodes", "table_lookups", "table_hits",
                 "table_useful_hits", "table_stored", "table_replaced", "table_discarded")
        change(self.store, "DELETE FROM curve WHERE run_key = (SELECT min(key) FROM run)")
        change(self.store, "DELETE FROM run WHERE key = (SELECT min(key) FROM run)")
        for column in added:
            change(self.store, f"ALTER TABLE run DROP COLUMN {column}")
        write_version(self.store, 1)
        self.experiment(self.plan, self.store)
        self.assertEqual(query(self.store, "PRAGMA user_version"), [(4,)])
        again = rows(self.store)
        gone = min(made)
        self.assertEqual({name: again[gone][name] for name in added},
                         {name: made[gone][name] for name in added})
        for key in set(made) - {gone}:
            self.assertEqual([again[key][name] for name in added], [None] * len(added))

    def test_a_missing_table(self):
        self.experiment(self.plan, self.store)
        change(self.store, "DROP TABLE curve")
        self.fails(BAD_DATA, "'curve' is missing")

    def test_columns_are_those_of_the_version(self):
        """Although every run is there, so that nothing would have to be written."""
        self.experiment(self.plan, self.store)
        whole = self.path("whole.db")
        shutil.copy(self.store, whole)
        for table, column in (("run", "peak_bytes"), ("run", "max_cpu_seconds"), ("plan", "json"),
                              ("invocation", "shard"), ("curve", "points")):
            with self.subTest(table=table, column=column):
                shutil.copy(whole, self.store)
                change(self.store, f"ALTER TABLE {table} DROP COLUMN {column}")
                self.fails(BAD_DATA, f"the table '{table}' lacks the column '{column}'")
                self.assert_fails(["report", self.store, "--format", "csv"], BAD_DATA, "columns")
        for sql, text in (("ALTER TABLE run ADD COLUMN mine INTEGER", "a column too many, 'mine'"),
                          ("ALTER TABLE run RENAME COLUMN device TO machine",
                           "the table 'run' lacks the column 'device'"),
                          ("ALTER TABLE curve DROP COLUMN points; "
                           "ALTER TABLE curve ADD COLUMN points TEXT", "form the column 'points'")):
            shutil.copy(whole, self.store)
            change(self.store, sql)
            self.fails(BAD_DATA, text)

    def test_an_index_that_lies(self):
        """Runs are looked up in it: what it hides would be run again, and not stored."""
        self.experiment(self.write(PLAN.replace("to = 4", "to = 2")), self.store)
        (root,), = query(self.store, "SELECT rootpage FROM sqlite_master WHERE name = "
                                     "'sqlite_autoindex_run_1'")
        (size,), = query(self.store, "PRAGMA page_size")
        with open(self.store, "rb") as file:
            earlier = file.read()[(root - 1) * size:root * size]
        self.experiment(self.write(PLAN), self.store)
        with open(self.store, "r+b") as file:
            file.seek((root - 1) * size)
            file.write(earlier)
        self.fails(BAD_DATA, "missing from index")

    def test_damage(self):
        self.experiment(SMOKE, self.store)
        with open(self.store, "r+b") as file:
            file.seek(8192)
            file.write(b"\xff" * 40960)
        self.fails(BAD_DATA)

    def test_truncated(self):
        self.experiment(SMOKE, self.store)
        os.truncate(self.store, os.path.getsize(self.store) // 2)
        self.fails(BAD_DATA)

    def test_no_such_folder(self):
        self.store = self.path("none/r.db")
        self.fails(NO_OUTPUT)

    def test_a_folder(self):
        self.store = self.folder
        self.fails(NO_OUTPUT)

    def denied(self, *fragments):
        """As somebody who is not root: who may write everywhere."""
        command = ["experiment", self.plan, "--store", self.store]
        others = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
        try:
            process = run(*command, **others)
        except PermissionError:
            self.skipTest("the program is where another user may not go")
        self.assert_status(process, NO_OUTPUT)
        for fragment in fragments:
            self.assertIn(fragment, process.stderr)
        self.assertNotIn("No such file", process.stderr)

    def test_read_only(self):
        os.chmod(self.folder, 0o755)
        os.makedirs(self.path("f"))
        self.store = self.path("f/r.db")
        self.experiment(self.plan, self.store)
        os.chmod(self.store, 0o444)
        os.chmod(self.path("f"), 0o555)
        self.addCleanup(os.chmod, self.path("f"), 0o755)
        self.denied(self.store + ": cannot write the result store", "Permission denied")
        os.chmod(self.store, 0o666)
        self.denied(f"the folder '{self.path('f/')}', which is written to besides: Permission denied")
        self.store = self.path("f/new.db")
        self.denied(f"the folder '{self.path('f/')}', which is written to besides: Permission denied")

    def test_no_such_folder_is_named(self):
        self.store = self.path("none/r.db")
        self.fails(NO_OUTPUT, f"the folder '{self.path('none/')}': No such file or directory")


class CommandLine(ExperimentTest):
    def test_usage(self):
        plan = self.write(PLAN)
        store = self.path("r.db")
        self.assert_fails(["experiment", plan], USAGE, "--store")
        for shard in ("0/2", "3/2", "1", "a/b", "1/0", "-1/2"):
            self.assert_fails(["experiment", plan, "--store", store, f"--shard={shard}"], USAGE,
                              "--shard")
        self.assert_fails(["experiment", plan, "--store", store, "--backend", "cpo"], USAGE,
                          "nearest: 'cpu'")
        self.assert_fails(["experiment", plan, "--store", store, "--threads", "0"], USAGE)
        self.assert_fails(["experiment", plan, "--store", store, "--progress", "much"], USAGE)
        self.assertFalse(os.path.exists(store))

    def test_progress_as_json(self):
        process = self.experiment(self.write(PLAN), self.path("r.db"), "--progress", "json")
        last = json.loads(process.stderr.splitlines()[-1])
        self.assertEqual((last["done"], last["total"]), (8, 8))

    def test_no_progress_line_without_a_terminal(self):
        self.assertEqual(self.experiment(self.write(PLAN), self.path("r.db")).stderr, "")


if __name__ == "__main__":
    unittest.main()
