"""Parts of the pages that can be wrong without looking wrong."""

import json
import unittest

import numpy

import support
from playproof_report import agreement, choices, claims, labels, page, pairing, style, summary
from playproof_report.statistics import Interval


class Labels(unittest.TestCase):
    def test_names_stay_inside_and_apart(self):
        xs = numpy.linspace(0, 1, 50)
        curves = {"falls early": (xs, 0.9 * numpy.exp(-9 * xs)),
                  "falls late": (xs, 0.9 * (xs < 0.8)), "stays": (xs, 0.5 + 0.02 * numpy.sin(60 * xs)),
                  "zero": (xs, 0 * xs), "also zero": (xs, 0 * xs + 0.001)}
        places = labels.place(curves)
        self.assertEqual(set(places), set(curves))
        boxes = [(x, y, x + labels.LETTER_WIDTH * len(name), y + labels.HEIGHT)
                 for name, (x, y) in places.items()]
        for i, box in enumerate(boxes):
            self.assertGreaterEqual(min(box), 0)
            self.assertLessEqual(max(box), 1)
            for other in boxes[:i]:
                self.assertFalse(box[0] < other[2] and other[0] < box[2] and box[1] < other[3]
                                 and other[1] < box[3], places)


class Curves(unittest.TestCase):
    def test_there_are_looks_for_many(self):
        names = [str(i) for i in range(24)]
        looks = [tuple(look.values()) for look in style.looks(names).values()]
        self.assertEqual(len(set(looks)), 24)
        self.assertEqual(len(style.looks(names + ["more", "than that"])), 26)


class Numbers(unittest.TestCase):
    def test_short_numbers(self):
        for value, text in ((0.5, "0.5"), (12, "12"), (3321.4, "3,321"), (31380, "31.4k"),
                            (354560, "355k"), (1.2e6, "1.2M"), (9999.9, "10k")):
            self.assertEqual(style.short_number(value), text)

    def test_times(self):
        for value, text in ((2.01e-3, "2.01 ms"), (4.2e-4, "420 µs"), (12.3, "12.3 s")):
            self.assertEqual(style.short_time(value), text)

    def test_ratios(self):
        for value, text in ((0.0312, "0.0312×"), (2.4, "2.4×"), (110.2, "110×"),
                            (float("inf"), "∞"), (float("nan"), "-")):
            self.assertEqual(style.ratio_text(value), text)

    def test_text_of_a_plan_is_no_html(self):
        claim = support.claim()
        claim["text"] = "<b>A</b> & B"
        judged = claims.Judgement(claim, "s", claims.PARTLY, Interval(1, 0.5, 2, 9), 0, 1, "")
        self.assertIn("&lt;b&gt;A&lt;/b&gt; &amp; B", page.claims_table([judged]))


