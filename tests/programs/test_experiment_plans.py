"""Wrong plans: the place, what is wrong, what would be right, status 65."""

import glob
import json
import os
import re
import sys
import tomllib
import unittest

from experiments import PLAN, ExperimentTest, query
from program import BAD_DATA, SOURCE, run

sys.path.insert(0, os.path.join(SOURCE, "python"))
from playproof_report import sweeps  # noqa: E402

# What has no effect where an option has this value.
FORM = {"playouts", "form", "A", "S"}
DEEP = {"E", "D"}
IDLE = {"leaf=unit": FORM | DEEP, "leaf=mobility": FORM | DEEP, "leaf=mustplay": FORM | DEEP, "leaf=deep": FORM,
        "leaf=quads": FORM | DEEP, "leaf=lines": {"playouts"} | DEEP, "leaf=playouts": DEEP, "leaf=both": DEEP, "form=power": {"S"}, "form=log": {"A"},
        "form=linear": {"A"}, "rule=beta": {"theta"}, "limit=allis": {"a", "b"},
        "probe=none": {"endings"}}


class WrongPlans(ExperimentTest):
    def test_the_plan_itself_is_right(self):
        self.assert_status(run("experiment", self.write(PLAN), "--dry-run"), 0)

    def test_files(self):
        self.assert_fails(["experiment", self.path("none.toml"), "--dry-run"], BAD_DATA,
                          "none.toml")
        self.assert_fails(["experiment", self.folder, "--dry-run"], BAD_DATA)

    def test_syntax(self):
        self.refuse("seed = 7", "seed = = 7", 2)
        self.refuse("seed = 7", "seed = 7\nseed = 8", 3)
        self.refuse('name = "test"', "name = \"\xff\\q\"", 1)

    def test_tables_that_lie_too_deep(self):
        """Each level takes stack, of the parser and of what it makes: refused before that."""
        many = 80_000
        first = len(PLAN.splitlines()) + 2
        for text, line in (("a." * many + "a = 1", 0), ("[" + "a." * many + "a]", 0), ("[[" + "a." * many + "a]]", 0),
                           ("'b.c' . " * many + "a = 1", 0), ("a = " + "[" * many + "]" * many, 0),
                           ("a = " + "{b = " * many + "1" + "}" * many, 0), ("a = 'x'\n[b]\n" + "b." * 70 + "c = 1", 2),
                           ("a = " + "{b.c.d = [\n" * 70 + "1" + "\n]}" * 70, 16)):
            with self.subTest(text[:20]):
                plan = self.write(PLAN + "\n" + text + "\n")
                self.assert_fails(["experiment", plan, "--dry-run"], BAD_DATA, f"{plan}:{first + line}: ", "at most 64 deep")
        # What is none: in texts and comments, beside each other.
        dots = "." * many
        texts = [f'"{dots}["', f"'{dots}['", f'"""{dots}\n{dots}\\""" {{"""""', f"'''{dots}\n[''[{dots}'''''", f'"\\"{dots}"']
        for text in texts:
            plan = self.write(PLAN.replace("seed = 7", f"seed = 7\ndescription = {text} # {dots}"))
            self.assert_status(run("experiment", plan, "--dry-run"), 0)
        plan = self.write(PLAN.replace("trees = { from = 1, to = 4 }\nexpected = \"oracle\"", "positions = [" +
                                       "{ position = '0', expected = '1' }, " * 100 + "]"))
        self.assert_status(run("experiment", plan, "--dry-run"), 0)

    def test_more_runs_than_can_be_listed(self):
        """Told before they are listed: a plan of ten lines may ask for 10^11."""
        plan = self.write(PLAN.replace("to = 4", "to = 100000").replace("seed = 7", "seed = 7\nrepetitions = 1000000"))
        self.assert_fails(["experiment", plan, "--dry-run"], BAD_DATA, f"{plan}:12: ", "100000 problems x 1 goals x "
                          "1000000 repetitions x 2 algorithms")

    def test_unknown_keys(self):
        self.refuse("seed = 7", "sead = 7", 2, "unknown key 'sead'", "nearest: 'seed'")
        self.refuse("max_nodes", "max_nods", 5, "'max_nodes' is missing; add: max_nodes = 1e6")
        self.refuse("max_nodes", "max_nods", 6, "unknown key 'max_nods'; nearest: 'max_nodes'")
        self.refuse("max_nodes = 100_000", "max_nodes = 100_000\nmax_seconds = 9", 7,
                    "unknown key 'max_seconds'")
        self.refuse('spec = "pn:ties=left"', 'spec = "pn:ties=left"\nspecs = 1', 20,
                    "[[algorithm]] 'PN'", "nearest: 'spec'")
        self.refuse("to = 4 }", "to = 4, by = 2 }", 14, "unknown key 'by'")

    def test_types_and_ranges(self):
        self.refuse("seed = 7", 'seed = "7"', 2, "whole number, not a text")
        self.refuse("seed = 7", "seed = -1", 2, "'seed' must be 0..")
        self.refuse("error_curves = true", "error_curves = 1", 3, "true or false")
        self.refuse("max_nodes = 100_000", "max_nodes = 0", 6, "'max_nodes' must be 1..")
        self.refuse("max_nodes = 100_000", "max_nodes = 1\nmax_memory = \"1 GB\"", 7, "64MiB")
        self.refuse("max_nodes = 100_000", "max_nodes = 1\nmax_cpu_seconds = 1", 7, "max_cpu_seconds and error_curves")
        for seconds in ("0", "-1", "inf"):
            self.refuse("error_curves = true\n\n[limits]\nmax_nodes = 100_000",
                        f"[limits]\nmax_nodes = 1\nmax_cpu_seconds = {seconds}", 5, "max_cpu_seconds")
        self.refuse("max_nodes = 100_000", "max_nodes = 1\nmax_cpu_seconds = '9'", 7, "'max_cpu_seconds'")
        self.refuse('spec = "pn:ties=left"', 'spec = "pn:ties=left"\nmax_nodes = 0', 20, "'max_nodes' must be 1..")
        self.refuse('spec = "pn:ties=left"', 'spec = "pn:ties=left"\nmax_memory = "9 GB"', 20, "64MiB")
        self.refuse('spec = "pn:ties=left"', 'spec = "pn:ties=left"\nmax_cpu_seconds = 1', 20, "max_cpu_seconds and error_curves")
        self.refuse("to = 4", "to = 0", 14, "'to' must be 1..")
        self.refuse("seed = 7", "seed = 7\nrepetitions = 0", 3, "'repetitions' must be 1..")
        self.refuse("seed = 7", "seed = 7\nbatch = 0", 3, "'batch' must be 1..")
        self.refuse("seed = 7", "seed = 7\npipeline = 65", 3, "'pipeline' must be 1..64")
        self.refuse("[[series]]", "[series]", 11, "[[series]]")

    def test_tables_have_no_second_batch(self):
        plan = self.write(PLAN.replace("seed = 7", "seed = 7\npipeline = 2")
                          .replace("pn:ties=left", "dfpn"))
        self.assert_fails(["experiment", plan, "--dry-run"], BAD_DATA, f"{plan}:20: ",
                          "--pipeline: dfpn")

    def test_a_report_need_not_be_said(self):
        for report in ("", "[report]\n", '[report]\nreference = "UCT"\n'):
            plan = self.write(PLAN.replace('[report]\nkind = "compare"\n', report, 1))
            self.assert_status(run("experiment", plan, "--dry-run"), 0)

    def test_whole_numbers_may_have_an_exponent(self):
        for number in ("1e5", "2.5E4", "1.0e+5"):
            plan = self.write(PLAN.replace("100_000", number, 1))
            self.assert_status(run("experiment", plan, "--dry-run"), 0)
        self.refuse("100_000", "2.5", 6, "'max_nodes' must be a whole number, not a number")
        self.refuse("100_000", "1e300", 6, "'max_nodes' must be a whole number")
        self.refuse("100_000", "-1e5", 6, "'max_nodes' must be 1..")
        self.refuse("100_000", "nan", 6, "'max_nodes' must be a whole number")

    def test_a_claim_without_a_source_is_the_plans_own(self):
        source = 'source = "a book"\n'
        for said, own, told in (("", True, ""), (source, False, "a book"), ('thought = "a walk"\n', True, "a walk"),
                                (source + "own = true\n", True, "a book")):
            plan = self.write(PLAN.replace(source, said, 1))
            store = self.path("own.db")
            self.assert_status(run("experiment", plan, "--store", store), 0)
            made, = [json.loads(text)["claims"][0] for (text,) in query(store, "SELECT json FROM plan")]
            self.assertEqual((made["own"], made["source"]), (own, told))
            os.remove(store)
        plan = self.write(PLAN.replace(source, source + 'thought = "a walk"\n', 1))
        self.assert_fails(["experiment", plan, "--dry-run"], BAD_DATA, "a source, or it is the project's own")

    def test_missing_parts(self):
        self.refuse("[limits]\nmax_nodes = 100_000\n", "", len(PLAN.splitlines()) - 2, "no [limits]; at the end "
                    "of the file, add:\n    [limits]\n    max_nodes = 1e6\n")
        self.refuse('spec = "pn:ties=left"\n', "", 17, "'spec' is missing; add: spec = ")
        self.refuse('game = "pgame:branching=2,depth=8"\n', "", 11, "'game' is missing")
        self.refuse("trees = { from = 1, to = 4 }\n", "", 11, "'trees', 'positions'",
                    'add: positions_file = "positions.txt"')
        self.refuse('name = "test"\n', "", 1, "'name' is missing")
        self.refuse('name = "test"', 'name = ""', 1, "must not be empty")
        plan = self.write('name = "x"\n[limits]\nmax_nodes = 1\n[report]\nkind = "agreement"\n')
        self.assert_fails(["experiment", plan, "--dry-run"], BAD_DATA, "no [[series]]")

    def test_names_of_games_and_algorithms(self):
        self.refuse("pgame:branching=2", "pgame:branchin=2", 13, "unknown key 'branchin'",
                    "nearest: 'branching'")
        self.refuse("pgame:branching=2", "pgame:branching=1", 13, "2..64")
        self.refuse("pgame:", "pgamee:", 13, "unknown game 'pgamee'", "nearest: 'pgame'")
        self.refuse('"pn:ties=left"', '"pm:ties=left"', 19, "unknown algorithm 'pm'", "nearest")
        self.refuse('"pn:ties=left"', '"pn:ties=lft"', 19, "one of left")
        self.refuse("uct:playouts=10", "ppn:playouts=10,theta=0.05", 23, "theta")

    def test_goals(self):
        self.refuse("[[algorithm]]", 'goals = ["win", "wan"]\n[[algorithm]]', 17, "wan")
        self.refuse("[[algorithm]]", 'goals = "value"\n[[algorithm]]', 17, "score>=N")
        self.refuse("[[algorithm]]", 'goals = "score>=3"\n[[algorithm]]', 17, "has no scores")
        self.refuse("[[algorithm]]", "goals = []\n[[algorithm]]", 17, "must not be empty")
        self.refuse("[[algorithm]]", 'goals = ["win", "draw", "win"]\n[[algorithm]]', 17,
                    "the goal 'win' is there twice")
        plan = self.write(self.OTHELLO.replace('"score>=2"', '"score>=2", "score>=+2"'))
        self.assert_fails(["experiment", plan, "--dry-run"], BAD_DATA, f"{plan}:6: ",
                          "'score>=+2' is there twice")
        self.assert_status(run("experiment", self.write(self.OTHELLO), "--dry-run"), 0)

    OTHELLO = ('name = "o"\nlimits.max_nodes = 9\n[[series]]\nname = "s"\ngame = "othello:size=4"\n'
               'goals = ["win", "score>=2"]\npositions = [""]\n[[algorithm]]\nspec = "pn"\n')

    def test_control_characters(self):
        """Names go to terminals: what gives these orders, or ends a line, is refused."""
        for escape, code in (("\\u001b", "1B"), ("\\n", "0A"), ("\\u0000", "00"), ("\\u007f", "7F"),
                             ("\\u0080", "80"), ("\\u009b", "9B"), ("\\u009f", "9F")):
            self.refuse('name = "test"', f'name = "te{escape}st"', 1,
                        f"'name' must not contain control characters, but has U+00{code}")
        for escape in ("\\u2028", "\\u2029"):
            self.refuse('name = "test"', f'name = "test{escape}"', 1, f"U+{escape[2:]}")
        plan = self.write(PLAN.replace('name = "test"', 'name = "t\u00a0é×\u2027\u202a–"'))
        self.assert_status(run("experiment", plan, "--dry-run"), 0)
        for old, new, line in (
                ("seed = 7", 'seed = 7\ntitle = "a{}"', 3), ('name = "trees"', 'name = "trees{}"', 12),
                ('name = "trees"', 'name = "trees"\ntitle = "{}"', 13), ('label = "UCT"', 'label = "U{}"', 22),
                ('id = "one"', 'id = "o{}ne"', 27),
                ("[[claim]]", '[[choice]]\nlabel = "c{}"\nof = ""\nhow = "best"\n[[claim]]', 27)):
            self.refuse(old, new.format("\\u001b[2J"), line, "must not contain control characters, but has U+001B")
        plan = self.write(PLAN.replace("seed = 7", 'seed = 7\ndescription = "two\\nlines"'))
        self.assert_status(run("experiment", plan, "--dry-run"), 0)

    def test_what_goes_with_a_data_file(self):
        for key, value in (("columns", '["a"]'), ("position", '"a"'), ("expected_values", "{ W = 1 }"),
                           ("rows", "{ from = 1, to = 1 }")):
            self.refuse("trees = {", f"{key} = {value}\ntrees = {{", 14, f"'{key}' goes with 'positions_file'")
        plan = self.write(self.OTHELLO.replace("positions", "columns = [\"position\"]\npositions"))
        self.assert_fails(["experiment", plan, "--dry-run"], BAD_DATA, f"{plan}:7: ", "goes with 'positions_file'")

    def test_columns_have_names_of_their_own(self):
        self.write("1 1\n", "pairs.txt")
        self.refuse('trees = { from = 1, to = 4 }\nexpected = "oracle"', 'positions_file = "pairs.txt"\ncolumns = '
                    '["a", "a"]\nposition = "{a}"', 15, "the column 'a' is there twice")

    def test_problems(self):
        self.refuse("trees = {", "positions = [\"0\"]\ntrees = {", 11, "needs one of")
        self.refuse("trees = { from = 1, to = 4 }", 'positions = ["0 1", "0 7"]', 14, "position 2")
        self.refuse("trees = { from = 1, to = 4 }", 'positions = [\n"0 1",\n"0 7"]', 16, "position 2")
        self.refuse("trees = { from = 1, to = 4 }", "positions = [5]", 14, "a position is")
        self.refuse("trees = { from = 1, to = 4 }", "positions = []", 14, "must not be empty")
        self.refuse("depth=8\"", "depth=8,tree=3\"", 14, "without 'tree'")
        self.refuse("pgame:branching=2,depth=8", "hex:size=3", 14, "'trees' needs")
        self.refuse('expected = "oracle"', 'expected = "7"', 15, "oracle")

    def test_data_files(self):
        self.write("1 a\n2\n", "short.txt")
        self.write("1 x\n", "word.txt")
        self.write("# nothing\n", "empty.txt")

        def use(name):
            return (f'positions_file = "{name}"\ncolumns = ["a", "b"]\nposition = "{{a}}"\n'
                    'expected = "{b}"')
        old = 'trees = { from = 1, to = 4 }\nexpected = "oracle"'
        self.refuse(old, use("none.txt"), 14, "none.txt", "cannot read")
        plan = self.write(PLAN.replace(old, use("short.txt")))
        self.assert_fails(["experiment", plan, "--dry-run"], BAD_DATA, "short.txt:2: 1 columns",
                          f"'columns' in {plan}:15 names 2")
        self.refuse(old, use("empty.txt"), 14, "no rows")
        self.refuse(old, use("short.txt").replace("{a}", "{aa}"), 16, "there is no 'aa'")
        plan = self.write(PLAN.replace(old, use("word.txt")))
        self.assert_fails(["experiment", plan, "--dry-run"], BAD_DATA, "word.txt:1: ",
                          "expected value 'x'")
        self.write("1 1\n", "good.txt")
        self.refuse(old, use("good.txt").replace("{a}", "{c}"), 16, "there is no 'c'")
        self.refuse(old, use("good.txt").replace("{a}", "{a"), 16, "not closed")
        self.refuse(old, use("good.txt") + "\nrows = { from = 1, to = 2 }", 18, "'to' must be 1..1")

    def test_a_data_file_without_columns(self):
        """Its lines are the positions, whatever is in them."""
        board = "X" * 30 + "O" * 30 + "-" * 4
        self.write(f"# two boards\n\n{board} X\r\n  {board} O  \n", "boards.txt")
        old = 'trees = { from = 1, to = 4 }\nexpected = "oracle"'
        new = 'positions_file = "boards.txt"'
        text = PLAN.replace("pgame:branching=2,depth=8", "othello").replace(
            'normalise = "branching"\n', "")
        store = self.path("boards.db")
        self.experiment(self.write(text.replace(old, new)), store)
        self.assertEqual(query(store, "SELECT DISTINCT problem, position FROM run ORDER BY problem"),
                         [("row 1", f"{board} X"), ("row 2", f"{board} O")])
        for more in ('columns = ["board", "side"]\nposition = "{board} {side}"',
                     'columns = ["board", "position"]\nposition = "{board} {position}"',
                     'position = "{position}"'):
            process = self.experiment(self.write(text.replace(old, f"{new}\n{more}")), store)
            self.assertIn("(0 now, 4 before)", process.stdout)
        self.write(f"{board} X\n{board}\n{board[1:]} O\n{board[1:]} O\n", "boards.txt")
        self.assert_fails(["experiment", self.write(text.replace(old, new)), "--dry-run"], BAD_DATA,
                          "boards.txt:2: [[series]] 'trees', row 2: othello position: ",
                          "boards.txt:3: [[series]] 'trees', row 3: othello position: ",
                          "(and 1 more with the same)")

    def test_columns_that_nobody_uses(self):
        """Every row would be the initial position."""
        self.write("1 1\n0 -1\n", "pairs.txt")
        old = 'trees = { from = 1, to = 4 }\nexpected = "oracle"'
        use = 'positions_file = "pairs.txt"\ncolumns = ["a", "b"]'
        says = "neither 'game' nor 'position' has one of the columns, so that every row would be the"
        for more, line, end in (("", 15, 'initial position; add: position = "{a} {b}"'),
                                ('\nexpected = "{b}"', 15, 'initial position; add: position = "{a}"'),
                                ('\nposition = ""', 16, 'initial position; instead: position = "{a} {b}"'),
                                ('\nposition = "1"', 16, 'same position; instead: position = "{a} {b}"')):
            self.refuse(old, use + more, line, f"[[series]] 'trees': {says} {end}\n")
        for more in ('position = "{a}"\nexpected = "{b}"', 'game = "pgame:branching=2,depth=1{a}"'):
            text = PLAN.replace(old, f"{use}\n{more}")
            if more.startswith("game"):
                text = text.replace('game = "pgame:branching=2,depth=8"\n', "")
            self.assert_status(run("experiment", self.write(text), "--dry-run"), 0)

    def test_names_must_be_unique(self):
        self.refuse('label = "UCT"', 'label = "PN"', 22, "taken", "by line 19")
        self.refuse("[[algorithm]]", '[[series]]\nname = "trees"\ngame = "hex"\npositions = [""]\n'
                    "[[algorithm]]", 18, "taken")
        self.refuse('label = "PN"', 'label = "P(N"', 18, "must not contain")

    def test_references(self):
        self.refuse('spec = "pn:ties=left"', 'spec = "pn:ties=left"\nseries = "tres"', 20,
                    "no series 'tres'", "nearest: 'trees'")
        self.refuse('kind = "compare"', 'kind = "compar"', 9, "compare")
        self.refuse('kind = "compare"', 'kind = "compare"\nreference = "PM"', 10, "nearest: 'PN'")
        self.refuse('normalise = "branching"', 'normalise = "nodes"', 24, "branching")

    def test_branching_needs_a_constant_one(self):
        self.refuse('pgame:branching=2,depth=8"\ntrees = { from = 1, to = 4 }',
                    'hex:size=2"\npositions = [""]', 23, "constant branching")

    def test_a_series_has_its_own_seed_limits_and_reference(self):
        own = 'trees = { from = 1, to = 4 }\nseed = 8\nmax_nodes = 500\nmax_memory = "1GiB"\nreference = "UCT"'
        store = self.path("own.db")
        plan = PLAN.replace("trees = { from = 1, to = 4 }", own).replace(
            'spec = "uct:playouts=10"', 'spec = "uct:playouts=10"\nmax_nodes = 600')
        self.assert_status(self.experiment(self.write(plan), store), 0)
        found = query(store, "SELECT DISTINCT algorithm, max_nodes, max_memory FROM run ORDER BY 1")
        self.assertEqual(found, [("PN", 500, 2**30), ("UCT", 600, 2**30)])
        series, = json.loads(query(store, "SELECT json FROM plan")[0][0])["series"]
        self.assertEqual([series[name] for name in ("seed", "max_nodes", "reference")], [8, 500, "UCT"])
        other = self.path("plan.db")
        self.assert_status(self.experiment(self.write(PLAN.replace("seed = 7", "seed = 8")), other), 0)
        seeds = "SELECT problem, algorithm, seed FROM run ORDER BY 1, 2"
        self.assertEqual(query(store, seeds), query(other, seeds))
        self.refuse("trees = { from = 1, to = 4 }", own.replace('"UCT"', '"MCTS"'), 18, "no algorithm 'MCTS' on it", "UCT")

    def test_choices(self):
        text = ('[[choice]]\nlabel = "tuned"\nof = "n="\nhow = "tuned"\nmeasure = "iterations"\n'
                '[[algorithm]]\nlabel = "n={n}"\nspec = "ppn:playouts={n}"\n'
                'sweep = { key = "n", values = [1, 2] }\n[[algorithm]]\nlabel = "PN"')
        old = '[[algorithm]]\nlabel = "PN"'
        plan = self.write(PLAN.replace(old, text).replace("iterations(PN) >", "iterations(tuned) >"))
        self.assert_status(run("experiment", plan, "--dry-run"), 0)
        for how in ("best", "leave one out", "repeated splits"):
            plan = self.write(PLAN.replace(old, text.replace('how = "tuned"', f'how = "{how}"')))
            self.assert_status(run("experiment", plan, "--dry-run"), 0)

        def refuse(before, after, *fragments):
            path = self.write(PLAN.replace(old, text.replace(before, after)))
            self.assert_fails(["experiment", path, "--dry-run"], BAD_DATA, *fragments)
        refuse('of = "n="', 'of = "m="', "fewer than two")
        refuse('how = "tuned"', 'how = "tunes"', "nearest: 'tuned'")
        refuse('how = "tuned"', 'how = "leave-one-out"', "nearest: 'leave one out'")
        refuse('how = "tuned"', 'how = "hill climbing"', "leaf=deep, which 'n=1' has not")
        deep = 'spec = "dfpn:leaf=deep,E={n},D=2"'
        climbing = text.replace('how = "tuned"', 'how = "hill climbing"').replace('spec = "ppn:playouts={n}"', deep)
        self.assert_status(run("experiment", self.write(PLAN.replace(old, climbing)), "--dry-run"), 0)
        for before, after, error in (("[1, 2]", "[1, 3]", "begins at E=2,D=2"), ("E={n}", "E=2", "has those of 'n=1'"),
                                     (":leaf=deep,E={n},D=2", ":leaf=unit,epsilon={n}", "'n=1' has not")):
            path = self.write(PLAN.replace(old, climbing.replace(before, after).replace("D=2", "D=2,epsilon={n}"
                                           if before == "E={n}" else "D=2")))
            self.assert_fails(["experiment", path, "--dry-run"], BAD_DATA, error)
        for same in (":leaf=deep,E={n}", ":E={n}"):  # D is 2, and E and D are of leaf=deep alone
            path = self.write(PLAN.replace(old, climbing.replace(":leaf=deep,E={n},D=2", same)))
            self.assert_status(run("experiment", path, "--dry-run"), 0)
        refuse('"iterations"', '"iteration"', "unknown measure 'iteration'")
        refuse('label = "tuned"', 'label = "PN"', "taken")
        refuse('label = "tuned"', 'label = "n=1"', "taken")
        refuse('label = "tuned"', 'label = "n, tuned"', "must not contain")

    def test_claims(self):
        def refuse(formula, *fragments):
            self.refuse("iterations(PN) > iterations(UCT)", formula, 30, *fragments)
        refuse("iterations(PN)", "'<' or '>'")
        refuse("iterations(PN) = iterations(UCT)", "formula")
        refuse("iteration(PN) < iterations(UCT)", "unknown measure 'iteration'",
               "nearest: 'iterations'")
        refuse("iterations(PN) < nodes_created(UCT)", "same measure")
        refuse("iterations(PN) < iterations(PN)", "same algorithm")
        refuse("iterations(PN) < iterations(UTC)", "no algorithm 'UTC'", "nearest: 'UCT'")
        refuse("x * iterations(PN) < iterations(UCT)", "factor")
        refuse("-1 * iterations(PN) < iterations(UCT)", "factor")
        for factors in ("1e200 * {}(PN) < 1e-200 * {}(UCT)", "1e-200 * {}(PN) < 1e200 * {}(UCT)",
                        "1e-200 * {}(PN) > 1e200 * {}(UCT)", "1e400 * {}(PN) < {}(UCT)",
                        "1e-320 * {0}(UCT) < 1e10 * {0}(PN) < {0}(UCT)"):
            formula = factors.format("iterations", "iterations")
            refuse(formula, "factor")
            if formula.count("<") + formula.count(">") == 1:
                refuse(f"share({formula}) > 0.5", "factor")
        refuse("share(iterations(PN) > 1e-310 * iterations(UCT)) > 0.5", "ratio of 1 / 1e-310")
        refuse("2 * iterations(UCT) < iterations(PN) < iterations(UCT)", "lower bound")
        refuse("iterations(UCT) < iterations(PN) < 2 * nodes_created(UCT)", "same")
        refuse("iterations(UCT) > iterations(PN) > iterations(UCT)", "written with '<'")
        refuse("iterations(PN < iterations(UCT)", "MEASURE(LABEL)")
        refuse("error_area(PN, 1) < error_area(UCT, 1)", "at least 2")
        refuse("error_area(PN, 100) < error_area(UCT, 50)", "same measure")
        refuse("", "must not be empty")
        self.refuse('id = "one"\n', "", 26, "'id' is missing")
        plan = self.write(PLAN.replace("error_curves = true", "error_curves = false").replace(
            "iterations(", "error_area("))
        self.assert_fails(["experiment", plan, "--dry-run"], BAD_DATA, "needs error_curves")


    FORMULA = 'formula = "iterations(PN) > iterations(UCT)"'

    def test_claims_of_shares(self):
        def refuse(formula, *fragments):
            self.refuse("iterations(PN) > iterations(UCT)", formula, 30, *fragments)
        for formula in ("share(iterations(PN) < iterations(UCT)) > 0.5",
                        "share( iterations(PN) > 2 * iterations(UCT) )<.25",
                        "0.4 < share (nodes_created(PN) < nodes_created(UCT)) < 6e-1"):
            plan = self.write(PLAN.replace("iterations(PN) > iterations(UCT)", formula))
            self.assert_status(run("experiment", plan, "--dry-run"), 0)
        inner = "share(iterations(PN) < iterations(UCT))"
        refuse(inner, "followed by '<' or '>'")
        refuse("0.5 < " + inner, "followed by '<' or '>'")
        refuse(inner + " > 1", "'1' is no share", "above 0 and below 1")
        refuse(inner + " < 0", "'0' is no share")
        refuse(inner + " > half", "'half' is no share")
        refuse("0.5 > " + inner + " > 0.1", "written with '<'")
        refuse("0.6 < " + inner + " < 0.5", "lower bound")
        refuse("0.6 " + inner + " < 0.5", "written with '<'")
        refuse("share(iterations(PN) < iterations(UCT) > 0.5", "not closed")
        refuse("share() > 0.5", "MEASURE(LABEL)")
        refuse("share(iterations(PN)) > 0.5", "'<' or '>'")
        refuse("share(iterations(PN) < iterations(PN)) > 0.5", "same algorithm")
        refuse("share(iterations(PN) < nodes_created(UCT)) > 0.5", "same measure")
        refuse("share(iterations(PN) < iterations(UTC)) > 0.5", "nearest: 'UCT'")
        refuse("share(0.5 * iterations(UCT) < iterations(PN) < iterations(UCT)) > 0.5",
               "one '<' or '>'")
        refuse("share(error_area(PN) < error_area(UCT)) > 0.5", "counts and times")
        refuse("share(share(iterations(PN) < iterations(UCT)) > 0.5) > 0.5",
               "unknown measure 'share'")

    def test_statistics(self):
        def refuse(statistic, formula, *fragments):
            self.refuse(self.FORMULA, f'formula = "{formula}"\nstatistic = {statistic}', 31,
                        *fragments)
        ratio = "iterations(PN) > iterations(UCT)"
        share = "share(iterations(PN) < iterations(UCT)) > 0.5"
        refuse('"geometric"', ratio, "one of geometric mean, ratio of means, mean of ratios, share",
               "nearest: 'geometric mean'")
        refuse("1", ratio, "text")
        refuse('"share below"', ratio, "belong together")
        refuse('"mean of ratios"', share, "belong together")
        refuse('"geometric mean"', "error_area(PN) < error_area(UCT)", "errors may be 0")
        for statistic, formula, (low, high, below, subject) in (
                (None, ratio, (1, None, 1, "PN")), ("mean of ratios", ratio, (1, None, 1, "PN")),
                (None, share, (0.5, None, 1, "PN")), ("share below", share, (0.5, None, 1, "PN")),
                (None, "0.25 < share(iterations(PN) > 2 * iterations(UCT)) < 0.75",
                 (0.25, 0.75, 0.5, "UCT")),
                (None, "error_rise_of_mean(PN) < 2 * error_rise_of_mean(UCT)", (0, 2, 1, "PN")),
                ("ratio of means", "error_area(PN, 9) < error_area(UCT, 9)", (0, 1, 1, "PN"))):
            key = f'\nstatistic = "{statistic}"' if statistic else ""
            plan = self.write(PLAN.replace(self.FORMULA, f'formula = "{formula}"{key}'))
            store = self.path("s.db")
            self.experiment(plan, store)
            (text,), = query(store, "SELECT json FROM plan ORDER BY last_used DESC LIMIT 1")
            claim, = json.loads(text)["claims"]
            self.assertEqual([claim[name] for name in ("low", "high", "below", "subject")],
                             [low, high, below, subject])
            default = {"s": "share below", "0": "share below", "e": "ratio of means"}
            self.assertEqual(claim["statistic"],
                             statistic or default.get(formula[0], "geometric mean"))


