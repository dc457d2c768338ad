"""Algorithms that are compared know the same of the game, and the same engines play for them, or the page
says so."""

import json
import os
import subprocess
import unittest

import support
from playproof_report import claims, conditions, pairing, summary
from playproof_report.store import read_experiments
from test_compare import with_made

ALONE = "the rules alone"


def run(label, problem, parameters, backend="none", device="cpu", series="s", game="hex:size=4"):
    return {**support.run(label, problem, 9, series=series), "parameters": json.dumps(parameters),
            "backend": backend, "device": device, "game": game}


def made_up(runs, **options):
    conditions_of = [(one["backend"], one["device"], one["game"]) for one in runs]
    made = with_made(runs, options.pop("labels", ("A", "B", "C")), **options)
    for one, (backend, device, game) in zip(made.runs, conditions_of):
        one.update(backend=backend, device=device, game=game)
    return made


class Knowledge(unittest.TestCase):
    def test_what_parameters_say(self):
        for parameters, text in (
                ({}, ALONE), ({"zones": "off", "patterns": "0", "fill": "off", "probe": "none"}, ALONE),
                ({"zones": "on"}, "zones=on"), ({"patterns": "64", "zones": "on"}, "zones=on, patterns=64"),
                ({"order": "random", "widening": "0.25"}, ALONE), ({"order": "natural", "widening": "0"}, ALONE),
                ({"order": "resistance", "widening": "0"}, "order=resistance"),
                ({"order": "resistance", "widening": "0.25", "zones": "on"},
                 "zones=on, order=resistance, widening=0.25"),
                ({"fill": "dead"}, "fill=dead"), ({"fill": "full", "zones": "on"}, "zones=on, fill=full"), ({"probe": "bridges"}, "probe=bridges"),
                ({"probe": "connections", "zones": "on"}, "zones=on, probe=connections"),
                ({"probe": "4"}, ALONE), ({"probe": "endings"}, ALONE), ({"probe": "pn2"}, ALONE),
                ({"probe": "endings+bridges"}, "probe=endings+bridges")):
            with self.subTest(parameters=parameters):
                self.assertEqual(conditions.knowledge(parameters, "hex"), text)

    def test_every_option_that_is_of_one_game_is_known(self):
        """Of the program's own list, so that a new one is not forgotten: what its help says is of Hex."""
        listed = subprocess.run([support.PROGRAM, "algorithms", "--json"], capture_output=True, text=True, check=True)
        options = {(o["name"], value): o for a in json.loads(listed.stdout) for o in a["options"] if not o.get("presets")
                   for value in o.get("words", [str(o.get("max"))]) if "hex" in o["help"]}
        self.assertLessEqual({("zones", "on"), ("fill", "full"), ("probe", "bridges"), ("order", "resistance")},
                             set(options))
        for name, value in options:
            told = conditions.knowledge({name: value}, "hex")
            plain = value in ("natural", "random", "off", "none", "endings")
            self.assertEqual(told, ALONE if plain else f"{name}={value}")

    def test_order_is_warned_of(self):
        runs = [run("A", "p", {"probe": "connections", "order": "natural"}),
                run("B", "p", {"probe": "connections", "order": "resistance", "widening": "0.25"})]
        text, = self.warned(runs, labels=("A", "B"))
        self.assertIn("A with probe=connections; B with order=resistance, widening=0.25, probe=connections", text)

    def test_zones_are_of_hex(self):
        self.assertEqual(conditions.knowledge({"zones": "on", "patterns": "64"}, "othello"), ALONE)
        runs = [run("A", "p", {"zones": "on"}, game="othello:size=8"),
                run("B", "p", {"zones": "off"}, game="othello:size=8")]
        self.assertEqual(self.warned(runs), [])

    def warned(self, runs, **options):
        made = made_up(runs, **options)
        return conditions.warnings(made, conditions.with_conditions(pairing.frame(made)))

    def test_other_knowledge_than_the_reference(self):
        text, = self.warned([run("A", "p", {"zones": "on"}), run("B", "p", {"zones": "off"}),
                             run("C", "p", {"zones": "on"})])
        self.assertTrue(text.startswith("Unequal knowledge of the game on s: A with zones=on; B with the rules "
                                        "alone. What"), text)

    def test_equal_knowledge(self):
        self.assertEqual(self.warned([run(label, "p", {"zones": "on"}) for label in "ABC"]), [])
        self.assertEqual(self.warned([run(label, "p", {}) for label in "ABC"]), [])

    def test_what_claims_compare(self):
        runs = [run("A", "p", {}, series="t"), run("B", "p", {"patterns": "1"}), run("C", "p", {})]
        self.assertEqual(self.warned(runs, series=("s", "t")), [])  # the reference is not there
        claim = support.claim(subject="B", base="C")
        self.assertEqual(len(self.warned(runs, series=("s", "t"), claims=[claim])), 1)

    def test_a_judgement_says_so(self):
        """As report --help has it: connections against bridges."""
        runs = [run("A", "p", {"probe": "connections"}), run("B", "p", {"probe": "bridges"})]
        made = made_up(runs, labels=("A", "B"), claims=[support.claim(), support.claim(subject="B", base="B")])
        unlike, alike = claims.judge(made, pairing.frame(made))
        self.assertEqual(unlike.help, "unequal knowledge of the game: A has probe=connections; B has probe=bridges")
        self.assertEqual(alike.help, "")

    def test_the_stored_connections(self):
        """All that compare them with bridges or with other knowledge."""
        store = os.path.join(support.SOURCE, "bench", "results", "hex-tables.db.xz")
        made, = read_experiments([store])
        mine = [claim for claim in made.plan["claims"] if claim["series"][0].startswith("connections")]
        help_of = {(j.claim["subject"], j.claim["base"]): j.help for j in claims.judge(made, pairing.frame(made), mine)}
        unlike = {pair for pair in help_of if len({label.startswith("bridges") for label in pair}) == 2}
        self.assertGreaterEqual(len(unlike), 1)
        for pair in unlike:
            self.assertTrue(help_of[pair].endswith(f"{pair[0]} has zones=on, patterns=1024, probe=connections; {pair[1]} "
                                                   "has zones=on, patterns=1024, probe=bridges"), help_of[pair])

    def test_engines(self):
        text, = self.warned([run("A", "p", {}, "cpu"), run("B", "p", {}, "latency:us=20", "simulated"),
                             run("C", "p", {}, "cpu")])
        self.assertEqual(text, "Different engines played on s: cpu on cpu for A; latency:us=20 on simulated for "
                               "B. Counts do not depend on that, times do.")

    def test_threads(self):
        """Of rows that say nothing of them there was one."""
        runs = [{**run("A", "p", {}), "threads": 4}, {**run("B", "p", {}), "threads": 1}, {**run("C", "p", {}), "threads": 4}]
        text, = self.warned(runs)
        self.assertEqual(text, "Unequal threads on s: A with 4 threads; B with one. CPU time is that of all threads of a "
                               "run, wall time is shorter where several work.")
        self.assertEqual(self.warned([{**one, "threads": 4} for one in runs]), [])

    def test_who_plays_nothing_has_no_engine(self):
        self.assertEqual(self.warned([run("A", "p", {}, "cpu"), run("B", "p", {}), run("C", "p", {}, "cpu")]), [])

    def test_pairs_are_compared(self):
        """Both engines played for both, but not in the same pairs."""
        runs = [run("A", "p", {}, "cpu"), run("A", "q", {}, "cuda", "gpu"),
                run("B", "p", {}, "cuda", "gpu"), run("B", "q", {}, "cpu")]
        self.assertEqual(len(self.warned(runs)), 1)
        equal = runs[:2] + [run("B", "p", {}, "cpu"), run("B", "q", {}, "cuda", "gpu")]
        self.assertEqual(self.warned(equal), [])

    def test_the_page_and_the_text_say_so(self):
        def made():
            return made_up([run("A", "p", {"zones": "on"}, "cpu"), run("B", "p", {}, "cuda", "gpu")],
                           labels=("A", "B"))
        one = made()
        added = summary.warn([one])
        self.assertEqual(len(added), 2)
        with support.undrawn():
            page, text = summary.as_html([one]), summary.as_text([one])
        for sentence in added:
            self.assertIn(f'<div class="warning">{sentence}'.replace("'", "&#39;"), page)
            self.assertIn(f"Note: {sentence}\n", text)
        for kind in summary.KINDS.keys() - {"agreement"}:
            other = made()
            other.plan["report"]["kind"] = kind
            self.assertEqual(summary.warn([other]), added, kind)
        other = made()
        other.plan["report"]["kind"] = "agreement"  # compares nobody's counts
        self.assertEqual(summary.warn([other]), [])


if __name__ == "__main__":
    unittest.main()