class Choices(unittest.TestCase):
    def chosen(self, counts, how):
        """counts: {label: [nodes of each problem]}."""
        runs = [support.run(label, f"p{i}", nodes, "proved")
                for label, values in counts.items() for i, nodes in enumerate(values)]
        choice = {"label": "choice", "labels": list(counts), "how": how, "measure": "iterations",
                  "series": ["s"]}
        table = choices.with_choices(pairing.frame(support.made_up(runs)), [choice])
        taken = pairing.of(table, "s", "choice").sort_values("problem")
        return list(taken["setting"]), list(taken["iterations"])

    def test_best_is_of_each_problem(self):
        settings, counts = self.chosen({"a": [5, 9, 7], "b": [6, 2, 7]}, "best")
        self.assertEqual((settings, counts), (["a", "b", "a"], [5, 2, 7]))

    def test_tuned_looks_at_the_other_half_only(self):
        # Problems 0 and 2 are one half, 1 and 3 the other: each half takes what suits the other.
        settings, counts = self.chosen({"a": [1, 90, 1, 90], "b": [80, 2, 80, 2]}, "tuned")
        self.assertEqual((settings, counts), (["b", "a", "b", "a"], [80, 90, 80, 90]))


    def test_leave_one_out_looks_at_all_others(self):
        # Without problem 0 b is the better one, without any other a.
        settings, counts = self.chosen({"a": [1, 30, 30, 30], "b": [80, 20, 20, 20]}, "leave one out")
        self.assertEqual((settings, counts), (["b", "a", "a", "a"], [80, 30, 30, 30]))
        self.assertEqual(self.chosen({"a": [3], "b": [2]}, "leave one out")[0], ["b"])  # no other

    def test_leave_one_out_leaves_out_all_runs_of_a_problem(self):
        runs = [support.run(label, f"p{i}", nodes, repetition=repetition)
                for label, values in (("a", [1, 30]), ("b", [80, 20])) for i, nodes in enumerate(values)
                for repetition in (1, 2)]
        choice = {"label": "c", "labels": ["a", "b"], "how": "leave one out",
                  "measure": "iterations", "series": ["s"]}
        table = choices.with_choices(pairing.frame(support.made_up(runs)), [choice])
        self.assertEqual(list(pairing.of(table, "s", "c").sort_values(["problem", "repetition"])[
            "setting"]), ["b", "b", "a", "a"])

    def test_repeated_splits(self):
        """Of four problems: the halves are any two of them, and each is chosen for by the other two."""
        counts = {"a": [1, 30, 30, 30], "b": [80, 20, 20, 20]}
        settings, values = self.chosen(counts, "repeated splits")
        self.assertEqual(settings, ["b", "a", "a", "a"])
        # Problem 0 is never among the others of its own split; of the others it is in two of three.
        self.assertAlmostEqual(values[0], 80)
        for value in values[1:]:
            self.assertAlmostEqual(numpy.log(value), (2 * numpy.log(30) + numpy.log(20)) / 3,
                                   delta=0.02)

    def test_splits_are_the_same_for_all_choices(self):
        """So that a ratio of two choices is one of settings that saw the same problems."""
        counts = {f"{family} {i}": list(numpy.random.RandomState(i).randint(1, 99, size=9))
                  for family in "ab" for i in range(5)}
        runs = [support.run(label, f"p{i}", int(nodes)) for label, values in counts.items()
                for i, nodes in enumerate(values)]
        frame = pairing.frame(support.made_up(runs))
        choice = {"labels": [label for label in counts if label[0] == "a"], "measure": "iterations"}
        other = {**choice, "labels": [label for label in counts if label[0] == "b"]}
        first, second = (choices.split_logs(frame, c, "iterations") for c in (choice, other))
        self.assertEqual(first.shape, (choices.SPLITS, 9))
        self.assertTrue(numpy.array_equal(first, second))  # the two families have the same counts
        held_out = choices.logs_of(frame, choice, "iterations", "leave one out")
        self.assertEqual(list(held_out.index), list(first.columns))

    def test_splits_with_undecided_runs(self):
        runs = [support.run(label, f"p{i}", nodes, "unknown" if nodes == 99 else "proved")
                for label, values in (("a", [1, 99, 20, 3]), ("b", [8, 9, 9, 9]))
                for i, nodes in enumerate(values)]
        choice = {"label": "c", "labels": ["a", "b"], "how": "repeated splits",
                  "measure": "iterations", "series": ["s"]}
        table = choices.with_choices(pairing.frame(support.made_up(runs)), [choice])
        taken = pairing.of(table, "s", "c").set_index("problem")
        self.assertEqual([taken["decided"][f"p{i}"] for i in range(4)], [True, False, True, True])
        self.assertEqual(taken["verdict"]["p1"], "unknown")


def checked_or_not(runs):
    for run in runs:
        run.update({name: "x" for name in ("version", "revision", "compiler", "cpu_model", "host",
                                           "backend", "started", "finished", "spec")})
    return support.made_up(runs, labels=("A",), kind="agreement")


def contradictory(*verdicts, **more):
    """Runs of A, B, ... that answer one question so."""
    return [{**support.run(label, "p", 9, verdict), **more} for label, verdict in zip("ABCDE", verdicts)]


class Contradictions(unittest.TestCase):
    def found(self, runs):
        return agreement.contradictions(pairing.plain_frame(support.made_up(runs)))

    def test_two_answers_to_one_question(self):
        self.assertEqual(self.found(contradictory("proved", "disproved", "unknown", "proved")), [
            "Contradictory verdicts on s, p, win: proved by A, D, disproved by B. One of them is wrong."])
        self.assertEqual(self.found(contradictory("proved", "proved", "unknown")), [])

    def test_repetitions_ask_the_same(self):
        runs = [support.run("A", "p", 9, "proved"), support.run("A", "p", 9, "disproved", repetition=2)]
        self.assertEqual(len(self.found(runs)), 1)

    def test_like_with_like(self):
        """Another goal, problem, series or position is another question."""
        for column in ("goal", "problem", "series", "position", "game"):
            other = "score>=2" if column == "goal" else "other"
            self.assertEqual(self.found(contradictory("proved") + contradictory(
                "disproved", **{column: other})), [], column)

    def test_who_reaches_a_goal_reaches_every_lower_one(self):
        """support.run() asks for a win, a score of 1."""
        proved = contradictory("proved")
        for lower in ("draw", "score>=-3", "score>=0"):
            low = contradictory("unknown", "disproved", goal=lower)
            self.assertEqual(self.found(proved + low), [
                f"Contradictory verdicts on s, p: win proved by A, {lower} disproved by B. One of them is wrong."])
            self.assertEqual(self.found(contradictory("disproved") + contradictory("proved", goal=lower)), [])
            for column in ("problem", "series", "position", "game"):
                self.assertEqual(self.found(proved + [{**one, column: "other"} for one in low]), [], column)
        high = contradictory("proved", goal="score>=4")
        self.assertIn("score>=4 proved by A, score>=-3 disproved by B", self.found(
            proved + high + contradictory("unknown", "disproved", goal="draw")
            + contradictory("unknown", "disproved", goal="score>=-3"))[0])

    def test_many(self):
        runs = [{**one, "problem": f"p{i}"} for i in range(9) for one in contradictory("proved", "disproved")]
        found = self.found(runs)
        self.assertEqual(len(found), agreement.MOST_NAMED + 1)
        self.assertIn("p0", found[0])
        self.assertEqual(found[-1], "Contradictory verdicts on 6 more of the questions.")

    def test_every_kind_says_so(self):
        made = checked_or_not(contradictory("proved", "disproved"))
        made.plan["algorithms"].append({**made.plan["algorithms"][0], "label": "B"})
        for kind in ("agreement", "compare"):
            made.plan["report"]["kind"], made.warnings = kind, []
            warned = summary.warn([made])
            self.assertEqual(len(warned), 1)
            self.assertIn("Note: Contradictory verdicts on s, p, win", summary.as_text([made]))
            with support.undrawn():
                self.assertIn(warned[0], summary.as_html([made]))