class AllErrors(ExperimentTest):
    """One try shows them all."""

    PLAN = """\
name = "many"
sead = 3
[limits]
max_nodes = "x"
[[series]]
name = "a"
game = "hex:size=99"
positions = ["a1"]
[[series]]
name = "b"
game = "hex:size=3"
goals = ["win", "score>=2", "wan"]
positions = [
  "a1", "z9",
  "b2 b2", 7 ]
[[algorithm]]
label = "A"
spec = "pn:ties=lft"
[[algorithm]]
spec = "ppn:playouts=1,theta=0.1"
[[algorithm]]
label = "n={n}"
spec = "ppn:playouts={n}"
sweep = { key = "n", values = [1, 1] }
[[claim]]
id = "c"
text = "t"
series = "d"
formula = "iterations(A) < iterations"
"""
    WRONG = ["2: plan: unknown key 'sead'", "4: [limits]: 'max_nodes' must be a whole number",
             "7: [[series]] 'a': hex: size must be", "12: [[series]] 'b': unknown goal 'wan'",
             "12: [[series]] 'b': goal score>=2: hex:size=3 has no scores",
             "14: [[series]] 'b', position 2: hex position: cell 'z9'",
             "15: [[series]] 'b', position 3: hex position: cell 'b2'",
             "15: [[series]] 'b': a position is a text",
             "18: [[algorithm]] 'A': pn: ties must be one of",
             "19: [[algorithm]] 'ppn:playouts=1,theta=0.1': 'label' is missing",
             "24: [[algorithm]] 'n={n}' 'sweep': 1 is there twice",
             "28: [[claim]] 'c': there is no series 'd'",
             "29: [[claim]] 'c': formula 'iterations(A) < iterations': "]

    def errors(self, text):
        """The lines of stderr after the first, which counts them; the plan's path taken away."""
        plan = self.write(text)
        process = run("experiment", plan, "--dry-run")
        self.assert_status(process, BAD_DATA)
        self.assertEqual(process.stdout, "")
        first, *lines = process.stderr.splitlines()
        number = len([line for line in lines if not line.startswith(" ")])
        self.assertEqual(first, f"playproof: {plan}: {number} errors")
        return [line.removeprefix(plan + ":") for line in lines]

    def test_each_has_its_line(self):
        lines = self.errors(self.PLAN)
        self.assertEqual(len(lines), len(self.WRONG), lines)
        for line, wanted in zip(sorted(lines), sorted(self.WRONG)):
            self.assertTrue(line.startswith(wanted), line)
        numbers = [int(line.partition(":")[0]) for line in lines]
        self.assertEqual(numbers, sorted(numbers))

    def test_mended_one_after_the_other(self):
        """None hides another, or is told twice."""
        mended, left = self.PLAN, len(self.WRONG) + 1
        for old, new in (("sead = 3", "seed = 3"), ('"x"', "9e3"), ("size=99", "size=3"),
                         ('"score>=2", "wan"', '"draw"'), ('"z9"', '"c3"'), ("b2 b2", "b2 b3"),
                         (", 7", ""), ("lft", "left"),
                         ('spec = "ppn:playouts=1,t', 'label = "B"\nspec = "ppn:playouts=1,t'),
                         ("[1, 1]", "[1, 2]"), ('"d"', '"b"')):
            lines = self.errors(mended)
            self.assertLess(len(lines), left, lines)
            left = len(lines)
            self.assertIn(old, mended)
            mended = mended.replace(old, new)
        process = run("experiment", self.write(mended), "--dry-run")
        self.assert_status(process, BAD_DATA)  # one is left: no line counts it
        self.assertRegex(process.stderr, r"\Aplayproof: \S+plan.toml:\d+: .*\n\Z")
        mended = mended.replace('< iterations"', '< iterations(B)"')
        self.assert_status(run("experiment", self.write(mended), "--dry-run"), 0)

    def test_nothing_that_follows_from_another_error(self):
        """One mistake, one line."""
        self.write("1 2\n1\n1 2\n", "pairs.txt")
        rows = 'positions_file = "pairs.txt"\ncolumns = ["a", "b"]\nposition = "{a}"\nrows = { from = 1, to = 3 }'
        swept = 'label = "n={n}"\nspec = "ppn:playouts={n}"\nsweep = { key = "n", values = [1, 1] }'
        for old, new, line, says in (
                ('trees = { from = 1, to = 4 }', rows, 0, "pairs.txt:2: 1 columns"),
                ('label = "PN"\nspec = "pn:ties=left"', swept, 20, "1 is there twice"),
                ("[[claim]]", '[[choice]]\nlabel = "c"\nof = "n="\nhow = "best"\nmeasure = "iteration"\n'
                 '[[claim]]', 0, None),
                ("[[algorithm]]\nlabel", '[[algorithm]]\nseries = "tres"\nlabel', 18, "no series 'tres'"),
                ("[[series]]", "[series]", 11, "a list of tables"), ("100_000", "0", 6, "'max_nodes' must"),
                ('"pn:ties=left"', '"pm"', 19, "unknown algorithm"),
                ('"pgame:branching=2,depth=8"', '"pgam"', 13, "unknown game")):
            plan = self.write(PLAN.replace(old, new, 1).replace('normalise = "branching"\n', ""))
            process = run("experiment", plan, "--dry-run")
            self.assert_status(process, BAD_DATA)
            if says is None:  # fewer than two labels, and the measure
                self.assertIn("2 errors", process.stderr)
                continue
            self.assertEqual(len(process.stderr.splitlines()), 1, process.stderr)
            self.assertIn(says, process.stderr)
            self.assertIn(f"{plan}:{line}: " if line else "", process.stderr)

    def test_very_long_texts(self):
        self.write("a" * 100_000 + "\n", "positions.txt")
        self.assertLess(len("".join(self.errors_of_many())), 3000)

    def test_the_lines_to_add_mend_it(self):
        """From an empty plan: what is to be added makes one that runs."""
        self.write("b2\nc3 a1\n", "positions.txt")
        text = ""
        for _ in range(4):
            process = run("experiment", self.write(text), "--dry-run")
            if process.returncode == 0:
                break
            self.assert_status(process, BAD_DATA)
            lines = process.stderr.splitlines()
            top = [line.partition("; add: ")[2] for line in lines if "; add: " in line]
            text = "\n".join(top + [text] + [line[4:] for line in lines if line.startswith("    ")])
        self.assert_status(process, 0)
        self.assertEqual(process.stdout.splitlines()[-1], "4 runs")  # two positions, two algorithms

    def mended(self, text, stderr):
        """The plan with the lines added where the errors say: before the first line, after the head of a
        table, at the end."""
        lines, end, told = text.splitlines(), [], ""
        places = []
        for error in stderr.splitlines():
            if error.startswith("    "):
                self.assertTrue(told.endswith("; at the end of the file, add:"), told)
                end.append(error[4:])
                continue
            told = error
            if "; add: " in error:
                place, _, says = error.partition("plan.toml:")[2].partition(": ")
                places.append((int(place) - (not says.startswith("[")), error.partition("; add: ")[2]))
        for place, line in sorted(places, reverse=True):
            lines.insert(place, line)
        return "".join(line + "\n" for line in lines + end)

    def test_added_as_told_the_lines_mend_it(self):
        """Whatever is missing, in one try; tables are told where they swallow nothing."""
        self.write("b2\nc3 a1\n", "positions.txt")
        parts = {"name": 'name = "x"\n', "limits": "[limits]\nmax_nodes = 99\n",
                 "series": '[[series]]\nname = "s"\ngame = "hex:size=3"\npositions_file = "positions.txt"\n',
                 "algorithm": '[[algorithm]]\nlabel = "A"\nspec = "pn"\n'}
        for number in range(2 ** len(parts)):
            gone = [part for i, part in enumerate(parts) if number >> i & 1]
            text = "".join(of for part, of in parts.items() if part not in gone)
            for before in (text, text.removesuffix("\n")):
                process = run("experiment", self.write(before), "--dry-run")
                self.assert_status(process, BAD_DATA if gone else 0)
                if not gone:
                    continue
                after = self.mended(before, process.stderr)
                self.assert_status(run("experiment", self.write(after), "--dry-run"), 0)
                # Each is told: in the order in which it is to be added, those of tables in the last line.
                places = re.findall(r"^(?:playproof: )?\S+plan.toml:(\d+): ", process.stderr, re.MULTILINE)
                last = str(max(1, len(before.splitlines())))
                self.assertEqual(places, ["1"] * ("name" in gone) + [last] * (len(gone) - ("name" in gone)))

    def test_an_empty_list_of_tables(self):
        """A table added beside it would be no plan."""
        for key in ("series", "algorithm"):
            text = re.sub(rf"\[\[{key}\]\]\n(.+\n)+\n", "", PLAN).partition("[[claim]]")[0]
            plan = self.write(text.replace("[limits]", f"{key} = []\n[limits]", 1))
            self.assert_fails(["experiment", plan, "--dry-run"], BAD_DATA, f"{plan}:5: plan: '{key}' must not be "
                              "empty")
            self.assertNotIn("add:", run("experiment", plan, "--dry-run").stderr)

    def test_very_many(self):
        self.write("a1\n" + "".join(f"z{i}\n" for i in range(1, 61)), "positions.txt")
        lines = self.errors_of_many()
        self.assertEqual(len(lines), 22)
        self.assertTrue(lines[0].endswith("plan.toml: 60 errors"), lines[0])
        self.assertTrue(lines[-1].startswith("and 40 more"), lines[-1])

    def errors_of_many(self):
        plan = self.write('name = "m"\nlimits.max_nodes = 9\n[[series]]\nname = "s"\n'
                          'game = "hex:size=3"\npositions_file = "positions.txt"\n'
                          '[[algorithm]]\nspec = "pn"\n')
        process = run("experiment", plan, "--dry-run")
        self.assert_status(process, BAD_DATA)
        return process.stderr.splitlines()

    def test_texts_of_others_stay_on_their_line(self):
        self.write("a1\x1b[2J\n", "positions.txt")
        lines = self.errors_of_many()
        self.assertEqual(len(lines), 1)
        self.assertIn("\\x1b[2J", lines[0])

    def test_an_algorithm_is_called_what_it_is(self):
        text = PLAN.replace('label = "PN"\n', "").replace("iterations(PN)", "iterations(pn:ties=left)")
        process = run("experiment", self.write(text), "--dry-run")
        self.assert_status(process, 0)
        self.assertIn("\tpn:ties=left\t", process.stdout)


