"""The same question has the same counts: twice, with any thread count, backend and limit."""

import json
import unittest

from program import DECIDED, NIGHTLY, TABLES, UNDECIDED, ProgramTest, run

PROBLEMS = [
    ("hex:size=4", "a1", "win"),
    ("pgame:branching=4,depth=7,tree=9", "", "win"),
    ("othello:size=6", "", "draw"),
    ("connect6:rows=6,columns=6,connect=5,stones=2", "CC", "win"),
]
ALGORITHMS = ["minimax", "alphabeta", "pn:ties=deepest,stop=none", "pn:order=random", "deeppn", "pds", "pnstar",
              "dfppn", "dfews", "mcpn", "ppn:playouts=10", "ews", "mcts", "uct", "dfpn:leaf=playouts",
              "pn:leaf=playouts,playouts=10"]
WITH_PLAYOUTS = ALGORITHMS[7:]
TIMES = ("seconds", "cpu_seconds")
ENGINES = [b["name"] for b in json.loads(run("version", "--json").stdout)["backends"] if b["usable"]
           and b["name"] not in ("auto", "check", "latency")]  # others behind these


class Determinism(ProgramTest):

    def answer(self, *arguments):
        process = run(*arguments, "--json")
        self.assertIn(process.returncode, (DECIDED, UNDECIDED), process.stderr)
        answer = json.loads(process.stdout)
        return {key: value for key, value in answer.items() if key not in TIMES}

    def test_same_answer_twice_and_for_any_thread_count(self):
        for p, (game, position, goal) in enumerate(PROBLEMS):
            for a, algorithm in enumerate(ALGORITHMS):
                if not NIGHTLY and (p + a // 2) % 2:
                    continue  # each algorithm on two of the four
                for batch in ("1", "7") if NIGHTLY else (("1", "7")[(p + a) % 2],):
                    arguments = ("solve", game, "--position", position, "--goal", goal,
                                 "--algorithm", algorithm, "--max-nodes", "3000" if NIGHTLY else "800",
                                 "--batch", batch)
                    with self.subTest(arguments=arguments):
                        one = self.answer(*arguments, "--threads", "1")
                        two = self.answer(*arguments, "--threads", "2")
                        one.pop("backend")
                        two.pop("backend")
                        self.assertEqual(one, two)

    def test_reference_backend_changes_no_count(self):
        for game, position, goal in PROBLEMS:
            arguments = ("solve", game, "--position", position, "--goal", goal, "--algorithm",
                         "ppn:playouts=10", "--max-nodes", "500")
            with self.subTest(arguments=arguments):
                fast = self.answer(*arguments, "--backend", "cpu")
                slow = self.answer(*arguments, "--backend", "reference")
                self.assertNotEqual(fast.pop("backend"), slow.pop("backend"))
                self.assertEqual(fast, slow)

    def test_seed_matters_where_something_is_random(self):
        arguments = ("solve", "hex:size=4", "--algorithm", "ppn:playouts=10")
        one = self.answer(*arguments, "--seed", "1")
        two = self.answer(*arguments, "--seed", "2")
        self.assertEqual(one["verdict"], two["verdict"])
        self.assertNotEqual(one["iterations"], two["iterations"])

    def test_a_smaller_limit_is_a_prefix_of_the_search(self):
        previous = 0
        for limit in (100, 300, 1000, 3000, 10000):
            answer = self.answer("solve", "hex:size=5", "--algorithm", "pn", "--max-nodes",
                                 str(limit))
            self.assertGreater(answer["iterations"], previous)
            previous = answer["iterations"]

    def test_twice_in_one_process_and_once_in_another(self):
        """20 budgets, every algorithm with every engine of this machine; 1, 2 and 8 threads. By day each algorithm has
        a quarter of the budgets, and the last two numbers of threads take turns."""
        for index, budget in enumerate(range(40, 4040, 200)):
            for a, algorithm in enumerate(ALGORITHMS):
                turn = (index + a) // 4
                if not NIGHTLY and (index + a) % 4:
                    continue
                for engine in self.engines(algorithm, turn):
                    # Less for slow engines, with as many budgets.
                    limit = budget if engine in ("cpu", "cuda") else budget // (
                        4 if NIGHTLY or engine != "reference" else 24)
                    threads = ("1", "2", "8") if NIGHTLY else ("1", "28"[turn // 2 % 2])
                    pipeline = "1" if algorithm.startswith(TABLES) else ("1", "3")[turn % 2]
                    self.same_every_time(threads, "--algorithm", algorithm, "--max-nodes", str(limit),
                                         "--batch", ("1", "40")[index % 2], "--pipeline", pipeline,
                                         "--backend", engine)

    @staticmethod
    def engines(algorithm, turn):
        """All by night; else one: every algorithm meets every engine."""
        if algorithm not in WITH_PLAYOUTS:
            return ["cpu"]
        return ENGINES if NIGHTLY else [ENGINES[turn % len(ENGINES)]]

    def same_every_time(self, threads, *arguments):
        position = "-----XO--OX----- X"  # PN needs 6,823 nodes
        arguments = ["solve", "othello:size=4", "--goal", "score", *arguments, "--json"]
        answers = []
        for number in threads:
            process = run(*arguments, "--threads", number, "--position", "-",
                          stdin=f"{position}\n{position}\n")
            self.assertIn(process.returncode, (DECIDED, UNDECIDED), process.stderr)
            answers += [json.loads(line) for line in process.stdout.splitlines()]
        answers.append(self.answer(*arguments[:-1], "--position", position))
        self.assertEqual(len(answers), 2 * len(threads) + 1)
        for answer in answers:
            for key in TIMES:
                answer.pop(key, None)
            self.assertEqual(answer, answers[0], arguments)


if __name__ == "__main__":
    unittest.main()