class Agreement(unittest.TestCase):
    def test_tally(self):
        runs = [support.run("A", "p0", 1, "proved", expected="proved"),
                support.run("A", "p1", 1, "proved", expected="disproved"),
                support.run("A", "p2", 1, "unknown", expected="proved"),
                support.run("A", "p3", 1, "proved")]
        self.assertEqual(agreement.tally(pairing.frame(support.made_up(runs))), (1, 1, 1, 1))

    def test_what_is_unchecked_is_not_as_known(self):
        runs = [support.run("A", "p0", 1, "proved", expected="proved"),
                support.run("A", "p1", 1, "proved"), support.run("A", "p2", 1, "disproved")]
        made = checked_or_not(runs)
        page_of = agreement.section(made)
        self.assertIn("1 of 3, 2 unchecked", page_of)
        self.assertIn("blue: decided, but no result is known", page_of)
        self.assertIn("decided, but no result is known", page_of)
        self.assertIn(agreement.UNCHECKED, page_of)
        row, = agreement._rows(made, pairing.frame(made), True)
        self.assertEqual(row[3:7], [3, 1, 0, 2])
        self.assertEqual([line.split() for line in agreement.text(made)],
                         [["runs", "agree", "contradict", "undecided", "unchecked"],
                          ["A", "3", "1", "0", "0", "2"]])

    def test_where_all_is_checked_nothing_is_said_of_it(self):
        made = checked_or_not([support.run("A", "p0", 1, "proved", expected="proved"),
                               support.run("A", "p1", 1, "unknown")])
        page_of = agreement.section(made)
        self.assertNotIn("unchecked", page_of)
        self.assertNotIn("blue", page_of)
        self.assertNotIn(agreement.UNCHECKED, page_of)
        self.assertEqual(agreement.text(made)[0].split(), ["runs", "agree", "contradict", "undecided"])

    def test_a_contradiction_is_named(self):
        run = support.run("A", "p1", 1, "proved", expected="disproved")
        sentence = page.agreement_sentence([run])
        self.assertIn("1 contradict", sentence)
        self.assertIn("p1, win, A: proved, expected disproved", sentence)

    def test_a_contradiction_of_what_is_known_is_told(self):
        """By every format but the runs themselves: on stderr, in the text, in the judgements."""
        runs = [support.run("A", f"p{i}", 1, "proved", expected="disproved" if i < 5 else "proved") for i in range(9)]
        runs += [support.run("A", "p9", 1, "unknown", expected="proved"), support.run("B", "p1", 1, "proved")]
        made = support.made_up(runs)
        made.plan["choices"] = [{"label": "the best", "labels": ["A", "B"], "how": "best", "measure": "iterations",
                                 "series": ["s"]}]  # its runs are theirs
        told = summary.disagreements([made])
        self.assertEqual(len(told), agreement.MOST_NAMED + 1)
        self.assertRegex(told[0], "^Disagreement on .*, p0, win: proved by A, known is disproved. One of them is wrong.$")
        self.assertEqual(told[-1], "2 more runs contradict the known result.")
        self.assertEqual(summary.warn([made])[:4], told)
        self.assertIn(f"Note: {told[0]}", summary.as_text([made]))
        listed = json.loads(summary.as_claims([made]))["experiments"][0]["disagreements"]
        self.assertEqual([one["problem"] for one in listed], ["p0", "p1", "p2", "p3", "p4"])


if __name__ == "__main__":
    unittest.main()