class ShippedPlans(ExperimentTest):
    def test_every_plan_is_sound(self):
        for name, runs in (("pgame-thesis", 7000), ("hex-trees", 5841), ("playouts", 5032),
                           ("which-equal", 854), ("searchers", 318), ("policies", 984), ("loa-endgames", 315),
                           ("loa-500", 2500), ("connect6-deep", 13244), ("connect6-deep-coarse", 704), ("connect6-turns", 543),
                           ("../../tests/programs/smoke", 144),
                           ("../../tests/programs/agreement", 17811)):
            process = run("experiment", f"{SOURCE}/bench/plans/{name}.toml", "--dry-run")
            self.assert_status(process, 0)
            lines = process.stdout.splitlines()
            self.assertEqual(lines[-1], f"{len(lines) - 1} runs")
            if runs is not None:
                self.assertEqual(len(lines) - 1, runs, name)

    def test_claims_rest_on_algorithms_named_in_full(self):
        """Defaults change; what a paper is judged by does not. (Options that came later and do nothing
        by default are no part of names.)"""
        options = {}
        for entry in self.json("algorithms"):
            if "game" in entry:
                options[entry["name"]] = entry["options"]
                continue
            full = self.json("solve", "hex:size=2", "--algorithm", entry["name"])["algorithm"]
            names = {option.partition("=")[0] for option in full.partition(":")[2].split(",")}
            options[entry["name"]] = [o for o in entry["options"] if o["name"] in names]
        seen = 0
        for file in sorted([*glob.glob(f"{SOURCE}/bench/plans/*.toml"), f"{SOURCE}/tests/programs/agreement.toml"]):
            with open(file, "rb") as source:
                plan = tomllib.load(source)
            plan["algorithm"] = [one for table in plan["algorithm"] for one in sweeps.expanded(table)]
            for algorithm in plan["algorithm"]:  # a stored name does not speak of zones=off
                name, _, given = algorithm["spec"].partition(":")
                if "zones" in {option["name"] for option in options[name]}:
                    self.assertIn("zones=", given, f"{file}: {algorithm['label']}")
            if "claim" not in plan:
                continue
            for algorithm in plan["algorithm"]:
                name, _, given = algorithm["spec"].partition(":")
                given = dict(value.split("=") for value in given.split(",") if value)
                idle = set().union(*(IDLE.get("=".join(item), ()) for item in given.items()))
                # A default that follows from other options has no value of its own.
                unsaid = [option["name"] for option in options[name]
                          if option["default"] is not None and option["name"] not in {*given, *idle}]
                self.assertEqual(unsaid, [], f"{os.path.basename(file)}: {algorithm['label']}")
                seen += 1
        self.assertGreater(seen, 40)


if __name__ == "__main__":
    unittest.main()
